import { describe, expect, it } from 'vitest'
import { fileSays } from '../../src/books/rights/file-says.ts'
import { joinRights } from '../../src/books/rights/join.ts'
import type { CarrierSays } from '../../src/books/rights/says.ts'
import { feedSays } from '../../src/catalogue/onix/feed-says.ts'
import { siteSays } from '../../src/inspect/tdm-site/index.ts'
import { tdmRulesIn } from '../../src/inspect/tdm-site/rules.ts'
import type { Product } from '../../src/plan/product.ts'
import { feature, hazard, meta } from '../support/books/accessible-book.ts'
import { rawZip } from '../support/books/hostile-zip.ts'
import { fileOf, honestMetadata, makeBook } from '../support/books/make-book.ts'
import { makePdf } from '../support/books/make-pdf.ts'
import { readBook } from '../support/books/read-book.ts'
import { composite, message, onixFile, record } from '../support/catalogues/onix.ts'
import { readProducts } from '../support/catalogues/read-products.ts'

async function inFile(content: Uint8Array, name?: string): Promise<CarrierSays> {
  const said = fileSays(await readBook(fileOf(content, name), { rights: true, accessibility: true }))
  if (said === undefined) throw new Error('nothing could be read')
  return said
}

const epub = (metadata: string) => inFile(makeBook({ metadata: honestMetadata + metadata }))

const pdf = (properties: string) =>
  inFile(
    makePdf({
      xmp: `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:tdm="http://www.w3.org/ns/tdmrep/">${properties}</rdf:Description></rdf:RDF></x:xmpmeta>`,
    }),
    'book.pdf',
  )

const lpf = (more: object) =>
  inFile(
    rawZip([
      {
        name: 'publication.json',
        content: JSON.stringify({ name: 'A', readingOrder: [{ url: 'one.mp3' }], ...more }),
      },
      { name: 'one.mp3', content: 'ID3' },
    ]),
    'book.lpf',
  )

/** What a feed says whose only record has this among its descriptive details. */
async function inFeed(detail: string): Promise<CarrierSays> {
  for await (const product of readProducts([onixFile(message(record({ detail })))]))
    return feedSays((product as Product).declared ?? {}, 'record 1')
  throw new Error('there is no record')
}

const usage = (type: string, status: string) =>
  composite('EpubUsageConstraint', { EpubUsageType: type, EpubUsageStatus: status })
const code = (value: string, description?: string) =>
  composite('ProductFormFeature', {
    ProductFormFeatureType: '09',
    ProductFormFeatureValue: value,
    ...(description !== undefined && { ProductFormFeatureDescription: description }),
  })
const hazardCode = (value: string) =>
  composite('ProductFormFeature', { ProductFormFeatureType: '12', ProductFormFeatureValue: value })

function onSite(rules: readonly unknown[]): CarrierSays {
  const found = tdmRulesIn(rules)
  if (found === undefined) throw new Error('this is no list')
  return siteSays({ address: new URL('https://press.example/books/'), ...found }, 'one.epub')
}
const everywhere = (value: number, policy?: string) =>
  onSite([{ location: '/', 'tdm-reservation': value, ...(policy && { 'tdm-policy': policy }) }])

/** A verdict in one word: `missing feed,site`. */
const wordsOf = ({ verdict, missingIn }: { verdict: string; missingIn: readonly string[] }) =>
  [verdict, ...(verdict === 'missing' ? [missingIn.join()] : [])].join(' ')

