import { readFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector'
import { join } from 'node:path'

/** What an input reached that none of its reader had reached before. */
export interface Fresh {
  /** Names of branches, each with how often it ran in rough steps. */
  readonly branches: readonly string[]
  /** The code that ran in the functions that they are in: from and to by turns, in characters of the bundle. */
  readonly ran: readonly number[]
}

/** A part of the bundle that comes from one file of the program. */
interface Part {
  readonly file: string
  readonly start: number
  readonly end: number
}

const partsOf = (bundle: string): readonly Part[] =>
  JSON.parse(readFileSync(join(bundle, '../parts.json'), 'utf8'))

/** How often something ran, in steps that tell more from less. */
const step = (count: number): number => (count < 3 ? count : Math.ceil(Math.log2(count) / 3) + 2)

/**
 * Watches what of the program's own code runs in this process from now on. What is returned tells what ran since the last call,
 * beyond the branches that are known, to which it adds.
 */
export function watchCode(bundle: string): (known: Set<string>) => Fresh {
  const parts = partsOf(bundle)
  const isOwn = new Uint8Array(lengthOf(parts))
  for (const { start, end } of parts) isOwn.fill(1, start, end)
  const session = new Session()
  session.connect()
  const post = <T>(method: string, parameters: object = {}): T => {
    let answer: unknown
    session.post(method as 'Profiler.enable', parameters as never, (error: Error | null, found?: unknown) => {
      if (error) throw error
      answer = found
    })
    return answer as T
  }
  post('Profiler.enable')
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return known => {
    const { result } = post<Profiler.TakePreciseCoverageReturnType>('Profiler.takePreciseCoverage')
    const functions = result.flatMap(({ url, functions }) => (url.endsWith(bundle) ? functions : []))
    const branches: string[] = []
    const ran: number[] = []
    for (const { ranges } of functions) {
      const [whole] = ranges
      if (whole === undefined || isOwn[whole.startOffset] !== 1) continue
      const names = ranges.map(
        ({ startOffset, endOffset, count }) => `${startOffset}-${endOffset}:${step(count)}`,
      )
      const fresh = names.filter(name => !known.has(name))
      if (fresh.length === 0) continue
      for (const name of fresh) known.add(name)
      branches.push(...fresh)
      ran.push(...ranIn(ranges))
    }
    return { branches, ran }
  }
}

const lengthOf = (parts: readonly Part[]): number => Math.max(...parts.map(({ end }) => end))

/** What ran of a function. Its ranges are nested, and those further in say more. */
function* ranIn(ranges: readonly Profiler.CoverageRange[]): Generator<number> {
  const ends: Profiler.CoverageRange[] = []
  let at = ranges[0]?.startOffset ?? 0
  function* upTo(offset: number): Generator<number> {
    if ((ends.at(-1)?.count ?? 0) > 0 && offset > at) yield* [at, offset]
    at = Math.max(at, offset)
  }
  for (const range of ranges) {
    for (let last = ends.at(-1); last && last.endOffset <= range.startOffset; last = ends.at(-1)) {
      yield* upTo(last.endOffset)
      ends.pop()
    }
    yield* upTo(range.startOffset)
    ends.push(range)
  }
  for (let last = ends.at(-1); last; last = ends.at(-1)) {
    yield* upTo(last.endOffset)
    ends.pop()
  }
}

/** How much of the code of some rooms has run, from 0 to 1. */
export function shareOf(
  bundle: string,
  rooms: readonly string[],
): { add(ran: readonly number[]): void; share(): number } {
  const all = partsOf(bundle)
  const parts = all.filter(({ file }) => rooms.some(room => file.startsWith(`${room}/`)))
  const hasRun = new Uint8Array(lengthOf(all))
  return {
    add(ran) {
      for (let index = 0; index < ran.length; index += 2) hasRun.fill(1, ran[index], ran[index + 1])
    },
    share() {
      let [reached, total] = [0, 0]
      for (const { start, end } of parts) {
        total += end - start
        for (let at = start; at < end; at++) reached += hasRun[at] as number
      }
      return total === 0 ? 0 : reached / total
    },
  }
}
