import { describe, expect, it } from 'vitest'
import { decide } from '../../src/plan/decide.ts'
import {
  type EarlierUpload,
  type FailedUpload,
  type Known,
  type KnownEdition,
  type KnownPublication,
  nothingKnown,
} from '../../src/plan/known.ts'
import type { CatalogueRow, WantedProduct } from '../../src/plan/wanted.ts'
import { stepText } from '../support/catalogues/step-text.ts'

const [content, other] = ['a'.repeat(64), 'b'.repeat(64)]
const isbn = '9783161484100'

const row: CatalogueRow = {
  key: isbn,
  keyField: 'isbn',
  publicationId: null,
  type: null,
  ignored: null,
  withdrawn: null,
  isPartial: false,
  files: ['/books/book.epub'],
  fileError: null,
  reissue: false,
  overwritesDrifted: false,
  isNew: false,
}

const product: WantedProduct = {
  key: isbn,
  file: '/books/book.epub',
  bytes: 1000,
  sha256: content,
  type: 'EPUB',
  title: 'Annual Report',
  authors: ['The Society'],
  isbn,
  own: { title: 'Annual Report', authors: ['The Society'] },
  given: { changeable: {}, creation: { metadata: { isbn } } },
  from: { sheet: 'books.csv', row: 'row 2' },
  row,
}

const edition = (more: Partial<KnownEdition> = {}): KnownEdition => ({
  editionId: 'e1',
  isCurrent: true,
  type: 'EPUB',
  uploadStatus: 'available',
  sha256: content,
  bytes: 1000,
  wasSent: false,
  file: null,
  fields: { title: 'Annual Report', author: ['The Society'], metadata: { isbn, publisher: 'A Press' } },
  ...more,
})

const publication = (...editions: KnownEdition[]): KnownPublication => ({
  publicationId: 'p1',
  fields: { language: 'English', description: 'Old.' },
  editions,
})
const second = (...editions: KnownEdition[]) => ({ ...publication(...editions), publicationId: 'p2' })
const there = (...publications: KnownPublication[]): Partial<Known> => ({ publications })
const fields = (more: KnownEdition['fields']): Partial<KnownEdition> => ({ fields: more })
const untitled = { title: 'Another', author: ['Nobody'] }
const otherKey = { title: 'Annual Report', metadata: { isbn: '9780306406157' } }
const noFile: Partial<WantedProduct> = { file: null, bytes: null, sha256: null, type: null }
const rowOf = (more: Partial<CatalogueRow>): Partial<WantedProduct> => ({ row: { ...row, ...more } })
const given = (
  changeable: WantedProduct['given']['changeable'],
  creation: WantedProduct['given']['creation'] = {},
): Partial<WantedProduct> => ({ given: { changeable, creation } })

const begun: EarlierUpload = {
  uploadRequestId: 'u1',
  stage: 'created',
  publicationId: 'p1',
  editionId: 'e1',
  editionOf: null,
  state: 'upload_pending',
  isChanged: false,
  isContentTold: false,
}

const failed: FailedUpload = {
  uploadStatus: 'upload_quarantine',
  file: '/books/book.epub',
  publicationId: 'p7',
  editionId: 'e7',
  isLeft: true,
}

type Row = [
  name: string,
  wanted: Partial<WantedProduct>,
  known: Partial<Known>,
  step: Record<string, unknown>,
]

