import { describe, expect, it } from 'vitest'
import type { IndexedPublication, KnownEdition } from '../../src/plan/known.ts'
import { brokenStep, orphanStep, planStepOf, stepOfProduct } from '../../src/plan/product-step.ts'
import type { ProductStep } from '../../src/plan/step.ts'
import type { CatalogueRow, WantedProduct } from '../../src/plan/wanted.ts'
import { planStep } from '../support/catalogues/plan-file.ts'

const from = { sheet: 'books.csv', row: 'row 2' }
const [key, sha256, uploadRequestId] = ['9783161484100', 'a'.repeat(64), 'u1']
const row: CatalogueRow = {
  ...{ key, keyField: 'isbn', publicationId: null, type: null, ignored: null, withdrawn: null },
  ...{ isPartial: false, files: [], fileError: null, reissue: false, overwritesDrifted: false, isNew: false },
}
const wanted: WantedProduct = {
  ...{ key, file: '/books/book.epub', bytes: 5, sha256, type: 'EPUB', title: 'The Title', authors: ['Ann'] },
  ...{
    isbn: key,
    own: { title: undefined, authors: [] },
    given: { changeable: {}, creation: {} },
    from,
    row,
  },
}
/** What every step of the book has. */
const book = {
  key,
  file: '/books/book.epub',
  bytes: 5,
  sha256,
  type: 'EPUB',
  title: 'The Title',
  author: ['Ann'],
  from,
} as const

const edition = (more: Partial<KnownEdition> = {}): KnownEdition => ({
  ...{ editionId: 'e1', isCurrent: true, type: 'EPUB', uploadStatus: 'available', sha256: null, bytes: null },
  ...{ wasSent: false, file: null, fields: {} },
  ...more,
})
const fields = { language: 'English', description: 'Old.', sampleItems: ['one'] }
const publication = (...editions: KnownEdition[]): IndexedPublication => ({
  ...{ publicationId: 'p1', currentEditionId: 'e1', collectionIds: null, readAt: 0, unread: null },
  ...{ fields: { ...fields, isForInternalReadingInstance: false }, editions },
})
const before = { currentEditionId: 'e1', ...fields, isForInternalReadingInstance: false }
const sending = (editionOf: string | null) => ({
  ...{ cover: 'auto', editionOf },
  creation: {
    uploadRequestId,
    publicationFilename: 'book.epub',
    edition: { type: 'EPUB' as const, title: 'T' },
  },
})

const why = 'a test says so'
const facts = { why, publicationId: 'p1', editionId: 'e1' }
const none = { why, publicationId: null, editionId: null }
const differences = [{ field: 'author', there: ['Ann'], wanted: ['Bo'] }]
type Row = [ProductStep, ReturnType<typeof sending> | null, Parameters<typeof planStep>[0]]

const rows: Row[] = [
  [
    { action: 'create', ...none },
    sending(null),
    { cover: 'auto', send: sending(null).creation, uploadRequestId },
  ],
  [{ action: 'create', ...none }, null, {}],
  [
    { action: 'edition', ...facts },
    sending('p1'),
    { cover: 'auto', send: sending('p1').creation, uploadRequestId, before },
  ],
  [
    { action: 'update', ...facts, send: { language: 'French', description: 'New.' }, differences },
    null,
    {
      ...{ send: { language: 'French', description: 'New.' }, before },
      ...{ fields: ['language', 'description'], differences },
    },
  ],
  [{ action: 'resume', ...facts, uploadRequestId, editionOf: null }, null, { uploadRequestId }],
  [{ action: 'wait', ...facts, uploadRequestId, editionOf: null }, null, { uploadRequestId }],
  [{ action: 'skip', ...facts, proof: 'proven', uploadStatus: 'available' }, null, { proof: 'proven' }],
  [{ action: 'skip', ...facts, proof: null, uploadStatus: 'available' }, null, {}],
  [{ action: 'conflict', ...facts, hint: 'Say which.' }, null, { hint: 'Say which.' }],
  [
    { action: 'conflict', ...facts, hint: 'Compare them.', proof: 'unproven' },
    null,
    { hint: 'Compare them.', proof: 'unproven' },
  ],
  [
    { action: 'blocked', ...facts, fields: ['author'], differences },
    null,
    {
      ...{ fields: ['author'], differences },
      hint: 'Correct the sheet or message, or plan with --reissue to send the file again, with the values of the sheet or message.',
    },
  ],
  [
    { action: 'no-file', ...none },
    null,
    { hint: 'Name its file in the sheet, or the folder with the files with --files.' },
  ],
  [
    { action: 'broken', ...none },
    null,
    { hint: 'Mend the file; "pubctl inspect" says what is wrong with it.' },
  ],
  [{ action: 'ignored', ...none }, null, {}],
  [
    { action: 'withdrawn', ...facts },
    null,
    { hint: expect.stringMatching(/^Unpublish it on the pages of the service/) },
  ],
]

