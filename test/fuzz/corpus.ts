import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import Libsql from 'libsql'
import { shardOf } from '../../src/plan/divide.ts'
import type { PlanStep } from '../../src/plan/plan-step.ts'
import { exampleCover } from '../../src/sandbox/seed/example-epub/cover.ts'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { makeBook } from '../support/books/book-bytes.ts'
import { hostileBooks } from '../support/books/hostile-books.ts'
import { hostilePdfs } from '../support/books/hostile-pdfs.ts'
import { rawZip } from '../support/books/hostile-zip.ts'
import { makePdf } from '../support/books/make-pdf.ts'
import { hostileMessages } from '../support/catalogues/hostile-messages.ts'
import { composite, message, record, title } from '../support/catalogues/onix-message.ts'
import { fullRecord, shortRecord } from '../support/catalogues/onix-record.ts'
import { createStep, planStep } from '../support/catalogues/plan-file.ts'
import { answerModes, bodyModes, controls } from '../support/servers/hostile-modes.ts'
import { commandLines, writtenAnswer } from './answers.ts'
import { journalKey } from './journal-key.ts'
import { namedFiles } from './named-files.ts'
import { beginning, origin, run } from './program.ts'
import { indexPath, type ReaderName, sentPath } from './readers.ts'
import { key, signature } from './secrets.ts'
import { context, soundAnswer } from './service.ts'

/** Inputs by what they are. */
export type Inputs = Readonly<Record<string, Buffer>>

/** Larger ones leave no time for others. */
const mostBytes = 64 * 1024

/** The inputs that are made, and those that were found, of one reader. */
export async function corpusOf(reader: ReaderName, folder: string): Promise<Inputs> {
  const made = await makers[reader]()
  const small = Object.entries({ ...made, ...foundIn(join(folder, reader)) }).filter(
    ([, { length }]) => length <= mostBytes,
  )
  return Object.fromEntries(small)
}

/** The inputs that are kept in files: as they are, or in base64. */
function foundIn(folder: string): Inputs {
  if (!existsSync(folder)) return {}
  const names = readdirSync(folder, { withFileTypes: true }).filter(each => each.isFile())
  return Object.fromEntries(names.map(({ name }) => [name, inputIn(join(folder, name))]))
}

/** The input in a file, which is in base64 where the name says so. */
export function inputIn(path: string): Buffer {
  const content = readFileSync(path)
  return path.endsWith('.base64') ? Buffer.from(content.toString(), 'base64') : content
}

const bytesOf = (texts: Readonly<Record<string, string | Buffer>>): Inputs =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text as string)]))
const made = (makers: Readonly<Record<string, () => Buffer>>, isLeftOut: (name: string) => boolean): Inputs =>
  Object.fromEntries(
    Object.entries(makers).flatMap(([name, make]) => (isLeftOut(name) ? [] : [[name, make()]])),
  )

/** What takes long to make or to read by its size alone; the tests of books try it. */
const isLarge = (name: string): boolean =>
  /bomb|thousand|million|mebibytes|hundred|noise|less-than|ampersands|gigabytes|brackets|limit|missing files|unknown items|without end|no end|zeros|blow-up|in half|nested|all filters/.test(
    name,
  )

const deflated = (entries: Readonly<Record<string, string | Uint8Array>>): Buffer =>
  rawZip(Object.entries(entries).map(([name, content]) => ({ name, content, isDeflated: true })))

const manifest = {
  '@context': ['https://schema.org', 'https://www.w3.org/ns/pub-context'],
  conformsTo: 'https://www.w3.org/TR/audiobooks/',
  id: 'urn:isbn:978-3-16-148410-0',
  name: [{ value: 'A Title', language: 'en' }, 'Ein Titel'],
  author: [{ type: 'Person', name: 'A Name' }, 'B Name'],
  readBy: 'C Name',
  publisher: { name: 'A Press' },
  inLanguage: ['en', 'de'],
  duration: 'P1DT2H3M4.5S',
  accessMode: ['auditory'],
  accessModeSufficient: [{ type: 'ItemList', itemListElement: ['auditory'] }],
  accessibilityFeature: ['none'],
  accessibilityHazard: ['noSoundHazard'],
  accessibilitySummary: 'All can be heard.',
  readingOrder: [{ url: 'a.mp3', duration: 'PT1M', name: 'One' }, 'b.mp3'],
  resources: [
    { url: 'cover.png', rel: 'cover' },
    { url: 'toc.html', rel: 'contents' },
  ],
}
const contents =
  '<html><body><nav role="doc-toc"><ol><li><a href="a.mp3">One</a><ol><li><a href="b.mp3#t=5">Two</a></li></ol></li></ol></nav></body></html>'
