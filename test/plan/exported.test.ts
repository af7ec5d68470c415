import { expect, it } from 'vitest'
import type { ChangeableFields, CreationFields, Overrides } from '../../src/plan/book-fields.ts'
import { exportedPublication } from '../../src/plan/exported.ts'
import type { KnownEdition } from '../../src/plan/known.ts'

const isbn = '9783161484100'
const edition = (fields: CreationFields, more: Partial<KnownEdition> = {}): KnownEdition => ({
  ...{ editionId: 'e1', isCurrent: true, type: 'EPUB', uploadStatus: 'available', sha256: null, bytes: null },
  ...{ wasSent: false, file: null, fields },
  ...more,
})
const exported = (
  editions: KnownEdition[],
  fields: ChangeableFields = {},
  collectionIds: readonly string[] | null = null,
) =>
  exportedPublication(
    { publicationId: 'p1', fields, editions, currentEditionId: 'e1', collectionIds, readAt: 0, unread: null },
    text => text === isbn,
  )
const titled = (title: string, more: Partial<KnownEdition>) => edition({ title }, more)
const hash = 'a'.repeat(64)

it.each<[string, ReturnType<typeof exported>, Overrides, string[]?]>([
  [
    'everything that somebody gave',
    exported(
      [
        edition({
          title: 'T',
          author: ['A'],
          metadata: { isbn: '3-16-148410-X', publisher: 'P', volume: 2 },
        }),
      ],
      { language: 'German', description: 'D', sampleItems: ['s'], isForInternalReadingInstance: true },
      ['c'],
    ),
    {
      ...{ title: 'T', author: ['A'], isbn, publisher: 'P', metadata: { volume: 2 } },
      ...{ language: 'German', description: 'D', sampleItem: ['s'], internal: true, collection: ['c'] },
    },
  ],
  [
    'no list that is empty, and no switch that is off',
    exported([edition({})], { sampleItems: [], isForInternalReadingInstance: false }, []),
    {},
  ],
  ['no language that has another name here', exported([edition({})], { language: 'deu' }), {}, ['language']],
  ['an empty language', exported([edition({})], { language: '' }), { language: '' }],
  [
    'metadata, but for what is of the file and what says nothing',
    exported([edition({ metadata: { sha256: hash, pageCount: '3', imprint: null, a: undefined, b: 'B' } })]),
    { metadata: { b: 'B' } },
  ],
  [
    'a key sha256 that is no SHA-256',
    exported([edition({ metadata: { sha256: `${hash}0` } })]),
    { metadata: { sha256: `${hash}0` } },
  ],
  [
    'an ISBN that the column does not take as metadata',
    exported([edition({ metadata: { isbn: '9780306406157' } })]),
    { metadata: { isbn: '9780306406157' } },
  ],
  [
    'an ISBN or a text of another key as metadata',
    exported([edition({ metadata: { ean: isbn, imprint: 'P' } })]),
    { metadata: { ean: isbn, imprint: 'P' } },
  ],
  [
    'an ISBN and a publisher that are no texts, or empty ones, as metadata',
    exported([edition({ metadata: { isbn: 9783161484100, publisher: ' ' } })]),
    { metadata: { isbn: 9783161484100, publisher: ' ' } },
  ],
  [
    'the current edition',
    exported([titled('New', { isCurrent: false }), titled('Current', {})]),
    { title: 'Current' },
  ],
  [
    'the newest edition that has not failed, where none is current',
    exported([
      titled('Failed', { uploadStatus: 'upload_failed' }),
      titled('New', { isCurrent: false }),
      titled('Old', { isCurrent: false }),
    ]),
    { title: 'New' },
  ],
])('a sheet says %s', (_, row, values, lost = []) => {
  expect(row).toStrictEqual({ publicationId: 'p1', values, lost })
})

it('a sheet says nothing of a publication whose uploads have all failed', () => {
  expect(exported([edition({}, { uploadStatus: 'upload_quarantine' })])).toBeUndefined()
})
