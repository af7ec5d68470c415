import { expect, it } from 'vitest'
import type { CreationFields, Overrides } from '../../src/plan/book-fields.ts'
import { carriedOver } from '../../src/plan/carried-over.ts'
import type { KnownEdition } from '../../src/plan/known.ts'

const edition = (fields: CreationFields, isCurrent = true): KnownEdition => ({
  ...{ editionId: 'e1', isCurrent, type: 'EPUB', uploadStatus: 'available', sha256: null, bytes: null },
  ...{ wasSent: false, file: null, fields },
})

it.each<[string, KnownEdition[], Overrides]>([
  [
    'all that somebody gave',
    [
      edition({
        title: 'T',
        author: ['A'],
        metadata: { isbn: '978', publisher: 'P', series: 'S', volume: 2 },
      }),
    ],
    { title: 'T', author: ['A'], isbn: '978', publisher: 'P', metadata: { series: 'S', volume: 2 } },
  ],
  [
    'nothing that is of the file, or says nothing',
    [edition({ metadata: { sha256: 'a', pageCount: '3', fileSize: 5, imprint: null, series: undefined } })],
    {},
  ],
  ['no ISBN and publisher that are no texts', [edition({ metadata: { isbn: 978, publisher: 5 } })], {}],
  [
    'what the current edition has',
    [edition({ title: 'Old' }, false), edition({ title: 'T' })],
    { title: 'T' },
  ],
  [
    'what the newest one has, where none is current',
    [edition({ title: 'T' }, false), edition({ title: 'Old' }, false)],
    { title: 'T' },
  ],
  ['nothing without an edition', [], {}],
])('a new edition keeps %s', (_, editions, kept) => {
  expect(carriedOver({ publicationId: 'p1', fields: {}, editions })).toStrictEqual(kept)
})
