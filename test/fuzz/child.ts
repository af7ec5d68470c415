import { join } from 'node:path'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { contradiction, type Finding, judge } from './judge.ts'
import { type Ended, run } from './program.ts'
import { type Fresh, watchCode } from './reached.ts'
import { type Reader, type ReaderName, readers } from './readers.ts'

/** Read once, or twice to compare; or watched for what it reaches, and read twice if that is new. */
export type Way = 'once' | 'twice' | 'watched'

/** What the child is asked. */
export interface Question {
  readonly reader: ReaderName
  readonly input: Uint8Array
  readonly way: Way
  /** The branches that inputs of the reader have reached, which the child has to know once. */
  readonly known?: readonly string[] | undefined
}

/** What it answers. */
export interface ChildAnswer {
  readonly findings: readonly Finding[]
  readonly fresh: Fresh
  /** The most processor time of a command line, in milliseconds. */
  readonly time: number
}

/**
 * What one command line may take: processor time in milliseconds, also for each line of an input, since each may name a book, which
 * is read; and how many bytes the process may grow by.
 */
const limits = { time: 1000, timeOfLine: 5, growth: 160 * 2 ** 20 }

/** Reads inputs that the parent sends, until it goes away; `folder` is where it may write. */
export async function serveInputs(folder: string): Promise<void> {
  process.on('disconnect', () => process.exit())
  // The terminal sends it to the parent as well, which decides what ends.
  process.on('SIGINT', () => undefined)
  // Something that nobody waited for failed: a fault that would end the program.
  const loose: string[] = []
  process.on('uncaughtException', error => void loose.push(`${error?.message ?? error}`))
  process.on('unhandledRejection', error => void loose.push(`${(error as Error)?.message ?? error}`))
  const book = await makeExampleEpub({ title: 'On Its Own' })
  let watch: ReturnType<typeof watchCode> | undefined
  const place = { folder, home: join(folder, 'home'), book, loose }
  const knownOf = new Map<ReaderName, Set<string>>()
  process.on('message', async ({ reader, input, way, known }: Question) => {
    const branches = knownOf.get(reader) ?? new Set(known)
    knownOf.set(reader, branches)
    // Only then: code that is watched takes longer.
    if (way === 'watched') watch ??= watchCode(process.argv[1] as string)
    const take = () => (way === 'watched' && watch ? watch(branches) : nothing)
    process.send?.(await answer(readers[reader], Buffer.from(input), way, take, place))
  })
  process.send?.('ready')
}

const nothing: Fresh = { branches: [], ran: [] }

interface Place {
  readonly folder: string
  readonly home: string
  readonly book: Buffer
  readonly loose: string[]
}

const linesIn = (input: Buffer): number => input.toString('latin1').split(/[\r\n]/).length

async function answer(
  reader: Reader,
  input: Buffer,
  way: Way,
  take: () => Fresh,
  { folder, home, book, loose }: Place,
): Promise<ChildAnswer> {
  const findings: Finding[] = []
  const ended: Ended[] = []
  let most = 0
  const longest = limits.time + limits.timeOfLine * linesIn(input)
  for (const { args, ...found } of reader.readings(input, home)) {
    const scene = { ...found, home, files: { 'book.epub': book, ...found.files } }
    const line = args.join(' ')
    const measured = async () => {
      // Where paths begin that are not absolute; a command may have gone elsewhere.
      process.chdir(folder)
      const before = process.cpuUsage()
      const ended = await run(args, scene)
      const { user, system } = process.cpuUsage(before)
      return { ended, time: (user + system) / 1000 }
    }
    const memory = process.resourceUsage().maxRSS
    const first = await measured()
    const growth = (process.resourceUsage().maxRSS - memory) * 1024
    const now = first.ended
    let { time } = first
    // Where the processor is shared, what is quick takes long now and then.
    for (let again = 0; again < 2 && time > longest; again++) time = Math.min(time, (await measured()).time)
    most = Math.max(most, time)
    if (time > longest) findings.push({ kind: 'slow', what: 'too much time', line })
    if (growth > limits.growth) findings.push({ kind: 'memory', what: 'too much memory', line })
    findings.push(...judge(now))
    ended.push(now)
    await new Promise(setImmediate)
    for (const what of loose.splice(0))
      findings.push({ kind: 'fault', what: `nobody waited for: ${what}`, line })
  }
  const fresh = take()
  // The same as JSON and for people must end alike; what is new is read again.
  const [plain, asJson] = ended
  if (
    plain &&
    asJson &&
    asJson.args.join(' ') === `${plain.args.join(' ')} --json` &&
    plain.code !== asJson.code
  )
    findings.push(...contradiction(plain, asJson))
  if ((way === 'twice' || fresh.branches.length > 0) && findings.length === 0) {
    for (const [index, { args, ...found }] of reader.readings(input, home).entries()) {
      process.chdir(folder)
      const again = await run(args, { ...found, home, files: { 'book.epub': book, ...found.files } })
      findings.push(...contradiction(ended[index] as Ended, again))
    }
  }
  return { findings, fresh, time: most }
}
