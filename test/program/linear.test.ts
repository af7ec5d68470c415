import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { claimIn, unknownClaimsIn } from '../../src/books/accessibility/conformance.ts'
import { decodeText } from '../../src/books/decode.ts'
import { imagesIn } from '../../src/books/epub/image-tags.ts'
import { scanDocument } from '../../src/books/epub/scan-document.ts'
import { urlsIn } from '../../src/books/epub/scan-style.ts'
import { isElsewhere, resolveHref } from '../../src/books/href.ts'
import { attribute } from '../../src/books/lpf/find-manifest.ts'
import { readPublicationManifest } from '../../src/books/lpf/manifest.ts'
import { pdfUaPartIn } from '../../src/books/pdf/index.ts'
import { readXmp } from '../../src/books/pdf/xmp.ts'
import { parseXml, textOf } from '../../src/books/xml.ts'
import { plainTextOfHtml } from '../../src/catalogue/onix/plain-text.ts'
import { recordParser } from '../../src/catalogue/onix/record-parser.ts'
import { human } from '../../src/cli/output/cell.ts'
import { isNamedIn } from '../../src/cli/output/named.ts'
import { neutralise, neutraliseJson, neutraliseLine } from '../../src/cli/output/neutralise.ts'
import { createPresenter } from '../../src/cli/output/present.ts'
import { hideInJson, hideSecrets, rememberKey } from '../../src/cli/output/secrets.ts'
import type { View } from '../../src/cli/output/view.ts'
import { shorten, shortenStart, widthOf } from '../../src/cli/output/width.ts'
import { wrap } from '../../src/cli/output/wrap.ts'
import { createWriter } from '../../src/cli/output/writer.ts'
import { parseAddress } from '../../src/config/address.ts'
import { checkAuthorities } from '../../src/doctor/machine.ts'
import { escapeMarkup } from '../../src/pages/escape-markup.ts'
import { folded, parseNamePattern } from '../../src/plan/name-pattern.ts'
import { readReply } from '../../src/service/client/reply.ts'
import { refusedByStore } from '../../src/service/client/store-refusal.ts'
import { cutText } from '../../src/system/cut-text.ts'
import { readDataFile } from '../../src/system/data-file.ts'
import { parseExactly } from '../../src/system/exact-json.ts'
import { escapeFormula, unescapeFormula } from '../../src/system/formula.ts'
import { fittingName } from '../../src/system/free-names.ts'
import { anyFile } from '../../src/system/may-read.ts'
import { realWorld } from '../../src/system/world.ts'
import { listOf } from '../../src/uploads/inputs/sheet/cells.ts'
import { rawZip } from '../support/books/hostile-zip.ts'
import { fileOf, makeBook } from '../support/books/make-book.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow, share } from '../support/machine/slow.ts'
import { json, serve } from '../support/servers/server.ts'

const world = realWorld(() => new AbortController().signal)
rememberKey(world, 'canary"secret\\key-0123456789')
const hide = hideSecrets(world)

const view: View = {
  columns: [{ field: 'text' }, { field: 'path', isPath: true }, { field: 'date', kind: 'date' }],
  fields: () => new Set(['text']),
  empty: '',
}

/** Shows a text in a format, on a terminal of 80 columns or down a pipe. */
async function present(text: string, format: 'table' | 'csv' | 'json' | 'ndjson', isTTY: boolean) {
  const stream = new Writable({ write: (_, __, done) => done() })
  const terminal = isTTY ? { isTTY: true as const, columns: 80, cursorTo: () => true } : {}
  const writer = createWriter(Object.assign(stream, terminal) as never, isTTY, { hide })
  const record = { text, path: text, date: `2026-01-01T00:00${text}` }
  await createPresenter(writer, { format }).item(view, record)
  await createPresenter(writer, { format }).list(view, [[record]])
}

