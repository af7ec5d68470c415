import { createHash } from 'node:crypto'
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ExampleOptions } from '../../src/sandbox/seed/example-epub/book.ts'
import { exampleCover } from '../../src/sandbox/seed/example-epub/cover.ts'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import type { Going } from './history.ts'

/** A publication that the service is to have, with the MD5 of the file and of the cover of each edition, the oldest first. */
export interface WantedPublication {
  readonly title: string
  readonly editions: readonly { readonly file: string; readonly cover?: string }[]
}

/** An asset that the service is to have, with the MD5 of its file. */
interface WantedAsset {
  readonly filename: string
  readonly file: string
}

/** A file that somebody puts into the home folder of the first machine. */
export interface Laid {
  readonly from: string
  readonly to: string
  /** So many milliseconds after the beginning, and slowly; before the beginning if it is not given. */
  readonly after?: number
  /** Whether it only says that another one is complete, and is no file to be uploaded. */
  readonly isTrigger?: true
}

type CommandLine = readonly string[]

/**
 * What a person wants, and by which command lines. In these, `{shared}` is a folder that all machines share, `{home}` that of the
 * machine, and `{publication}` the oldest publication at the service.
 */
export interface Scenario {
  readonly name: string
  readonly files?: readonly Laid[]
  /** What was done before, while nothing went wrong; `into` is a file in the shared folder for what was printed. */
  readonly before?: readonly { readonly args: CommandLine; readonly into?: string }[]
  readonly command: CommandLine
  /** What runs at the same time, each on the machine of a number. */
  readonly beside?: readonly { readonly args: CommandLine; readonly machine: number }[]
  /** What comes once the command has done all. */
  readonly next?: CommandLine
  /** What succeeds once all is done; the same command if it is not given. */
  readonly check?: CommandLine
  /** How it may go on after an early end, but for the same command at once. */
  readonly goings: readonly Going[]
  /** Elsewhere it may stop, since only a person can know whether the first machine goes on; then nothing is there twice. */
  readonly mayStopElsewhere?: boolean
  /** Whether its session is the caller's, so that nothing can be done once it has expired. */
  readonly mayExpire?: boolean
  /** One thing that goes wrong with the network may end it, since its requests cannot be repeated. */
  readonly mayEndEarly?: boolean
  /** The command goes on until somebody stops it, after so many milliseconds. */
  readonly stopsAfter?: number
  /** Whether it carries out the queue, so that its end is that of the steps there. */
  readonly isQueue?: true
  /** The watched folder, in the home folder. */
  readonly hotFolder?: string
  /** The command that what was said of a failure names. */
  readonly remedyIn?: (said: string) => CommandLine | undefined
  readonly wanted: readonly WantedPublication[]
  readonly wantedAssets?: readonly WantedAsset[]
}

/** Whether several machines may carry it out at once: what it does is written in a file that all have. */
export const isShared = ({ command, isQueue }: Scenario): boolean =>
  isQueue === true || command.some(word => word.startsWith('{shared}'))

const md5 = (content: Buffer): string => createHash('md5').update(content).digest('hex')

/** A watcher looks less often than usual, so that a history has fewer steps. */
const looking = ['--quiet-period', '2s', '--scan', '10s', '-o', 'ndjson']

/** When the files were written, some days before everything begins. */
const modified = new Date(Date.UTC(2026, 2, 1))