const rows: Row[] = [
  // The key is not known to the service.
  [
    'the service has nothing',
    {},
    there(),
    { action: 'create', why: `nothing at the service has the ISBN ${isbn}` },
  ],
  [
    'a publication without a key has another title',
    {},
    there(publication(edition({ sha256: other, fields: untitled }))),
    { action: 'create' },
  ],
  [
    'another key has the title, and another size',
    { sha256: null, bytes: 999 },
    there(publication(edition({ ...fields(otherKey), sha256: null }))),
    { action: 'create' },
  ],
  [
    'another key has the title and the size',
    {},
    there(publication(edition({ ...fields(otherKey), sha256: null }))),
    { action: 'conflict', publicationId: 'p1', proof: 'unproven' },
  ],
  [
    'another key has the content',
    {},
    there(publication(edition(fields({ ...otherKey, title: 'Another' })))),
    { action: 'conflict', publicationId: 'p1' },
  ],
  [
    'another key has the content, and one without a key',
    {},
    there(
      publication(edition(fields(otherKey))),
      second(edition(fields({ metadata: { publisher: 'A Press' } }))),
    ),
    { action: 'blocked', publicationId: 'p2' },
  ],
  [
    'two other values of a metadata key have the content',
    rowOf({ key: 'N-7', keyField: 'number' }),
    there(
      publication(edition(fields({ metadata: { number: 'N-8' } }))),
      second(edition(fields({ metadata: { number: 'N-9' } }))),
    ),
    { action: 'conflict', publicationId: 'p1' },
  ],
  [
    'another key has the content, and it is said to be new',
    rowOf({ isNew: true }),
    there(publication(edition(fields(otherKey)))),
    { action: 'create' },
  ],
  [
    'another key has the content, and it was withdrawn',
    rowOf({ withdrawn: 'it was withdrawn' }),
    there(publication(edition(fields(otherKey)))),
    { action: 'ignored', publicationId: null },
  ],
  [
    'its upload failed there',
    {},
    there(publication(edition({ uploadStatus: 'upload_failed' }))),
    { action: 'create' },
  ],
  [
    'the same content was quarantined before',
    {},
    { ...there(), failed },
    {
      ...{ action: 'conflict', failedWith: 'upload_quarantine', publicationId: 'p7' },
      hint: expect.stringContaining('publications upload --again'),
    },
  ],
  [
    'the same content failed before as a new edition of it',
    {},
    {
      ...there(publication(edition({ sha256: other }))),
      failed: { ...failed, uploadStatus: 'upload_failed' },
    },
    { action: 'conflict', failedWith: 'upload_failed', publicationId: 'p7' },
  ],
  [
    'its content is there, and failed before elsewhere',
    {},
    { ...there(publication(edition())), failed },
    { action: 'skip', publicationId: 'p1' },
  ],
  [
    'the publication that is named has nothing but a failed upload of another book',
    { ...rowOf({ publicationId: 'p1' }) },
    there(publication(edition({ ...fields(untitled), uploadStatus: 'upload_failed' }))),
    { action: 'edition', publicationId: 'p1' },
  ],
  ['there is no key, and nothing is like it', rowOf({ key: null }), there(), { action: 'create' }],
  [
    'the publication that is named has nothing but a failed upload, and there is no file',
    { ...noFile, ...rowOf({ publicationId: 'p1' }) },
    there(publication(edition({ uploadStatus: 'upload_failed' }))),
    { action: 'conflict', publicationId: 'p1', editionId: null },
  ],
  ['there is no file', noFile, there(), { action: 'no-file' }],
  [
    'there is neither a key nor a file',
    { ...noFile, ...rowOf({ key: null, files: [] }) },
    there(),
    { action: 'no-file', why: 'it has no ISBN, and there is no file of it' },
  ],
  [
    'neither a value of the metadata key nor a file',
    { ...noFile, ...rowOf({ key: null, keyField: 'series', files: [] }) },
    there(),
    { action: 'no-file', why: 'it has no series, and there is no file of it' },
  ],
  [
    'a publication of its title has no key',
    { sha256: other },
    there(publication(edition({ ...fields({ title: 'Annual Report', author: ['The Society'] }), bytes: 5 }))),
    { action: 'conflict', publicationId: 'p1', hint: expect.stringMatching(/publicationId.*--new/) },
  ],
  [
    'such a title, and it is said to be new',
    { sha256: other, ...rowOf({ isNew: true }) },
    there(publication(edition({ ...fields({ title: 'Annual Report', author: ['The Society'] }), bytes: 5 }))),
    { action: 'create' },
  ],
  [
    'such a title, by the file alone',
    { sha256: other, title: 'As the feed calls it', own: { title: 'annual', authors: [] } },
    there(publication(edition(fields({ title: 'annual', author: ['Somebody'] })))),
    { action: 'conflict' },
  ],
  [
    'a partial record',
    rowOf({ isPartial: true }),
    there(),
    { action: 'ignored', why: expect.stringMatching(/partial/) },
  ],

  // The key is known, and the content is the same.
  ['proven by SHA-256', {}, there(publication(edition())), { action: 'skip', proof: 'proven' }],
  [
    'the size alone',
    {},
    there(publication(edition({ sha256: null }))),
    { action: 'skip', proof: 'unproven' },
  ],
  [
    'neither is told',
    {},
    there(publication(edition({ sha256: null, bytes: null }))),
    { action: 'conflict', proof: 'unproven', why: expect.stringMatching(/cannot be proven/) },
  ],
  ['no file', noFile, there(publication(edition())), { action: 'skip', proof: null }],
  [
    'the ISBN is there with ten digits',
    {},
    there(publication(edition(fields({ ...untitled, metadata: { isbn: '3-16-148410-X' } })))),
    { action: 'skip' },
  ],
  [
    'another description',
    given({ description: 'New.', language: 'English' }),
    there(publication(edition())),
    { action: 'update', send: { description: 'New.' }, publicationId: 'p1' },
  ],
  [
    'another description and another language',
    given({ description: 'New.', language: 'French' }),
    there(publication(edition())),
    { action: 'update', send: { description: 'New.', language: 'French' } },
  ],
  [
    'another description, without a file',
    { ...noFile, ...given({ description: 'New.' }) },
    there(publication(edition())),
    { action: 'update', send: { description: 'New.' } },
  ],
  [
    'another description, and what is there was sent last',
    given({ description: 'New.' }),
    there({ ...publication(edition()), sent: new Map([['description', 'Old.']]) }),
    {
      action: 'update',
      differences: [{ field: 'description', sent: 'Old.', there: 'Old.', wanted: 'New.' }],
    },
  ],
  [
    'another description than what was sent last',
    given({ description: 'New.', language: 'French' }),
    there({ ...publication(edition()), sent: new Map([['description', 'Sent.']]) }),
    { action: 'drifted', fields: ['description'], differences: [{ sent: 'Sent.' }, { field: 'language' }] },
  ],
  [
    'another description than what was sent last, and --overwrite-drifted',
    { ...given({ description: 'New.' }), ...rowOf({ overwritesDrifted: true }) },
    there({ ...publication(edition()), sent: new Map([['description', 'Sent.']]) }),
    { action: 'update', send: { description: 'New.' } },
  ],
  [
    'another author and publisher than those that were sent last',
    given({}, { author: ['Sent'], metadata: { isbn, publisher: 'Sent' } }),
    there({
      ...publication(edition()),
      sent: new Map<string, unknown>([
        ['author', ['Sent']],
        ['metadata.publisher', 'Sent'],
      ]),
    }),
    { action: 'drifted', fields: ['author', 'publisher'] },
  ],
  [
    'another content, and another title than that which was sent last',
    given({}, { title: 'Sent' }),
    there({ ...publication(edition({ sha256: other })), sent: new Map([['title', 'Sent']]) }),
    {
      action: 'drifted',
      fields: ['title'],
      why: expect.stringContaining('has a different file, and its title was'),
    },
  ],
  [
    'another author',
    given({}, { author: ['Somebody'] }),
    there(publication(edition())),
    { action: 'blocked', fields: ['author'] },
  ],
  [
    'another publisher and a series',
    given({}, { metadata: { isbn, publisher: 'B Press', series: 'S' } }),
    there(publication(edition())),
    { action: 'blocked', fields: ['publisher', 'series'] },
  ],
  [
    'another author, and --reissue',
    { ...given({}, { author: ['Somebody'] }), ...rowOf({ reissue: true }) },
    there(publication(edition())),
    { action: 'edition', publicationId: 'p1' },
  ],
  [
    'another author, --reissue and no file',
    { ...noFile, ...given({}, { author: ['Somebody'] }), ...rowOf({ reissue: true }) },
    there(publication(edition())),
    { action: 'blocked' },
  ],
  [
    'the same collections in another order',
    given({}, { collectionIds: ['a', 'b'] }),
    there(publication(edition(fields({ collectionIds: ['b', 'a'], metadata: { isbn } })))),
    { action: 'skip' },
  ],
  [
    'fields that the service does not say',
    {
      ...given({}, { author: ['A'], metadata: { isbn, publisher: 'A Press' } }),
      ...rowOf({ publicationId: 'p1' }),
    },
    there(publication(edition(fields({ metadata: { pageCount: '3' } })))),
    { action: 'skip', why: expect.stringMatching(/does not say its author, isbn, publisher$/) },
  ],

  // The key is known, and the content is another.
  [
    'another SHA-256',
    {},
    there(publication(edition({ sha256: other }))),
    { action: 'edition', publicationId: 'p1' },
  ],
  ['another size', {}, there(publication(edition({ sha256: null, bytes: 5 }))), { action: 'edition' }],
  [
    'another type',
    { type: 'PDF' },
    there(publication(edition({ sha256: other }))),
    { action: 'conflict', why: expect.stringMatching(/p1.*EPUB.*PDF/) },
  ],
  [
    'another type than the source says',
    rowOf({ type: 'PDF' }),
    there(),
    { action: 'conflict', why: expect.stringMatching(/PDF.*book\.epub.*EPUB/) },
  ],
  [
    'a file that has not arrived there',
    {},
    there(publication(edition({ uploadStatus: 'upload_pending' }))),
    { action: 'conflict', why: expect.stringMatching(/not arrived/) },
  ],
  [
    'a file that was sent from here',
    {},
    there(publication(edition({ uploadStatus: 'upload_pending', wasSent: true }))),
    { action: 'skip' },
  ],

  // How it is recognised.
  [
    'publicationId beats the key',
    { sha256: other, ...rowOf({ publicationId: 'p2' }) },
    there(publication(edition()), second(edition())),
    { action: 'edition', publicationId: 'p2' },
  ],
  [
    'no such publicationId',
    rowOf({ publicationId: 'p9' }),
    there(publication(edition())),
    { action: 'conflict', why: 'there is no publication p9 at the service' },
  ],
  [
    'publicationId, and all its uploads failed',
    rowOf({ publicationId: 'p1' }),
    there(publication(edition({ uploadStatus: 'upload_quarantine' }))),
    { action: 'edition', publicationId: 'p1' },
  ],
  [
    'a metadata key',
    { ...rowOf({ key: 'N-7', keyField: 'number' }), ...given({}, { metadata: { number: 'N-7' } }) },
    there(publication(edition(fields({ metadata: { number: 'N-7' } }))), second(edition())),
    { action: 'skip', publicationId: 'p1' },
  ],
  [
    'its content, where no key is told',
    {},
    there(publication(edition(fields(untitled)))),
    { action: 'skip', publicationId: 'p1', proof: 'proven' },
  ],
  [
    'its content, where other metadata is told',
    {},
    there(publication(edition(fields({ ...untitled, metadata: { publisher: 'A Press' } })))),
    { action: 'blocked', fields: ['isbn'] },
  ],
  [
    'its content, without a key of its own',
    { ...rowOf({ key: null }), key: `sha256:${content}`, ...given({}) },
    there(publication(edition())),
    { action: 'skip', proof: 'proven' },
  ],
  [
    'two publications of one key',
    {},
    there(publication(edition()), second(edition())),
    { action: 'conflict', why: `p1 and p2 have the ISBN ${isbn}` },
  ],
  [
    'two rows of one key',
    {},
    { ...there(), sameKey: ['row 5 of books.csv'] },
    { action: 'conflict', why: `row 2 of books.csv and row 5 of books.csv have the ISBN ${isbn}` },
  ],
  [
    'two publications of its content, which have no key',
    {},
    there(publication(edition(fields(untitled))), second(edition(fields(untitled)))),
    { action: 'conflict', publicationId: 'p1' },
  ],
  [
    'two publications of its title, which have no key',
    { sha256: other },
    there(
      ...['p1', 'p2'].map(publicationId => ({
        ...publication(edition({ ...fields({ title: 'Annual Report' }), bytes: 5 })),
        publicationId,
      })),
    ),
    { action: 'conflict', publicationId: 'p1' },
  ],
  [
    'six publications of one key, of which a message names four',
    {},
    there(...['a', 'b', 'c', 'd', 'e', 'f'].map(id => ({ ...publication(edition()), publicationId: id }))),
    { action: 'conflict', publicationId: 'a' },
  ],
  [
    'two rows that mean the same book, without a key',
    { key: null, from: { onix: 'feed.xml', record: 'N-7', line: 12 } },
    { ...there(), sameKey: ['book.epub'] },
    { action: 'conflict' },
  ],
  [
    'two files',
    { ...noFile, ...rowOf({ files: ['/books/a.epub', '/books/b.epub'] }) },
    there(publication(edition())),
    { action: 'conflict', why: '/books/a.epub and /books/b.epub are files of it' },
  ],

  // What no plan carries out.
  [
    'not a digital book',
    rowOf({ ignored: 'it is a hardback' }),
    there(publication(edition())),
    { action: 'ignored', why: 'it is a hardback', publicationId: null },
  ],
  [
    'withdrawn',
    rowOf({ withdrawn: 'it was withdrawn' }),
    there(publication(edition())),
    { action: 'withdrawn', publicationId: 'p1' },
  ],
  [
    'withdrawn, and there twice',
    rowOf({ withdrawn: 'it was withdrawn' }),
    there(publication(edition()), second(edition())),
    { action: 'withdrawn', publicationId: 'p1' },
  ],
  [
    'withdrawn, and a publication of its title has no key',
    { sha256: other, ...rowOf({ withdrawn: 'it was withdrawn' }) },
    there(publication(edition({ ...fields({ title: 'Annual Report', author: ['The Society'] }), bytes: 5 }))),
    { action: 'ignored', publicationId: null },
  ],
  ['withdrawn, and never there', rowOf({ withdrawn: 'it was withdrawn' }), there(), { action: 'ignored' }],
  ['a file with errors', rowOf({ fileError: 'it is not a ZIP file' }), there(), { action: 'broken' }],

  // Begun before.
  ['it was created', {}, { ...there(), begun }, { action: 'resume', uploadRequestId: 'u1' }],
  [
    'its file has not arrived, and it was begun from here',
    {},
    { ...there(publication(edition({ uploadStatus: 'upload_pending' }))), begun },
    { action: 'resume' },
  ],
  [
    'it was sent',
    {},
    { ...there(), begun: { ...begun, stage: 'sent' } },
    { action: 'wait', uploadRequestId: 'u1' },
  ],
]

