import type { Period } from '../../system/calendar.ts'
import type { ReaderProgress } from './progress-groups.ts'

/** A number that the service gave, or null where it gave none that can be used. */
export type FigureOrNull = number | null

export const scopeCounters = ['publicationsRead', 'totalViews', 'activeReaders'] as const
export type ScopeCounter = (typeof scopeCounters)[number]
export type ScopeCounts = { readonly [name in ScopeCounter]: FigureOrNull }

export const readFigures = ['totalReads', 'averageReadTimeMs', 'averageCompletion', 'completionRate'] as const
export type ReadFigure = (typeof readFigures)[number]
/** Milliseconds, and parts of 1. */
type Reads = { readonly [name in ReadFigure]: FigureOrNull }

/** Why something has no figures. */
interface Unread {
  readonly code: string
  readonly message: string
}

/** A title with its figures in the months of the report; null where they could not be read. */
export interface TitleFigures {
  /** Its place by reads, from 1. */
  readonly rank: number
  readonly publicationId: string
  readonly title: string
  /** The views by which the service ranks it; it does not say over which time. */
  readonly views: FigureOrNull
  readonly totals: Reads | null
  /** The totals of the period before. */
  readonly before: Reads | null
  /** How reads changed: 0.1 is a tenth more. */
  readonly change: FigureOrNull
  /** Every month of the report; a month without figures is null in each of them. */
  readonly monthly: readonly ({ readonly month: string } & Reads)[]
  readonly error: Unread | null
}

/** The views of a title on each day of the report that has begun. */
export interface DailyViews {
  readonly publicationId: string
  readonly title: string
  readonly period: Period
  readonly daily: readonly { readonly day: string; readonly views: FigureOrNull }[]
  readonly error: Unread | null
}

/** Everything that a report shows. `-o json` prints it as it is. */
export interface AnalyticsReport {
  readonly period: Period
  /** As many months, directly before. */
  readonly periodBefore: Period | null
  /** The month that is not over, if it is one of the report. */
  readonly runningMonth: string | null
  /** When it was made, as an ISO timestamp. */
  readonly madeAtIso: string
  readonly scopeId: string | null
  readonly totals: ScopeCounts
  readonly before: ScopeCounts | null
  readonly change: ScopeCounts
  readonly monthly: readonly ({ readonly month: string } & ScopeCounts)[]
  readonly titles: readonly TitleFigures[]
  /** How many titles the service ranks in all. */
  readonly titlesRanked: number
  readonly activity: readonly DailyViews[]
  /** Null unless it was asked for. */
  readonly progress: ReaderProgress | null
  /** What could not be read beside the figures of titles and days. */
  readonly unread: readonly ({ readonly what: string } & Unread)[]
}

/** The named figures of a record of the service; null where it has none. */
export const figuresOf = <N extends string>(
  names: readonly N[],
  record: { readonly [name in N]: FigureOrNull } | null | undefined,
): { [name in N]: FigureOrNull } =>
  Object.fromEntries(names.map(name => [name, record?.[name] ?? null])) as { [name in N]: FigureOrNull }

/** The figures of each month, in their order; those of a month that the service left out are null. */
export function monthlyOf<N extends string>(
  names: readonly N[],
  months: readonly string[],
  rows:
    | readonly ({ readonly month: string | null } & { readonly [name in N]: FigureOrNull })[]
    | null
    | undefined,
): ({ month: string } & { [name in N]: FigureOrNull })[] {
  const byMonth = new Map(rows?.map(row => [row.month, row]))
  return months.map(month => ({ month, ...figuresOf(names, byMonth.get(month)) }))
}

/** How a figure changed, as a part of what it was; null where that is unknown or was nothing. */
export const relativeChange = (
  now: FigureOrNull | undefined,
  before: FigureOrNull | undefined,
): FigureOrNull =>
  typeof now !== 'number' || typeof before !== 'number' || before === 0 ? null : (now - before) / before