/** Everything that goes through text which others made: the service, a store, a book. */
const passes: Record<string, (text: string) => unknown> = {
  neutralise,
  neutraliseLine,
  neutraliseJson: text => neutraliseJson(JSON.stringify(text)),
  hide,
  hideInJson: text => hideInJson(JSON.stringify({ text, [text]: 'authorization: 0123456789' }), hide),
  'hideInJson of a fragment': text => {
    try {
      return hideInJson(`"authorization: 0123456789"${text}`, hide)
    } catch {
      return undefined
    }
  },
  cutText: text => cutText(text),
  fittingName: text => [
    fittingName(text, 240),
    fittingName(`${text}.epub`, 240),
    fittingName(`a.${text}`, 240),
  ],
  widthOf,
  shorten: text => shorten(text, 80),
  shortenStart: text => shortenStart(text, 80),
  wrap: text => wrap(text, 80, '  '),
  'wrap by width': text => wrap(text, 80, '  ', widthOf),
  human: text => human([text, { text }], 'text', hide),
  isNamedIn: text => isNamedIn(text, text.slice(-3)),
  'a card': text => present(text, 'table', true),
  'lines of a pipe': text => present(text, 'table', false),
  CSV: text => present(text, 'csv', false),
  JSON: text => present(text, 'json', true),
  parseExactly: text =>
    parseExactly(
      JSON.stringify({ text, big: [12345678901234567890n.toString()] }).replace(/"(\d{20})"/, '$1'),
    ),
  'readReply of an error': text =>
    readReply(
      {
        status: 400,
        headers: { 'x-request-id': text },
        text: async () =>
          JSON.stringify({ error: text, message: text, details: [{ message: text, path: [text] }] }),
      },
      'the service',
    ).catch(error => error.message),
  'readReply of anything': text =>
    readReply({ status: 200, headers: {}, text: async () => text }, 'the service').catch(() => undefined),
  resolveHref: text => [resolveHref('a/b/c', text), resolveHref(text, 'x'), isElsewhere(text)],
  decodeText: text => decodeText(Buffer.from(text)),
  scanDocument: text => [scanDocument(Buffer.from(text)), scanDocument(Buffer.from(`<a ${text}`))],
  urlsIn: text => [urlsIn(text), urlsIn(`@import ${text}`)],
  parseXml: text => [
    textOf(parseXml(Buffer.from(`<a>${text}</a>`)).root),
    parseXml(Buffer.from(`<a b="${text}`)),
    parseXml(Buffer.from(text)),
  ],
  plainTextOfHtml,
  'an ONIX message': text => {
    for (const start of ['', '<!--', '<Product a="', '<Product><RecordReference>']) {
      try {
        recordParser().write(`<ONIXMessage release="3.0">${start}${text}`)
      } catch {}
    }
  },
  folded,
  parseNamePattern: text => {
    try {
      return [parseNamePattern(`{isbn}${text}`.slice(0, 255)), parseNamePattern(text)]
    } catch {
      return undefined
    }
  },
  'the values of a cell': listOf,
  'a formula in a cell': text => [escapeFormula(text), unescapeFormula(text)],
  'images in content': text => [...imagesIn(text), ...imagesIn(`<img ${text}>`)],
  'the part of PDF/UA': text => pdfUaPartIn(`<pdfuaid:part${text}`),
  'conformance to WCAG': text => [claimIn([text]), unknownClaimsIn([text])],
  escapeMarkup,
  readXmp: text => [readXmp(text), readXmp(`<?xpacket ${text}`)],
  'attribute of an entry page': text => [
    attribute(`<link ${text}>`, 'rel'),
    attribute(`<link rel${text} rel="${text}`, 'rel'),
    attribute(`<link rel${text}= '${text}`, 'href'),
  ],
  'refused by a store': text =>
    [text, `<Code>${text}</Code>`, `<Message>${text}`].map(body =>
      refusedByStore({ status: 400, headers: {}, text: async () => body }, body, 'the store', false),
    ),
  readManifest: text =>
    readPublicationManifest({
      name: text,
      id: text,
      isbn: text,
      inLanguage: text,
      duration: text,
      author: [text],
      readingOrder: [{ url: text }],
    }),
  parseAddress: text => {
    try {
      return [parseAddress(`https://x${text}`, 'x'), parseAddress(`https://x/${text}y`, 'x')]
    } catch {
      return undefined
    }
  },
}

/** What the expressions in these passes look for, over and over, so that each place may be where it begins. */
const units = [
  ' ',
  '\t',
  ' \n',
  '\n',
  '\r\n',
  '"',
  '\\',
  '\\"',
  '"a ',
  "'",
  '<',
  '>',
  '<a ',
  '&',
  '&amp;',
  '?',
  '#',
  '/',
  '//',
  '../',
  '%',
  '%41',
  '.',
  ':',
  ': ',
  ': pubctl ',
  ';',
  '=',
  '-',
  'a',
  'aa  ',
  '1',
  '9.',
  '{',
  '[',
  '[]',
  'x\u0301',
  '\u0301',
  '\u001b[',
  '\u009b',
  '\ud800',
  '\u202e',
  '👩‍💻',
  '👩\u200d',
  '🇩',
  '🏽',
  '漢',
  'ก็',
  '한',
  '\u1100',
  'a\u0308 ',
  'authorization',
  'authorization ',
  'authorization: ',
  'authorization: bearer ',
  'keyHash',
  'keyHash: ',
  'http://',
  'https://a?',
  '?X-Amz-',
  'X-Amz-Signature=',
  'cover',
  'isbn',
  'urn:isbn:',
  '<?xpacket ',
  '<!--',
  '<![CDATA[',
  '<Code>',
  '<Code>a',
  'rel ',
  'rel=',
  'rel = "',
  'P1D',
  'T1H',
  '-----BEGIN CERTIFICATE-----',
]

