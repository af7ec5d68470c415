import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FileFacts } from '../../src/catalogue/onix-message/file-facts.ts'
import { messageText } from '../../src/catalogue/onix-message/message.ts'
import { exportedRecords } from '../../src/catalogue/onix-message/records.ts'
import { nothingSaid } from '../../src/catalogue/onix-message/sources.ts'
import { givenFields } from '../../src/plan/creation.ts'
import { changeableDifferencesOf, fixedDifferencesOf } from '../../src/plan/differences.ts'
import type { IndexedPublication, KnownEdition } from '../../src/plan/known.ts'
import type { Product } from '../../src/plan/product.ts'
import { withOptional } from '../../src/plan/product-key.ts'
import { hasOnixSchema, schemaFaults, schemaFaultsOf } from '../support/catalogues/onix-schema.ts'
import { readProducts } from '../support/catalogues/read-products.ts'
import { anyCharacter } from '../support/machine/any-text.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { isbnOf } from '../support/servers/listed-service.ts'

interface Book {
  readonly fields?: IndexedPublication['fields']
  readonly edition?: Partial<KnownEdition>
  readonly file?: Partial<FileFacts>
}

const publicationOf = ({ fields = {}, edition = {} }: Book, number: number): IndexedPublication => ({
  publicationId: `pub_${number}`,
  fields,
  editions: [
    {
      ...{ editionId: `ed_${number}`, isCurrent: true, type: 'EPUB', uploadStatus: 'available' },
      ...{ sha256: null, bytes: null, wasSent: false, file: null, fields: { title: 'T' } },
      ...edition,
    },
  ],
  ...{ currentEditionId: `ed_${number}`, collectionIds: null, readAt: 0, unread: null },
})

const nothingInFile: FileFacts = { isFixed: false, creators: [], accessibility: [], usage: [], licenses: [] }

/** Writes a message of books, and gives what is lost in it, by the publication. */
function write(path: string, books: readonly Book[]) {
  const publications = books.map(publicationOf)
  const files = new Map(
    books.map(({ file }, number) => [`pub_${number}`, file && { ...nothingInFile, ...file }]),
  )
  const index = { all: () => publications, find: () => [] }
  const records = exportedRecords(index, nothingSaid, { of: id => files.get(id) })
  const options = { release: '3.1', sender: { organisation: 'scope_1' }, sentAt: 0 } as const
  writeFileSync(path, [...messageText(options, records.all())].join(''))
  return { publications, failures: records.failures, unsaid: records.unsaid }
}

/** What a plan would find different in what is read back, and what was lost, for each product. */
async function readBack(path: string, publications: readonly IndexedPublication[]) {
  const read = []
  for await (const product of readProducts([path])) {
    const there = publications.find(({ publicationId }) => publicationId === product.publicationId)
    if ('broken' in product || there === undefined) throw new Error('it was not read')
    read.push({
      id: product.publicationId,
      product,
      differences: differencesOf(
        withOptional(product, () => true),
        there,
      ),
    })
  }
  return read
}

function differencesOf({ overrides }: Product, { fields, editions }: IndexedPublication): string[] {
  const given = givenFields(overrides)
  const there = editions[0]?.fields ?? {}
  return [
    ...changeableDifferencesOf(given.changeable, fields),
    ...fixedDifferencesOf(given.creation, there),
  ].map(({ field, there, wanted }) => `${field}: ${there} is ${wanted}`)
}

/** All that were written, to be checked together. */
const messages: string[] = []

async function roundTrip(book: Book) {
  const path = join(temporaryFolder(), 'feed.xml')
  const { publications, failures, unsaid } = write(path, [book])
  messages.push(readFileSync(path, 'utf8'))
  const [read] = await readBack(path, publications)
  return {
    ...{ lost: failures.map(({ failure }) => failure.message), unsaid: [...unsaid.keys()] },
    ...{ differences: read?.differences, product: read?.product },
  }
}

const same = { lost: [], differences: [] }

