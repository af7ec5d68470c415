import { packs } from '../../src/books/rules/packs/index.ts'
import { makeM4b, makeMp3, picture, xingFrame } from '../support/books/make-sound.ts'
import { hostileMessages } from '../support/catalogues/hostile-messages.ts'
import { composite, message, record } from '../support/catalogues/onix-message.ts'
import { fullRecord, shortRecord } from '../support/catalogues/onix-record.ts'
import { key } from './secrets.ts'

/** Inputs by what they are. */
type Texts = Readonly<Record<string, Buffer>>

const texts = (all: Readonly<Record<string, unknown>>): Texts =>
  Object.fromEntries(
    Object.entries(all).map(([name, each]) => [
      name,
      Buffer.from(typeof each === 'string' ? each : JSON.stringify(each)),
    ]),
  )

const house = {
  name: 'Our house',
  rules: [
    {
      id: 'house-cover',
      severity: 'error',
      check: { cover: { shortSide: { min: 1400 }, ratio: { min: 1.3, max: 1.7 }, types: ['image/jpeg'] } },
      hint: 'Export it again.',
      link: 'https://press.example/covers',
    },
    {
      id: 'house-imprint',
      when: { types: ['EPUB'], languages: ['en'], name: '^book' },
      check: {
        metadata: [{ name: 'dc:publisher', values: ['P'] }],
        name: { isbn: true, pattern: '(a|b)+c' },
      },
      except: [{ books: ['978-3-16-148410-0', 'old-*.epub'], until: '2027-06-30', reason: 'Bought.' }],
    },
    { id: 'house-size', check: { book: { bytes: { max: '200 KB' } } }, until: '2027-06-30' },
    { id: 'navigation_unordered', severity: 'off' },
    { id: 'house-person', person: 'The blurb is ours.' },
  ],
}

const known = {
  books: [
    { file: 'book.epub', faults: [{ code: 'cover_missing', place: 'EPUB/a.opf', count: 1 }] },
    {
      file: 'b.epub',
      isbn: '9783161484100',
      faults: [{ code: 'RSC-005', count: 12, isUnlisted: true }],
    },
  ],
}

const receiver = {
  name: 'Ours',
  links: ['https://press.example/onix'],
  codes: { '79': ['09', '10'], '196': ['04', '85'] },
  epubVersions: { '3': '101F' },
  requires: ['isbn', 'subjects'],
}

const site = [
  { location: '/', 'tdm-reservation': 0 },
  { location: '/books/*.epub$', 'tdm-reservation': '1', 'tdm-policy': 'https://press.example/policy' },
]

const rights =
  '<EpubTechnicalProtection>03</EpubTechnicalProtection><EpubUsageConstraint><EpubUsageType>11</EpubUsageType><EpubUsageStatus>03</EpubUsageStatus></EpubUsageConstraint>'
const spoken = composite('ProductFormFeature', {
  ProductFormFeatureType: '09',
  ProductFormFeatureValue: '14',
})
const tags = { TALB: 'A Title', TPE1: 'A Name', TCOM: 'A Reader', TIT2: 'One', TRCK: '1/2', TLAN: 'eng' }
const chapters = [
  { title: 'One', start: 0 },
  { title: 'Two', start: 1 },
]
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

/** The inputs of each reader of a file that an option or an argument names, and that is no book and no sheet. */
export const namedFiles = {
  rules: () => texts({ house, 'of a baseline': { baseline: 'none.json', rules: [] }, ...packs }),
  baseline: () => texts({ known, none: { books: [] } }),
  receiver: () => texts({ receiver, short: { name: 'Ours', links: [] } }),
  feed: () =>
    texts({
      full: message(fullRecord),
      short: `<ONIXmessage release="3.0"><header/>${shortRecord}</ONIXmessage>`,
      rights: message(record({ reference: '1', detail: `${rights}${spoken}` })),
      two: message(record({ reference: '1' }), record({ reference: '2' })),
      ...hostileMessages,
    }),
  site: () => texts({ site, none: [] }),
  sound: (): Texts => ({
    'an MP3 file with tags': makeMp3({ frames: 20, tags: { ...tags, APIC: picture(png) }, chapters }),
    'an MP3 file whose frames differ': makeMp3({ frames: 20, before: xingFrame() }),
    'an MP3 file without a tag': makeMp3({ frames: 3 }),
    ...Object.fromEntries(
      (['track', 'list'] as const).map(chaptersIn => [
        `an MP4 file with chapters in a ${chaptersIn}`,
        makeM4b({ seconds: 3, tags: { '\xa9alb': 'A Title' }, cover: png, chapters, chaptersIn }),
      ]),
    ),
  }),
  key: () => texts({ key: `${key}\n`, crlf: `${key}\r\n`, two: `${key}\n${key}\n`, none: '\n' }),
  body: () => texts({ domain: { domain: 'reader.example.org' }, list: [1, null, 'a'] }),
  watched: () =>
    texts({
      sheet: 'file,title,isbn,metadata.k\n../book.epub,T,9783161484100,v\n',
      'of a publication': 'publicationId,title,internal\npub_1,Another Title,yes\n,U,\n',
    }),
} satisfies Record<string, () => Texts>
