import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BrokenProduct, Product } from '../../src/plan/product.ts'
import { areThere, samples } from '../support/books/samples.ts'
import { composite, identifier, message, onixFile, record, title } from '../support/catalogues/onix.ts'
import { fullRecord, shortRecord } from '../support/catalogues/onix-record.ts'
import { readProducts } from '../support/catalogues/read-products.ts'

async function productsIn(path: string) {
  const products: (Product | BrokenProduct)[] = []
  for await (const product of readProducts([path])) products.push(product)
  return products
}

/** The one product of a message of one record. */
async function productOf(xml: string): Promise<Product & BrokenProduct> {
  const products = await productsIn(onixFile(message(xml)))
  expect(products).toHaveLength(1)
  return products[0] as Product & BrokenProduct
}

const wrapped = (root: string, content: string, attributes: string): string =>
  `<?xml version="1.0"?>\n<${root} ${attributes}>${content}</${root.split(' ')[0]}>`

const everything = {
  ...{ publicationId: null, key: null, proprietaryId: 'SEA-1', file: null },
  overrides: {
    isbn: '9783161484100',
    title: 'The Sea: A Story & a Map',
    author: ['Ludwig van Lee', 'Sea, Salt, and Sons'],
    language: 'eng',
    description: 'One sea,\ntwo boats.\n\n- a map\n- a crew',
    publisher: 'A Press',
  },
  optional: {
    imprint: 'Salt Books',
    publicationDate: '2026-08-07',
    subjects: 'Thema FFP; Thema 1DNS; BISAC FIC022000',
    keywords: 'sea; salt',
    series: 'The Waters, 2',
    accessibility:
      'EPUB Accessibility Specification 1.1; WCAG level AA; Publisher’s web page for detailed accessibility information: https://example.org/a11y',
    usageRights:
      'Text and data mining: Prohibited; Print: Permitted subject to limit, 10 of unit 04; License Terms https://example.org/terms',
    artificialMakers: 'Synthesized voice – based on real voice actor, Ann Actor (E07)',
    onSaleDate: '2026-08-10',
  },
  declared: {
    usage: [
      { type: '11', status: '03' },
      { type: '02', status: '02', limits: [{ quantity: '10', unit: '04' }] },
    ],
    licenses: [{ name: 'Terms', expressions: [{ type: '01', link: 'https://example.org/terms' }] }],
    artificial: [{ code: '08', roles: ['E07'], names: ['Ann Actor'] }],
    narrators: ['Nell Reader'],
    accessibility: [
      { value: '04' },
      { value: '85' },
      { value: '96', description: 'https://example.org/a11y' },
    ],
    hazards: [{ value: '00' }],
    formatVersions: [{ type: '15', value: '101F' }],
    validators: [{ value: '5.3.0', description: 'EPUBCheck' }],
    onSaleDate: '2026-08-10',
  },
  ...{ type: 'EPUB', isReflowable: false, ignored: null, withdrawn: null, isPartial: false },
  dropped: { prices: 2, rights: 1 },
  record: { reference: 'org.example.sea', sentAt: null, saysSale: false },
}

