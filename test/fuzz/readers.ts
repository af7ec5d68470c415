import { join } from 'node:path'
import { nameOfCaller } from '../../src/uploads/journal/caller-name.ts'
import { makeBook } from '../support/books/book-bytes.ts'
import { answerIn, answers } from './answers.ts'
import { bytes } from './formats/bytes.ts'
import { csv } from './formats/csv.ts'
import type { Format } from './formats/format.ts'
import { json } from './formats/json.ts'
import { lines } from './formats/lines.ts'
import { pdf } from './formats/pdf.ts'
import { xml } from './formats/xml.ts'
import { zip } from './formats/zip.ts'
import { journalKey } from './journal-key.ts'
import { origin, type Scene } from './program.ts'

/** A command line that reads an input, and what it finds. */
interface Reading extends Omit<Scene, 'home'> {
  readonly args: readonly string[]
}

/** Something of the program that reads what others wrote. */
export interface Reader {
  readonly format: Format
  /** The rooms whose code is its own, for the figures. */
  readonly rooms: readonly string[]
  /** The command lines; `home` is their home, in which `book.epub` is a sound book. */
  readings(input: Buffer, home: string): readonly Reading[]
}

/** A reader of a file that is named on the command line. */
const ofFile = (
  name: string,
  format: Format,
  rooms: readonly string[],
  lines: (path: string, home: string) => readonly (readonly string[])[],
): Reader => ({
  format,
  rooms,
  readings: (input, home) => lines(join(home, name), home).map(args => ({ args, files: { [name]: input } })),
})

const inspected = (path: string) => [
  ['inspect', path],
  ['inspect', path, '--json'],
  ['inspect', path, '--accessibility', '--json'],
]
const uploadedAndPlanned = (path: string) => [
  ['publications', 'upload', '--manifest', path, '--dry-run'],
  ['publications', 'upload', '--manifest', path, '--dry-run', '--json'],
  ['catalogue', 'plan', path, '--json'],
]
const soundSession = JSON.stringify({
  uploadUrl: 'https://store.example/x',
  requiredHeaders: { 'Content-Type': 'application/epub+zip' },
  cover: { uploadUrl: 'https://store.example/c', requiredHeaders: {} },
})

/** A sheet of a book that the sound service has. */
const titledSheet = Buffer.from('publicationId,title\npub_1,Another Title\n')

const soundCaller = nameOfCaller({ target: origin, scopeId: 'scope_1', keyDigest: '' })

/** Where a home keeps the index of the sound service, and what it has sent to it. */
export const indexPath = `.local/share/pubctl/index/${soundCaller}.db`
export const sentPath = `.local/share/pubctl/sent/${soundCaller}.db`

/** A book that is found by its ISBN. */
const isbnBook = '9783161484100.epub'

/** For people and, again, as JSON. */
const both = (args: readonly string[]): readonly (readonly string[])[] => [args, [...args, '--json']]

/** What the name of an image ends in, by its first byte. */
const endings: Readonly<Record<number, string>> = { 137: 'png', 255: 'jpg', 71: 'gif', 82: 'webp' }