describe('text and data mining, by what each carrier says', () => {
  // A dash is a carrier that is not looked at, and a dot one that says nothing. The feed says a code of list 146.
  const table = `
file feed | site -       | site .            | site 1            | site 0
.    -    | silent       | silent            | missing file      | missing file
.    .    | silent       | silent            | missing file,feed | missing file,feed
.    01   | missing file | missing file,site | contradicts       | missing file
.    02   | missing file | missing file,site | missing file      | contradicts
.    03   | missing file | missing file,site | missing file      | contradicts
1    -    | stated       | missing site      | agrees            | contradicts
1    .    | missing feed | missing feed,site | missing feed      | contradicts
1    01   | contradicts  | contradicts       | contradicts       | contradicts
1    02   | agrees       | missing site      | agrees            | contradicts
1    03   | agrees       | missing site      | agrees            | contradicts
0    -    | stated       | missing site      | contradicts       | agrees
0    .    | missing feed | missing feed,site | contradicts       | missing feed
0    01   | agrees       | missing site      | contradicts       | agrees
0    02   | contradicts  | contradicts       | contradicts       | contradicts
0    03   | contradicts  | contradicts       | contradicts       | contradicts`
  const [, ...lines] = table.trim().split('\n')
  const sites = ['-', '.', '1', '0']
  const cases = lines.flatMap(line => {
    const [said = '', ...verdicts] = line.split('|')
    const [file = '', feed = ''] = said.trim().split(/\s+/)
    return sites.map((site, index) => ({ file, feed, site, verdict: verdicts[index]?.trim() }))
  })

  it('has a case for each value of each carrier', () => {
    expect(cases).toHaveLength(3 * 5 * 4)
    expect(cases.every(({ verdict }) => verdict !== undefined)).toBe(true)
  })

  const bySite: Readonly<Record<string, readonly CarrierSays[]>> = {
    '-': [],
    '.': [onSite([])],
    '1': [everywhere(1)],
    '0': [everywhere(0)],
  }
  const formats: readonly (readonly [string, (value: string) => Promise<CarrierSays>])[] = [
    ['EPUB', value => epub(value === '.' ? '' : meta('tdm:reservation', value))],
    ['PDF', value => pdf(value === '.' ? '' : `<tdm:reservation>${value}</tdm:reservation>`)],
    ['audiobook', value => lpf(value === '.' ? {} : { 'tdm:reservation': Number(value) })],
  ]
  it.each(formats)('is joined as the table has it, with an %s', async (_, read) => {
    const said = new Map<string, CarrierSays>()
    for (const value of ['.', '1', '0']) said.set(value, await read(value))
    const feeds = new Map<string, CarrierSays[]>([['-', []]])
    for (const status of ['.', '01', '02', '03'])
      feeds.set(status, [await inFeed(status === '.' ? '' : usage('11', status))])
    const found = cases.map(({ file, feed, site }) => {
      const { tdm } = joinRights([
        said.get(file) as CarrierSays,
        ...(feeds.get(feed) ?? []),
        ...(bySite[site] ?? []),
      ])
      return { file, feed, site, verdict: wordsOf(tdm) }
    })
    expect(found).toEqual(cases)
  })

  it.each<[string, () => Promise<CarrierSays[]>, string[], string]>([
    [
      'a file that says both',
      async () => [await epub(meta('tdm:reservation', '1') + meta('tdm:reservation', '0'))],
      ['tdm_contradicts_itself'],
      'contradicts',
    ],
    [
      'a feed that says both',
      async () => [await epub(''), await inFeed(usage('11', '01') + usage('11', '03'))],
      ['tdm_contradicts_itself'],
      'contradicts',
    ],
    [
      'a feed without constraints',
      async () => [await epub(meta('tdm:reservation', '1')), await inFeed(usage('00', '01'))],
      ['tdm_contradicts'],
      'contradicts',
    ],
    [
      'a feed that limits something else',
      async () => [await epub(meta('tdm:reservation', '1')), await inFeed(usage('02', '03'))],
      [],
      'missing feed',
    ],
    [
      'a feed that permits what AI does for readers',
      async () => [
        await epub(meta('tdm:reservation', '1')),
        await inFeed(usage('11', '03') + usage('13', '01') + usage('14', '01')),
      ],
      [],
      'agrees',
    ],
    [
      'values that mean nothing',
      async () => [await epub(meta('tdm:reservation', 'yes')), await inFeed(usage('11', '09'))],
      [],
      'silent',
    ],
    [
      'other policies',
      async () => [
        await epub(meta('tdm:reservation', '1') + meta('tdm:policy', 'https://press.example/a')),
        everywhere(1, 'https://press.example/b'),
      ],
      ['tdm_policy_contradicts'],
      'contradicts',
    ],
    [
      'the same policy, written in another way',
      async () => [
        await epub(meta('tdm:reservation', '1') + meta('tdm:policy', 'https://PRESS.example:443/a')),
        everywhere(1, 'https://press.example/a'),
      ],
      [],
      'agrees',
    ],
    [
      'a site whose first rule is not its most specific one',
      async () => [
        await epub(meta('tdm:reservation', '1')),
        onSite([
          { location: '/', 'tdm-reservation': 0 },
          { location: '/books/', 'tdm-reservation': 1 },
        ]),
      ],
      ['tdm_contradicts_itself'],
      'contradicts',
    ],
    [
      'two sites',
      async () => [await epub(''), everywhere(1), everywhere(0)],
      ['tdm_contradicts'],
      'contradicts',
    ],
  ])('is joined as well with %s', async (_, says, contradictions, verdict) => {
    const { tdm, contradictions: found } = joinRights(await says())
    expect(found.map(each => each.code)).toEqual(contradictions)
    expect(wordsOf(tdm)).toBe(verdict)
  })

  it('names values that mean nothing, with what has them', async () => {
    const { unknownValues } = joinRights([
      await epub(meta('tdm:reservation', 'yes')),
      await inFeed(usage('11', '')),
      onSite([{ location: '/', 'tdm-reservation': 2 }, 5]),
    ])
    expect(unknownValues.map(({ carrier, value }) => `${carrier}: ${value}`)).toEqual([
      'file: yes',
      'feed: ',
      'site: rule 1 has no reservation of 0 or 1',
      'site: rule 2 has no location',
    ])
  })
})

