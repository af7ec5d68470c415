import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { meta } from '../support/books/accessible-book.ts'
import { honestMetadata, makeBook, packageOf } from '../support/books/make-book.ts'
import { makePdf } from '../support/books/make-pdf.ts'
import { composite, identifier, message, record } from '../support/catalogues/onix.ts'
import { runBin } from '../support/machine/bin.ts'
import { pageTags } from '../support/machine/page-tags.ts'
import { pageText } from '../support/machine/page-text.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { foreignControls } from '../support/machine/terminal.ts'
import { transcriptOf } from '../support/machine/transcript.ts'
import { hasOpenssl, makeAuthority, serveSecurely } from '../support/proxies/authority.ts'

const isbns = ['9783161484100', '9780306406157', '9780198526636'] as const

const book = (title: string, isbn: string | undefined, metadata: string) =>
  makeBook({
    package: packageOf({
      metadata: `${honestMetadata.replace('A Title', title)}${isbn === undefined ? '' : `<dc:identifier>urn:isbn:${isbn}</dc:identifier>`}${metadata}`,
    }).replace('<package ', '<package prefix="tdm: http://www.w3.org/ns/tdmrep#" '),
  })

const tdm = (status: string) =>
  composite('EpubUsageConstraint', { EpubUsageType: '11', EpubUsageStatus: status })
const reserved = meta('tdm:reservation', '1') + meta('tdm:policy', 'https://press.example/tdm')

const feed = message(
  record({
    reference: 'one',
    identifiers: identifier('15', isbns[0]),
    detail: tdm('03'),
    publishing:
      '<PublishingDate><PublishingDateRole>02</PublishingDateRole><Date>20261201</Date></PublishingDate>',
  }),
  record({ reference: 'two', identifiers: identifier('15', isbns[1]), detail: tdm('01') }),
  record({ reference: 'none', identifiers: identifier('15', '9783161484101'), detail: tdm('01') }),
)

/** A machine with books that agree with the feed, contradict it, are in no feed and cannot be found in it. */
function withBooks() {
  const own = machine()
  const folder = join(own.home, 'books')
  mkdirSync(folder)
  const put = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content)
  put('a-agrees.epub', book('Agrees', isbns[0], reserved))
  put('b-contradicts.epub', book('Contradicts', isbns[1], reserved))
  put('c-alone.epub', book('Alone', isbns[2], meta('tdm:reservation', '0')))
  put('d-unnamed.epub', book('Unnamed', undefined, reserved))
  put('e-letter.pdf', 'Dear Sir or Madam')
  put('f-silent.pdf', makePdf())
  writeFileSync(join(own.home, 'feed.xml'), feed)
  const file = (name: string) => join(folder, name)
  const inspect = (...args: string[]) => own.run(['inspect', folder, '--rights', ...args])
  return { ...own, folder, file, inspect, feed: join(own.home, 'feed.xml') }
}

