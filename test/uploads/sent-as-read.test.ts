import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { bookService } from '../support/servers/book-service.ts'

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