/** Every reader by its name. */
export const readers = {
  epub: ofFile('input.epub', zip, ['src/books'], inspected),
  lpf: ofFile('input.lpf', zip, ['src/books'], inspected),
  pdf: ofFile('input.pdf', pdf, ['src/books/pdf'], path => inspected(path).slice(1, 2)),
  image: {
    format: bytes,
    rooms: ['src/books'],
    readings: (input, home) => {
      const name = `cover.${endings[input[0] ?? 0] ?? 'svg'}`
      const [book, session] = ['book.epub', 'session.json'].map(each => join(home, each)) as [string, string]
      const args = ['uploads', 'put', book, '--session', session, '--cover', join(home, name), '--json']
      return [{ args, files: { [name]: input, 'session.json': Buffer.from(soundSession) } }]
    },
  },
  onix: ofFile('input.xml', xml, ['src/catalogue/onix'], path => [
    ['catalogue', 'plan', path],
    ['catalogue', 'plan', path, '--json'],
    ['catalogue', 'drift', path, '--json'],
  ]),
  csv: ofFile('input.csv', csv, ['src/uploads/inputs'], uploadedAndPlanned),
  sheet: ofFile('input.json', json, ['src/uploads/inputs'], uploadedAndPlanned),
  yaml: ofFile('input.yaml', bytes, ['src/uploads/inputs'], path => uploadedAndPlanned(path).slice(0, 1)),
  plan: ofFile('input.ndjson', lines, ['src/plan', 'src/catalogue'], (path, home) => [
    ['catalogue', 'apply', path],
    ['catalogue', 'apply', path, '--json'],
    ['catalogue', 'revert', path, '--dry-run', '--json'],
    [
      'catalogue',
      'accept',
      path,
      '--action',
      'blocked',
      '--accepted',
      join(home, 'accepted.ndjson'),
      '--json',
    ],
  ]),
  accepted: {
    format: lines,
    rooms: ['src/catalogue'],
    readings: (input, home) =>
      [[], ['--json']].map(more => ({
        args: [
          'catalogue',
          'plan',
          join(home, 'sheet.csv'),
          '--accepted',
          join(home, 'accepted.ndjson'),
          ...more,
        ],
        files: {
          'sheet.csv': titledSheet,
          'accepted.ndjson': input,
        },
      })),
  },
  session: ofFile('session.json', json, ['src/uploads/unfinished'], (path, home) =>
    [[], ['--json']].map(more => ['uploads', 'put', join(home, 'book.epub'), '--session', path, ...more]),
  ),
  receipts: ofFile('input.ndjson', lines, ['src/uploads/report', 'src/uploads/batch'], (path, home) =>
    ['json', 'csv', 'xml', 'html'].map(ending => [
      'receipts',
      'merge',
      path,
      '--out',
      join(home, `out.${ending}`),
      '--json',
    ]),
  ),
  journal: {
    format: bytes,
    rooms: ['src/uploads/journal'],
    readings: input =>
      [
        ['uploads', 'list', '--finished'],
        ['uploads', 'list', '--finished', '--json'],
        ['uploads', 'resume', '--json'],
      ].map(args => ({
        args,
        files: { '.local/share/pubctl/uploads.db': input, ...journalKey },
      })),
  },
  profiles: {
    format: json,
    rooms: ['src/config'],
    // Only what shows profiles: a profile can name a command to run.
    readings: input =>
      [
        ['profile', 'list'],
        ['profile', 'list', '--json'],
      ].map(args => ({
        args,
        files: { '.config/pubctl/config.json': input },
      })),
  },
  index: {
    format: bytes,
    rooms: ['src/catalogue/index'],
    readings: (input, home) =>
      [
        ['catalogue', 'index', '--json'],
        ['catalogue', 'plan', join(home, 'sheet.csv'), '--orphans', '--json'],
      ].map(args => ({ args, files: { [indexPath]: input, 'sheet.csv': titledSheet } })),
  },
  completions: {
    format: json,
    rooms: ['src/cli'],
    readings: input =>
      [
        ['__complete', 'publications', 'pubctl', 'publications', 'get', ''],
        ['__complete', 'editions', 'pubctl', 'editions', 'get', 'pub_1', ''],
        ['publications', 'get', 'pub_1', '--json'],
      ].map(args => ({ args, files: { '.cache/pubctl/items--https-service.example.json': input } })),
  },
  agent: {
    format: lines,
    rooms: ['src/agents'],
    readings: (input, home) => [
      { args: ['mcp', '--allow', 'write', '--allow', 'delete', '--root', home], stdin: input },
    ],
  },
  rules: ofFile('input.json', json, ['src/books/rules'], (path, home) =>
    both(['inspect', join(home, 'book.epub'), '--rules', path]),
  ),
  baseline: {
    format: json,
    rooms: ['src/books/baseline'],
    readings: (input, home) =>
      both(['inspect', join(home, 'book.epub'), '--rules', join(home, 'rules.json')]).map(args => ({
        args,
        files: { 'rules.json': Buffer.from('{"baseline":"input.json","rules":[]}'), 'input.json': input },
      })),
  },
  receiver: ofFile('input.json', json, ['src/catalogue/onix-message'], (path, home) =>
    both(['catalogue', 'export', '--onix', join(home, 'out.xml'), '--receiver', path]),
  ),
  feed: {
    format: xml,
    rooms: ['src/catalogue/onix-message', 'src/books/rights'],
    readings: (input, home) => {
      const [feed, out] = ['input.xml', 'out.xml'].map(each => join(home, each)) as [string, string]
      const written = ['catalogue', 'export', '--onix', out, '--from', feed, '--json']
      return [
        ...both(['inspect', join(home, isbnBook), '--rights', '--feed', feed]),
        written,
        [...written, '--files', home, '--only-missing', 'accessibility,rights'],
      ].map(args => ({ args, files: { 'input.xml': input, [isbnBook]: makeBook() } }))
    },
  },
  site: {
    format: json,
    rooms: ['src/inspect/tdm-site'],
    readings: (input, home) =>
      both(['inspect', join(home, 'book.epub'), '--rights', '--tdm-site', 'https://press.example']).map(
        args => ({
          args,
          answer: () => ({
            status: 200,
            headers: { 'content-type': 'application/json' },
            body: input.toString(),
          }),
        }),
      ),
  },
  sound: {
    format: bytes,
    rooms: ['src/pack', 'src/books/audio'],
    readings: (input, home) => {
      const name = input.toString('latin1', 4, 8) === 'ftyp' ? 'input.m4b' : 'input.mp3'
      return both([
        'pack',
        'audiobook',
        join(home, name),
        '--title',
        'T',
        '--out',
        join(home, 'out.lpf'),
      ]).map(args => ({
        args,
        files: { [name]: input },
      }))
    },
  },
  key: ofFile('key.txt', bytes, ['src/config'], path => both(['whoami', '--api-key-file', path])),
  body: ofFile('input.json', json, ['src/commands'], path => [
    ['api', 'POST', '/v1/domains', '--input', path],
  ]),
  sent: {
    format: bytes,
    rooms: ['src/uploads/sent'],
    readings: (input, home) =>
      both(['catalogue', 'plan', join(home, 'sheet.csv')]).map(args => ({
        args,
        files: { [sentPath]: input, 'sheet.csv': titledSheet },
      })),
  },
  watched: {
    format: csv,
    rooms: ['src/watch'],
    readings: (input, home) =>
      both(['watch', join(home, 'watched'), '--once', '--quiet-period', '0s']).map(args => ({
        args,
        files: { 'watched/input.csv': input },
      })),
  },
  answer: {
    format: answers,
    rooms: ['src/service/client'],
    readings: (input, home) => {
      const { args, answer } = answerIn(input)
      const words = args.map(word => (word === 'OUT' ? join(home, 'out.html') : word))
      return [[], ['--json']].map(more => ({
        args: [...words, '--timeout', '5s', ...more],
        answer: () => answer,
      }))
    },
  },
} satisfies Record<string, Reader>

export type ReaderName = keyof typeof readers
export const readerNames = Object.keys(readers) as ReaderName[]
