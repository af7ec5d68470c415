import { pick } from '../cli/output/fields.ts'
import { countMonths, dayMilliseconds, dayOf, daysIn, monthOf, monthsIn } from '../system/calendar.ts'

/** A month or a day of an answer. */
export interface Span {
  /** As the service wrote it: YYYY-MM or YYYY-MM-DD. */
  readonly name: string
  readonly state: SpanState
  /** The element of the answer; undefined where the service has none, so that gaps stay gaps. */
  readonly element: unknown
}

/** By UTC. */
type SpanState = 'over' | 'running' | 'ahead'

/** Spans further apart than these are shown as they were sent. */
const most = { months: 600, days: 4000 }

/**
 * The elements of `monthly`, and the months of the period that it leaves out, in order. Undefined if there are no months, if
 * something else than a month is among them, or if they are too far apart.
 */
export function monthSpans(item: unknown, now: number): Span[] | undefined {
  const running = monthOf(now)
  return spansOf(pick(item, ['monthly']), pick(item, ['period']), {
    name: 'month',
    isName: text => /^\d{4}-(0[1-9]|1[0-2])$/.test(text),
    between: (from, to) => (countMonths({ from, to }) > most.months ? undefined : monthsIn({ from, to })),
    running,
  })
}

/** The same of `daily`. */
export function daySpans(item: unknown, now: number): Span[] | undefined {
  const running = dayOf(now)
  const count = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / dayMilliseconds
  return spansOf(pick(item, ['daily']), pick(item, ['period']), {
    name: 'day',
    isName: isDay,
    between: (from, to) => (count(from, to) >= most.days ? undefined : daysIn({ from, to })),
    running,
  })
}

/** Whether a text is a day of the calendar, as YYYY-MM-DD. */
function isDay(text: string): boolean {
  const instant = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text)
}

interface Unit {
  /** The field of an element that names its span. */
  readonly name: string
  readonly isName: (text: string) => boolean
  /** All from one to another; undefined if they are too many. */
  readonly between: (from: string, to: string) => readonly string[] | undefined
  readonly running: string
}

function spansOf(elements: unknown, period: unknown, unit: Unit): Span[] | undefined {
  if (!Array.isArray(elements)) return undefined
  const byName = new Map<string, unknown[]>()
  for (const element of elements) {
    const name: unknown = pick(element, [unit.name])
    if (typeof name !== 'string' || !unit.isName(name)) return undefined
    byName.set(name, [...(byName.get(name) ?? []), element])
  }
  const ends = [pick(period, ['from']), pick(period, ['to'])].filter(
    end => typeof end === 'string' && unit.isName(end),
  ) as string[]
  const known = [...byName.keys(), ...ends].sort()
  const [first, last] = [known[0], known.at(-1)]
  if (first === undefined || last === undefined) return undefined
  return unit.between(first, last)?.flatMap(name =>
    (byName.get(name) ?? [undefined]).map(element => ({
      name,
      element,
      state: stateOf(name, unit.running),
    })),
  )
}

const stateOf = (name: string, running: string): SpanState =>
  name < running ? 'over' : name === running ? 'running' : 'ahead'

/** A span's name, with words where it is not over. */
export const labelOf = ({ name, state }: Span): string =>
  state === 'running' ? `${name} so far` : state === 'ahead' ? `${name} to come` : name
