import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkType } from '../../src/books/index.ts'
import { fileOf, makeBook } from '../support/books/make-book.ts'
import { makePdf } from '../support/books/make-pdf.ts'
import { readBook } from '../support/books/read-book.ts'
import { machine } from '../support/machine/pubctl.ts'

const pdf = () => makePdf({ info: '/Title (A) /Author (B)', catalog: '/Lang (en)' })

it.each([
  ['a.epub', 'EPUB', undefined, []],
  ['a.EPUB', 'EPUB', undefined, []],
  ['a', 'EPUB', undefined, []],
  ['a.pdf', 'EPUB', undefined, ['extension_wrong']],
  ['a.mobi', 'EPUB', undefined, ['extension_wrong']],
  ['a.zip', 'EPUB', undefined, ['extension_wrong']],
  ['Vol. 2', 'EPUB', undefined, []],
  ['a.pdf', 'EPUB', 'EPUB', []],
  ['a.pdf', 'EPUB', 'PDF', ['type_wrong']],
  ['a.epub', 'PDF', undefined, ['extension_wrong']],
  ['a.lpf', 'PDF', undefined, ['extension_wrong']],
  ['a.epub', 'PDF', 'Audio', ['type_wrong']],
] as const)(
  'the file %s with the content %s and --type %s has the problems %s',
  async (name, type, said, codes) => {
    const book = await readBook(fileOf(type === 'PDF' ? pdf() : makeBook(), name))
    expect(checkType(name, book, said).map(({ code }) => code)).toEqual(codes)
  },
)

it('a PDF that is named .epub is not sent, unless --type says that it is one', async () => {
  const { run, home } = machine()
  const file = join(home, 'named.epub')
  writeFileSync(file, pdf())
  const refused = await run(['--profile', 'sandbox', 'publications', 'upload', file, '--json'])
  expect(refused.code).toBe(2)
  expect(JSON.parse(refused.err).error).toMatchObject({
    code: 'book_unfit',
    details: [{ code: 'extension_wrong', message: 'The name ends in .epub, but the content is a PDF.' }],
  })
  const wrong = await run(['--profile', 'sandbox', 'uploads', 'create', file, '--type', 'EPUB', '--json'])
  expect({ code: wrong.code, error: JSON.parse(wrong.err).error.code }).toEqual({
    code: 2,
    error: 'book_unfit',
  })
  const sent = await run(['--profile', 'sandbox', 'publications', 'upload', file, '--type', 'PDF', '--json'])
  expect({ code: sent.code, type: JSON.parse(sent.out).type }).toEqual({ code: 0, type: 'PDF' })
})