/** The passes that measure characters, which takes long. Without `npm run check:slow`, neighbours share the units. */
const byWidth = ['widthOf', 'shorten', 'shortenStart', 'wrap by width', 'a card']

/** Processor time that some work takes, in microseconds. */
async function cost(work: () => unknown): Promise<number> {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return user + system
}

/** What takes no longer than this may be noise: collected garbage, compiled code. */
const noise = 30_000
const short = isSlow ? 2 ** 14 : 2 ** 12
/** How long a text of each kind becomes. */
const usual = isSlow ? short * 4 : short
/** How long a text may become; what takes the square of it shows in a part as well. */
const longest = isSlow ? 2 ** 20 : 2 ** 17
/** What takes longer than this has shown how it grows, and is not tried on longer texts. */
const enough = isSlow ? Number.POSITIVE_INFINITY : noise * 4

type Pass = (text: string) => unknown

/** A unit over and over up to a length, and an end that none of them has. */
const repeated = (unit: string, length: number) => `${unit.repeat(Math.ceil(length / unit.length))}\u0001!`

interface Cost {
  /** The processor time of a pass over the longest text that was tried. */
  readonly microseconds: number
  /** How much more that is than four times the time of a fourth of the text. */
  readonly growth: number
}

/**
 * What a pass over texts of a unit costs, from a length to another; fails when four times the text takes more than nine times as long,
 * sixteen times the text more than 81 times, and four times more of it than nine times again, since what grows by the square takes
 * 16 times each. One step alone may be the memory's: from a certain length on it is cleared up, or taken from the system anew.
 * Whoever seems to do so gets two further attempts. It begins with short texts, so that it fails soon.
 */
async function costOf(pass: Pass, unit: string, from: number, most: number): Promise<Cost> {
  let less = Number.POSITIVE_INFINITY
  let growth = 0
  for (let length = from; length <= most && (length === from || less < enough); length *= 4) {
    const [tiny, part, whole] = [length / 16, length / 4, length].map(size => repeated(unit, size)) as [
      string,
      string,
      string,
    ]
    let least = Number.POSITIVE_INFINITY
    let more = await cost(() => pass(whole))
    for (let attempt = 1; attempt <= 3 && more > 9 * less + noise; attempt++) {
      least = Math.min(least, await cost(() => pass(tiny)))
      less = Math.min(less, await cost(() => pass(part)))
      more = Math.min(more, await cost(() => pass(whole)))
    }
    if (more > 9 * less + noise && more > 81 * least + noise) {
      const further = await cost(() => pass(repeated(unit, length * 4)))
      if (further > 9 * more + noise)
        throw new Error(
          `${JSON.stringify(unit)}: ${length} take ${more} µs, four times that ${further} µs, a fourth of it ${less} µs, a sixteenth ${least} µs`,
        )
    }
    growth = more - 4 * less
    less = more
  }
  return { microseconds: less, growth }
}

/** Tries every unit on short texts, and on long ones the two that take longest and the one whose time grows most. */
async function holdsFor(pass: Pass, units: readonly string[]): Promise<void> {
  const costs: (Cost & { unit: string })[] = []
  for (const unit of units) costs.push({ unit, ...(await costOf(pass, unit, short / 4, usual)) })
  const longestFirst = costs.toSorted((a, b) => b.microseconds - a.microseconds)
  const fastest = costs.toSorted((a, b) => b.growth - a.growth)
  for (const each of new Set([...longestFirst.slice(0, 2), ...fastest.slice(0, 1)]))
    if (each.microseconds < enough) await costOf(pass, each.unit, usual * 4, longest)
}

describe.each(share(Object.keys(passes), 8))('%s takes time in proportion to its text', name => {
  const pass = passes[name] as Pass

  it('whatever is repeated', { timeout: 240_000 }, async () => {
    const turn = byWidth.indexOf(name)
    await holdsFor(pass, turn === -1 ? units : share(units, 2, turn))
  })

  it('also of what nobody thought of', { timeout: 60_000 }, async () => {
    const unit = fc
      .array(fc.constantFrom(...units), { minLength: 2, maxLength: 3 })
      .map(parts => parts.join(''))
    await fc.assert(
      fc.asyncProperty(unit, async text => void (await costOf(pass, text, short / 4, usual))),
      { numRuns: 10 },
    )
  })
})

