import { describe, expect, it } from 'vitest'
import { decide, decideBegun } from '../../src/plan/decide.ts'
import {
  type EarlierUpload,
  type FailedUpload,
  type Known,
  type KnownEdition,
  type KnownPublication,
  nothingKnown,
} from '../../src/plan/known.ts'
import type { Wanted } from '../../src/plan/wanted.ts'
import { stepText } from '../support/catalogues/step-text.ts'

const [content, other] = ['a'.repeat(64), 'b'.repeat(64)]

const book: Wanted = {
  key: '9783161484100',
  file: 'book.epub',
  path: '/books/book.epub',
  bytes: 1000,
  sha256: content,
  type: 'EPUB',
  title: 'Annual Report',
  authors: ['The Society'],
  isbn: '978-3-16-148410-0',
  own: { title: 'Annual Report', authors: ['The Society'] },
  given: { changeable: {}, creation: {} },
  editionOf: null,
  ifChanged: 'fail',
  again: false,
  from: { file: 'book.epub' },
}

const withoutIsbn: Partial<Wanted> = { isbn: undefined, key: `sha256:${content}` }

const edition = (more: Partial<KnownEdition> = {}): KnownEdition => ({
  editionId: 'e1',
  isCurrent: true,
  type: 'EPUB',
  uploadStatus: 'available',
  sha256: null,
  bytes: null,
  wasSent: false,
  file: null,
  fields: { title: 'Annual Report', author: ['The Society'], metadata: {} },
  ...more,
})

const ofIsbn = (more: Partial<KnownEdition> = {}): KnownEdition =>
  edition({ fields: { title: 'Another', author: [], metadata: { isbn: '9783161484100' } }, ...more })

const publication = (...editions: KnownEdition[]): KnownPublication => ({
  publicationId: 'p1',
  fields: { language: 'English' },
  editions,
})

const second = (...editions: KnownEdition[]) => ({ ...publication(...editions), publicationId: 'p2' })

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

const there = (...publications: KnownPublication[]): Partial<Known> => ({ publications })
const same = { sha256: content }
const differs = { sha256: other }

type Row = [name: string, wanted: Partial<Wanted>, known: Partial<Known>, step: Record<string, unknown>]

