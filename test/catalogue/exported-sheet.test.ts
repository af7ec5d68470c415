import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isIsbn } from '../../src/books/isbn.ts'
import { neutraliseJson } from '../../src/cli/output/neutralise.ts'
import { givenFields } from '../../src/plan/creation.ts'
import { changeableDifferencesOf, fixedDifferencesOf } from '../../src/plan/differences.ts'
import { exportedPublication } from '../../src/plan/exported.ts'
import type { IndexedPublication, KnownEdition } from '../../src/plan/known.ts'
import { sheetFormatOf, sheetWriter, writtenRow } from '../../src/uploads/inputs/sheet/write-sheet.ts'
import { readProducts } from '../support/catalogues/read-products.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'

const edition: KnownEdition = {
  ...{ editionId: 'ed_1', isCurrent: true, type: 'EPUB', uploadStatus: 'available' },
  ...{ sha256: null, bytes: null, wasSent: false, file: null, fields: {} },
}

const publication = (
  fields: IndexedPublication['fields'],
  given: KnownEdition['fields'],
): IndexedPublication => ({
  ...{ publicationId: 'pub_1', fields, editions: [{ ...edition, fields: given }], currentEditionId: 'ed_1' },
  ...{ collectionIds: null, readAt: 0, unread: null },
})

/** Writes a publication to a sheet, reads it back, and gives what a plan would find different, and what was left out. */
async function roundTrip(name: string, there: IndexedPublication, folder: string) {
  const format = sheetFormatOf(name)
  const exported = exportedPublication(there, isIsbn)
  if (exported === undefined) throw new Error('it has no edition')
  const { cells, lost } = writtenRow(exported.publicationId, exported.values, format)
  const { start, row, end } = await sheetWriter(format, neutraliseJson)
  const path = join(folder, name)
  writeFileSync(
    path,
    start + row(cells, true) + row({ ...cells, publicationId: 'pub_2' }, false) + end(false),
  )
  const products = []
  for await (const product of readProducts([path])) products.push(product)
  const [product] = products
  if (product === undefined || 'broken' in product) throw new Error('it was not read')
  const given = givenFields(product.overrides)
  return {
    ids: products.map(each => ('broken' in each ? each.broken : each.publicationId)),
    lost: [...exported.lost, ...lost],
    update: changeableDifferencesOf(given.changeable, there.fields),
    blocked: fixedDifferencesOf(given.creation, there.editions[0]?.fields ?? {}),
    overrides: product.overrides,
  }
}

const same = { ids: ['pub_1', 'pub_2'], lost: [], update: [], blocked: [] }

describe.each(['books.csv', 'books.yaml', 'books.json'])('an exported sheet %s', name => {
  it.each<[string, IndexedPublication['fields'], KnownEdition['fields']]>([
    [
      'commas, quotes and line breaks',
      { description: 'One, "two"\nthree;\r\nfour' },
      { title: 'A, "B"\n\'C\'' },
    ],
    [
      'what a spreadsheet would run',
      { description: '=1+1' },
      { title: '-5', metadata: { note: '@x', sum: "'=1" } },
    ],
    ['several authors with separators', {}, { title: 'T', author: ['A; B', 'C, D', 'E\\', '\\;F'] }],
    ['sample items and collections', { sampleItems: ['a;b', 'c d'] }, { title: 'T', collectionIds: [] }],
    [
      'keys with dots, and values like pairs',
      {},
      { metadata: { 'a.b.c': 'x=y; z', 'd:': ':=5', e: 'f:=1' } },
    ],
    ['numbers and other JSON', {}, { metadata: { a: 5, b: true, c: ['x', 'y;z'], d: { e: 1 }, f: '5' } }],
    [
      'empty texts and lists',
      { description: '', sampleItems: [] },
      { title: '', author: [], metadata: { a: '' } },
    ],
    [
      'an ISBN with hyphens, and a publisher',
      {},
      { metadata: { isbn: '978-3-16-148410-0', publisher: 'P, Q' } },
    ],
    ['an ISBN that is none', {}, { metadata: { isbn: 'none', publisher: 7 } }],
    ['an internal publication', { isForInternalReadingInstance: true, language: 'German' }, { title: 'T' }],
    [
      'one that is not internal',
      { isForInternalReadingInstance: false, language: 'Klingon' },
      { title: 'T' },
    ],
    [
      'what the service says of the file',
      {},
      { metadata: { fileSize: '5', cover: 'x', sha256: 'a'.repeat(64) } },
    ],
    [
      'text that YAML takes for something else',
      { description: '~' },
      { title: 'null', metadata: { a: 'yes', b: '- c' } },
    ],
  ])('keeps %s', async (_, fields, given) => {
    expect(await roundTrip(name, publication(fields, given), temporaryFolder())).toMatchObject(same)
  })

  it('says what it cannot keep, and leaves it out', async () => {
    const there = publication(
      { language: 'en-GB' },
      { title: 'T', author: ['', 'A'], metadata: { big: 2n ** 70n } },
    )
    const { lost, update, blocked, ids } = await roundTrip(name, there, temporaryFolder())
    expect({ ids, update, blocked }).toEqual({ ids: ['pub_1', 'pub_2'], update: [], blocked: [] })
    expect(lost).toEqual(
      name === 'books.csv' ? ['language', 'author', 'metadata.big'] : ['language', 'metadata.big'],
    )
  })

  it('keeps anything else', async () => {
    const folder = temporaryFolder()
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.stringMatching(/^[=+;:,'"\\ \t\n\r.-]{1,12}$/),
      fc.constantFrom(
        '\u0000',
        '\ufeff',
        "'",
        '"',
        '|',
        '>',
        '# a',
        '{',
        '[]',
        '%',
        '&a',
        '*a',
        '!a',
        '? a',
        ': ',
      ),
    )
    const json = fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text, { maxLength: 3 }))
    const arbitrary = fc.record({
      description: text,
      sampleItems: fc.array(text, { maxLength: 3 }),
      title: text,
      author: fc.array(text, { maxLength: 3 }),
      metadata: fc.dictionary(text, json, { maxKeys: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ description, sampleItems, ...given }) => {
        const { lost, ...rest } = await roundTrip(
          name,
          publication({ description, sampleItems }, given),
          folder,
        )
        expect(rest).toMatchObject({ ids: ['pub_1', 'pub_2'], update: [], blocked: [] })
      }),
      { numRuns: isSlow ? 150 : 10 },
    )
  })
})