it('inspect --rights', async () => {
  const { type, home } = await transcriptOf()
  writeFileSync(join(home, 'agrees.epub'), book('Agrees', isbns[0], reserved))
  writeFileSync(join(home, 'contradicts.epub'), book('Contradicts', isbns[1], reserved))
  writeFileSync(join(home, 'feed.xml'), feed)
  expect(
    await type(
      [
        'pubctl inspect ~/agrees.epub --rights',
        'pubctl inspect ~/contradicts.epub --rights --feed ~/feed.xml --strict',
        'pubctl inspect ~/agrees.epub ~/contradicts.epub --rights --feed ~/feed.xml --fields title,rights.tdm,rights.accessibility',
      ],
      { columns: 200 },
    ),
  ).toMatchInlineSnapshot(`
    $ pubctl inspect ~/agrees.epub --rights
    file                        ~/agrees.epub
    type                        EPUB
    title                       Agrees
    isbn                        9783161484100
    verdict                     stated
    text and data mining        stated: reserved
    text and data mining: file  reserved
    policies                    https://press.example/tdm
    accessibility               says nothing
    narration                   says nothing
    ai                          says nothing

    $ pubctl inspect ~/contradicts.epub --rights --feed ~/feed.xml --strict
    file                        ~/contradicts.epub
    type                        EPUB
    title                       Contradicts
    isbn                        9780306406157
    verdict                     contradicts
    text and data mining        contradicts
    text and data mining: file  reserved
    text and data mining: feed  permitted (Text and data mining: Permitted unlimited)
    policies                    https://press.example/tdm
    accessibility               says nothing
    narration                   says nothing
    ai                          says nothing
    record                      record two in line 5 of ~/feed.xml

    contradiction: The file reserves text and data mining, and the feed permits it.
    ! error: ~/contradicts.epub has problems
    !   Correct or repair what is listed.
    exit 2

    $ pubctl inspect ~/agrees.epub ~/contradicts.epub --rights --feed ~/feed.xml --fields title,rights.tdm,rights.accessibility
    TITLE        TDM               ACCESSIBILITY
    Contradicts  contradicts       says nothing
    Agrees       agrees: reserved  says nothing
    ! 1 contradicts, 1 agrees.
  `)
})