const contributor = (role: string, values: Readonly<Record<string, string>>, actor?: string) =>
  `<Contributor><ContributorRole>${role}</ContributorRole>${Object.entries(values)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join(
      '',
    )}${actor ? composite('AlternativeName', { NameType: '04', PersonName: actor }) : ''}</Contributor>`

describe('narration, by what each carrier says', () => {
  const files = { silent: {}, person: { readBy: 'Nell Reader' }, voice: { readBy: 'Synthetic voice' } }
  const feeds = {
    silent: '',
    person: contributor('E07', { PersonName: 'Nell Reader' }),
    'other person': contributor('E03', { PersonName: 'Tom Teller' }),
    '05': contributor('E07', { UnnamedPersons: '05' }),
    '06': contributor('E07', { UnnamedPersons: '06' }),
    '07': contributor('E07', { UnnamedPersons: '07' }),
    '08': contributor('E07', { UnnamedPersons: '08' }, 'Ann Actor'),
    '08 of the reader': contributor('E07', { UnnamedPersons: '08' }, 'NELL  reader'),
    '09': contributor('E07', { UnnamedPersons: '09' }),
    both: contributor('E07', { UnnamedPersons: '07' }) + contributor('E07', { PersonName: 'Tom Teller' }),
  }
  const table: Readonly<Record<keyof typeof feeds, readonly [string, string, string]>> = {
    silent: ['silent', 'stated', 'missing feed'],
    person: ['stated', 'agrees', 'contradicts'],
    'other person': ['stated', 'agrees', 'contradicts'],
    '05': ['missing file', 'contradicts', 'agrees'],
    '06': ['missing file', 'contradicts', 'agrees'],
    '07': ['missing file', 'contradicts', 'agrees'],
    '08': ['missing file', 'contradicts', 'agrees'],
    '08 of the reader': ['missing file', 'agrees', 'agrees'],
    '09': ['missing file', 'contradicts', 'agrees'],
    both: ['missing file', 'agrees', 'agrees'],
  }
  it.each(Object.entries(table))('is joined with a feed of %s', async (feed, expected) => {
    const said = await inFeed(feeds[feed as keyof typeof feeds])
    const found = []
    for (const more of Object.values(files))
      found.push(wordsOf(joinRights([await lpf(more), said]).narration))
    expect(found).toEqual(expected)
  })
})

describe('the part of AI, by what each carrier says', () => {
  const source = (type: string) => meta('schema:digitalSourceType', type)
  const files = {
    silent: '',
    ai: source('https://schema.org/CompositeWithTrainedAlgorithmicMediaDigitalSource'),
    people: source('http://cv.iptc.org/newscodes/digitalsourcetype/digitalCreation'),
    unknown: source('https://schema.org/Nonsense'),
  }
  const feeds = {
    silent: '',
    'an author of AI': contributor('A01', { UnnamedPersons: '09' }),
    'a translator of AI': contributor('B06', { UnnamedPersons: '09' }),
    'a reader of AI': contributor('E07', { UnnamedPersons: '09' }),
    'an anonymous author': contributor('A01', { UnnamedPersons: '02' }),
  }
  const table: Readonly<Record<keyof typeof feeds, readonly [string, string, string, string]>> = {
    silent: ['silent', 'missing feed', 'stated', 'silent'],
    'an author of AI': ['missing file', 'agrees', 'contradicts', 'missing file'],
    'a translator of AI': ['missing file', 'agrees', 'contradicts', 'missing file'],
    'a reader of AI': ['silent', 'missing feed', 'stated', 'silent'],
    'an anonymous author': ['silent', 'missing feed', 'stated', 'silent'],
  }
  it.each(Object.entries(table))('is joined with a feed of %s', async (feed, expected) => {
    const said = await inFeed(feeds[feed as keyof typeof feeds])
    const found = []
    for (const more of Object.values(files)) found.push(wordsOf(joinRights([await epub(more), said]).ai))
    expect(found).toEqual(expected)
  })
})

