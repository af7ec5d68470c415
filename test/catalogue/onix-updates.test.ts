import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readFeedBlocks } from '../../src/catalogue/onix-message/feed-blocks.ts'
import type { FileFacts } from '../../src/catalogue/onix-message/file-facts.ts'
import { messageText } from '../../src/catalogue/onix-message/message.ts'
import { amendmentOf } from '../../src/catalogue/onix-message/missing.ts'
import { missingUpdates } from '../../src/catalogue/onix-message/updates.ts'
import { readProducts } from '../../src/catalogue/sources/products.ts'
import { anyFile } from '../../src/system/may-read.ts'
import { areThere, samples } from '../support/books/samples.ts'
import { message, record } from '../support/catalogues/onix-message.ts'
import { fullRecord, shortRecord } from '../support/catalogues/onix-record.ts'
import { hasOnixSchema, schemaFaults, schemaFaultsOf } from '../support/catalogues/onix-schema.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'

const file: FileFacts = {
  isFixed: false,
  creators: [],
  accessibility: [
    { type: '09', value: '04' },
    { type: '09', value: '14' },
    { type: '09', value: '85' },
    { type: '12', value: '13' },
  ],
  usage: [{ type: '11', status: '03' }],
  licenses: [{ name: 'tdm-policy', expressionType: '21', link: 'https://example.org/policy' }],
}

const isbn = '9783161484100'

const publication = {
  publicationId: 'pub_1',
  fields: {},
  editions: [
    {
      ...{ editionId: 'ed_1', isCurrent: true, type: 'EPUB', uploadStatus: 'available', sha256: null },
      ...{ bytes: null, wasSent: false, file: null, fields: { title: 'T', metadata: { isbn } } },
    },
  ],
  ...{ currentEditionId: 'ed_1', collectionIds: null, readAt: 0, unread: null },
}

const readOptions = { mayRead: anyFile, signal: new AbortController().signal, onProgress: () => {} }

/** All that were written, to be checked together. */
const written: string[] = []

/** The update that messages get for the book, written to a file. */
async function updated(
  messages: readonly string[],
  { kinds = ['accessibility', 'rights'] as const, says = file } = {},
) {
  const folder = temporaryFolder()
  const paths = messages.map((content, number) => {
    const path = join(folder, `${number}.xml`)
    writeFileSync(path, content)
    return path
  })
  const blocks = await readFeedBlocks(paths, readOptions)
  const index = { all: () => [publication], find: () => [publication] }
  const updates = missingUpdates(index, blocks, { of: () => says }, kinds)
  const path = join(folder, 'update.xml')
  const options = { release: '3.1', sender: { name: 'A Press' }, sentAt: Date.UTC(2027, 0) } as const
  writeFileSync(path, [...messageText(options, updates.all())].join(''))
  written.push(readFileSync(path, 'utf8'))
  blocks.close()
  return {
    text: readFileSync(path, 'utf8'),
    failures: updates.failures.map(({ failure }) => failure.message),
    count: updates.count(),
    path,
  }
}

const feature = (type: string, value: string) =>
  `<ProductFormFeature><ProductFormFeatureType>${type}</ProductFormFeatureType><ProductFormFeatureValue>${value}</ProductFormFeatureValue></ProductFormFeature>`
const form = (more: string) =>
  `<ProductForm>ED</ProductForm><ProductFormDetail>E101</ProductFormDetail>${more}`
const valuesIn = (text: string, name: string) =>
  [...text.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'g'))].map(([, value]) => value)

