import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sound } from '../support/books/accessible-book.ts'
import { honestMetadata, makeBook } from '../support/books/make-book.ts'
import { message, record } from '../support/catalogues/onix-message.ts'
import { hasOnixSchema, schemaFaults } from '../support/catalogues/onix-schema.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { listedService } from '../support/servers/listed-service.ts'
import { sandbox } from '../support/servers/sandbox.ts'

async function scene(options: Parameters<typeof listedService>[0] = { count: 3 }) {
  const service = await listedService(options)
  const { run } = machine(service.env)
  const folder = temporaryFolder()
  const feed = join(folder, 'feed.xml')
  const write = (...args: string[]) => run(['catalogue', 'export', '--onix', feed, ...args])
  return { ...service, run, folder, feed, write, read: () => readFileSync(feed, 'utf8') }
}

const reserved = '<meta property="tdm:reservation">1</meta>'

const faultsIn = (file: string) => (hasOnixSchema ? schemaFaults([file]) : [])

describe('catalogue export --onix', () => {
  it('writes a message in which a plan finds nothing to do', async () => {
    const { baseUrl, key, publish, ok } = await sandbox()
    for (const each of ['imprint', 'publicationDate', 'subjects', 'keywords', 'series', 'sha256'])
      await ok('POST', '/v1/resources/metadata-keys', { key: each })
    const metadata = {
      isbn: '978-3-16-148410-0',
      publisher: 'A <Press> & Sons',
      imprint: 'Salt; Sea',
      publicationDate: '2026-08-07',
      subjects: 'BISAC FIC022000; Thema FFP; Thema 1DNS',
      keywords: 'sea; salt',
      series: 'The Waters, 2',
    }
    const description = 'One & two.\nThree.\n\nFour <five.'
    await publish({
      edition: { title: 'The Sea: A Story', author: ['Ann Lee', 'Bo & Ray'], metadata },
      description,
    })
    await publish({ edition: { title: 'The Land', author: ['Ann Lee'] }, language: 'pt-BR' })
    // Another publication of the same ISBN and title.
    await publish({ edition: { title: 'The Sea: A Story', metadata: { isbn: '9783161484100' } } })
    await publish({})
    const { run } = machine({ PUBCTL_API_KEY: key('full'), PUBCTL_BASE_URL: baseUrl })
    const feed = join(temporaryFolder(), 'feed.xml')
    const written = await run(['catalogue', 'export', '--onix', feed, '--sender', 'A Press', '--json'])
    expect({ code: written.code, ...JSON.parse(written.out) }).toEqual({
      ...{ code: 0, file: feed, products: 4, books: 0, leftOut: 0, notInOnix: {} },
    })
    expect(faultsIn(feed)).toEqual([])
    const { code, out } = await run(['catalogue', 'plan', feed, '--detailed-exitcode', '--json'])
    const steps: { action: string }[] = JSON.parse(out)
    expect({ code, actions: steps.map(({ action }) => action) }).toEqual({
      code: 0,
      actions: ['skip', 'skip', 'skip', 'skip'],
    })
    // And in a message that was changed, just that is to be done.
    writeFileSync(feed, readFileSync(feed, 'utf8').replace('Four &lt;five.', 'Six.'))
    const again = await run(['catalogue', 'plan', feed, '--detailed-exitcode', '--json'])
    const updates = (JSON.parse(again.out) as { action: string }[]).filter(({ action }) => action !== 'skip')
    expect({ code: again.code, updates }).toMatchObject({
      code: 14,
      updates: [{ action: 'update', fields: ['description'] }],
    })
  })

  it('says what the file of a book says of its accessibility, its makers and its form', async () => {
    const { folder, feed, write, read, changed } = await scene({ count: 2 })
    const books = join(folder, 'books')
    mkdirSync(books)
    const book = makeBook({ metadata: honestMetadata + sound })
    writeFileSync(join(books, '9780000000002.epub'), book)
    changed.set('pub_0', { metadata: { fileSize: `${book.length}` } })
    const { code, out, err } = await write('--files', books, '--json')
    expect({ code, err, ...JSON.parse(out) }).toMatchObject({ code: 0, products: 2, books: 1 })
    const codes = [...read().matchAll(/<ProductFormFeatureValue>(.*?)</g)].map(([, value]) => value)
    expect({ codes, faults: faultsIn(feed) }).toEqual({
      codes: ['00', '04', '13', '52', '82', '85', '90', '00', '3.0'],
      faults: [],
    })
    expect(read()).toContain(
      '<ProductFormFeatureDescription>All of it can be read aloud.</ProductFormFeatureDescription>',
    )
    expect(read().match(/<ProductFormDetail>E200</g)).toHaveLength(1)
  })

  it('takes texts, subjects and the reference from sheets and messages where the service has none', async () => {
    const { folder, write, read, changed } = await scene({ count: 3 })
    changed.set('pub_1', { description: '' })
    const from = join(folder, 'old.xml')
    writeFileSync(
      from,
      message(
        record({
          reference: 'org.example.one',
          identifiers:
            '<ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9780000000019</IDValue></ProductIdentifier>',
          detail:
            '<Subject><SubjectSchemeIdentifier>93</SubjectSchemeIdentifier><SubjectCode>FB</SubjectCode></Subject>',
          collateral:
            '<TextContent><TextType>03</TextType><ContentAudience>00</ContentAudience><Text>Of the feed</Text></TextContent>',
        }),
        record({ reference: 'org.example.other' }),
      ),
    )
    const sheet = join(folder, 'more.csv')
    writeFileSync(sheet, 'publicationId,publisher\npub_2,Sheet Press\n')
    const { code, err } = await write('--from', from, '--from', sheet)
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining('1 book of the sheets and messages is not at the service'),
    })
    const [, one = '', two = ''] = read().split('<RecordReference>').slice(1)
    expect(one).toContain('org.example.one</RecordReference>')
    expect(one).toContain('<SubjectCode>FB</SubjectCode>')
    expect(one).toContain('<Text>Of the feed</Text>')
    // What the service says comes first.
    expect(one).toContain('<TitleText>Book 1</TitleText>')
    expect(two).toContain('<PublisherName>Sheet Press</PublisherName>')
  })

  it('names what cannot be said, and ends with 10', async () => {
    const { write, changed, read, folder } = await scene()
    changed.set('pub_0', { metadata: { shelf: 'A', subjects: 'of no scheme' } })
    changed.set('pub_1', { description: '<p>HTML</p>', metadata: { fileSize: '4' } })
    changed.set('pub_2', { uploadStatus: 'upload_failed' })
    const { code, err } = await write()
    expect(code).toBe(10)
    expect(err).toContain('all uploads of pub_2 have failed, so it has no record')
    expect(err).toContain(
      'ONIX has no place for these fields, which so many publications have: metadata.shelf (1)',
    )
    expect(err).toContain('pub_0: the message cannot say its metadata.subjects exactly, and leaves it out')
    expect(err).toContain('pub_1: the message cannot say its description exactly, and leaves it out')
    expect(read().match(/<Product>/g)).toHaveLength(2)
    const books = join(folder, 'books')
    mkdirSync(books)
    for (const name of ['9780000000002.epub', '9780000000002.pdf', '9780000000019.epub'])
      writeFileSync(join(books, name), 'none')
    const files = await write('--files', books)
    expect(files.code).toBe(10)
    expect(files.err).toContain('pub_0: several files may be its book')
    expect(files.err).toMatch(/pub_1: .*9780000000019\.epub is a text file, not a book/)
    writeFileSync(join(books, '9780000000019.epub'), 'another')
    expect((await write('--files', books)).err).toMatch(/pub_1: .* is not the file that the service has/)
    const none = await write('--from', join(folder, 'none.xml'))
    expect(none.code).toBe(2)
  })

  it('writes updates of what the messages lack', async () => {
    const { folder, feed, write, read, changed, run } = await scene({ count: 3 })
    const [books, from] = [join(folder, 'books'), join(folder, 'old.xml')]
    mkdirSync(books)
    for (const [number, name] of ['9780000000002.epub', '9780000000019.epub'].entries()) {
      const book = makeBook({ metadata: honestMetadata + (number === 0 ? reserved + sound : '') })
      writeFileSync(join(books, name), book)
      changed.set(`pub_${number}`, { metadata: { fileSize: `${book.length}` } })
    }
    const recordOf = (isbn: string, reference: string) =>
      record({
        reference,
        identifiers: `<ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>${isbn}</IDValue></ProductIdentifier>`,
        detail:
          '<Audience><AudienceCodeType>01</AudienceCodeType><AudienceCodeValue>01</AudienceCodeValue></Audience>',
      })
    writeFileSync(from, message(recordOf('9780000000002', 'one'), recordOf('9780000000019', 'two')))
    const options = ['--from', from, '--files', books, '--only-missing', 'accessibility,rights']
    const { code, out, err } = await write(...options, '--json')
    expect({ code, result: JSON.parse(out), faults: faultsIn(feed) }).toMatchObject({
      ...{ code: 0, faults: [], result: { products: 1, books: 2, leftOut: 1 } },
    })
    expect(err).toContain('1 publication has no record with the same ISBN in the messages')
    const values = [...read().matchAll(/<(?:ProductFormFeatureValue|EpubUsageStatus)>(.*?)</g)]
    expect(values.map(([, value]) => value)).toEqual(['00', '04', '13', '52', '82', '85', '90', '00', '03'])
    expect(read()).toContain('<RecordReference>one</RecordReference>\n    <NotificationType>04<')
    expect(read()).toContain('<AudienceCodeValue>01</AudienceCodeValue>')
    // Together with it, the feed lacks nothing.
    const later = join(folder, 'update.xml')
    writeFileSync(later, read())
    const again = await write(...options, '--from', later, '--json')
    expect({ code: again.code, ...JSON.parse(again.out) }).toMatchObject({ code: 0, products: 0 })
    // And a plan over both finds what it found over the first.
    const planned = async (...sources: string[]) => {
      const steps: { action: string }[] = JSON.parse(
        (await run(['catalogue', 'plan', ...sources, '--json'])).out,
      )
      return steps.map(({ action }) => action)
    }
    expect(await planned(from, later)).toEqual(await planned(from))
  })

  it('writes to standard output with -', async () => {
    const { run, folder } = await scene()
    const { code, out } = await run(['catalogue', 'export', '--onix', '-'])
    expect(code).toBe(0)
    expect(out).toMatch(/^<\?xml .*<\/ONIXMessage>\n$/s)
    const refused = await run(['catalogue', 'export', '--onix', '-', '--json'])
    expect({ code: refused.code, out: refused.out }).toEqual({ code: 2, out: '' })
    expect(existsSync(join(folder, '-'))).toBe(false)
  })

  it('asks for nothing and writes nothing with --dry-run', async () => {
    const { write, feed, log } = await scene()
    const { code, out } = await write('--dry-run', '--json')
    expect({ code, log, isThere: existsSync(feed) }).toEqual({ code: 0, log: [], isThere: false })
    expect(JSON.parse(out)).toEqual([{ method: 'WRITE', url: `file:${feed}` }])
  })

  it.each([
    [['--out', 'books.csv', '--onix', 'feed.xml'], '--out writes a sheet and --onix a message'],
    [['--from', 'feed.xml'], '--from is about ONIX'],
    [['--files', '.'], '--files is about ONIX'],
    [['--onix', 'none/feed.xml'], 'its folder does not exist'],
    [['--onix', 'feed.xml', '--only-missing', 'rights', '--files', '.'], 'Name both: --from'],
    [['--onix', 'feed.xml', '--only-missing', 'price', '--from', 'x', '--files', '.'], 'price'],
    [['--onix', 'feed.xml', '--name', '{isbn}.epub'], '--name is about files in folders'],
  ])('refuses %j before it asks the service', async (args, says) => {
    const { run, log } = await scene()
    const { code, err } = await run(['catalogue', 'export', ...args])
    expect({ code, log, says: err.includes(says) }).toEqual({ code: 2, log: [], says: true })
  })

  it('has to know who sends it', async () => {
    const { write, read } = await scene({ count: 0, scopeId: null })
    const { code, err } = await write()
    expect({ code, says: err.includes('--sender') }).toEqual({ code: 2, says: true })
    expect((await write('--sender', 'A & B')).code).toBe(0)
    expect(read()).toContain('<SenderName>A &amp; B</SenderName>')
    expect(read()).toContain('<NoProduct/>')
  })
})