const rows: Row[] = [
  // Nothing is known.
  ['nothing was asked for', {}, {}, { action: 'create' }],
  ['the service has nothing like it', {}, there(), { action: 'create' }],
  ['it is to be an edition', { editionOf: 'p1' }, {}, { action: 'edition', publicationId: 'p1' }],

  // The same content.
  ['content proven by SHA-256', {}, there(publication(edition(same))), { action: 'skip', proof: 'proven' }],
  [
    'SHA-256 in capitals',
    {},
    there(publication(edition({ sha256: content.toUpperCase() }))),
    { action: 'skip' },
  ],
  [
    'proven under another title',
    withoutIsbn,
    there(publication(edition({ ...same, fields: {} }))),
    { action: 'skip' },
  ],
  [
    'proven, and not arrived there',
    {},
    there(publication(edition({ ...same, uploadStatus: 'upload_pending' }))),
    { action: 'conflict' },
  ],
  [
    'proven, in processing, and sent from here',
    {},
    there(publication(edition({ ...same, uploadStatus: 'upload_pending', wasSent: true }))),
    { action: 'skip', proof: 'proven' },
  ],
  [
    'proven, and quarantined',
    {},
    there(publication(edition({ ...same, uploadStatus: 'upload_quarantine' }))),
    { action: 'create' },
  ],
  [
    'proven, and failed',
    {},
    there(publication(edition({ ...same, uploadStatus: 'upload_failed' }))),
    { action: 'create' },
  ],
  [
    'proven of an older edition alone',
    {},
    there(publication(ofIsbn(differs), ofIsbn({ ...same, editionId: 'e0', isCurrent: false }))),
    { action: 'conflict', editionId: 'e1' },
  ],
  [
    'proven of a newer edition that is not current yet',
    {},
    there(
      publication(
        edition({ ...same, editionId: 'e2', isCurrent: false, uploadStatus: 'uploaded' }),
        edition(differs),
      ),
    ),
    { action: 'skip', editionId: 'e2' },
  ],
  [
    'the size beside the same ISBN',
    {},
    there(publication(ofIsbn({ bytes: 1000 }))),
    { action: 'skip', proof: 'unproven' },
  ],
  [
    'the size, and another SHA-256',
    {},
    there(publication(ofIsbn({ bytes: 1000, ...differs }))),
    { action: 'conflict' },
  ],
  [
    'the size beside the same title',
    withoutIsbn,
    there(publication(edition({ bytes: 1000 }))),
    { action: 'conflict', why: expect.stringMatching(/cannot be proven/) },
  ],
  ['title, authors and type', withoutIsbn, there(publication(edition())), { action: 'conflict' }],
  [
    'the same, whatever --if-changed says',
    { ...withoutIsbn, ifChanged: 'edition' },
    there(publication(edition())),
    { action: 'conflict' },
  ],
  [
    'the same, though it were to be a new one',
    { ...withoutIsbn, ifChanged: 'new' },
    there(publication(edition({ bytes: 1000 }))),
    { action: 'conflict' },
  ],

  // The same content, and something else is said of it.
  [
    'another language is given',
    { given: { changeable: { language: 'French' }, creation: {} } },
    there(publication(edition(same))),
    { action: 'update', publicationId: 'p1', send: { language: 'French' } },
  ],
  [
    'the same language is given',
    { given: { changeable: { language: 'English' }, creation: {} } },
    there(publication(edition(same))),
    { action: 'skip' },
  ],
  [
    'only what differs is sent',
    { given: { changeable: { language: 'English', description: 'New.', sampleItems: ['a'] }, creation: {} } },
    there(publication(edition(same))),
    { action: 'update', send: { description: 'New.', sampleItems: ['a'] } },
  ],
  [
    'which of two is to be updated',
    { given: { changeable: { language: 'French' }, creation: {} } },
    there(publication(edition(same)), second(edition(same))),
    { action: 'conflict', why: expect.stringMatching(/p1 and p2/) },
  ],
  [
    'an unproven one is updated as well',
    { given: { changeable: { language: 'French' }, creation: {} } },
    there(publication(ofIsbn({ bytes: 1000 }))),
    { action: 'update' },
  ],
  [
    'another title is given',
    { given: { changeable: {}, creation: { title: 'Other' } } },
    there(publication(edition(same))),
    { action: 'blocked', fields: ['title'] },
  ],
  [
    'metadata is given that is not there',
    { given: { changeable: {}, creation: { metadata: { series: 'S', isbn: '316148410X' } } } },
    there(publication(edition({ ...same, fields: { metadata: { isbn: '978-3-16-148410-0' } } }))),
    { action: 'blocked', fields: ['series'] },
  ],
  [
    'a collection is given, and no answer tells of collections',
    { given: { changeable: {}, creation: { collectionIds: ['c'] } } },
    there(publication(edition(same))),
    { action: 'skip' },
  ],

  // Other content.
  [
    'the ISBN is there',
    {},
    there(publication(ofIsbn(differs))),
    {
      action: 'conflict',
      publicationId: 'p1',
      why: expect.stringMatching(/p1 has its ISBN and a different file/),
    },
  ],
  [
    'it is to be a new edition',
    { ifChanged: 'edition' },
    there(publication(ofIsbn(differs))),
    { action: 'edition', publicationId: 'p1' },
  ],
  [
    'it is to be a publication of its own',
    { ifChanged: 'new' },
    there(publication(ofIsbn(differs))),
    { action: 'create' },
  ],
  [
    'another size tells as well',
    { ifChanged: 'edition' },
    there(publication(ofIsbn({ bytes: 999 }))),
    { action: 'edition' },
  ],
  [
    'the ISBN is there with ten digits',
    {},
    there(publication(edition({ ...differs, fields: { metadata: { isbn: '3-16-148410-X' } } }))),
    { action: 'conflict' },
  ],
  [
    'the ISBN is there with another type',
    { ifChanged: 'edition' },
    there(publication(ofIsbn({ ...differs, type: 'PDF' }))),
    { action: 'conflict', why: expect.stringMatching(/PDF.*EPUB/) },
  ],
  [
    'the ISBN is there with another type and the same size',
    {},
    there(publication(ofIsbn({ bytes: 1000, type: 'PDF' }))),
    { action: 'conflict' },
  ],
  [
    'the ISBN is there twice',
    { ifChanged: 'edition' },
    there(publication(ofIsbn(differs)), second(ofIsbn(differs))),
    { action: 'conflict', why: 'p1 and p2 have its ISBN' },
  ],
  [
    'the title is there',
    withoutIsbn,
    there(publication(edition(differs))),
    { action: 'conflict', why: expect.stringMatching(/title/) },
  ],
  [
    'the title is there, and a new edition is wanted',
    { ...withoutIsbn, ifChanged: 'edition' },
    there(publication(edition(differs))),
    { action: 'edition' },
  ],
  [
    'the title is there with another ISBN',
    {},
    there(
      publication(
        edition({
          ...differs,
          fields: { title: 'Annual Report', author: ['The Society'], metadata: { isbn: '9780306406157' } },
        }),
      ),
    ),
    { action: 'create' },
  ],
  [
    'the title is there with another type',
    withoutIsbn,
    there(publication(edition({ ...differs, type: 'PDF' }))),
    { action: 'create' },
  ],
  [
    'the title is there by another author',
    withoutIsbn,
    there(publication(edition({ ...differs, fields: { title: 'Annual Report', author: ['Somebody'] } }))),
    { action: 'create' },
  ],
  [
    'the title is there, and no author is told',
    withoutIsbn,
    there(publication(edition({ ...differs, fields: { title: 'Annual Report' } }))),
    { action: 'conflict' },
  ],
  [
    'the ISBN counts before the title',
    { ifChanged: 'edition' },
    there(second(edition(differs)), publication(ofIsbn(differs))),
    { action: 'edition', publicationId: 'p1' },
  ],
  [
    'an earlier file of the batch becomes its edition',
    { ifChanged: 'edition' },
    { ...there(publication(ofIsbn(differs))), taken: new Map([['p1', 'first.epub']]) },
    { action: 'conflict', why: expect.stringMatching(/p1.*first\.epub/) },
  ],
  [
    'the same file is tried again',
    { ifChanged: 'edition' },
    { ...there(publication(ofIsbn(differs))), taken: new Map([['p1', 'book.epub']]) },
    { action: 'edition' },
  ],

  // The same content from another file, and once more.
  [
    'a copy of another file',
    {},
    there(publication(edition({ ...same, wasSent: true, file: '/books/first.epub' }))),
    { action: 'skip', copyOf: '/books/first.epub', why: expect.stringMatching(/from \/books\/first/) },
  ],
  [
    'a copy that is to be a new one',
    { ifChanged: 'new' },
    there(publication(edition({ ...same, wasSent: true, file: '/books/first.epub' }))),
    { action: 'create' },
  ],
  [
    'the same file that is to be a new one',
    { ifChanged: 'new' },
    there(publication(edition({ ...same, wasSent: true, file: '/books/book.epub' }))),
    { action: 'skip' },
  ],
  [
    'once more',
    { again: true },
    there(publication(edition({ ...same, wasSent: true }))),
    { action: 'create' },
  ],
  [
    'the content is the edition already',
    { editionOf: 'p1' },
    there(publication(edition({ ...same, wasSent: true }))),
    { action: 'skip', publicationId: 'p1' },
  ],
  [
    'the content is the edition already, and another title is given',
    { editionOf: 'p1', given: { changeable: {}, creation: { title: 'Other' } } },
    there(publication(edition({ ...same, wasSent: true }))),
    { action: 'edition', publicationId: 'p1' },
  ],
  [
    'the content is the edition already, and once more',
    { editionOf: 'p1', again: true },
    there(publication(edition({ ...same, wasSent: true }))),
    { action: 'edition' },
  ],

  // The same content has failed before.
  [
    'it was quarantined before',
    {},
    { failed },
    { action: 'conflict', failedWith: 'upload_quarantine', publicationId: 'p7' },
  ],
  ['it was quarantined before, and once more', { again: true }, { failed }, { action: 'create' }],
  [
    'it failed before, and its publication is gone',
    {},
    { failed: { ...failed, uploadStatus: 'upload_failed', isLeft: false } },
    { action: 'conflict', why: 'the same content could not be processed before, as p7' },
  ],
  [
    'it failed before, and is there by now',
    {},
    { failed, ...there(publication(edition({ ...same, wasSent: true }))) },
    { action: 'skip', publicationId: 'p1' },
  ],
  ['it failed before as an edition', { editionOf: 'p1' }, { failed, ...there() }, { action: 'conflict' }],

  // The same content twice in one batch.
  [
    'it is in the batch twice, and each is to be a new one',
    { ifChanged: 'new' },
    {
      inBatch: { file: 'a.epub', publicationId: 'p9', editionId: 'e9', uploadStatus: null, fields: {} },
    },
    { action: 'create' },
  ],
  [
    'it is in the batch twice',
    {},
    {
      ...there(),
      inBatch: {
        file: 'first.epub',
        publicationId: 'p9',
        editionId: 'e9',
        uploadStatus: 'available',
        fields: {},
      },
    },
    { action: 'skip', publicationId: 'p9', why: 'it has the same content as first.epub in this batch' },
  ],
  [
    'it is in the batch twice, with two titles',
    { given: { changeable: {}, creation: { title: 'Two' } } },
    {
      ...there(),
      inBatch: {
        file: 'first.epub',
        publicationId: 'p9',
        editionId: 'e9',
        uploadStatus: 'available',
        fields: { title: 'One' },
      },
    },
    { action: 'conflict', why: expect.stringMatching(/first\.epub.*another title/) },
  ],

  // Begun before.
  ['it was created', {}, { begun }, { action: 'resume', uploadRequestId: 'u1' }],
  ['it was planned', {}, { begun: { ...begun, stage: 'planned', state: null } }, { action: 'resume' }],
  ['it was sent', {}, { begun: { ...begun, stage: 'sent' } }, { action: 'wait' }],
  ['it has arrived', {}, { begun: { ...begun, state: 'uploaded' } }, { action: 'wait' }],
  ['it is gone from the service', {}, { begun: { ...begun, state: 'gone' } }, { action: 'create' }],
  ['it has changed before it was sent', {}, { begun: { ...begun, isChanged: true } }, { action: 'resume' }],
  [
    'it has changed, and the service knows what it was',
    {},
    { begun: { ...begun, isChanged: true, isContentTold: true } },
    { action: 'create' },
  ],
  [
    'it has changed since it arrived',
    {},
    { begun: { ...begun, isChanged: true, state: 'available' } },
    { action: 'create' },
  ],
  [
    'it was finished',
    {},
    { begun: { ...begun, stage: 'finished', state: 'available' } },
    { action: 'skip', proof: 'proven' },
  ],
  [
    'it was finished and has failed',
    {},
    { begun: { ...begun, stage: 'finished', state: 'upload_failed' } },
    { action: 'create' },
  ],
  [
    'what was begun counts before what is there',
    {},
    { begun, ...there(publication(ofIsbn(differs))) },
    { action: 'resume' },
  ],
]