describe('inspect --rights of a folder', () => {
  it('has the worst first, with what each carrier says', async () => {
    const { inspect, feed: path } = withBooks()
    const { code, out, err } = await inspect('--feed', path, '--json')
    expect(code).toBe(2)
    const books = JSON.parse(out)
    expect(
      books.map((each: { title?: string; rights: { verdict: string; missingIn: string[] } }) => [
        each.title ?? null,
        each.rights.verdict,
        each.rights.missingIn,
      ]),
    ).toEqual([
      ['Contradicts', 'contradicts', []],
      ['Alone', 'missing', ['feed']],
      ['Agrees', 'agrees', []],
      ['Unnamed', 'stated', []],
      [null, 'silent', []],
    ])
    expect(books[2].rights).toMatchObject({
      tdm: {
        verdict: 'agrees',
        file: [{ value: 'reserved', written: '1', place: expect.stringMatching(/package\.opf:\d+$/) }],
        feed: [{ value: 'reserved', written: 'Text and data mining: Prohibited' }],
        policies: [{ carrier: 'file', value: 'https://press.example/tdm' }],
      },
      record: {
        place: expect.stringContaining('record one'),
        declared: { usage: [{ type: '11', status: '03' }], onSaleDate: '2026-12-01' },
      },
    })
    expect(books[1].rights.record).toBe(null)
    expect(books[3].rights).not.toHaveProperty('record')
    expect(books[0].problems).toContainEqual({
      severity: 'warning',
      code: 'tdm_contradicts',
      message: 'The file reserves text and data mining, and the feed permits it.',
      hint: expect.any(String),
    })
    expect(err).toMatch(/"code":"isbn_missing".*2 books have no ISBN/)
  })

  it('ends with 2 for contradictions where it is strict, and not for what is missing', async () => {
    const { run, file, feed: path } = withBooks()
    const codeOf = async (name: string, ...args: string[]) =>
      (await run(['inspect', file(name), '--rights', '--feed', path, ...args])).code
    expect(await codeOf('b-contradicts.epub')).toBe(0)
    expect(await codeOf('b-contradicts.epub', '--strict')).toBe(2)
    expect(await codeOf('a-agrees.epub', '--strict')).toBe(0)
    expect(await codeOf('c-alone.epub', '--strict')).toBe(0)
  })

  it('is written as a page, as CSV and as JSON', async () => {
    const { inspect, feed: path, home } = withBooks()
    const report = async (ending: string) => {
      const name = join(home, `rights${ending}`)
      expect((await inspect('--feed', path, '--report', name)).code).toBe(2)
      return readFileSync(name, 'utf8')
    }
    const page = await report('.html')
    expect(pageTags(page)).not.toContain('script')
    expect(pageText(page)).toMatch(/The file reserves text and data mining, and the feed permits it\./)
    expect(pageText(page)).toMatch(/Missing in the feed Text and data mining/)
    const rows = parse(await report('.csv'), { columns: true, bom: true }) as Record<string, string>[]
    expect(rows.map(row => [row['file']?.replace(/.*\//, ''), row['rights.verdict']])).toEqual([
      ['e-letter.pdf', ''],
      ['b-contradicts.epub', 'contradicts'],
      ['c-alone.epub', 'missing'],
      ['a-agrees.epub', 'agrees'],
      ['d-unnamed.epub', 'stated'],
      ['f-silent.pdf', 'silent'],
    ])
    expect(rows[2]).toMatchObject({ 'rights.tdm': 'missing in feed: permitted' })
    const json = JSON.parse(await report('.json'))
    expect(json.map(({ state }: { state: string }) => state)).toEqual([
      ...['unread', 'contradicts', 'missing', 'agrees', 'stated', 'silent'],
    ])
  })

  it('shows nothing of a file or a feed to the terminal that it would act on', async () => {
    const { run, home } = machine()
    const path = join(home, 'a.epub')
    writeFileSync(path, book('A\u202Eb', isbns[0], meta('tdm:reservation', 'x\u009B31m\u202E')))
    const { out, err } = await run(['inspect', path, '--rights'], { columns: 80 })
    expect(foreignControls(out + err, true)).toEqual([])
    expect(out).toMatch(/unknown value.*: file: tdm:reservation: "x/)
  })

  it.each<[string[], RegExp]>([
    [['--accessibility'], /--rights cannot be used with --accessibility/],
    [['--epubcheck'], /--epubcheck cannot be used with --rights/],
    [['--ace'], /--ace cannot be used with --rights/],
    [['--report', 'rights.txt'], /no report can be written as rights\.txt/],
    [['--tdm-site', 'http://press.example'], /--tdm-site http:\/\/press\.example is not the address/],
    [['--tdm-site', 'https://a:b@press.example'], /is not the address of a site/],
    [['--tdm-site', 'press.example'], /is not the address of a site/],
    [Array.from({ length: 21 }, (_, n) => ['--tdm-site', `https://${n}.example`]).flat(), /given 21 times/],
    [['--feed', 'missing.xml'], /missing\.xml/],
    [['--feed', 'books/e-letter.pdf'], /no ONIX message/],
  ])('is refused with %s', async (args, words) => {
    const { run, home, file } = withBooks()
    const { code, err } = await run([
      'inspect',
      file('a-agrees.epub'),
      '--rights',
      ...args.map(each => (each.startsWith('books/') ? join(home, each) : each)),
    ])
    expect(code).toBe(2)
    expect(err).toMatch(words)
  })

  it.each([['--feed'], ['--tdm-site']])('alone knows %s', async option => {
    const { run, file } = withBooks()
    const { code, err } = await run(['inspect', file('a-agrees.epub'), option, 'https://press.example/x.csv'])
    expect(code).toBe(2)
    expect(err).toMatch(/works with .*--rights/)
  })
})

type Site = 'rules' | 'none' | 'elsewhere' | 'moved' | 'round' | 'html' | 'huge' | 'broken'

describe.skipIf(!hasOpenssl)('the sites of a publisher', () => {
  it('are asked for their tdmrep.json alone, over https, and go nowhere else', async () => {
    const authority = makeAuthority(temporaryFolder())
    let site: Site = 'rules'
    const rules = JSON.stringify([
      { location: '/*.pdf$', 'tdm-reservation': 0 },
      { location: '/b', 'tdm-reservation': 0, 'tdm-policy': 'https://press.example/other' },
    ])
    const { port, received } = await serveSecurely(
      authority.issue('127.0.0.1'),
      ({ url, headers }, response) => {
        const send = (status: number, text = '', more = {}) => response.writeHead(status, more).end(text)
        if (site === 'none') send(404, 'no')
        else if (site === 'broken') send(503)
        else if (site === 'html') send(200, '<p>Hello</p>')
        else if (site === 'huge') send(200, `[${' '.repeat(300_000)}]`)
        else if (site === 'elsewhere') send(301, '', { location: 'https://elsewhere.example/tdmrep.json' })
        else if (site === 'round') send(302, '', { location: url })
        else if (site === 'moved' && url !== '/tdm')
          send(301, '', { location: `https://${headers.host}/tdm` })
        else send(200, rules)
      },
    )
    const folder = temporaryFolder()
    const path = join(folder, 'b.epub')
    writeFileSync(path, book('A', isbns[0], reserved))
    const ask = async (how: Site) => {
      site = how
      received.length = 0
      const { exitCode, stdout, stderr } = await runBin(
        ['inspect', path, '--rights', '--json', '--tdm-site', `https://127.0.0.1:${port}`],
        { NODE_EXTRA_CA_CERTS: authority.file, PUBCTL_API_KEY: 'canary-key-0123456789' },
      )
      expect(received.every(each => each.headers.authorization === undefined)).toBe(true)
      const { rights } = stdout === '' ? { rights: undefined } : JSON.parse(stdout)
      return { exitCode, rights, error: stderr === '' ? undefined : JSON.parse(stderr).error?.message }
    }
    const found = await ask('rules')
    expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /.well-known/tdmrep.json'])
    expect(found).toMatchObject({
      exitCode: 0,
      rights: {
        verdict: 'contradicts',
        tdm: { site: [{ value: 'permitted', place: expect.stringMatching(/tdmrep\.json \/b$/) }] },
        contradictions: [{ code: 'tdm_contradicts' }, { code: 'tdm_policy_contradicts' }],
      },
    })
    expect((await ask('moved')).rights).toEqual(found.rights)
    expect(await ask('none')).toMatchObject({
      exitCode: 0,
      rights: { verdict: 'missing', missingIn: ['site'] },
    })
    for (const [how, words] of [
      ['elsewhere', /leads elsewhere, to https:\/\/elsewhere\.example$/],
      ['round', /leads from one address to another$/],
      ['html', /is not a list of rules$/],
      ['huge', /is longer than 256 KiB$/],
      ['broken', /answered with 503$/],
    ] as const)
      expect(await ask(how)).toMatchObject({ exitCode: 8, error: expect.stringMatching(words) })
  })

  it('are asked once it is certain that the command can be carried out', async () => {
    const authority = makeAuthority(temporaryFolder())
    const { port, received } = await serveSecurely(authority.issue('127.0.0.1'), (_, response) =>
      response.writeHead(404).end(),
    )
    const path = join(temporaryFolder(), 'b.epub')
    writeFileSync(path, book('A', isbns[0], reserved))
    for (const wrong of [
      ['--report', 'report.doc'],
      ['--fields', 'nonsense'],
    ]) {
      const { exitCode } = await runBin(
        ['inspect', path, '--rights', '--tdm-site', `https://127.0.0.1:${port}`, ...wrong],
        { NODE_EXTRA_CA_CERTS: authority.file },
      )
      expect({ exitCode, received }).toEqual({ exitCode: 2, received: [] })
    }
  })

  it('are not asked where nobody vouches for them', async () => {
    const authority = makeAuthority(temporaryFolder())
    const { port, received } = await serveSecurely(authority.issue('127.0.0.1'), (_, response) =>
      response.end('[]'),
    )
    const path = join(temporaryFolder(), 'b.epub')
    writeFileSync(path, book('A', isbns[0], reserved))
    const { exitCode, stderr } = await runBin(
      ['inspect', path, '--rights', '--json', '--tdm-site', `https://127.0.0.1:${port}/books/`],
      {},
    )
    expect({ exitCode, received }).toEqual({ exitCode: 8, received: [] })
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'certificate' })
  })
})