it('expressions that are built at run time, which the linter does not see, are of fixed text alone', () => {
  const src = join(import.meta.dirname, '../../src')
  const found = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    file => file.endsWith('.ts') && readFileSync(join(src, file), 'utf8').includes('new RegExp('),
  )
  // A random mark, pubctl's own colours, ranges of control characters, the paths of the contract, and the marks of processes;
  // those that people write in rules are stopped after a while.
  expect(found.map(file => file.replaceAll('\\', '/')).sort()).toEqual([
    'books/rules/expression.ts',
    'cli/output/neutralise.ts',
    'cli/output/writer.ts',
    'sandbox/http/routes.ts',
    'system/drafts.ts',
    'system/exact-json.ts',
    'system/set-aside.ts',
  ])
})

describe('the program takes time in proportion to what it is given', () => {
  it('in the message of an error', { timeout: 60_000 }, async () => {
    let message = ''
    const { url } = await serve((_, response) => json(response, 400, { error: 'E', message }))
    const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
    for (const options of [{}, { columns: 80 }]) {
      const show: Pass = async text => {
        message = text
        const { err } = await run(['domains', 'get', 'd'], options)
        expect(err.length).toBeLessThan(40_000)
      }
      await holdsFor(show, [' ', '\n', 'authorization: ', 'https://a?', '漢', '👩‍💻'])
    }
  })

  it('in the addresses of an audiobook, and the path of a first page', { timeout: 60_000 }, async () => {
    const inspect = async (path: string) => await machine().run(['inspect', path, '--json'])
    const audiobook: Pass = async text => {
      const manifest = {
        name: 'A',
        author: 'B',
        inLanguage: 'en',
        readingOrder: [{ url: `${text.slice(0, 900_000)}\nx` }],
      }
      const content = JSON.stringify(manifest)
      await inspect(fileOf(rawZip([{ name: 'publication.json', content, isDeflated: true }]), 'book.lpf'))
    }
    await holdsFor(audiobook, ['?', '#', '/', '.mp3'])
    const epub: Pass = async text => {
      const manifest = `<item id="first" href="${text.slice(0, -2)}/x.html" media-type="application/xhtml+xml"/>`
      await inspect(fileOf(makeBook({ manifest, spine: '<itemref idref="first"/>' })))
    }
    await holdsFor(epub, ['cover', '/', '.'])
  })

  it.each([
    [
      'pairs of a cell',
      'sheet.csv',
      (many: string[]) => `isbn,metadata\n,${many.map(each => `${each}=v`).join(';')}\n`,
    ],
    ['pairs of a list', 'sheet.json', many => JSON.stringify([{ metadata: many.map(each => `${each}=v`) }])],
    [
      'columns',
      'sheet.csv',
      many => `isbn,${many.map(each => `metadata.${each}`)}\n${many.map(() => ',v').join('')}\n`,
    ],
    [
      'names of an object',
      'sheet.json',
      many => JSON.stringify([Object.fromEntries(many.map(each => [each, 'v']))]),
    ],
  ] satisfies [string, string, (many: string[]) => string][])(
    'in the %s of a sheet, whose names all differ',
    { timeout: 60_000 },
    async (_, name, sheetOf) => {
      const { home, sandbox } = machine()
      const path = join(home, name)
      const read: Pass = async text => {
        writeFileSync(path, sheetOf(Array.from({ length: text.length / 8 }, (_, number) => `k${number}`)))
        expect((await sandbox(['catalogue', 'plan', path])).code).toBe(2)
      }
      await costOf(read, 'x', short, longest)
    },
  )

  it('in the fields that are given for a request', { timeout: 60_000 }, async () => {
    const { sandbox } = machine()
    const ask: Pass = async text => {
      const fields = Array.from({ length: text.length / 8 }, (_, number) => ['--field', `k${number}=v`])
      expect((await sandbox(['api', 'POST', '/v1/domains', ...fields.flat(), '--dry-run'])).code).toBe(0)
    }
    await costOf(ask, 'x', short, longest)
  })

  it.runIf(isSlow)('in data that a person wrote with thousands of errors', { timeout: 240_000 }, async () => {
    const path = join(temporaryFolder(), 'rules.yaml')
    const most = 2 ** 18
    const file = { most: most * 2, code: 'bad_rules' as const, hint: '', check: () => ({ data: undefined }) }
    const read: Pass = async text => {
      writeFileSync(path, `- ${text}`)
      await expect(readDataFile(path, anyFile, file)).rejects.toThrow('cannot be used')
    }
    // To make an error takes so long that only many of them show more.
    for (const unit of ['&a ', '[ ] ] ']) await costOf(read, unit, most, most)
  })

  it('in the file of certificate authorities', { timeout: 60_000 }, async () => {
    const path = join(temporaryFolder(), 'authorities.pem')
    const check: Pass = async text => {
      writeFileSync(path, text)
      await checkAuthorities({ NODE_EXTRA_CA_CERTS: path }, 0)
    }
    await holdsFor(check, ['-----BEGIN CERTIFICATE-----', '-----BEGIN ', '-----END CERTIFICATE-----', '-'])
  })
})
