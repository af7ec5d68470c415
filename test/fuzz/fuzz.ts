import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import type { Way } from './child.ts'
import { corpusOf, inputIn } from './corpus.ts'
import type { Finding } from './judge.ts'
import { type Random, randomOf } from './random.ts'
import { shareOf } from './reached.ts'
import { type Reader, type ReaderName, readerNames, readers } from './readers.ts'
import { type ReadingProcess, readingProcess } from './reading-process.ts'
import { shrink } from './shrink.ts'

/** Inputs are no larger, so that one that takes long takes too long. */
const mostBytes = 128 * 1024

/** How many inputs are read of one reader before it is the next one's turn, and by one process. */
const [turn, ofOneProcess] = [100, 5000]

/** What was tried of one reader. */
interface Tally {
  readonly corpus: number
  inputs: number
  kept: number
  /** The share of its code that was reached: by the corpus, and now. */
  before: number
  now: number
  /** The most processor time of a command line, in milliseconds. */
  slowest: number
  findings: number
}

interface Pool {
  readonly name: ReaderName
  readonly reader: Reader
  readonly inputs: Buffer[]
  readonly tally: Tally
  /** The branches that were reached, and how much of the reader's code that is. */
  readonly known: Set<string>
  readonly code: ReturnType<typeof shareOf>
  /** Findings that were told already. */
  readonly told: Set<string>
}

interface Settings {
  /** The folder of the inputs that the project keeps. */
  readonly corpus: string
  readonly bundle: string
  /** Where what reaches new code is kept for the next run, and what shows a finding; undefined if a seed says all. */
  readonly kept: string | undefined
  readonly found: string
  readonly child: ReadingProcess
  readonly way: Way
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Carries out a command line; see README.md. */
export async function fuzz(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '1' },
      reader: { type: 'string', multiple: true, default: [...readerNames] },
      seed: { type: 'string' },
      mutations: { type: 'string' },
      first: { type: 'boolean', default: false },
      input: { type: 'string' },
      corpus: { type: 'string', default: 'test/fuzz/corpus' },
    },
  })
  const names = values.reader.filter((name): name is ReaderName => name in readers)
  const unknown = values.reader.find(name => !(name in readers))
  if (unknown !== undefined) {
    print(`There is no reader ${unknown}. There are: ${readerNames.join(', ')}`)
    process.exitCode = 2
    return
  }
  const bundle = process.argv[1] as string
  const child = readingProcess(bundle)
  const settings: Settings = {
    ...{ corpus: values.corpus, bundle, child, found: join(bundle, '../found') },
    // Where nothing is changed, nothing is to be kept.
    way: values.mutations === '0' ? 'once' : 'watched',
    kept: values.seed === undefined ? join(bundle, '../kept') : undefined,
  }
  const limit = { end: Infinity, mutations: Number(values.mutations ?? Infinity) }
  // What was found is told at once; the second time ends this process as ever.
  process.once('SIGINT', () => {
    limit.end = 0
  })
  try {
    if (values.input !== undefined) return await replay(names, values.input, settings)
    const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9))
    print(`seed ${seed}`)
    const pools: Pool[] = []
    for (const name of names) if (limit.end > 0) pools.push(await open(name, settings))
    const random = randomOf(seed)
    limit.end = Math.min(limit.end, performance.now() + Number(values.minutes) * 60_000)
    let read = 0
    while (pools.some(pool => !isOver(pool, limit))) {
      for (const pool of pools) {
        for (let count = 0; count < turn && !isOver(pool, limit); count++) {
          await tryOne(pool, random, settings)
          if (values.first && pool.tally.findings > 0) limit.end = 0
          if (++read % ofOneProcess === 0) await child.end()
        }
      }
    }
    for (const { name, tally } of pools) print(`${name}: ${tallied(tally)}`)
    const total = (key: 'inputs' | 'kept' | 'findings') =>
      pools.reduce((sum, { tally }) => sum + tally[key], 0)
    print(`${total('inputs')} inputs, ${total('kept')} kept, ${total('findings')} findings`)
    process.exitCode = total('findings') === 0 ? 0 : 1
  } finally {
    await child.end()
  }
}