const sounds = { 'a.mp3': 'ID3', 'b.mp3': 'ID3', 'cover.png': exampleCover(), 'toc.html': contents }
const audiobook = (parts: object): Buffer =>
  deflated({ 'publication.json': JSON.stringify({ ...manifest, ...parts }), ...sounds })

const accessible = `<dc:title id="t">A Title</dc:title><meta refines="#t" property="title-type">main</meta>
<dc:title id="s">A Subtitle</dc:title><meta refines="#s" property="title-type">subtitle</meta>
<dc:creator id="c">A Name</dc:creator><meta refines="#c" property="role" scheme="marc:relators">aut</meta><meta refines="#c" property="file-as">Name, A</meta>
<dc:language>en</dc:language><dc:publisher>P</dc:publisher><dc:description>D</dc:description><dc:identifier>urn:isbn:9783161484100</dc:identifier>
<meta property="schema:accessMode">textual</meta><meta property="schema:accessModeSufficient">textual,visual</meta>
<meta property="schema:accessibilityFeature">readingOrder</meta><meta property="schema:accessibilityHazard">none</meta>
<meta property="schema:accessibilitySummary">All of it.</meta><meta property="dcterms:conformsTo">EPUB Accessibility 1.1 - WCAG 2.2 Level AA</meta>
<meta property="a11y:certifiedBy" id="y">A Certifier</meta><meta refines="#y" property="a11y:certifierReport">https://example.org/r</meta>
<meta property="rendition:layout">pre-paginated</meta><meta property="rendition:spread">auto</meta>`
const protection = `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes256-cbc"/><enc:CipherData><enc:CipherReference URI="EPUB/one.xhtml"/></enc:CipherData></enc:EncryptedData></encryption>`
const oldBook = (): Buffer =>
  makeBook({
    ...{ version: '2.0', spineToc: 'n', guide: '<guide><reference type="cover" href="one.xhtml"/></guide>' },
    manifest:
      '<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/><item id="c" href="c.svg" media-type="image/svg+xml"/>',
    metadata:
      '<dc:title>T</dc:title><dc:creator opf:role="aut" opf:file-as="B">A</dc:creator><dc:language>en</dc:language><meta name="cover" content="c"/>',
    entries: {
      'EPUB/toc.ncx':
        '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><navMap><navPoint id="a" playOrder="1"><navLabel><text>One</text></navLabel><content src="one.xhtml"/></navPoint></navMap></ncx>',
      'EPUB/c.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 800"/>',
      'META-INF/encryption.xml': protection,
    },
  })

const image = (hex: string, size: number): Buffer =>
  Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(size, 0x55)])

const sheet =
  'file,title,author,isbn,publisher,metadata,metadata.series,language,internal,cover\nbook.epub,"One, or ""None""",Ada; Bob,978-3-16-148410-0,P,"x=1; y=2",S,fr-CA,yes,none\n'
const rows = [
  {
    file: 'book.epub',
    title: 'T',
    author: ['A; B'],
    isbn: 9783161484100,
    metadata: { k: 'v', n: 1 },
    internal: true,
  },
  { file: 'book.epub', 'metadata.c': 'x', language: 'de', cover: 'auto', collection: ['c'], sampleItem: 's' },
]

const header = {
  ...{ pubctl: '0.1.0', planId: '00000000-0000-4000-8000-000000000009', baseUrl: origin, scopeId: 'scope_1' },
  ...{ match: 'isbn', sources: [], notSent: { series: 1 }, unread: 0, made: '2026-01-01T00:00:00.000Z' },
}
const asLines = (values: readonly unknown[]): Buffer =>
  Buffer.from(values.map(each => `${JSON.stringify(each)}\n`).join(''))