describe('decide', () => {
  it.each(rows)('%s', (_, wanted, known, step) => {
    expect(decide({ ...book, ...wanted }, { ...nothingKnown, ...known })).toMatchObject(step)
  })

  it('says what it is about, and why', () => {
    const texts = rows.map(([name, wanted, known]) =>
      stepText(name, decide({ ...book, ...wanted }, { ...nothingKnown, ...known })),
    )
    expect(texts.join('\n')).toMatchInlineSnapshot(`
      nothing was asked for: create - -
        it has not been uploaded from here
      the service has nothing like it: create - -
        nothing at the service has its content, its ISBN or its title
      it is to be an edition: edition p1 -
        it becomes an edition of p1
      content proven by SHA-256: skip p1 e1
        p1 has the same content
      SHA-256 in capitals: skip p1 e1
        p1 has the same content
      proven under another title: skip p1 e1
        p1 has the same content
      proven, and not arrived there: conflict p1 e1
        p1 was begun with the same content, and its file has not arrived
          Wait for whoever uploads it, or send the file as a new edition: pubctl editions upload p1 book.epub
      proven, in processing, and sent from here: skip p1 e1
        p1 has the same content
      proven, and quarantined: create - -
        nothing at the service has its content, its ISBN or its title
      proven, and failed: create - -
        nothing at the service has its content, its ISBN or its title
      proven of an older edition alone: conflict p1 e1
        p1 has its ISBN and a different file
          With --if-changed edition it becomes a new edition of that publication, with --if-changed new one of its own.
      proven of a newer edition that is not current yet: skip p1 e2
        p1 has the same content
      the size beside the same ISBN: skip p1 e1
        p1 has the same ISBN and size
      the size, and another SHA-256: conflict p1 e1
        p1 has its ISBN and a different file
          With --if-changed edition it becomes a new edition of that publication, with --if-changed new one of its own.
      the size beside the same title: conflict p1 e1
        p1 has its title, and whether it has the same content cannot be proven
          Compare them; with --again it is uploaded. A metadata key "sha256" lets pubctl prove content.
      title, authors and type: conflict p1 e1
        p1 has its title, and whether it has the same content cannot be proven
          Compare them; with --again it is uploaded. A metadata key "sha256" lets pubctl prove content.
      the same, whatever --if-changed says: conflict p1 e1
        p1 has its title, and whether it has the same content cannot be proven
          Compare them; with --again it is uploaded. A metadata key "sha256" lets pubctl prove content.
      the same, though it were to be a new one: conflict p1 e1
        p1 has its title, and whether it has the same content cannot be proven
          Compare them; with --again it is uploaded. A metadata key "sha256" lets pubctl prove content.
      another language is given: update p1 e1
        p1 has the same content and another language
      the same language is given: skip p1 e1
        p1 has the same content
      only what differs is sent: update p1 e1
        p1 has the same content and another description, sampleItems
      which of two is to be updated: conflict p1 e1
        p1 and p2 have the same content
          Say which one is meant with "pubctl editions upload", or upload it with --if-changed new.
      an unproven one is updated as well: update p1 e1
        p1 has the same ISBN and size and another language
      another title is given: blocked p1 e1
        p1 has the same content and another title, which the service cannot change
      metadata is given that is not there: blocked p1 e1
        p1 has the same content and another series, which the service cannot change
      a collection is given, and no answer tells of collections: skip p1 e1
        p1 has the same content
      the ISBN is there: conflict p1 e1
        p1 has its ISBN and a different file
          With --if-changed edition it becomes a new edition of that publication, with --if-changed new one of its own.
      it is to be a new edition: edition p1 e1
        p1 has its ISBN and a different file
      it is to be a publication of its own: create - -
        p1 has its ISBN and a different file
      another size tells as well: edition p1 e1
        p1 has its ISBN and a different file
      the ISBN is there with ten digits: conflict p1 e1
        p1 has its ISBN and a different file
          With --if-changed edition it becomes a new edition of that publication, with --if-changed new one of its own.
      the ISBN is there with another type: conflict p1 e1
        p1 has its ISBN and is of type PDF, while book.epub is of type EPUB
          With --if-changed new it becomes a publication of its own.
      the ISBN is there with another type and the same size: conflict p1 e1
        p1 has its ISBN, and whether it has the same content cannot be proven
          Compare them; with --again it is uploaded. A metadata key "sha256" lets pubctl prove content.
      the ISBN is there twice: conflict p1 e1
        p1 and p2 have its ISBN
          Say which one is meant with "pubctl editions upload", or upload it with --if-changed new.
      the title is there: conflict p1 e1
        p1 has its title and a different file
          With --if-changed edition it becomes a new edition of that publication, with --if-changed new one of its own.
      the title is there, and a new edition is wanted: edition p1 e1
        p1 has its title and a different file
      the title is there with another ISBN: create - -
        nothing at the service has its content, its ISBN or its title
      the title is there with another type: create - -
        nothing at the service has its content, its ISBN or its title
      the title is there by another author: create - -
        nothing at the service has its content, its ISBN or its title
      the title is there, and no author is told: conflict p1 e1
        p1 has its title and a different file
          With --if-changed edition it becomes a new edition of that publication, with --if-changed new one of its own.
      the ISBN counts before the title: edition p1 e1
        p1 has its ISBN and a different file
      an earlier file of the batch becomes its edition: conflict p1 e1
        p1 has its ISBN and a different file, and first.epub in this batch becomes its new edition
          Leave one of the two out.
      the same file is tried again: edition p1 e1
        p1 has its ISBN and a different file
      a copy of another file: skip p1 e1
        p1 has the same content, uploaded from /books/first.epub
      a copy that is to be a new one: create - -
        it is a copy of /books/first.epub, which is p1
      the same file that is to be a new one: skip p1 e1
        p1 has the same content
      once more: create - -
        it is uploaded again
      the content is the edition already: skip p1 e1
        p1 has the same content
      the content is the edition already, and another title is given: edition p1 -
        it becomes an edition of p1
      the content is the edition already, and once more: edition p1 -
        it becomes an edition of p1
      it was quarantined before: conflict p7 e7
        the same content was quarantined before, as p7; p7 has no usable file; to delete it: pubctl publications delete p7
          Change the file, or send it as it is with --again.
      it was quarantined before, and once more: create - -
        it is uploaded again
      it failed before, and its publication is gone: conflict p7 e7
        the same content could not be processed before, as p7
          Change the file, or send it as it is with --again.
      it failed before, and is there by now: skip p1 e1
        p1 has the same content
      it failed before as an edition: conflict p7 e7
        the same content was quarantined before, as p7; p7 has no usable file; to delete it: pubctl publications delete p7
          Change the file, or send it as it is with --again.
      it is in the batch twice, and each is to be a new one: create - -
        it has the same content as a.epub in this batch
      it is in the batch twice: skip p9 e9
        it has the same content as first.epub in this batch
      it is in the batch twice, with two titles: conflict p9 e9
        it has the same content as first.epub in this batch, and is given another title
          Leave one of the two out, or upload each as a publication of its own with --again.
      it was created: resume p1 e1
        it was begun before
      it was planned: resume p1 e1
        it was begun before
      it was sent: wait p1 e1
        it was sent before
      it has arrived: wait p1 e1
        it was sent before
      it is gone from the service: create - -
        it has not been uploaded from here
      it has changed before it was sent: resume p1 e1
        it was begun before
      it has changed, and the service knows what it was: create - -
        it has not been uploaded from here
      it has changed since it arrived: create - -
        it has not been uploaded from here
      it was finished: skip p1 e1
        it was uploaded before
      it was finished and has failed: create - -
        it has not been uploaded from here
      what was begun counts before what is there: resume p1 e1
        it was begun before
    `)
  })

  it('takes twelve books of one title for twelve books', () => {
    const reports = Array.from({ length: 12 }, (_, index) => ({
      ...book,
      ...withoutIsbn,
      sha256: `${index}`.padStart(64, '0'),
    }))
    expect(reports.map(each => decide(each, { ...nothingKnown, publications: [] }).action)).toEqual(
      Array(12).fill('create'),
    )
  })
})

describe('decideBegun', () => {
  it('gives nothing for what is gone', () => {
    expect(decideBegun({ ...begun, state: 'gone' })).toBeUndefined()
  })
})
