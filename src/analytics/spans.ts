import { addTo } from '../system/add-to.ts'
import { countMonths, dayMilliseconds, dayOf, daysIn, monthOf, monthsIn } from '../system/calendar.ts'

/** A month or a day of an answer. */
export interface Span<T> {
  /** As the service wrote it: YYYY-MM or YYYY-MM-DD. */
  readonly name: string
  readonly state: SpanState
  /** What the answer says of it; undefined where it says nothing, so that gaps stay gaps. */
  readonly row: T | undefined
}

/** By UTC. */
type SpanState = 'over' | 'running' | 'ahead'

/** Spans further apart than these are shown as they were sent. */
const most = { months: 600, days: 4000 }

/** The period of an answer, as far as it names one. */
type AnsweredPeriod = { readonly from: string | null; readonly to: string | null } | null

/**
 * The rows of an answer by month, and the months of its period that it leaves out, in order. Undefined if there are no
 * months, if something else than a month is among them, or if they are too far apart.
 */
export const monthSpans = <T extends { readonly month: string | null }>(
  rows: readonly T[],
  period: AnsweredPeriod,
  now: number,
): Span<T>[] | undefined =>
  spansOf(rows, period, {
    nameOf: ({ month }) => month,
    isName: text => /^\d{4}-(0[1-9]|1[0-2])$/.test(text),
    between: (from, to) => (countMonths({ from, to }) > most.months ? undefined : monthsIn({ from, to })),
    running: monthOf(now),
  })

/** The same by day. */
export function daySpans<T extends { readonly day: string | null }>(
  rows: readonly T[],
  period: AnsweredPeriod,
  now: number,
): Span<T>[] | undefined {
  const count = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / dayMilliseconds
  return spansOf(rows, period, {
    nameOf: ({ day }) => day,
    isName: isDay,
    between: (from, to) => (count(from, to) >= most.days ? undefined : daysIn({ from, to })),
    running: dayOf(now),
  })
}

/** Whether a text is a day of the calendar, as YYYY-MM-DD. */
function isDay(text: string): boolean {
  const instant = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text)
}

interface Unit<T> {
  readonly nameOf: (row: T) => string | null
  readonly isName: (text: string) => boolean
  /** All from one to another; undefined if they are too many. */
  readonly between: (from: string, to: string) => readonly string[] | undefined
  readonly running: string
}

function spansOf<T>(rows: readonly T[], period: AnsweredPeriod, unit: Unit<T>): Span<T>[] | undefined {
  const byName = new Map<string, T[]>()
  for (const row of rows) {
    const name = unit.nameOf(row)
    if (name === null || !unit.isName(name)) return undefined
    addTo(byName, name, row)
  }
  const ends = [period?.from ?? '', period?.to ?? ''].filter(unit.isName)
  const known = [...byName.keys(), ...ends].sort()
  const [first, last] = [known[0], known.at(-1)]
  if (first === undefined || last === undefined) return undefined
  return unit
    .between(first, last)
    ?.flatMap(name =>
      (byName.get(name) ?? [undefined]).map(row => ({ name, row, state: stateOf(name, unit.running) })),
    )
}

const stateOf = (name: string, running: string): SpanState =>
  name < running ? 'over' : name === running ? 'running' : 'ahead'

/** A span's name, with words where it is not over. */
export const labelOf = ({ name, state }: Omit<Span<unknown>, 'row'>): string =>
  state === 'running' ? `${name} so far` : state === 'ahead' ? `${name} to come` : name
