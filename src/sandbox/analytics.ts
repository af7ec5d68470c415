import type { analytics } from '../service/contract/analytics.ts'
import {
  countMonths,
  dayMilliseconds,
  dayOf,
  monthAfter,
  monthOf,
  monthsIn,
  type Period,
} from '../system/calendar.ts'
import type { Database } from '../system/database.ts'
import type { Handlers, RequestContext } from './call.ts'
import { readingsOn, viewsOn } from './seed/readings.ts'
import { invalid } from './service-error.ts'
import { type BacklistBook, backlist, findOnBacklist } from './store/backlist.ts'
import { publicationRow } from './store/publications.ts'

/** How many publications count as popular. */
const popularLimit = 10
const longestActivity = 366

export const analyticsHandlers: Handlers<typeof analytics> = {
  scope: ({ from, to, granularity = 'month' }, { clock }) => {
    const period = periodOf(from, to, clock.now())
    const months = monthsIn(period).map(month => ({ month, counts: countScope(month, clock.now()) }))
    const monthly = months.map(({ month, counts }) => ({ month, ...scopeTotals(counts) }))
    const totals = scopeTotals({
      views: months.reduce((sum, { counts }) => sum + counts.views, 0),
      books: union(months.map(({ counts }) => counts.books)),
      readers: union(months.map(({ counts }) => counts.readers)),
    })
    return { item: { period, totals, ...(granularity === 'month' && { monthly }) } }
  },
  popular: (_, { clock }) => {
    const months = monthsIn(periodOf(undefined, undefined, clock.now()))
    const items = backlist.map(book => ({
      publicationId: book.publicationId,
      title: book.title,
      views: months.reduce((sum, month) => sum + countViews(book, daysOfMonth(month), clock.now()), 0),
    }))
    return { items: items.sort((a, b) => b.views - a.views).slice(0, popularLimit) }
  },
  publication: ({ id, from, to, granularity = 'month' }, { db, clock }) => {
    const book = bookWith(db, id)
    const period = periodOf(from, to, clock.now())
    const months = monthsIn(period).map(month => ({ month, reads: readsIn(book, month, clock) }))
    const monthly = months.map(({ month, reads }) => ({ month, ...averages([reads]) }))
    const totals = averages(months.map(({ reads }) => reads))
    return { item: { publicationId: id, period, totals, ...(granularity === 'month' && { monthly }) } }
  },
  activity: ({ id, from, to }, { db, clock }) => {
    const book = bookWith(db, id)
    if (from > to)
      throw invalid([{ message: 'Invalid period: from is after to', path: ['to'], code: 'custom' }])
    const days = daysOf({ from, to }, longestActivity)
    if (!days) {
      const message = `Invalid period: expected at most ${longestActivity} days`
      throw invalid([{ message, path: ['to'], code: 'too_big' }])
    }
    const daily = days.map(day => ({
      day: dayOf(day),
      views: book ? viewsOn(book, day, clock.now()) : 0,
    }))
    return { item: { publicationId: id, period: { from, to }, daily } }
  },
}

/** The backlist book with this id; undefined for another publication, which nobody has read. Throws 404 for an unknown one. */
function bookWith(db: Database, id: string): BacklistBook | undefined {
  const book = findOnBacklist(id)
  if (!book) publicationRow(db, id)
  return book
}

const countViews = (book: BacklistBook, days: number[], now: number): number =>
  days.reduce((sum, day) => sum + viewsOn(book, day, now), 0)

interface ScopeCounts {
  views: number
  books: Set<string>
  readers: Set<number>
}

function countScope(month: string, now: number): ScopeCounts {
  const counts: ScopeCounts = { views: 0, books: new Set(), readers: new Set() }
  for (const day of daysOfMonth(month)) {
    for (const book of backlist) {
      for (const { reader } of readingsOn(book, day, now)) {
        counts.views++
        counts.books.add(book.publicationId)
        counts.readers.add(reader)
      }
    }
  }
  return counts
}

const scopeTotals = ({ views, books, readers }: ScopeCounts) => ({
  publicationsRead: books.size,
  totalViews: views,
  activeReaders: readers.size,
})

const union = <T>(sets: Set<T>[]): Set<T> => new Set(sets.flatMap(set => [...set]))

interface Reads {
  count: number
  milliseconds: number
  completion: number
  completed: number
}

function readsIn(book: BacklistBook | undefined, month: string, clock: RequestContext['clock']): Reads {
  const reads: Reads = { count: 0, milliseconds: 0, completion: 0, completed: 0 }
  for (const day of book ? daysOfMonth(month) : []) {
    for (const { milliseconds, completion } of readingsOn(book as BacklistBook, day, clock.now())) {
      reads.count++
      reads.milliseconds += milliseconds
      reads.completion += completion
      if (completion === 1) reads.completed++
    }
  }
  return reads
}

/** The averages over all readings of some spans of time, each reading weighing the same. */
function averages(spans: Reads[]) {
  const sum = (name: keyof Reads): number => spans.reduce((total, span) => total + span[name], 0)
  const count = sum('count')
  const average = (name: keyof Reads): number => (count === 0 ? 0 : sum(name) / count)
  return {
    totalReads: count,
    averageReadTimeMs: Math.round(average('milliseconds')),
    averageCompletion: rounded(average('completion')),
    completionRate: rounded(average('completed')),
  }
}

const rounded = (part: number): number => Math.round(part * 10_000) / 10_000

const usualMonths = 12
const mostMonths = 120

/**
 * The months from `from` to `to`, both included and written YYYY-MM: by default the twelve that end with `to`, which
 * is by default the current one. Throws 400 ZOD_ERROR when they are in the wrong order or more than ten years.
 */
function periodOf(from: string | undefined, to: string | undefined, now: number): Period {
  const last = to ?? monthOf(now)
  const first = from ?? monthAfter(last, 1 - usualMonths)
  const refuse = (message: string, code: string) => invalid([{ message, path: [to ? 'to' : 'from'], code }])
  if (first > last) throw refuse('Invalid period: from is after to', 'custom')
  if (countMonths({ from: first, to: last }) > mostMonths) {
    throw refuse(`Invalid period: expected at most ${mostMonths} months`, 'too_big')
  }
  return { from: first, to: last }
}

/** The days of a month, each by its first millisecond. */
function daysOfMonth(month: string): number[] {
  const first = Date.parse(`${month}-01`)
  const end = Date.parse(`${monthAfter(month, 1)}-01`)
  return Array.from({ length: (end - first) / dayMilliseconds }, (_, at) => first + at * dayMilliseconds)
}

/** The days from one to another, written YYYY-MM-DD; undefined when there are more than `most`. */
function daysOf({ from, to }: Period, most: number): number[] | undefined {
  const first = Date.parse(from)
  const length = (Date.parse(to) - first) / dayMilliseconds + 1
  if (length > most) return undefined
  return Array.from({ length }, (_, at) => first + at * dayMilliseconds)
}