describe('accessibility, by what the file and the feed say', () => {
  const aa = meta('dcterms:conformsTo', 'EPUB Accessibility 1.1 - WCAG 2.2 Level AA')
  const certified = (name: string) => meta('a11y:certifiedBy', name)
  const aaCodes = code('04') + code('82') + code('85')
  it.each<[string, string, string, string, string[]]>([
    ['nothing', '', '', 'silent', []],
    ['14 in the feed alone', '', code('14'), 'missing file', []],
    ['14 in the file alone', feature('alternativeText'), '', 'missing feed', []],
    ['14 in both', feature('alternativeText'), code('14'), 'agrees', []],
    ['each something else', feature('MathML'), code('14'), 'missing file,feed', []],
    ['codes that no file can give', '', code('10') + code('97') + code('99', 'a@b.example'), 'stated', []],
    ['a claim in both', aa, aaCodes, 'agrees', []],
    ['a claim of 1.2 beside that of 1.1', aa.replace('1.1', '1.2'), aaCodes, 'agrees', []],
    ['other levels', aa, code('04') + code('82') + code('84'), 'contradicts', ['a11y_level_contradicts']],
    [
      'other versions of WCAG',
      aa,
      code('04') + code('81') + code('85'),
      'contradicts',
      ['a11y_wcag_contradicts'],
    ],
    ['another standard', aa, code('03') + code('82'), 'contradicts', ['a11y_standard_contradicts']],
    ['a level in the feed alone', '', aaCodes, 'missing file', []],
    ['an inaccessible book in the feed', aa, code('09'), 'contradicts', ['a11y_inaccessible_contradicts']],
    [
      'an inaccessible book in the file',
      feature('none'),
      code('52'),
      'contradicts',
      ['a11y_inaccessible_contradicts'],
    ],
    ['an unknown one in the feed', feature('alternativeText'), code('08'), 'missing file,feed', []],
    [
      'a hazard in the file',
      hazard('flashing'),
      hazardCode('14'),
      'contradicts',
      ['a11y_hazards_contradict'],
    ],
    ['a hazard in the feed', hazard('none'), hazardCode('15'), 'contradicts', ['a11y_hazards_contradict']],
    ['the same hazard', hazard('sound'), hazardCode('15'), 'agrees', []],
    ['warnings of toys', hazard('none'), hazardCode('01'), 'stated', []],
    ['certifiers', certified('A'), code('90', 'B'), 'contradicts', ['a11y_certifier_contradicts']],
    ['one certifier', certified('A Name'), code('90', 'A NAME'), 'agrees', []],
    ['an exemption in the feed alone', '', code('75'), 'missing file', []],
  ])('is joined with %s', async (_, metadata, detail, verdict, contradictions) => {
    const { accessibility, contradictions: found } = joinRights([await epub(metadata), await inFeed(detail)])
    expect(wordsOf(accessibility)).toBe(verdict)
    expect(found.map(each => each.code)).toEqual(contradictions)
  })

  it('is denied by images without alternative text', async () => {
    const page = '<html xmlns="http://www.w3.org/1999/xhtml"><body><p><img src="a.png"/></p></body></html>'
    const file = await inFile(makeBook({ entries: { 'EPUB/one.xhtml': page } }))
    const { contradictions } = joinRights([file, await inFeed(code('14'))])
    expect(contradictions.map(({ message: text }) => text)).toEqual([
      'The feed claims "Short alternative textual descriptions" (14), and 1 of 1 images of the file have no alternative text.',
    ])
  })

  it('is asked of a PDF and of sound as far as they can say it', async () => {
    const everything = await inFeed(['04', '05', '14', '51', '85', '90'].map(each => code(each)).join(''))
    const leftOut = async (file: CarrierSays) =>
      joinRights([file, everything]).accessibility.leftOut?.find(({ carrier }) => carrier === 'file')?.codes
    expect(await leftOut(await pdf(''))).toEqual(['05'])
    expect(await leftOut(await lpf({}))).toEqual(['14', '51'])
    expect(await leftOut(await epub(''))).toEqual(['04', '14', '51', '85', '90'])
  })
})