describe('a record of ONIX', () => {
  it.each<[string, string]>([
    [
      '3.0 by reference names',
      wrapped('ONIXMessage', fullRecord, 'release="3.0" xmlns="http://ns.editeur.org/onix/3.0/reference"'),
    ],
    [
      '3.1 by reference names',
      wrapped('ONIXMessage', fullRecord, 'xmlns="http://ns.editeur.org/onix/3.1/reference" release="3.1"'),
    ],
    ['3.0 without a namespace', wrapped('ONIXMessage', fullRecord, 'release="3.0"')],
    [
      'the other host',
      wrapped('ONIXMessage', fullRecord, 'release="3.0" xmlns="http://www.editeur.org/onix/3.0/reference"'),
    ],
    [
      '3.0 by short tags',
      wrapped('ONIXmessage', shortRecord, 'release="3.0" xmlns="http://ns.editeur.org/onix/3.0/short"'),
    ],
    ['3.1 by short tags without a namespace', wrapped('ONIXmessage', shortRecord, 'release="3.1"')],
    [
      'reference names, in the namespace of short tags',
      wrapped('ONIXMessage', fullRecord, 'release="3.0" xmlns="http://ns.editeur.org/onix/3.0/short"'),
    ],
    [
      'short tags, by the name of reference names',
      wrapped('ONIXMessage', shortRecord, 'release="3.0" xmlns="http://ns.editeur.org/onix/3.0/reference"'),
    ],
    [
      'a prefix',
      wrapped(
        'o:ONIXMessage',
        fullRecord.replace(/<(\/?)([A-Z])/g, '<$1o:$2'),
        'release="3.0" xmlns:o="http://ns.editeur.org/onix/3.0/reference"',
      ),
    ],
  ])('in %s says the same', async (_, xml) => {
    const [product, ...more] = await productsIn(onixFile(xml))
    expect(more).toEqual([])
    expect(product).toEqual({
      from: { onix: expect.any(String), record: 'org.example.sea', line: 2 },
      ...everything,
    })
  })

  it('has its isbn of type 15, or else of 03, or else of 02', async () => {
    const ids = new Map([
      ['15', '9783161484100'],
      ['03', '9780007232833'],
      ['02', '0306406152'],
      ['01', 'own'],
    ])
    const isbnOf = async (...types: string[]) =>
      (
        await productOf(
          record({ identifiers: types.map(type => identifier(type, ids.get(type) as string)).join('') }),
        )
      ).overrides.isbn
    expect(await isbnOf('02', '03', '15')).toBe('9783161484100')
    expect(await isbnOf('02', '03')).toBe('9780007232833')
    expect(await isbnOf('01', '02')).toBe('9780306406157')
    expect(await isbnOf('01')).toBeUndefined()
  })

  it.each<[string, string, RegExp]>([
    [
      'a wrong check digit',
      record({ identifiers: identifier('15', '9783161484101') }),
      /ISBN 9783161484101 has a wrong check digit/,
    ],
    [
      'a wrong check digit in a GTIN that is an ISBN',
      record({ identifiers: identifier('03', '9783161484101') }),
      /check digit/,
    ],
    [
      'a wrong check digit in a short ISBN',
      record({ identifiers: identifier('02', '0306406153') }),
      /check digit/,
    ],
    [
      'no ISBN where one should be',
      record({ identifiers: identifier('15', 'tba') }),
      /its ISBN "tba" is none/,
    ],
    ['no identifier', record({ identifiers: '' }), /no identifier/],
    ['no title', record({ title: '' }), /no title/],
    ['no product form', record({ form: '' }), /no product form/],
    ['no notification type', record({ notification: '' }), /no notification type/],
  ])('with %s is broken, by its reference and line, and the others are read', async (_, xml, words) => {
    const products = await productsIn(
      onixFile(
        message(record({ reference: 'r1' }), xml.replace('org.example.1', 'r2'), record({ reference: 'r3' })),
      ),
    )
    expect(products).toMatchObject([
      { from: { record: 'r1', line: 4 } },
      { from: { record: 'r2', line: 5 }, broken: expect.stringMatching(words) },
      { from: { record: 'r3', line: 6 } },
    ])
    expect(products[2]).not.toHaveProperty('broken')
  })

  it('that is no ISBN among GTINs has none', async () => {
    const identifiers = identifier('03', '3019002489901') + identifier('03', '9790060115615')
    expect((await productOf(record({ identifiers }))).overrides).not.toHaveProperty('isbn')
  })

  it.each<[string, string]>([
    [title({ TitleText: 'Sea' }), 'Sea'],
    [title({ TitlePrefix: 'The', TitleWithoutPrefix: 'Sea' }), 'The Sea'],
    [title({ TitlePrefix: "L'", TitleWithoutPrefix: 'Étranger' }), "L'Étranger"],
    [title({ TitlePrefix: 'L’', TitleWithoutPrefix: 'Étranger' }), 'L’Étranger'],
    [title({ NoPrefix: '', TitleWithoutPrefix: '\n Sea\n  Salt ' }), 'Sea Salt'],
    [title({ TitleText: 'Sea', Subtitle: 'A Story' }), 'Sea: A Story'],
    [title({ TitleText: 'Sea' }).replace('>01<', '>00<'), 'Sea'],
    [title({ TitleText: 'SEA' }).replace('>01<', '>00<') + title({ TitleText: 'Sea' }), 'Sea'],
    [title({ TitleText: 'Waters' }, '02') + title({ TitleText: 'Sea' }), ''],
    [
      `<TitleDetail><TitleType>01</TitleType>${composite('TitleElement', { TitleElementLevel: '02', TitleText: 'Waters' })}${composite('TitleElement', { TitleElementLevel: '01', PartNumber: 'Volume 2' })}</TitleDetail>`,
      'Waters, Volume 2',
    ],
  ])('with the title %s', async (given, wanted) => {
    const { overrides, broken } = await productOf(record({ title: given }))
    expect(wanted === '' ? broken : overrides.title).toBe(wanted === '' ? 'it has no title' : wanted)
  })

  it.each<[Record<string, string>, string[] | undefined]>([
    [{ PersonName: 'Ann Lee', KeyNames: 'Lee' }, ['Ann Lee']],
    [{ PersonNameInverted: 'Lee, Ann' }, ['Lee, Ann']],
    [
      { NamesBeforeKey: 'Jeanne', PrefixToKey: "d'", KeyNames: 'Arc', SuffixToKey: 'Jr' },
      ["Jeanne d'Arc Jr"],
    ],
    [{ TitlesBeforeNames: 'Dr', KeyNames: 'Lee', LettersAfterNames: 'PhD' }, ['Dr Lee PhD']],
    [{ CorporateName: 'Sea, Salt, and Sons' }, ['Sea, Salt, and Sons']],
    [{ CorporateNameInverted: 'Sons, Sea and' }, ['Sons, Sea and']],
    [{ UnnamedPersons: '02' }, ['Anonymous']],
    [{ UnnamedPersons: '01' }, undefined],
    [{}, undefined],
  ])('with the contributor %j', async (name, authors) => {
    const detail = composite('Contributor', { ContributorRole: 'A01', ...name })
    expect((await productOf(record({ detail }))).overrides.author).toEqual(authors)
  })

  it.each<[string, string]>([
    ['<Text>Plain &lt;text&gt;\n\n\n  of two\r\n lines </Text>', 'Plain <text>\n\nof two\nlines'],
    ['<Text textformat="06">1 &lt; 2</Text>', '1 < 2'],
    [
      '<Text textformat="02">&lt;p&gt;Caf&amp;eacute; &amp;#8211; &lt;b&gt;now&lt;/b&gt;&lt;br&gt;open &amp;lt;&lt;/p&gt;</Text>',
      'Café – now\nopen <',
    ],
    ['<Text textformat="05"><![CDATA[<p>One</p><p>Two</p>]]></Text>', 'One\n\nTwo'],
    ['<Text><![CDATA[<p>No format</p>]]></Text>', 'No format'],
    [
      '<Text textformat="05"><p>A <i>b</i><b>c</b> d</p>\n<p>E<ruby>漢<rt>kan</rt></ruby></p></Text>',
      'A bc d\n\nE漢(kan)',
    ],
    [
      '<Text textformat="05"><h3>H</h3><ol><li>a<br/>b</li></ol>end<script>x</script></Text>',
      'H\n\n- a\nb\n\nend',
    ],
    ['<Text>&lt;p&gt;A &lt;i&gt;sea&lt;/i&gt;.&lt;/p&gt; And more.</Text>', 'A sea.\n\nAnd more.'],
    ['<Text>A &lt;I&gt;sea&lt;/I&gt; of\n\ntwo lines</Text>', 'A sea of\n\ntwo lines'],
    ['<Text textformat="06">Caf&amp;eacute; &amp;amp; &lt;b&gt;Bar&lt;/b&gt;</Text>', 'Café & Bar'],
    ['<Text textformat="06">One&lt;br/&gt;\ntwo</Text>', 'One\ntwo'],
    ['<Text textformat="05"><p>A &lt;em&gt;sea&lt;/em&gt;</p></Text>', 'A sea'],
    [
      '<Text>if a&lt;b and c&gt;d, R&amp;D, &lt;name&gt; of x &lt; y</Text>',
      'if a<b and c>d, R&D, <name> of x < y',
    ],
    ['<Text language="fre">Mer</Text><Text language="eng">Sea</Text>', 'Sea'],
    ['<Text textformat="02">a &lt;!-- b --&gt; c &lt; d &lt;</Text>', 'a c < d <'],
  ])('with the description %s', async (text, wanted) => {
    const collateral = `<TextContent><TextType>03</TextType><ContentAudience>00</ContentAudience>${text}</TextContent>`
    const detail = composite('Language', { LanguageRole: '01', LanguageCode: 'eng' })
    expect((await productOf(record({ collateral, detail }))).overrides.description).toBe(wanted)
  })

  it('has the short description where there is no other, and none for the trade', async () => {
    const text = (type: string, audience: string) =>
      composite('TextContent', { TextType: type, ContentAudience: audience, Text: `${type} for ${audience}` })
    const descriptionOf = async (collateral: string) =>
      (await productOf(record({ collateral }))).overrides.description
    expect(await descriptionOf(text('02', '00') + text('03', '03'))).toBe('03 for 03')
    expect(await descriptionOf(text('03', '01') + text('02', '00'))).toBe('02 for 00')
    expect(await descriptionOf(text('03', '01') + text('06', '00'))).toBeUndefined()
  })

  it('has the language of the header where it names none itself', async () => {
    const header = '<Header><DefaultLanguageOfText>fre</DefaultLanguageOfText></Header>'
    const spanish = composite('Language', { LanguageRole: '01', LanguageCode: 'spa' })
    const products = await productsIn(
      onixFile(
        message(record(), record({ detail: spanish }), record({ notification: '04' })).replace(
          /<Header>.*<\/Header>/,
          header,
        ),
      ),
    )
    expect(products.map(each => (each as Product).overrides.language)).toEqual(['fre', 'spa', undefined])
  })

  const status = (code: string) => `<PublishingStatus>${code}</PublishingStatus>`
  const supply = (...codes: string[]) =>
    codes
      .map(code => composite('SupplyDetail', { ProductAvailability: code, Price: '1' }))
      .map(detail => `<ProductSupply>${detail}</ProductSupply>`)
      .join('')
  it.each<[string, string | null]>([
    ['00', null],
    ['01', 'it is cancelled'],
    ['02', null],
    ['03', 'it is postponed indefinitely'],
    ['04', null],
    ['05', 'it is no longer a product of the publisher'],
    ['06', 'it is out of stock indefinitely'],
    ['07', 'it is out of print'],
    ['08', 'it is inactive'],
    ['09', null],
    ['10', 'it is remaindered'],
    ['11', 'it is withdrawn from sale'],
    ['12', 'it is recalled'],
    ['13', null],
    ['15', 'it is recalled'],
    ['16', 'it is temporarily withdrawn from sale'],
    ['17', 'it is permanently withdrawn from sale'],
    ['18', null],
    ['77', null],
  ])('of the publishing status %s', async (code, why) => {
    const withdrawn = why === null ? null : `${why} (publishing status ${code})`
    for (const notification of ['03', '04']) {
      const xml = record({ notification, publishing: status(code), more: supply('20') })
      expect(await productOf(xml)).toMatchObject({ withdrawn, ignored: null })
    }
  })

  it.each<[string, string | null]>([
    ['01', 'it is cancelled'],
    ['09', 'it is postponed indefinitely'],
    ['10', null],
    ['11', null],
    ['12', null],
    ['20', null],
    ['21', null],
    ['22', null],
    ['23', null],
    ['30', null],
    ['31', null],
    ['32', null],
    ['33', null],
    ['34', 'it is temporarily withdrawn from sale'],
    ['40', 'it is not available'],
    ['41', 'it is replaced by a new product'],
    ['42', 'it is available in another format only'],
    ['43', null],
    ['44', null],
    ['45', null],
    ['46', 'it is withdrawn from sale'],
    ['47', 'it is remaindered'],
    ['48', 'it is replaced by print on demand'],
    ['49', 'it is recalled'],
    ['50', null],
    ['51', 'it is out of print'],
    ['52', 'it is no longer sold in this market'],
    ['97', null],
    ['98', null],
    ['99', null],
    ['77', null],
  ])('of the availability %s', async (code, why) => {
    const withdrawn = why === null ? null : `${why} (availability ${code})`
    expect(await productOf(record({ publishing: status('04'), more: supply(code, code) }))).toMatchObject({
      ...{ withdrawn, ignored: null },
      dropped: { prices: 2 },
    })
    // One supplier who has it is enough.
    expect(await productOf(record({ more: supply(code, '21') }))).toMatchObject({ withdrawn: null })
  })

  it('that is not for sale needs no more than its identifier', async () => {
    const xml = record({ form: '', title: '', publishing: status('01'), more: supply('40', '46') })
    expect(await productOf(xml)).toMatchObject({ withdrawn: 'it is cancelled (publishing status 01)' })
    expect(await productOf(record({ more: supply('40', '46') }))).toMatchObject({
      withdrawn: 'it is not available (availability 40, 46)',
    })
  })

  const file = (form: string, ...details: string[]): string =>
    `<ProductForm>${form}</ProductForm>${details.map(each => `<ProductFormDetail>${each}</ProductFormDetail>`).join('')}`
  it.each<[string, Partial<Product>]>([
    [file('ED', 'E101', 'E200'), { type: 'EPUB', isReflowable: true, ignored: null }],
    [file('EA', 'E101', 'E201'), { type: 'EPUB', isReflowable: false, ignored: null }],
    [file('EB', 'E107'), { type: 'PDF', isReflowable: null, ignored: null }],
    [file('EC'), { type: null, isReflowable: null, ignored: null }],
    [file('ED', 'E101', 'E107'), { type: null, ignored: null }],
    [file('AJ', 'A103'), { type: 'Audio', isReflowable: null, ignored: null }],
    [file('AN'), { type: 'Audio', ignored: null }],
    [file('BC', 'B105'), { type: null, ignored: 'its form BC is not that of a digital book' }],
    [file('ED', 'E116'), { type: null, ignored: 'its format E116 is neither EPUB nor PDF' }],
  ])('of the form %s', async (form, wanted) => {
    expect(await productOf(record({ form }))).toMatchObject(wanted)
  })

  it('of a printed book is not refused for values that nobody looks at', async () => {
    const identifiers = identifier('15', '9783161484101')
    expect(await productOf(record({ form: file('BC'), identifiers }))).toMatchObject({
      ignored: expect.any(String),
      overrides: { title: 'The Sea' },
    })
  })

  it.each<[string, Partial<Product>]>([
    ['01', { ignored: expect.stringContaining('early') }],
    ['02', { ignored: expect.stringContaining('advance') }],
    ['03', { ignored: null, isPartial: false, withdrawn: null }],
    ['04', { ignored: null, isPartial: true }],
    ['05', { ignored: null, withdrawn: 'it was withdrawn' }],
    ['12', { ignored: expect.stringContaining('12') }],
    ['89', { ignored: expect.stringContaining('test') }],
  ])('of the notification type %s', async (notification, wanted) => {
    expect(await productOf(record({ notification }))).toMatchObject(wanted)
  })

  it('that is partial says what it holds and nothing else', async () => {
    const xml = record({
      notification: '04',
      form: '',
      title: '',
      publishing: composite('Imprint', { ImprintName: 'I' }),
    })
    expect(await productOf(xml)).toMatchObject({
      isPartial: true,
      overrides: { isbn: '9783161484100' },
      optional: { imprint: 'I' },
    })
    expect(Object.keys((await productOf(xml)).overrides)).toEqual(['isbn'])
  })

  it('that withdraws a product needs no more than its identifier', async () => {
    const xml = `<Product><RecordReference>r</RecordReference><NotificationType>05</NotificationType>${identifier('15', '9783161484100')}</Product>`
    expect(await productOf(xml)).toMatchObject({
      withdrawn: 'it was withdrawn',
      overrides: { isbn: '9783161484100' },
    })
  })

  it.each<[string, string]>([
    [date('20260807'), '2026-08-07'],
    [date('202608', '01'), '2026-08'],
    [date('2026', '05'), '2026'],
    [date('20260807T1200', '13'), '2026-08-07'],
    [date('2026'), '2026'],
    [date('Spring 2027', '12'), 'Spring 2027'],
    [date('2011-08-31'), '2011-08-31'],
    [date('2011-08-31', '00'), '2011-08-31'],
    [date('2011-08-31T00:00:00Z'), '2011-08-31'],
    [date('2011-08'), '2011-08'],
    [date('2011/8/1'), '2011-08-01'],
    [date('31.08.2011'), '2011-08-31'],
    [date('31 August 2011'), '2011-08-31'],
    [date('Aug 31, 2011'), '2011-08-31'],
    [date('September 2011'), '2011-09'],
    [date('20110800', '00'), '2011-08'],
    [date('20110000'), '2011'],
    [date('201108', '00'), '2011-08'],
    [
      '<PublishingDate><PublishingDateRole>01</PublishingDateRole><DateFormat>01</DateFormat><Date>202608</Date></PublishingDate>',
      '2026-08',
    ],
  ])('with the date %s', async (publishing, wanted) => {
    expect((await productOf(record({ publishing }))).optional.publicationDate).toBe(wanted)
  })

  it.each(['20260230', '2026-13-01', '20260015', '07/08/2026', 'soon', '31 Octember 2026'])(
    'with the date %s, which is none, is read without it, and says so',
    async text => {
      const product = await productOf(record({ publishing: date(text) }))
      expect(product).toMatchObject({
        overrides: { title: 'The Sea' },
        leftOut: [`its publishing date "${text}" cannot be read as a date`],
      })
      expect(product).not.toHaveProperty('broken')
      expect(product.optional).not.toHaveProperty('publicationDate')
    },
  )

  it('names accessibility that the list does not have by its code', async () => {
    const feature = composite('ProductFormFeature', {
      ProductFormFeatureType: '09',
      ProductFormFeatureValue: '71',
    })
    expect((await productOf(record({ detail: feature }))).optional.accessibility).toBe('code 71')
  })

  it('without a reference is named by its number', async () => {
    const xml = record().replace(/<RecordReference>.*<\/RecordReference>/, '')
    expect((await productOf(xml)).from).toMatchObject({ record: 'record 1', line: 4 })
  })
})

