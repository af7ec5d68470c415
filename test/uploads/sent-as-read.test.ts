import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { bookService } from '../support/servers/book-service.ts'
import type { Received } from '../support/servers/server.ts'

it('books of many sizes each arrive once, as they are', async () => {
  const folder = temporaryFolder()
  // From far below to above what is sent at once, and to more than is kept in memory.
  const sizes = [...Array(60).keys()].map(index => (index * 7919 * 40) % 1_200_000)
  for (const [index, paddingBytes] of sizes.entries())
    writeFileSync(
      join(folder, `${index}.epub`),
      await makeExampleEpub({ title: `Book ${index}`, paddingBytes }),
    )
  const { env, made } = await bookService()
  const { code, err } = await machine(env).run(['publications', 'upload', folder, '--cover', 'none'])
  expect({ code, err }).toMatchObject({ code: 0 })
  const arrived = Object.fromEntries(made.map(({ title, sent, puts }) => [title, { puts, sent }]))
  expect(made).toHaveLength(readdirSync(folder).length)
  for (const index of sizes.keys()) {
    const { puts, sent } = arrived[`Book ${index}`] ?? {}
    expect(puts).toBe(1)
    expect(sent?.equals(readFileSync(join(folder, `${index}.epub`)))).toBe(true)
  }
})

it('what arrives at a store that answers early is the beginning of each book', async () => {
  const folder = temporaryFolder()
  const contents: Buffer[] = []
  for (let index = 0; index < 100; index++) {
    const content = await makeExampleEpub({ title: `Book ${index}`, paddingBytes: 100_000 + index * 8000 })
    writeFileSync(join(folder, `${index}.epub`), content)
    contents.push(content)
  }
  const early: Received[] = []
  const meanwhile = (request: Received) => void early.push(request)
  const faults = { to: 'PUT', when: 'sending', status: 200, meanwhile } as const
  const { env } = await bookService(faults, { bytesPerSecond: 100_000_000 })
  const { code, err } = await machine(env).run([
    'publications',
    'upload',
    folder,
    '--cover',
    'none',
    '--no-wait',
  ])
  expect({ code, err }).toMatchObject({ code: 0 })
  expect(early).toHaveLength(100)
  for (const { body } of early)
    expect(contents.some(content => content.subarray(0, body.length).equals(body))).toBe(true)
})
