import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { makeBook } from '../support/make-book.ts'
import { machine } from '../support/pubctl.ts'

/** A machine with a sound book, one with warnings, one with errors, and something else. */
async function withBooks() {
  const own = machine()
  const at = (name: string) => join(own.home, name)
  writeFileSync(at('sound.epub'), await makeExampleEpub({ title: 'Sound' }))
  writeFileSync(at('warned.epub'), makeBook({ metadata: '<dc:title>Warned</dc:title>' }))
  writeFileSync(at('broken.epub'), makeBook({ spine: '<itemref idref="missing"/>' }))
  writeFileSync(at('letter.txt'), 'Dear Sir or Madam')
  return { ...own, at }
}

it('problems of several books stand below the table, one a line', async () => {
  const { run, at } = await withBooks()
  const files = ['sound', 'warned', 'broken'].map(name => at(`${name}.epub`))
  const { code, out, err } = await run(['inspect', ...files, '--color', 'never'], { columns: 200 })
  const [table = '', problems = ''] = out.split('\n\n')
  expect(table).not.toMatch(/PROBLEMS/)
  expect(table.split('\n')).toHaveLength(4)
  const place = 'EPUB/package.opf'
  expect(problems.trimEnd().split('\n')).toEqual([
    `warning: ${files[1]}: ${place}: The book has no author in its metadata.`,
    `warning: ${files[1]}: ${place}: The book has no language in its metadata.`,
    `error: ${files[2]}: ${place}: The reading order names "missing", which the manifest does not have.`,
  ])
  expect(code).toBe(2)
  expect(err).toMatch(/^error: 1 of 3 books have errors\n/)
})

it('a book with errors ends with 2, its result printed; one with warnings only under --strict', async () => {
  const { run, at } = await withBooks()
  const inspect = async (...args: string[]) => await run(['inspect', ...args, '--json'])
  const broken = await inspect(at('broken.epub'))
  expect({ ...broken, out: '' }).toMatchObject({ code: 2, err: expect.stringContaining('"book_unfit"') })
  expect(JSON.parse(broken.out).problems[0].severity).toBe('error')
  expect((await inspect(at('sound.epub'), '--strict')).code).toBe(0)
  expect((await inspect(at('warned.epub'))).code).toBe(0)
  const strict = await inspect(at('warned.epub'), at('sound.epub'), '--strict')
  expect(strict.code).toBe(2)
  expect(JSON.parse(strict.out)).toHaveLength(2)
  expect(JSON.parse(strict.err).error).toMatchObject({ message: '1 of 2 books have problems', exitCode: 2 })
})

it('a file that is no book counts with those that have errors, and is named', async () => {
  const { run, at } = await withBooks()
  const { code, out, err } = await run(['inspect', at('broken.epub'), at('letter.txt'), '--json'])
  expect({ code, count: JSON.parse(out).length }).toEqual({ code: 2, count: 1 })
  expect(JSON.parse(err).error).toMatchObject({
    code: 'book_unfit',
    message: '2 of 2 books have errors',
    details: [{ path: [at('letter.txt')], code: 'not_a_book' }],
  })
})