describe('a step of a product as a line of a plan', () => {
  it.each(rows)('$action', (step, sent, line) => {
    const { action, publicationId, editionId } = step
    const whole = { ...book, action, why, publicationId, editionId, ...line }
    expect(stepOfProduct(wanted, step, publication(edition()), sent)).toEqual(planStep(whole))
  })

  it('has its fields in one order', () => {
    const steps = rows.map(([step, sent]) => stepOfProduct(wanted, step, undefined, sent))
    const lines = [...steps, brokenStep({ from, broken: why }, 'isbn'), orphanStep(publication(), 'isbn')]
    for (const line of lines) expect(Object.keys(line)).toEqual(Object.keys(planStep({})))
  })

  it('says nothing of a publication that is not known, and has no hint of its own for a file', () => {
    const update: ProductStep = { action: 'update', ...facts, send: { language: 'French' }, differences }
    expect(stepOfProduct(wanted, update, undefined, null).before).toBeNull()
    const blocked: ProductStep = { action: 'blocked', ...facts, fields: ['author'], differences }
    expect(planStepOf(book, blocked, undefined, null).hint).toBeNull()
  })

  it('takes the one file that was found, and what else the source and the service say', () => {
    const bare = { ...wanted, file: null, type: null, title: undefined, authors: [] }
    const line = (files: string[], there?: IndexedPublication) => {
      const own = { ...bare, row: { ...row, files, type: 'PDF' as const } }
      const { file, type, title, author } = stepOfProduct(own, { action: 'ignored', ...none }, there, null)
      return { file, type, title, author }
    }
    const titled = edition({ fields: { title: 'There', author: ['Bo'] } })
    expect(line(['/a.pdf'], publication(edition(), titled))).toEqual({
      ...{ file: '/a.pdf', type: 'PDF', title: 'There', author: ['Bo'] },
    })
    const nothing = { file: null, type: 'PDF', title: null, author: null }
    expect(line([], publication(edition()))).toEqual(nothing)
    expect(line(['/a.pdf', '/b.pdf'])).toEqual(nothing)
  })
})

it.each([
  [from, 'row 2'],
  [{ onix: 'feed.xml', record: 'N-7', line: 12 }, 'record N-7, line 12'],
  [{ file: 'book.epub' }, 'book.epub'],
])('a broken product names its place: %o', (place, name) => {
  expect(brokenStep({ from: place, broken: 'its ISBN is none' }, 'isbn')).toEqual(
    planStep({ action: 'broken', why: `${name}: its ISBN is none`, from: place }),
  )
})

describe('the step of a publication that is in no source', () => {
  const keyed = (isbn: unknown, isCurrent = true) =>
    edition({ isCurrent, fields: { title: `Of ${isbn}`, metadata: { isbn } } })
  it.each<[string, KnownEdition[], string | null, string | null]>([
    ['has the key of its current edition', [keyed(1, false), keyed(2)], '2', 'Of 1'],
    ['has that of its newest one where none is current', [keyed(1, false), keyed(2, false)], '1', 'Of 1'],
    ['has no key where the service says none', [keyed(null)], null, 'Of null'],
    ['has no key without metadata', [edition()], null, null],
    ['has no key without editions', [], null, null],
  ])('%s', (_, editions, its, title) => {
    expect(orphanStep(publication(...editions), 'isbn')).toEqual(
      planStep({
        ...{ action: 'orphan', why: 'it is in no sheet or message', publicationId: 'p1', editionId: 'e1' },
        ...{ key: its, title },
      }),
    )
  })
})