/** The scenarios, with their files in a folder. */
export async function scenariosIn(folder: string): Promise<Scenario[]> {
  const file = (name: string, content: Buffer) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    // The journal has it.
    utimesSync(path, modified, modified)
    return { path, md5: md5(content) }
  }
  const cover = file('cover.png', exampleCover())
  const font = file('font.woff2', Buffer.from('wOF2 and no more'))
  const book = async (name: string, options: ExampleOptions) =>
    file(name, await makeExampleEpub({ cover: false, ...options }))
  const one = await book('one.epub', { title: 'One', isbn: '9783161484100' })
  const newer = await book('newer.epub', { title: 'One', isbn: '9783161484100', description: 'New' })
  const two = await book('two.epub', { title: 'Two', isbn: '9780306406157', cover: true })
  const three = await book('three.epub', { title: 'Three' })
  const withOne = { title: 'One', editions: [{ file: one.md5 }] }
  const withTwo = { title: 'Two', editions: [{ file: two.md5, cover: cover.md5 }] }
  const withThree = { title: 'Three', editions: [{ file: three.md5 }] }
  const sheet = file('books.csv', Buffer.from(`file,description\n${one.path},First\n${two.path},Second\n`))
  const inFolder = file('in.csv', Buffer.from('file,description\none.epub,First\n'))
  const trigger = file('trigger.ready', Buffer.from('complete'))
  const here = ['resume', 'a day later', 'clock back'] as const
  const plan = (out: string) => ['catalogue', 'plan', sheet.path, '--out', out, '--yes']
  const apply = (path: string, ...more: string[]) => ['catalogue', 'apply', path, '--json', ...more]
  const knowsHashes = { args: ['metadata-keys', 'create', 'sha256'] }
  const hasOne = { args: ['publications', 'upload', one.path] }
  const hasPlan = { args: plan('{shared}/plan.ndjson') }
  const isAsPlanned = ['catalogue', 'plan', sheet.path, '--detailed-exitcode']
  const worker = ['worker', '--once', '-o', 'ndjson']
  const queued = {
    before: [knowsHashes, hasOne, hasPlan, { args: ['queue', 'load', '{shared}/plan.ndjson'] }],
    command: worker,
    isQueue: true,
    goings: ['a day later', 'clock back', 'elsewhere'],
    wanted: [withOne, withTwo],
  } as const
  const upload = (...more: string[]) => ['publications', 'upload', one.path, two.path, three.path, ...more]
  return [
    {
      name: 'upload',
      command: ['publications', 'upload', one.path, '--cover', cover.path, '--json'],
      goings: here,
      wanted: [{ title: 'One', editions: [{ file: one.md5, cover: cover.md5 }] }],
    },
    {
      name: 'batch',
      command: upload('--json'),
      goings: here,
      wanted: [withOne, withTwo, withThree],
    },
    {
      name: 'edition',
      before: [hasOne],
      command: ['editions', 'upload', '{publication}', newer.path, '--json'],
      goings: here,
      wanted: [{ title: 'One', editions: [{ file: one.md5 }, { file: newer.md5 }] }],
    },
    {
      name: 'skip existing',
      before: [knowsHashes],
      command: ['publications', 'upload', two.path, '--skip-existing', '--json'],
      goings: ['elsewhere'],
      mayStopElsewhere: true,
      wanted: [withTwo],
    },
    {
      name: 'plan',
      before: [knowsHashes, hasOne],
      command: plan('{home}/plan.ndjson'),
      next: apply('{home}/plan.ndjson'),
      check: isAsPlanned,
      goings: ['a day later', 'clock back', 'elsewhere'],
      wanted: [withOne, withTwo],
    },
    {
      name: 'apply',
      before: [knowsHashes, hasOne, hasPlan],
      command: apply('{shared}/plan.ndjson'),
      check: isAsPlanned,
      goings: ['resume', 'a day later', 'clock back', 'elsewhere'],
      mayStopElsewhere: true,
      wanted: [withOne, withTwo],
    },
    {
      name: 'shards',
      command: upload('--shard', '1/2', '--json'),
      beside: [{ args: upload('--shard', '2/2', '--json'), machine: 0 }],
      goings: here,
      wanted: [withOne, withTwo, withThree],
    },
    {
      name: 'shards on two machines',
      before: [knowsHashes, hasOne, hasPlan],
      command: apply('{shared}/plan.ndjson', '--shard', '1/2'),
      beside: [{ args: apply('{shared}/plan.ndjson', '--shard', '2/2'), machine: 1 }],
      check: isAsPlanned,
      goings: ['a day later', 'elsewhere'],
      mayStopElsewhere: true,
      wanted: [withOne, withTwo],
    },
    {
      name: 'watch once',
      files: [
        { from: one.path, to: 'in/one.epub' },
        { from: inFolder.path, to: 'in/in.csv' },
        { from: three.path, to: 'in/three.epub' },
      ],
      before: [knowsHashes],
      command: ['watch', '{home}/in', '--once', ...looking],
      goings: ['a day later', 'clock back'],
      hotFolder: 'in',
      wanted: [withOne, withThree],
    },
    {
      name: 'watch',
      files: [
        { from: one.path, to: 'in/one.epub' },
        { from: three.path, to: 'in/three.epub', after: 5000 },
      ],
      before: [knowsHashes],
      command: ['watch', '{home}/in', ...looking],
      stopsAfter: 3 * 60 * 1000,
      goings: ['a day later', 'clock back'],
      hotFolder: 'in',
      wanted: [withOne, withThree],
    },
    {
      name: 'watch with triggers',
      files: [
        { from: one.path, to: 'in/one.epub' },
        { from: trigger.path, to: 'in/one.epub.ready', after: 25_000, isTrigger: true },
      ],
      before: [knowsHashes],
      command: ['watch', '{home}/in', '--trigger', '*.ready', ...looking],
      stopsAfter: 3 * 60 * 1000,
      goings: ['a day later'],
      hotFolder: 'in',
      wanted: [withOne],
    },
    {
      name: 'put',
      before: [{ args: ['publications', 'create', one.path, '--json'], into: 'session.json' }],
      command: ['uploads', 'put', one.path, '--session', '{shared}/session.json', '--json'],
      check: ['publications', 'wait', '{publication}'],
      mayExpire: true,
      goings: ['a day later', 'clock back', 'elsewhere'],
      wanted: [withOne],
    },
    {
      name: 'assets',
      command: ['assets', 'upload', font.path, '--json'],
      mayEndEarly: true,
      goings: ['resume', 'clock back', 'elsewhere'],
      remedyIn(said) {
        const [, path, session] = /uploads put (\S+) --session ([^\s"\\]+)/.exec(said) ?? []
        return path && session ? ['uploads', 'put', path, '--session', session.replace(/\.$/, '')] : undefined
      },
      wanted: [],
      wantedAssets: [{ filename: 'font.woff2', file: font.md5 }],
    },
    { name: 'worker', ...queued },
    { name: 'two workers', ...queued, beside: [{ args: worker, machine: 1 }] },
  ]
}
