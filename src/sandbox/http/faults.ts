import { UsageFailure } from '../../system/errors.ts'

/** The faults that can be injected into a request, in the order in which their shares divide the range from 0 to 1. */
const kinds = ['reset', 503, 429, 500, 'cut', 'stall'] as const
type Fault = (typeof kinds)[number]
/** What a fault is called where it is asked for. */
export type FaultName = `${Fault}` | 'slow'

/** The faults that a sandbox injects, to test how its clients cope with them. */
export interface Faults {
  /** The share of all requests, from 0 to 1, to which each happens; a request meets one of them at most. */
  readonly shares: ReadonlyMap<Fault, number>
  /** Milliseconds that every request waits before it is handled. */
  readonly slow: number
}

export const noFaults: Faults = { shares: new Map(), slow: 0 }

/**
 * Parses faults such as `reset=0.05` and `slow=2s`, separated by commas. `source` is the flag or the variable that they come
 * from, and `parseDuration` gives milliseconds or throws. Throws UsageFailure.
 */
export function parseFaults(
  texts: readonly string[],
  source: string,
  parseDuration: (text: string) => number,
): Faults {
  const given = new Map<string, string>()
  for (const text of texts.flatMap(text => text.split(','))) {
    const [kind = '', value] = text.trim().split(/=(.*)/s)
    if (value === undefined || !names.includes(kind)) throw invalidFault(source, `"${text}" is not a fault`)
    if (given.has(kind)) throw invalidFault(source, `${kind} is given twice`)
    given.set(kind, value)
  }
  const shares = new Map<Fault, number>()
  for (const kind of kinds) {
    const value = given.get(String(kind))
    if (value !== undefined) shares.set(kind, shareIn(value, kind, source))
  }
  if (totalOf(shares) > 1) throw invalidFault(source, 'the shares add up to more than 1')
  const slow = given.get('slow')
  return { shares, slow: slow === undefined ? 0 : durationIn(slow, source, parseDuration) }
}

/** The fault that a request meets, by a random number from 0 to below 1; undefined for one that meets none. */
export function faultAt({ shares }: Faults, random: number): Fault | undefined {
  let end = 0
  for (const [kind, share] of shares) {
    end += share
    if (random < end) return kind
  }
  return undefined
}

const names: readonly string[] = [...kinds.map(String), 'slow']

/** Rounded, because in floating point the sum of ten times 0.1 is not 1. */
const totalOf = (shares: ReadonlyMap<Fault, number>): number =>
  Number([...shares.values()].reduce((sum, share) => sum + share, 0).toFixed(9))

function shareIn(text: string, kind: Fault, source: string): number {
  if (/^(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) && Number(text) <= 1) return Number(text)
  throw invalidFault(source, `"${kind}=${text}" does not give a share from 0 to 1`)
}

function durationIn(text: string, source: string, parseDuration: (text: string) => number): number {
  try {
    return parseDuration(text)
  } catch {
    throw invalidFault(source, `"slow=${text}" does not give a duration`)
  }
}

const invalidFault = (source: string, reason: string): UsageFailure =>
  new UsageFailure(`${source}: ${reason}`, {
    hint: `The faults are ${kinds.join(', ')}, each with a share of the requests (503=0.1), and slow with a duration (slow=2s).`,
  })
