import { type Answer, json } from './server.ts'

interface Title {
  readonly publicationId: string
  readonly title: string
  /** About how often it is read in a month. */
  readonly reads: number
  /** The part that is read on average. */
  readonly completion: number
}

export interface ReadingFigures {
  readonly titles: readonly Title[]
  /** Months and days of which the service has nothing. */
  readonly gaps?: readonly string[]
  /** What is answered with 500, by its path below `/v1`. */
  readonly broken?: (path: string, url: string) => boolean
  /** The progress of each reader user. */
  readonly readers?: readonly number[]
}

/** Titles as books have them. */
export const honestTitles = [
  'Pride and Prejudice',
  'Alice’s Adventures in Wonderland',
  'The Adventures of Sherlock Holmes',
  'Moby-Dick; or, The Whale',
  'Les Misérables',
  'Faust: Eine Tragödie',
  'Frankenstein; or, The Modern Prometheus',
  'Dracula',
]

/** How far many readers came: some to the end, most not. */
export const manyReaders = Array.from({ length: 90 }, (_, at) => ((at * at) % 97) / (at % 3 === 0 ? 97 : 160))

/** A book for each name, the first ones read most. */
export const titlesNamed = (names: readonly string[]): Title[] =>
  names.map((title, at) => ({
    publicationId: `pub_${at + 1}`,
    title,
    reads: Math.round(900 / (1 + at * 0.35)),
    completion: Math.round((0.35 + ((at * 37) % 100) / 180) * 100) / 100,
  }))

/** A service that answers about what is read, always the same for the same question. */
export const readingFigures =
  ({ titles, gaps = [], broken = () => false, readers = [] }: ReadingFigures): Answer =>
  ({ url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const path = pathname.replace('/v1', '')
    const context = { requestId: 'req_1', authentication: { sub: 'sub_1', scopeId: 'scope_1' } }
    const item = (value: object) => json(response, 200, { item: value, context })
    const [from, to] = [searchParams.get('from') ?? '', searchParams.get('to') ?? '']
    if (broken(path, url)) return json(response, 500, { error: 'DB_ERROR', message: 'It broke.', context })
    if (path === '/analytics/publications/popular') {
      const items = titles.map(({ publicationId, title, reads }) => ({
        publicationId,
        title,
        views: reads * 14,
      }))
      return json(response, 200, { items, context })
    }
    if (path === '/reader-users') {
      return json(response, 200, {
        items: readers.map((_, at) => ({ id: `ru_${at}` })),
        nextToken: null,
        context,
      })
    }
    const [, reader] = /^\/reader-users\/ru_(\d+)$/.exec(path) ?? []
    if (reader !== undefined) {
      const [firstReadAtIso, lastReadAtIso] = ['2026-02-01T10:00:00Z', '2026-08-01T10:00:00Z']
      return item({
        id: reader,
        readingHistory: [null, { firstReadAtIso, lastReadAtIso, progression: readers[Number(reader)] }],
      })
    }
    const months = monthsBetween(from, to).filter(month => !gaps.includes(month))
    const monthly = (row: (month: string) => object) =>
      searchParams.get('granularity') === 'month' && {
        monthly: months.map(month => ({ month, ...row(month) })),
      }
    if (path === '/analytics') {
      const viewsIn = (month: string) => sum(titles.map(title => readsIn(title, month))) * 3
      const counts = (views: number) => ({
        publicationsRead: titles.length,
        totalViews: views,
        activeReaders: Math.round(views * 0.6),
      })
      return item({
        period: { from, to },
        totals: counts(sum(months.map(viewsIn))),
        ...monthly(month => counts(viewsIn(month))),
      })
    }
    const [, id, isActivity] = /^\/analytics\/publications\/([^/]+)(\/activity)?$/.exec(path) ?? []
    const title = titles.find(({ publicationId }) => publicationId === id)
    if (title === undefined)
      return json(response, 404, { error: 'EMPTY_RESPONSE', message: 'There is none.', context })
    if (isActivity) {
      const daily = daysBetween(from, to)
        .filter(day => !gaps.includes(day.slice(0, 7)) && !gaps.includes(day))
        .map(day => ({ day, views: viewsOn(title, day) }))
      return item({ publicationId: id, period: { from, to }, daily })
    }
    const reads = (count: number) => ({
      totalReads: count,
      averageReadTimeMs: 1_200_000 * title.completion,
      averageCompletion: title.completion,
      completionRate: Math.round(title.completion * 40) / 100,
    })
    return item({
      publicationId: id,
      period: { from, to },
      totals: reads(sum(months.map(month => readsIn(title, month)))),
      ...monthly(month => reads(readsIn(title, month))),
    })
  }

const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0)

const monthIndex = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1

function monthsBetween(from: string, to: string): string[] {
  const first = monthIndex(from)
  return Array.from({ length: from === '' ? 0 : monthIndex(to) - first + 1 }, (_, at) =>
    new Date(Date.UTC(2000, first + at - 24_000)).toISOString().slice(0, 7),
  )
}

const dayMilliseconds = 86_400_000

const daysBetween = (from: string, to: string): string[] =>
  Array.from({ length: (Date.parse(to) - Date.parse(from)) / dayMilliseconds + 1 }, (_, at) =>
    new Date(Date.parse(from) + at * dayMilliseconds).toISOString().slice(0, 10),
  )

/** Rises and falls with the year, for each title at another time, and grows a little. */
function readsIn({ reads, publicationId }: Title, month: string): number {
  const at = monthIndex(month)
  const turn = publicationId.length + Number(publicationId.replace(/\D/g, ''))
  return Math.round(reads * (1 + 0.3 * Math.sin((at + turn * 1.7) / 1.9) + (at - 24_300) / 160))
}

function viewsOn({ reads }: Title, day: string): number {
  const date = new Date(day)
  const isWeekend = date.getUTCDay() % 6 === 0
  const wave = 1 + 0.5 * Math.sin(date.getTime() / dayMilliseconds / 23)
  return Math.round((reads / 40) * wave * (isWeekend ? 1.7 : 0.8) * ((date.getUTCDate() % 17) / 17))
}