function date(value: string, format?: string): string {
  const attribute = format === undefined ? '' : ` dateformat="${format}"`
  return `<PublishingDate><PublishingDateRole>01</PublishingDateRole><Date${attribute}>${value}</Date></PublishingDate>`
}

describe.skipIf(!areThere)('the samples', () => {
  const sample = async (name: string) => await productsIn(join(samples, 'onix', name))

  it('say the same in both dialects', async () => {
    const [reference, short] = [
      await sample('Onix3.1-single-ref.xml'),
      await sample('Onix3.1-single-short.xml'),
    ]
    const withoutPlace = (products: object[]) => products.map(each => ({ ...each, from: null }))
    expect(withoutPlace(short)).toEqual(withoutPlace(reference))
    expect(reference).toMatchObject([
      {
        from: { record: 'com.globalbookinfo.onix.01734529', line: 18 },
        ignored: 'its form BC is not that of a digital book',
        dropped: { prices: 3, rights: 3 },
      },
    ])
  })

  it.each([
    ['reflowable.xml', true],
    ['fixed_layout.xml', false],
  ])('are digital books in %s, whose GTIN is no ISBN', async (name, isReflowable) => {
    expect(await sample(name)).toMatchObject([
      {
        proprietaryId: 'RP64127',
        overrides: { title: "Certaines n'avaient jamais vu la mer", language: 'fre' },
        ...{ type: 'EPUB', isReflowable, ignored: null },
      },
    ])
  })

  it('are broken where the ISBN is made up, and refused where they are of ONIX 2.1', async () => {
    expect(await sample('audio1.xml')).toMatchObject([
      { broken: 'its ISBN 9780000000000 has a wrong check digit', from: { line: 19 } },
    ])
    await expect(sample('onix2-single.xml')).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('it is ONIX 2.1'),
    })
  })
})