async function plans(): Promise<Inputs> {
  const folder = mkdtempSync(join(tmpdir(), 'pubctl-fuzz-corpus-'))
  try {
    const path = join(folder, 'book.epub')
    const before = {
      currentEditionId: 'ed_1',
      language: 'English',
      description: 'A book.',
      sampleItems: ['ch1'],
      isForInternalReadingInstance: false,
    }
    writeFileSync(path, await makeExampleEpub({ title: 'On Its Own' }))
    const whole = createStep(path, '9783161484100', 'T')
    const send = { ...whole.send, uploadRequestId: uploadRequest } as PlanStep['send']
    const create = { ...whole, send, file: 'home/book.epub', uploadRequestId: uploadRequest }
    const steps = {
      create,
      edition: {
        ...whole,
        action: 'edition',
        publicationId: 'pub_1',
        before,
        file: 'home/book.epub',
      } as const,
      update: planStep({
        key: '9783161484100',
        action: 'update',
        publicationId: 'pub_1',
        before,
        fields: ['description'],
        send: { description: 'New' },
      }),
      blocked: planStep({
        key: '9783161484100',
        action: 'blocked',
        publicationId: 'pub_1',
        differences: [{ field: 'title', there: 'a', wanted: 'b' }],
      }),
      skip: planStep({ key: 'k' }),
    }
    const plan = (all: readonly { action: string }[]): Buffer =>
      asLines([{ ...header, counts: Object.fromEntries(all.map(({ action }) => [action, 1])) }, ...all])
    return {
      whole: plan(Object.values(steps)),
      ...Object.fromEntries(Object.entries(steps).map(([name, step]) => [name, plan([step])])),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What the sound service calls every upload. */
const uploadRequest = '00000000-0000-4000-8000-000000000000'

/** The same file with a byte at a text that no text has. */
function withoutUtf8(file: Buffer, text: string): Buffer {
  const changed = Buffer.from(file)
  for (let at = changed.indexOf(text); at !== -1; at = changed.indexOf(text, at + 1)) changed[at] = 0xff
  return changed
}

/** The same journal with seals that have as many letters, but more bytes. */
function withOtherSeals(journal: Buffer, path: string): Buffer {
  writeFileSync(path, journal)
  const db = new Libsql(path)
  db.exec("UPDATE uploads SET mac = 'é' || substr(mac, 2)")
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  return readFileSync(path)
}

/** A journal that the program itself has written. */
async function journals(): Promise<Inputs> {
  const folder = mkdtempSync(join(tmpdir(), 'pubctl-fuzz-corpus-'))
  const home = join(folder, 'home')
  try {
    const files = { 'book.epub': await makeExampleEpub({ title: 'On Its Own' }), ...journalKey }
    const lost = () => ({ status: 503, headers: {}, body: '' })
    const answer = (method: string, url: string) => (method === 'POST' ? lost() : soundAnswer(method, url))
    await run(['publications', 'upload', join(home, 'book.epub')], { home, files })
    const finished = readFileSync(join(home, '.local/share/pubctl/uploads.db'))
    await run(['publications', 'upload', join(home, 'book.epub'), '--timeout', '1s'], { home, files, answer })
    return {
      finished,
      unreadable: withoutUtf8(finished, 'book.epub'),
      otherLetters: withOtherSeals(finished, join(folder, 'changed.db')),
      planned: readFileSync(join(home, '.local/share/pubctl/uploads.db')),
      empty: Buffer.alloc(0),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A database that a plan keeps of the service, as the program itself has written it. */
async function databaseOfPlan(path: string): Promise<Inputs> {
  const folder = mkdtempSync(join(tmpdir(), 'pubctl-fuzz-corpus-'))
  const home = join(folder, 'home')
  try {
    // What agrees with the service counts as sent.
    const files = { 'sheet.csv': Buffer.from('publicationId,title\npub_1,On Its Own\n') }
    await run(['catalogue', 'plan', join(home, 'sheet.csv')], { home, files })
    const written = readFileSync(join(home, path))
    return { written, unreadable: withoutUtf8(written, 'On Its Own'), empty: Buffer.alloc(0) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const cached = {
  service: `\n${origin}`,
  items: {
    publications: [
      { id: 'pub_1', title: 'On Its Own', at: beginning },
      { id: 'pub_2', title: '', at: beginning },
    ],
    editions: [{ id: 'ed_1', title: 'On Its Own', of: 'pub_1', at: beginning }],
    'metadata-keys': [{ id: 'mk_1', title: 'series', at: beginning }],
  },
}

const agentCalls: Readonly<Record<string, object>> = {
  publications_list: { limit: 1 },
  publications_get: { id: ['pub_1'], fields: 'title,editions.id' },
  publications_delete: { id: ['pub_1'] },
  inspect: { file: ['book.epub'] },
  catalogue_plan: { source: ['sheet.csv'] },
  analytics_popular: {},
  next: { mark: 'x' },
}

/** What an agent says that calls a tool. */
const conversation = (name: string, input: object): Buffer =>
  asLines([
    {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: input, _meta: { progressToken: 1 } },
    },
  ])

const requests: Readonly<Record<string, [method: string, path: string]>> = Object.fromEntries(
  commandLines.map(line => [line, requestOf(line)]),
)

/** What a command asks for, or asks first. */
function requestOf(line: string): [method: string, path: string] {
  const [group = '', verb = '', id = '', edition = ''] = line.split(' ')
  const method = verb === 'update' ? 'PATCH' : verb === 'delete' ? 'DELETE' : 'GET'
  if (group === 'analytics')
    return [
      'GET',
      `/v1/analytics${{ popular: '/publications/popular', publication: `/publications/${id}`, activity: `/publications/${id}/activity` }[verb] ?? ''}`,
    ]
  if (group === 'editions')
    return [
      method,
      `/v1/publications/${id}/editions${edition && !edition.startsWith('-') ? `/${edition}` : ''}`,
    ]
  const path =
    {
      assets: 'resources/assets',
      'metadata-keys': 'resources/metadata-keys',
      catalogue: 'publications',
      whoami: 'users',
      doctor: 'users',
      api: 'publications',
    }[group] ?? group
  return [method, `/v1/${path}${id && !id.startsWith('-') && !id.startsWith('/') ? `/${id}` : ''}`]
}

function answersOfService(): Inputs {
  const inputs: Record<string, Buffer> = {}
  const type = 'application/json'
  for (const [line, [method, path]] of Object.entries(requests)) {
    const { status, body } = soundAnswer(method, `${origin}${path}`)
    inputs[line] = writtenAnswer(line, status, type, Buffer.from(body))
  }
  const modes = Object.entries(bodyModes)
  for (const [index, [mode, change]] of modes.entries()) {
    const line = commandLines[index % commandLines.length] as string
    const { body } = soundAnswer(
      ...((requests[line] as [string, string]).map((part, at) => (at ? origin + part : part)) as [
        string,
        string,
      ]),
    )
    inputs[mode] = writtenAnswer(line, 200, type, Buffer.from(JSON.stringify(change(JSON.parse(body)))))
  }
  const error = (message: unknown, more: object = {}) =>
    Buffer.from(JSON.stringify({ error: 'INVALID_REQUEST', message, context, ...more }))
  const page = '<!doctype html><html><body><h1>Sign in</h1></body></html>'
  return {
    ...inputs,
    ...bytesOf({ [answerModes[0]]: writtenAnswer('publications list', 502, 'text/html', Buffer.from(page)) }),
    [answerModes[1]]: writtenAnswer('publications list', 200, 'text/html', Buffer.from(page)),
    'a validation error': writtenAnswer(
      'publications get pub_1',
      400,
      type,
      error('Not valid', {
        error: 'ZOD_ERROR',
        details: [{ message: 'Expected string', path: ['edition', 'title', 0], code: 'invalid_type' }],
      }),
    ),
    'errors full of controls': writtenAnswer(
      'publications get pub_1',
      400,
      type,
      error(controls, { details: [{ message: controls, path: [controls, 1], code: controls }, null, 7] }),
    ),
    'an error that echoes the key': writtenAnswer(
      'publications get pub_1',
      403,
      type,
      error(`the key ${key} is restricted`, { details: [{ message: key, path: [key] }] }),
    ),
    'a page that leads to itself': writtenAnswer(
      'api GET /v1/publications --paginate',
      200,
      type,
      Buffer.from('{"items":[],"nextToken":"same"}'),
    ),
    'too many requests': writtenAnswer('domains list', 429, type, error('slow down')),
    'nothing at all': writtenAnswer('domains list', 200, type, Buffer.alloc(0)),
    'half an answer': writtenAnswer('domains list', 200, type, Buffer.from('{"items":[{"id":"dom_1","doma')),
  }
}

const target = (name: string) => ({
  objectKey: `objects/${name}`,
  uploadUrl: `https://store.example/${name}?X-Amz-Expires=900&X-Amz-Signature=${signature}`,
  expiresIn: 900,
  requiredHeaders: { 'Content-Type': 'application/epub+zip', 'x-amz-meta-a': 'b' },
})
const session = {
  uploadRequestId: '00000000-0000-4000-8000-000000000000',
  uploadMode: 'single',
  ...target('a'),
}

const receipt = {
  ...{
    row: 1,
    shard: '1/1',
    file: 'book.epub',
    title: 'T',
    author: ['A'],
    key: 'k',
    sha256: 'a'.repeat(64),
    bytes: 5,
  },
  ...{
    type: 'EPUB',
    publicationId: 'pub_1',
    editionId: 'ed_1',
    uploadRequestId: header.planId,
    uploadStatus: 'available',
  },
  ...{ outcome: 'uploaded', why: null, warnings: [{ code: 'w', message: 'W' }], error: null },
}
const head = {
  pubctl: '0.1.0',
  planId: header.planId,
  baseUrl: origin,
  scopeId: 'scope_1',
  total: 1,
  shards: [1],
  ended: '2026-01-01T00:00:00.000Z',
  keys: ['k'],
}

const makers: Readonly<Record<ReaderName, () => Inputs | Promise<Inputs>>> = {
  epub: async () => ({
    ...made(hostileBooks, isLarge),
    'a sound book': makeBook(),
    'an example': await makeExampleEpub({ title: 'T' }),
    'an example of EPUB 2': await makeExampleEpub({ title: 'T', epub2: true }),
    'an accessible book': makeBook({ metadata: accessible }),
    'an old book': oldBook(),
    'deflate within deflate': rawZip([
      { name: 'mimetype', content: deflateRawSync('application/epub+zip'), isDeflated: true },
    ]),
  }),
  lpf: () => ({
    whole: audiobook({}),
    'with one name': audiobook({ name: 'T', author: { name: { value: 'A' } }, inLanguage: 'en' }),
    'in a web page': deflated({
      'index.html': `<html><body><script type="application/ld+json" id="m">${JSON.stringify(manifest)}</script><link rel="publication" href="#m"/></body></html>`,
      ...sounds,
    }),
    'only sounds': deflated({ 'publication.json': '{"readingOrder":["a.mp3"]}', ...sounds }),
  }),
  pdf: () => ({
    ...made(hostilePdfs, name => isLarge(name) || /circle|billion/.test(name)),
    'a sound PDF': makePdf({
      info: '/Title (T) /Author (A; B) /Subject (S)',
      catalog: '/Lang (en) /MarkInfo << /Marked true >> /ViewerPreferences << /DisplayDocTitle true >>',
    }),
    'a PDF with metadata': makePdf({
      xmp: '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" pdfuaid:part="1"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">T</rdf:li></rdf:Alt></dc:title><dc:creator><rdf:Seq><rdf:li>A</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta>',
    }),
    'a PDF with an outline': makePdf({
      catalog: '/Outlines 100 0 R',
      objects: ['<< /First 101 0 R /Last 101 0 R >>', '<< /Title (One) /Dest [10 0 R] >>'],
    }),
    'a PDF with a password': makePdf({ password: 'secret' }),
    'a PDF with a foreign encryption': makePdf({ encrypt: '<< /Filter /EBX_HANDLER /V 4 >>' }),
  }),
  image: () => ({
    png: Buffer.from(exampleCover()),
    gif: Buffer.concat([Buffer.from('GIF89a'), image('0a000a00800000', 60), Buffer.from(';')]),
    jpeg: Buffer.concat([
      image('ffd8ffe000104a46494600010100000100010000ffc0001108000a000a03', 40),
      Buffer.from([0xff, 0xd9]),
    ]),
    'webp, extended': image(
      '524946462a0000005745425056503858 0a000000 10000000 090000 090000'.replaceAll(' ', ''),
      20,
    ),
    'webp, lossy': image(
      '524946462a0000005745425056503820 16000000 00000000 9d012a 0a000a00'.replaceAll(' ', ''),
      24,
    ),
    'webp, lossless': image('524946462a000000574542505650384c 16000000 2f 09400200'.replaceAll(' ', ''), 24),
    ...bytesOf({
      svg: '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="10px" height="10" viewBox="0 0 10 10"><image href="a.png"/></svg>',
    }),
  }),
  onix: () => ({
    ...bytesOf({
      full: message(fullRecord),
      short: `<ONIXmessage release="3.0"><header/>${shortRecord}</ONIXmessage>`,
      two: message(
        record({ reference: '1' }),
        record({ reference: '2', title: title({ TitleText: 'Two' }) }),
      ),
      'a deletion': message(record({ notification: '05' })),
      'of a part': message(
        record({ notification: '04', detail: '', publishing: composite('Imprint', { ImprintName: 'I' }) }),
      ),
      'not for sale': message(
        record({
          publishing:
            '<PublishingStatus>01</PublishingStatus><SalesRights><SalesRightsType>03</SalesRightsType><Territory><RegionsIncluded>WORLD</RegionsIncluded></Territory></SalesRights>',
        }),
      ),
    }),
    ...bytesOf(hostileMessages),
  }),
  csv: () =>
    bytesOf({
      sheet,
      'of a catalogue': 'key,publicationId,title,metadata.k\nk,pub_1,T,v\n,,U,\n',
      'with semicolons': sheet.replaceAll(',', ';'),
      'with a delimiter named': `sep=;\n${sheet.replaceAll(',', ';')}`,
      'with formulas': 'file,title,isbn\nbook.epub,="A ""B""","=""9783161484100"""\n',
      'with faults': 'file,title,isbn,internal,cover,metadata,colour,title\nbook.epub,"one',
    }),
  sheet: () => bytesOf({ rows: JSON.stringify(rows), none: '[]', 'no list': '{"file":"a"}' }),
  yaml: () =>
    bytesOf({
      rows: '- file: book.epub\n  title: &t T\n  author: ["A; B"]\n  isbn: 9783161484100\n  metadata: {k: v}\n- file: book.epub\n  title: *t\n  description: |\n    two\n    lines\n',
      merged: 'a: &a {file: book.epub}\nb:\n  <<: *a\n',
      typed: '- !!map {file: !!str book.epub, title: !x y}\n---\n- file: b\n',
    }),
  plan: plans,
  accepted: () => ({
    lines: asLines([
      {
        key: '9783161484100',
        title: 'T',
        publicationId: 'pub_1',
        field: 'title',
        there: 'On Its Own',
        wanted: 'Another Title',
      },
      { key: null, title: null, publicationId: 'pub_2', field: 'metadata', there: { a: 1 }, wanted: null },
    ]),
  }),
  session: () =>
    bytesOf({
      session: JSON.stringify(session),
      answer: JSON.stringify({ item: {}, result: { ...session, cover: target('c') }, context }),
    }),
  receipts: () => ({
    lines: asLines([{ ...head, receipts: 1 }, receipt]),
    tree: Buffer.from(JSON.stringify({ ...head, receipts: [receipt] })),
    'several shards': asLines([
      { ...head, total: 2, shards: [1, 2], keys: ['k', 'l'], receipts: 2 },
      { ...receipt, shard: `${shardOf('k', 2)}/2` },
      {
        ...receipt,
        row: 2,
        key: 'l',
        shard: `${shardOf('l', 2)}/2`,
        outcome: 'failed',
        error: { code: 'c', message: 'M' },
      },
    ]),
  }),
  journal: journals,
  profiles: () =>
    bytesOf({
      profiles: JSON.stringify({
        current: 'a',
        profiles: {
          a: { baseUrl: 'https://a.example', apiKey: 'key-of-a-0123456789' },
          b: { baseUrl: 'http://b.example', allowHttp: true, keychain: 'x', multiValue: 'comma' },
          c: { baseUrl: 'https://c.example', keyCommand: ['x'] },
        },
      }),
      none: '{}',
    }),
  index: () => databaseOfPlan(indexPath),
  sent: () => databaseOfPlan(sentPath),
  completions: () => bytesOf({ items: JSON.stringify(cached) }),
  agent: () => ({
    ...Object.fromEntries(
      Object.entries(agentCalls).map(([name, input]) => [name, conversation(name, input)]),
    ),
    'the list of tools': asLines([
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { jsonrpc: '2.0', id: 2, method: 'ping' },
    ]),
  }),
  ...namedFiles,
  answer: answersOfService,
}