describe('a message that is exported', () => {
  it.each<[string, Book, Partial<Product>?]>([
    ['a title alone', {}],
    [
      'an ISBN, authors and a publisher',
      {
        edition: {
          fields: {
            title: 'A <b> & "c"',
            author: ['Ann Lee', 'Bo & Sons'],
            metadata: { isbn: '978-3-16-148410-0', publisher: 'P <Q>' },
          },
        },
      },
    ],
    ['paragraphs and lines', { fields: { description: 'One\nline & more.\n\nTwo.\r\n\r\n\r\nThree' } }],
    ['a name of a language', { fields: { language: 'German' } }],
    ['a tag with a region', { fields: { language: 'pt-BR' } }],
    ['a tag of three letters', { fields: { language: 'por' } }],
    [
      'metadata that has elements',
      {
        edition: {
          fields: {
            title: 'T',
            metadata: {
              imprint: 'Salt; Sea',
              publisher: 'P',
              publicationDate: '2026-08-07',
              subjects: 'BISAC FIC022000; Thema FFP; Thema 1DNS; Thema 3MPB',
              keywords: 'sea; salt',
              series: 'The Waters, 2; Rivers',
              accessibility:
                'EPUB Accessibility Specification 1.1; Compliance certification by (name): A; B; code 42; WCAG level AA',
              usageRights: 'Text and data mining: Prohibited; Print: Permitted unlimited',
              artificialMakers: 'AI (Artificial intelligence) (B06, E07)',
            },
          },
        },
      },
    ],
    [
      'dates of months and years, and texts',
      { edition: { fields: { title: 'T', metadata: { imprint: 'I', publicationDate: 'spring 2026' } } } },
    ],
    ['characters that a terminal obeys', { edition: { fields: { title: 'a\u202eb\u200bc\u0085d' } } }],
    [
      'a PDF',
      { edition: { type: 'PDF', bytes: 5, fields: { title: 'T', metadata: { pageCount: '12' } } } },
      { type: 'PDF' },
    ],
    ['an audiobook', { edition: { type: 'Audio' }, file: { duration: 3725.4 } }, { type: 'Audio' }],
    ['a book of fixed layout', { file: { isFixed: true, pages: 12 } }, { type: 'EPUB', isReflowable: false }],
    ['what nobody knows the type of', { edition: { type: null } }, { type: null }],
    [
      'translators and others whom only the file knows',
      {
        edition: { fields: { title: 'T', author: ['A'] } },
        file: {
          creators: [
            { name: 'A', fileAs: 'Name, A', roles: ['aut', 'ill'] },
            { name: 'B', roles: ['trl'] },
            { name: 'C', roles: ['xyz'] },
          ],
        },
      },
    ],
  ])('says %s, and is read back', async (_, book, product = {}) => {
    expect(await roundTrip(book)).toMatchObject({ ...same, product })
  })

  it('says the codes of what a file says of its accessibility', async () => {
    const accessibility = [
      { type: '09', value: '04' },
      { type: '09', value: '90', description: 'A  Certifier' },
      { type: '12', value: '13' },
    ]
    const { product } = await roundTrip({ file: { accessibility } })
    expect({ says: product?.optional.accessibility }).toEqual({
      says: 'EPUB Accessibility Specification 1.1; Compliance certification by (name): A Certifier',
    })
  })

  it('says what a file says of text and data mining, and where a licence can be had', async () => {
    const usage = [{ type: '11', status: '03' }]
    const licenses = [{ name: 'tdm-policy', expressionType: '21', link: 'https://example.org/p?a=1&b=2' }]
    const { product } = await roundTrip({ file: { usage, licenses } })
    expect({ rights: product?.optional.usageRights }).toEqual({
      rights: 'Text and data mining: Prohibited; License tdm-policy https://example.org/p?a=1&b=2',
    })
  })

  it.each<[string, Book, string]>([
    ['a language that is no tag', { fields: { language: 'Klingon' } }, 'language'],
    ['a description that is HTML', { fields: { description: '<p>One</p>' } }, 'description'],
    ['a description with an entity', { fields: { description: 'a &eacute; b' } }, 'description'],
    ['a control character', { fields: { description: 'a\u0001b' } }, 'description'],
    ['half of a pair', { edition: { fields: { title: 'T', author: ['a\ud800'] } } }, 'author'],
    ['an ISBN that is none', { edition: { fields: { title: 'T', metadata: { isbn: 'x' } } } }, 'isbn'],
    [
      'subjects of no scheme',
      { edition: { fields: { title: 'T', metadata: { subjects: 'Sea' } } } },
      'metadata.subjects',
    ],
    [
      'a date without a publisher',
      { edition: { fields: { title: 'T', metadata: { publicationDate: '2026' } } } },
      'metadata.publicationDate',
    ],
  ])('leaves out %s, and says so', async (_, book, field) => {
    const { lost, differences } = await roundTrip(book)
    expect({ lost, differences }).toEqual({
      differences: [],
      lost: [`the message cannot say its ${field} exactly, and leaves it out`],
    })
  })

  it('says what ONIX has no place for', async () => {
    const { lost, unsaid } = await roundTrip({
      fields: { sampleItems: ['a'], isForInternalReadingInstance: true },
      edition: { fields: { title: 'T', metadata: { shelf: 5 } } },
    })
    expect({ lost, unsaid }).toEqual({ lost: [], unsaid: ['metadata.shelf', 'sample-item', 'internal'] })
  })

  it('has no record of a book without a title', () => {
    const { failures } = write(join(temporaryFolder(), 'feed.xml'), [{ edition: { fields: {} } }])
    expect(failures.map(({ failure }) => failure.code)).toEqual(['no_title'])
  })
})

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: anyCharacter, maxLength: 10 }),
  fc.stringMatching(/^[a-c<>&;:,'"\\ \t\n\r.-]{1,12}$/),
  fc.constantFrom(
    ']]>',
    '<!--',
    '<?x?>',
    '&amp;',
    '&#0;',
    '\u0000',
    '\ufeff',
    '\ufffe',
    ' ',
    '\n',
    'a\n\n\nb',
  ),
)
const code = (pattern: RegExp) => fc.stringMatching(pattern)
const book: fc.Arbitrary<Book> = fc.record({
  fields: fc.record(
    {
      description: text,
      language: fc.oneof(text, fc.constantFrom('English', 'de', 'ger', 'pt-BR', 'zh-Hant-TW', 'gsw')),
      sampleItems: fc.array(text, { maxLength: 2 }),
    },
    { requiredKeys: [] },
  ),
  edition: fc.record(
    {
      type: fc.constantFrom('EPUB', 'PDF', 'Audio', 'Video', null),
      bytes: fc.oneof(fc.nat(), fc.constant(null)),
      fields: fc.record(
        {
          title: text,
          author: fc.array(text, { maxLength: 3 }),
          metadata: fc.dictionary(
            fc.oneof(
              text,
              fc.constantFrom('isbn', 'publisher', 'imprint', 'publicationDate', 'onSaleDate', 'series'),
              fc.constantFrom('subjects', 'keywords', 'accessibility', 'pageCount', 'fileSize', 'layoutType'),
            ),
            fc.oneof(
              text,
              fc.integer(),
              fc.nat(99).map(isbnOf),
              fc.constantFrom(
                '2026',
                '2026-08',
                '2026-08-07',
                'A; B, 2',
                'BISAC FIC000000; Thema FB; Thema 1D',
              ),
              fc.constantFrom(
                'WCAG level AA',
                'code 99; code 42',
                'Accessibility summary: a; b: c',
                'FIXED',
                '7',
              ),
            ),
            { maxKeys: 5 },
          ),
        },
        { requiredKeys: ['title'] },
      ),
    },
    { requiredKeys: ['fields'] },
  ),
  file: fc.record(
    {
      isFixed: fc.boolean(),
      epubVersion: fc.oneof(text, fc.constantFrom('2.0', '3.0')),
      creators: fc.array(
        fc.record({
          name: text,
          fileAs: text,
          roles: fc.array(fc.constantFrom('aut', 'trl', 'ill', 'nrt', 'xyz'), { maxLength: 3 }),
        }),
        { maxLength: 3 },
      ),
      pages: fc.integer(),
      duration: fc.double(),
      accessibility: fc.array(
        fc.oneof(
          fc.record({ type: fc.constant('09'), value: code(/^(0[0-68]|1[0-9]|2[0-2]|8[4-6]|9[0-4])$/) }),
          fc.record({
            type: fc.constant('09'),
            value: fc.constantFrom('00', '88', '90'),
            description: text.filter(each => each.trim() !== ''),
          }),
          fc.record({ type: fc.constant('12'), value: fc.constantFrom('00', '13', '14', '25') }),
        ),
        { maxLength: 6 },
      ),
    },
    { requiredKeys: [] },
  ),
})

describe('any message that is exported', () => {
  const seed = 20261123

  it('is read back to the same', async () => {
    const path = join(temporaryFolder(), 'feed.xml')
    await fc.assert(
      fc.asyncProperty(fc.array(book, { maxLength: 3 }), async books => {
        const { publications } = write(path, books)
        for (const { id, differences } of await readBack(path, publications)) {
          // What a file says besides is news for a plan.
          const saysMore = (books[Number(id?.slice(4))]?.file?.accessibility?.length ?? 0) > 0
          expect(differences.filter(each => !(saysMore && each.startsWith('accessibility:')))).toEqual([])
        }
      }),
      { numRuns: isSlow ? 1500 : 50, seed },
    )
  })

  it.skipIf(!hasOnixSchema)('of those above is valid by the schema and the code lists of ONIX 3.1', () => {
    expect(messages.length).toBeGreaterThan(20)
    expect(schemaFaultsOf(messages)).toEqual([])
  })

  it.skipIf(!hasOnixSchema)('is valid by the schema and the code lists of ONIX 3.1', () => {
    const folder = temporaryFolder()
    const messages = fc.sample(fc.array(book, { maxLength: 3 }), { numRuns: isSlow ? 1500 : 100, seed })
    for (const [number, books] of messages.entries()) write(join(folder, `valid-${number}.xml`), books)
    const files = readdirSync(folder).filter(name => name.startsWith('valid-'))
    expect(files).toHaveLength(messages.length)
    expect(schemaFaults(files.map(name => join(folder, name)))).toEqual([])
  })
})