describe('an update of a record', () => {
  it.each([
    ['reference names', message(fullRecord)],
    [
      'short tags',
      `<ONIXmessage release="3.0" xmlns="http://ns.editeur.org/onix/3.0/short"><header><sender><x298>A</x298></sender><x307>20260807</x307></header>${shortRecord}</ONIXmessage>`,
    ],
  ])('has the whole block of a message by %s, and what it lacks', async (_, content) => {
    // The record of the tests has hazard 00, which a warning of flashing denies.
    const { text, failures } = await updated([content], {
      says: { ...file, accessibility: file.accessibility.slice(0, 3) },
    })
    expect(failures).toEqual([])
    expect(text).toContain('<RecordReference>org.example.sea</RecordReference>')
    expect(valuesIn(text, 'NotificationType')).toEqual(['04'])
    expect(valuesIn(text, 'IDTypeName')).toEqual(['Own'])
    expect(valuesIn(text, 'ProductFormFeatureValue')).toEqual(['04', '85', '96', '00', '101F', '5.3.0', '14'])
    expect(valuesIn(text, 'EpubUsageStatus')).toEqual(['03', '02'])
    expect(valuesIn(text, 'EpubLicenseExpressionLink')).toEqual(['https://example.org/terms'])
    // What pubctl reads nothing of is there, too.
    expect(text).toContain(
      '<BiographicalNote textformat="05"><p>Born in <em>1970</em>.</p></BiographicalNote>',
    )
    expect(text).toContain('<MainSubject/>')
    expect(text).toContain('<TitlePrefix textcase="01">The</TitlePrefix>')
    expect(text).not.toContain('CollateralDetail')
  })

  it('is none where a record has everything', async () => {
    const first = await updated([message(record({ form: form('') }))])
    expect(first.count).toBe(1)
    const again = await updated([message(record({ form: form('') })), first.text])
    expect({ count: again.count, failures: again.failures }).toEqual({ count: 0, failures: [] })
    expect(again.text).toContain('<NoProduct/>')
  })

  it('changes what is asked for alone', async () => {
    const content = message(record({ form: form('') }))
    const access = await updated([content], { kinds: ['accessibility'] as never })
    expect(access.text).not.toContain('EpubUsageConstraint')
    const rights = await updated([content], { kinds: ['rights'] as never })
    expect(rights.text).not.toContain('ProductFormFeature>')
  })

  it('does not say any more that nothing is known', async () => {
    const { text } = await updated([message(record({ form: form(feature('09', '08')) }))])
    expect(valuesIn(text, 'ProductFormFeatureValue')).toEqual(['04', '14', '85', '13'])
  })

  it('leaves what the record says otherwise as it is, and says so', async () => {
    const { text, failures } = await updated([
      message(
        record({
          form: form(`${feature('09', '84')}${feature('12', '14')}`),
          detail: '',
        }).replace(
          '<TitleDetail>',
          '<EpubUsageConstraint><EpubUsageType>11</EpubUsageType><EpubUsageStatus>01</EpubUsageStatus></EpubUsageConstraint><TitleDetail>',
        ),
      ),
    ])
    expect(valuesIn(text, 'ProductFormFeatureValue')).toEqual(['84', '14', '04', '14'])
    expect(valuesIn(text, 'EpubUsageStatus')).toEqual(['01'])
    expect(failures).toEqual([
      'its record says "WCAG level A", and its file "WCAG level AA"; the record is left as it is there',
      'its record says hazard 14 of list 143, and its file hazard 13 of list 143; the record is left as it is there',
      'its record says "Text and data mining: Permitted unlimited", and its file "Prohibited"; the record is left as it is there',
    ])
    const denied = await updated([message(record({ form: form(feature('09', '09')) }))], {
      kinds: ['accessibility'] as never,
      says: { ...file, accessibility: [{ type: '09', value: '04' }] },
    })
    expect({ count: denied.count, failures: denied.failures.length }).toEqual({ count: 0, failures: 1 })
  })

  it('is of the record as receivers have it after the last message', async () => {
    const one = message(record({ form: form(feature('09', '04')) }))
    const two = message(record({ form: form(feature('09', '14')) })).replace('20260807', '20260808')
    expect(valuesIn((await updated([one, two])).text, 'ProductFormFeatureValue')[0]).toBe('14')
    expect(valuesIn((await updated([two, one])).text, 'ProductFormFeatureValue')[0]).toBe('14')
    const deleted = message(record({ notification: '05' }))
    expect((await updated([one, deleted])).count).toBe(0)
  })

  it('says what ONIX 3.0 said in elements that 3.1 does not have', async () => {
    const detail =
      '<Contributor><ContributorRole>A01</ContributorRole><PersonName>A</PersonName><ContributorDate><ContributorDateRole>50</ContributorDateRole><DateFormat>05</DateFormat><Date>1970</Date></ContributorDate></Contributor><AudienceCode>01</AudienceCode>'
    const { text } = await updated([message(record({ detail }))])
    expect(text).toContain('<Date dateformat="05">1970</Date>')
    expect(text).toContain('<AudienceCodeValue>01</AudienceCodeValue>')
  })

  it.each([
    [
      'an element that 3.1 does not have',
      message(record({ detail: '<Conference/>' })),
      /has the element Conference/,
    ],
    [
      'no block 1',
      message(record().replace(/<DescriptiveDetail>.*<\/DescriptiveDetail>/s, '')),
      /has no DescriptiveDetail/,
    ],
    [
      'a namesake',
      message(record(), record({ reference: 'org.example.2' })),
      /several records have its ISBN 9783161484100/,
    ],
  ])('is none for a record with %s, which is named', async (_, content, says) => {
    const { count, failures } = await updated([content])
    expect({ count, says: says.test(failures.join()) }).toEqual({ count: 0, says: true })
  })
})

it.skipIf(!hasOnixSchema)('all these updates are valid by the schema', () => {
  expect(written.length).toBeGreaterThan(5)
  expect(schemaFaultsOf(written)).toEqual([])
})

describe.skipIf(!areThere || !hasOnixSchema)('updates of the sample messages', () => {
  const names = areThere ? readdirSync(join(samples, 'onix')) : []
  it.each(names.filter(name => name.endsWith('.xml') && !name.includes('onix2')))(
    'are valid for %s',
    async name => {
      // Two of them have another GTIN in place of an ISBN.
      const content = readFileSync(join(samples, 'onix', name), 'utf8').replaceAll('3019002489901', isbn)
      const path = join(temporaryFolder(), 'sample.xml')
      writeFileSync(path, content)
      const blocks = await readFeedBlocks([path], readOptions)
      const updates = []
      for await (const product of readProducts([path], { mayRead: anyFile })) {
        const { isbn: own = '' } = 'broken' in product ? product : product.overrides
        for (const each of blocks.ofIsbn(own))
          if (!('unfit' in each)) updates.push(amendmentOf(each, file, ['accessibility', 'rights']).update)
      }
      blocks.close()
      const records = updates.filter(each => each !== undefined)
      expect(records.length).toBeGreaterThan(0)
      const update = join(temporaryFolder(), 'update.xml')
      const options = { release: '3.1', sender: { name: 'A Press' }, sentAt: 0 } as const
      writeFileSync(update, [...messageText(options, records)].join(''))
      expect(schemaFaults([update])).toEqual([])
    },
  )
})