describe('decide, for a product of a catalogue', () => {
  it.each(rows)('%s', (_, wanted, known, step) => {
    expect(decide({ ...product, ...wanted }, { ...nothingKnown, ...known })).toMatchObject(step)
  })

  it('says what it is about, and why', () => {
    const texts = rows.map(([name, wanted, known]) =>
      stepText(name, decide({ ...product, ...wanted }, { ...nothingKnown, ...known })),
    )
    expect(texts.join('\n')).toMatchInlineSnapshot(`
      the service has nothing: create - -
        nothing at the service has the ISBN 9783161484100
      a publication without a key has another title: create - -
        nothing at the service has the ISBN 9783161484100
      another key has the title, and another size: create - -
        nothing at the service has the ISBN 9783161484100
      another key has the title and the size: conflict p1 e1
        a file of its title and size is at the service as p1 with the ISBN 9780306406157
          If it is the same book, name the publication in a column publicationId (beside ONIX, in a sheet of isbn and publicationId); with --new it becomes a publication of its own.
      another key has the content: conflict p1 e1
        the same file is at the service as p1 with the ISBN 9780306406157
          If it is the same book, name the publication in a column publicationId (beside ONIX, in a sheet of isbn and publicationId); with --new it becomes a publication of its own.
      another key has the content, and one without a key: blocked p2 e1
        p2 has the same content and another isbn, which the service cannot change
      two other values of a metadata key have the content: conflict p1 e1
        the same file is at the service as p1 with the number N-8, and as p2
          If it is the same book, name the publication in a column publicationId (beside ONIX, in a sheet of key and publicationId); with --new it becomes a publication of its own.
      another key has the content, and it is said to be new: create - -
        nothing at the service has the ISBN 9783161484100
      another key has the content, and it was withdrawn: ignored - -
        it was withdrawn, and it is not at the service
      its upload failed there: create - -
        nothing at the service has the ISBN 9783161484100
      the same content was quarantined before: conflict p7 e7
        the same content was quarantined before, as p7; p7 has no usable file; to delete it: pubctl publications delete p7
          Change the file, or send it as it is with "pubctl publications upload --again".
      the same content failed before as a new edition of it: conflict p7 e7
        the same content could not be processed before, as p7; p7 has no usable file; to delete it: pubctl publications delete p7
          Change the file, or send it as it is with "pubctl publications upload --again".
      its content is there, and failed before elsewhere: skip p1 e1
        p1 has the same content
      the publication that is named has nothing but a failed upload of another book: edition p1 -
        all uploads to p1 have failed
      there is no key, and nothing is like it: create - -
        nothing at the service has its content or its title
      the publication that is named has nothing but a failed upload, and there is no file: conflict p1 -
        all uploads to p1 have failed
          Give the book a file.
      there is no file: no-file - -
        it is not at the service, and there is no file of it
      there is neither a key nor a file: no-file - -
        it has no ISBN, and there is no file of it
      neither a value of the metadata key nor a file: no-file - -
        it has no series, and there is no file of it
      a publication of its title has no key: conflict p1 e1
        p1 has its title and no ISBN, and may be the same book
          If it is, name the publication in a column publicationId (beside ONIX, in a sheet of isbn and publicationId); with --new it becomes a publication of its own.
      such a title, and it is said to be new: create - -
        nothing at the service has the ISBN 9783161484100
      such a title, by the file alone: conflict p1 e1
        p1 has its title and no ISBN, and may be the same book
          If it is, name the publication in a column publicationId (beside ONIX, in a sheet of isbn and publicationId); with --new it becomes a publication of its own.
      a partial record: ignored - -
        its record is a partial update (04), and the book is not at the service
      proven by SHA-256: skip p1 e1
        p1 has the same content
      the size alone: skip p1 e1
        p1 has the same ISBN and size
      neither is told: conflict p1 e1
        whether p1, which has the ISBN 9783161484100, has the same content cannot be proven
          Compare them, and if they differ, upload it with "pubctl editions upload". A metadata key "sha256" lets pubctl prove content.
      no file: skip p1 e1
        it is p1
      the ISBN is there with ten digits: skip p1 e1
        p1 has the same content
      another description: update p1 e1
        p1 has the same content and another description
      another description and another language: update p1 e1
        p1 has the same content and another description, language
      another description, without a file: update p1 e1
        it is p1 and another description
      another description, and what is there was sent last: update p1 e1
        p1 has the same content and another description
      another description than what was sent last: drifted p1 e1
        p1 has the same content, and its description was changed there by others
      another description than what was sent last, and --overwrite-drifted: update p1 e1
        p1 has the same content and another description
      another author and publisher than those that were sent last: drifted p1 e1
        p1 has the same content, and its author, publisher were changed there by others
      another content, and another title than that which was sent last: drifted p1 e1
        p1, which has the ISBN 9783161484100, has a different file, and its title was changed there by others
      another author: blocked p1 e1
        p1 has the same content and another author, which the service cannot change
      another publisher and a series: blocked p1 e1
        p1 has the same content and another publisher, series, which the service cannot change
      another author, and --reissue: edition p1 e1
        p1 has the same content and another author, which the service cannot change
      another author, --reissue and no file: blocked p1 e1
        it is p1 and another author, which the service cannot change
      the same collections in another order: skip p1 e1
        p1 has the same content
      fields that the service does not say: skip p1 e1
        p1 has the same content; the service does not say its author, isbn, publisher
      another SHA-256: edition p1 e1
        p1, which has the ISBN 9783161484100, has a different file
      another size: edition p1 e1
        p1, which has the ISBN 9783161484100, has a different file
      another type: conflict p1 e1
        p1, which has the ISBN 9783161484100, is of type EPUB, and the book is of type PDF
          A file of another type is another publication: give the book an ISBN of its own.
      another type than the source says: conflict - -
        the sheet or message says that it is of type PDF, and /books/book.epub is of type EPUB
          Correct the sheet or message, or give it the right file.
      a file that has not arrived there: conflict p1 e1
        p1, which has the ISBN 9783161484100, was begun, and its file has not arrived
          Wait for whoever uploads it, or send the file as a new edition: pubctl editions upload p1 /books/book.epub
      a file that was sent from here: skip p1 e1
        p1 has the same content
      publicationId beats the key: edition p2 e1
        p2 has a different file
      no such publicationId: conflict - -
        there is no publication p9 at the service
          Correct its publicationId, or leave it out to have it looked up by its ISBN.
      publicationId, and all its uploads failed: edition p1 -
        all uploads to p1 have failed
      a metadata key: skip p1 e1
        p1 has the same content
      its content, where no key is told: skip p1 e1
        p1 has the same content; the service does not say its isbn
      its content, where other metadata is told: blocked p1 e1
        p1 has the same content and another isbn, which the service cannot change
      its content, without a key of its own: skip p1 e1
        p1 has the same content
      two publications of one key: conflict p1 e1
        p1 and p2 have the ISBN 9783161484100
          To say which one is meant, name the publication in a column publicationId (beside ONIX, in a sheet of isbn and publicationId).
      two rows of one key: conflict - -
        row 2 of books.csv and row 5 of books.csv have the ISBN 9783161484100
          Leave one of them, or tell them apart in a column publicationId.
      two publications of its content, which have no key: conflict p1 e1
        p1 and p2 have its content
          To say which one is meant, name the publication in a column publicationId (beside ONIX, in a sheet of isbn and publicationId).
      two publications of its title, which have no key: conflict p1 e1
        p1 and p2 have its title and no ISBN, and may be the same book
          If it is, name the publication in a column publicationId (beside ONIX, in a sheet of isbn and publicationId); with --new it becomes a publication of its own.
      six publications of one key, of which a message names four: conflict a e1
        a, b, c, d and 2 more have the ISBN 9783161484100
          To say which one is meant, name the publication in a column publicationId (beside ONIX, in a sheet of isbn and publicationId).
      two rows that mean the same book, without a key: conflict - -
        record N-7 in line 12 of feed.xml and book.epub mean the same book
          Leave one of them, or tell them apart in a column publicationId.
      two files: conflict p1 e1
        /books/a.epub and /books/b.epub are files of it
          Leave one of them, or name the file in the sheet or message.
      not a digital book: ignored - -
        it is a hardback
      withdrawn: withdrawn p1 e1
        it was withdrawn, and p1 is at the service; a plan deletes nothing
      withdrawn, and there twice: withdrawn p1 e1
        it was withdrawn, and p1 and p2 are at the service; a plan deletes nothing
      withdrawn, and a publication of its title has no key: ignored - -
        it was withdrawn, and it is not at the service
      withdrawn, and never there: ignored - -
        it was withdrawn, and it is not at the service
      a file with errors: broken - -
        it is not a ZIP file
      it was created: resume p1 e1
        it was begun before
      its file has not arrived, and it was begun from here: resume p1 e1
        it was begun before
      it was sent: wait p1 e1
        it was sent before
    `)
  })
})