const isOver = ({ tally }: Pool, { end, mutations }: { end: number; mutations: number }): boolean =>
  performance.now() > end || tally.inputs - tally.corpus >= mutations

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`
const tallied = ({ inputs, kept, before, now, slowest, findings }: Tally): string => {
  const reached =
    now === 0 ? '' : `${percent(before)} of its code reached by the corpus and ${percent(now)} now, `
  return `${inputs} inputs, ${reached}at most ${Math.round(slowest)} ms, ${kept} kept, ${findings} findings`
}

/** Reads the corpus of a reader, and takes what earlier runs have kept. */
async function open(name: ReaderName, settings: Settings): Promise<Pool> {
  const corpus = Object.entries(await corpusOf(name, settings.corpus))
  const pool: Pool = {
    name,
    reader: readers[name],
    inputs: [],
    tally: { corpus: corpus.length, inputs: 0, kept: 0, before: 0, now: 0, slowest: 0, findings: 0 },
    known: new Set(),
    code: shareOf(settings.bundle, readers[name].rooms),
    told: new Set(),
  }
  for (const [title, input] of corpus) {
    await read(pool, input, settings, title)
    pool.inputs.push(input)
  }
  pool.tally.before = pool.code.share()
  pool.tally.now = pool.tally.before
  const folder = join(settings.kept ?? '', name)
  const earlier = settings.kept === undefined || !existsSync(folder) ? [] : readdirSync(folder).sort()
  for (const file of earlier) {
    const input = readFileSync(join(folder, file))
    await read(pool, input, settings)
    pool.inputs.push(input)
  }
  return pool
}

/** Changes an input of the pool once or a few times, and reads it. */
async function tryOne(pool: Pool, random: Random, settings: Settings): Promise<void> {
  const { inputs, reader, tally } = pool
  // What was kept last has been tried least.
  const pick = () => (random.once(2) ? random.pick(inputs) : random.pick(inputs.slice(-20)))
  let input = pick()
  for (let changes = 1 + random.below(4); changes > 0; changes--) {
    const changed = reader.format.mutate(input, random, pick())
    if (changed.length <= mostBytes) input = changed
  }
  if (!(await read(pool, input, settings))) return
  inputs.push(input)
  tally.kept++
  if (settings.kept === undefined) return
  const folder = join(settings.kept, pool.name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, digestOf(input)), input)
}

/** Reads an input; whether it is to be kept. What is found is made smaller and told. */
async function read(pool: Pool, input: Buffer, settings: Settings, title?: string): Promise<boolean> {
  const { tally, name, told, known, code } = pool
  const { findings, fresh, time } = await settings.child.read(name, input, settings.way, known)
  tally.inputs++
  tally.slowest = Math.max(tally.slowest, time)
  for (const branch of fresh.branches) known.add(branch)
  code.add(fresh.ran)
  if (fresh.ran.length > 0 && title === undefined) tally.now = code.share()
  for (const finding of findings) {
    const same = `${finding.kind} ${finding.what}`
    if (told.has(same)) continue
    told.add(same)
    tally.findings++
    await tell(pool, input, finding, settings, title)
  }
  return findings.length === 0 && fresh.branches.length > 0
}

async function tell(
  pool: Pool,
  input: Buffer,
  finding: Finding,
  settings: Settings,
  title?: string,
): Promise<void> {
  const shows = async (judging: ReadingProcess, candidate: Buffer): Promise<boolean> => {
    const { findings } = await judging.read(pool.name, candidate, 'twice')
    return findings.some(({ kind, what }) => kind === finding.kind && what === finding.what)
  }
  // A process of its own, which knows nothing of other inputs. It is as patient as the first one, since on a busy machine one that
  // gets no processor seems to hang.
  const judging = readingProcess(settings.bundle)
  const isSteady = await shows(judging, input)
  await judging.end()
  // This one does not wait long for each that hangs as well.
  const shrinking = readingProcess(settings.bundle, finding.kind === 'hang' ? 5000 : undefined)
  const smallest = isSteady
    ? await shrink(input, pool.reader.format, candidate => shows(shrinking, candidate))
    : input
  await shrinking.end()
  const folder = join(settings.found, pool.name)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${finding.kind}-${digestOf(smallest)}.base64`)
  writeFileSync(path, `${smallest.toString('base64')}\n`)
  print(
    `FOUND ${pool.name}: ${finding.kind}: ${finding.what}${isSteady ? '' : ' (not again in a new process)'}`,
  )
  if (title !== undefined) print(`  the corpus has it: ${title}`)
  print(`  ${smallest.length} bytes: ${JSON.stringify(smallest.toString('latin1', 0, 300))}`)
  print(`  npm run fuzz -- --reader ${pool.name} --input ${relative('.', path)}`)
}

/** Reads one input, and says what is found. */
async function replay(names: readonly ReaderName[], path: string, { child }: Settings): Promise<void> {
  let found = 0
  for (const reader of names) {
    const { findings } = await child.read(reader, inputIn(path), 'twice')
    found += findings.length
    for (const { kind, what, line } of findings) print(`FOUND ${reader}: ${kind}: ${what}\n  pubctl ${line}`)
  }
  print(`${found} findings`)
  process.exitCode = found === 0 ? 0 : 1
}

const digestOf = (input: Buffer): string => createHash('sha256').update(input).digest('hex').slice(0, 16)
