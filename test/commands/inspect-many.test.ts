import { linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { openInOrder } from '../../src/uploads/reading/in-order.ts'
import { makeBook } from '../support/books/make-book.ts'
import { makePdf } from '../support/books/make-pdf.ts'
import { Interrupted, machine, temporaryFolder } from '../support/machine/pubctl.ts'

it('reads each of many books as if it were alone, and shows them in the order of their names', async () => {
  const { run, home } = machine()
  const folder = join(home, 'books')
  mkdirSync(folder)
  const kinds = [
    async (title: string) => await makeExampleEpub({ title, isbn: '9780306406157' }),
    async (title: string) => makeBook({ metadata: `<dc:title>${title}</dc:title>` }),
    async () => makeBook({ spine: '<itemref idref="missing"/>' }),
    async (title: string) => makePdf({ info: `/Title (${title})` }),
    async () => Buffer.from('PK\x03\x04 and no more'),
  ]
  const titleOf = (at: number) => `title ${String(at).padStart(3, '0')}`
  const files = Array.from({ length: 200 }, (_, at) => join(folder, `${at}.epub`))
  for (const [at, file] of files.entries())
    writeFileSync(file, (await kinds[at % kinds.length]?.(titleOf(at))) as Buffer)
  const first = files.slice(0, kinds.length)
  const alone = await Promise.all(first.map(async file => (await run(['inspect', file, '--json'])).out))

  const { code, out, err } = await run(['inspect', folder, '--json'])
  const expected = files.map((file, at) =>
    (alone[at % kinds.length] ?? '')
      .replaceAll(`${first[at % kinds.length]}`, file)
      .replaceAll(titleOf(at % kinds.length), titleOf(at)),
  )
  expect(JSON.parse(out)).toEqual(expected.flatMap(text => (text === '' ? [] : JSON.parse(text))))
  const { details } = JSON.parse(err).error
  expect(details.flatMap(({ path }: { path: string[] }) => path)).toEqual(
    files.filter((_, at) => at % kinds.length === 4),
  )
  expect(code).toBe(2)
})

/** A machine with a folder that takes a second to read. */
async function withManyBooks() {
  const own = machine()
  const folder = join(own.home, 'books')
  mkdirSync(folder)
  const first = join(own.home, 'book.epub')
  writeFileSync(first, await makeExampleEpub({ title: 'T' }))
  for (let at = 0; at < 1500; at++) linkSync(first, join(folder, `${at}.epub`))
  return { ...own, folder }
}

it.skipIf(availableParallelism() === 1)('reads nothing ahead once it is interrupted', async () => {
  const folder = temporaryFolder()
  const book = await makeExampleEpub({ title: 'T' })
  const files = Array.from({ length: 64 }, (_, at) => join(folder, `${at}.epub`))
  for (const file of files) writeFileSync(file, book)
  const stop = new AbortController()
  let begun = 0
  const mayRead = () => ++begun > 0
  const books = await openInOrder(files, mayRead, {}, stop.signal)
  onTestFinished(books.close)
  expect((await books.read(files[0] as string)).title).toBe('T')
  stop.abort(new Interrupted('SIGINT'))
  const before = begun
  await expect(books.read(files[1] as string)).rejects.toThrow(Interrupted)
  expect(begun - before).toBeLessThanOrEqual(1)
})

describe('Ctrl-C while many books are read', () => {
  it.each([
    [['inspect', '--json']],
    [['inspect', '--accessibility', '--json']],
    [['inspect', '--rights', '--json']],
    [['publications', 'upload', '--dry-run', '--json', '-p', 'sandbox']],
  ])('ends %j', async args => {
    const { run, folder } = await withManyBooks()
    const stop = new AbortController()
    const interrupt = setTimeout(() => stop.abort(new Interrupted('SIGINT')), 100)
    const { code, err } = await run([...args, folder], { signal: stop.signal })
    clearTimeout(interrupt)
    expect(code).toBe(130)
    expect(err).toMatch(/"message":"interrupted"/)
  })
})
