import { human } from '../cli/output/cell.ts'
import type { Resource } from '../service/client/read.ts'
import type { DailyActivity } from '../service/contract/analytics.ts'
import { dayMilliseconds } from '../system/calendar.ts'
import { drawBarChart } from './chart/bar-chart.ts'
import { type Figure, figureOf, noFigures } from './chart/figure.ts'
import type { Ink } from './chart/ink.ts'
import type { Drawing } from './draw.ts'
import { daySpans, labelOf, type Span } from './spans.ts'

/** More days than these are drawn as a calendar. */
const mostBars = 31

type Activity = Resource<typeof DailyActivity>
type DayRow = NonNullable<Activity['daily']>[number]

/** Bars for each day of an answer, or a calendar if it spans more than a month; no lines if it has no days. */
export function drawActivity(item: Activity, { ink, now, hide }: Drawing): string[] {
  const rows = item.daily ?? []
  if (rows.length === 0) return []
  const days = daySpans(rows, item.period, now)
  const figureIn = (row: DayRow | undefined) => figureOf(row?.views, 'count', ink)
  const isCalendar =
    days && days.length > mostBars && new Set(days.map(({ name }) => name)).size === days.length
  if (isCalendar) {
    const map = drawHeatMap(
      // A service may send zeros for days that have not begun.
      days.map(({ name, state, row }) => {
        const figure = figureIn(row)
        const isAhead = state === 'ahead' && figure.amount === 0
        return { at: Date.parse(name), figure: isAhead ? figureIn(undefined) : figure }
      }),
      ink,
    )
    return [...map, ...wordsOn(days)]
  }
  const labels = days
    ? days.map(day => `${weekdayName(Date.parse(day.name))} ${labelOf(day)}`)
    : rows.map(({ day }) => human(day, 'text', hide))
  const figures = (days?.map(({ row }) => row) ?? rows).map(figureIn)
  const chart = {
    before: [{ header: 'DAY', cells: labels }],
    bars: [{ header: 'VIEWS', kind: 'count' as const, isDrawn: true, figures }],
    after: [],
    isRunning: (row: number) => days?.[row]?.state === 'running',
  }
  return drawBarChart(chart, ink)
}

/** The views in all, the day with the most, and whether a day is not over. */
function wordsOn(days: readonly Span<DayRow>[]): string[] {
  const views = days.map(({ name, row }) => ({ name, count: row?.views ?? 0 }))
  const busiest = views.reduce((most, day) => (day.count > most.count ? day : most), { name: '', count: 0 })
  const sum = views.reduce((total, { count }) => total + count, 0)
  const running = days.find(({ state }) => state === 'running')
  return [
    busiest.count > 0
      ? `${human(sum, 'count')} views in all, the most on ${busiest.name}: ${human(busiest.count, 'count')}`
      : 'no views',
    ...(running ? [`${running.name} is not over`] : []),
  ]
}

/** The figure of a day, which is given by its first millisecond in UTC. */
interface Day {
  readonly at: number
  readonly figure: Figure
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** The width of a weekday and the blank after it. */
const margin = 4
/** What is between the parts of the legend. */
const between = '   '
/** The most weeks beside each other: a year. */
const mostWeeks = 53

/** From 0 for Monday to 6 for Sunday. */
const weekdayOf = (at: number): number => (new Date(at).getUTCDay() + 6) % 7
const mondayOf = (at: number): number => at - weekdayOf(at) * dayMilliseconds

const weekdayName = (at: number): string => weekdays[weekdayOf(at)] as string

/**
 * A calendar of days in their order, with a column for each week and a row for each weekday, the months above and what the shades mean below. Days
 * without a figure stay blank. More weeks than fit, or than a year has, begin a new calendar below.
 */
export function drawHeatMap(days: readonly Day[], ink: Ink): string[] {
  const instants = days.map(({ at }) => at)
  const first = mondayOf(instants.reduce((a, b) => Math.min(a, b)))
  const last = mondayOf(instants.reduce((a, b) => Math.max(a, b)))
  const weeks: number[] = []
  for (let week = first; week <= last; week += 7 * dayMilliseconds) weeks.push(week)

  const room = Math.max(1, ink.width - margin)
  const cells = room >= 2 * Math.min(weeks.length, mostWeeks) ? 2 : 1
  const blocks = Math.ceil(weeks.length / Math.min(mostWeeks, Math.floor(room / cells)))
  const length = Math.ceil(weeks.length / blocks)
  const most = days.reduce((largest, { figure }) => Math.max(largest, figure.amount ?? 0), 0)
  const figures = new Map(days.map(({ at, figure }) => [at, figure]))
  const lines = Array.from({ length: blocks }, (_, block) => {
    const shown = weeks.slice(block * length, (block + 1) * length)
    return [
      ...(block > 0 ? [''] : []),
      ...headingsOf(shown, cells, days).map(line => ink.paint('bold', line)),
      ...weekdays.map((name, row) => {
        const marks = shown.map(week => markOf(figures.get(week + row * dayMilliseconds), most, ink))
        const shades = marks.map(mark => mark.repeat(cells)).join('')
        return `${row % 2 === 0 ? name : '   '} ${ink.paint('cyan', shades.trimEnd())}`
      }),
    ]
  })
  const hasBlanks = days.some(({ figure }) => figure.amount === undefined)
  const legend = legendOf(most, cells, ink)
  const parts = hasBlanks ? [...legend, { mark: '', text: `blank: ${noFigures}` }] : legend
  return [...lines.flat(), '', ...inLines(parts, ink)].map(line => line.trimEnd())
}

function markOf(figure: Figure | undefined, most: number, { glyphs: { shades } }: Ink): string {
  if (figure?.amount === undefined) return ' '
  return shades[shadeOf(figure.amount, most, shades.length - 1)] as string
}

/** 0 for nothing; otherwise from 1 to `count`, by equal parts of the largest figure. */
const shadeOf = (amount: number, most: number, count: number): number =>
  amount === 0 ? 0 : Math.max(1, Math.ceil((amount / most) * count))

/** Where a month begins in a week, its name; and above, its year where that is new. */
function headingsOf(weeks: readonly number[], cells: number, days: readonly Day[]): string[] {
  const [firstDay, lastDay] = [days[0]?.at ?? 0, days.at(-1)?.at ?? 0]
  const width = margin + weeks.length * cells
  const names = Array.from({ length: width + 4 }, () => ' ')
  const years = [...names]
  let [month, year, free] = [-1, -1, 0]
  for (const [index, week] of weeks.entries()) {
    // A week belongs to the month of its last day, and the first week to that of the first day of all.
    const day = new Date(
      index === 0 && week < firstDay ? firstDay : Math.min(lastDay, week + 6 * dayMilliseconds),
    )
    const start = margin + index * cells
    if (day.getUTCMonth() === month || start < free) continue
    month = day.getUTCMonth()
    names.splice(start, 3, ...(months[month] as string))
    free = start + 4
    if (day.getUTCFullYear() === year) continue
    year = day.getUTCFullYear()
    // A year of which only its end is shown has no room for its number.
    years.fill(' ', start - 4, start).splice(start, 4, ...String(year).padStart(4, '0'))
  }
  return [years.join('').trimEnd(), names.join('').trimEnd()]
}

/** What a shade stands for. */
interface Part {
  readonly mark: string
  readonly text: string
}

/** The parts of a legend beside each other, in as many lines as they need. */
function inLines(parts: readonly Part[], { width, paint }: Ink): string[] {
  const lines: string[] = []
  let left = 0
  for (const { mark, text } of parts) {
    const needed = mark.length + 1 + text.length
    const part = mark === '' ? text : `${paint('cyan', mark)} ${text}`
    const isFirst = left < between.length + needed
    lines.push(isFirst ? part : `${lines.pop()}${between}${part}`)
    left = isFirst ? width - needed : left - between.length - needed
  }
  return lines
}

function legendOf(most: number, cells: number, { glyphs: { shades, to } }: Ink): Part[] {
  const count = shades.length - 1
  const ranges = Array.from({ length: count }, (_, index) => {
    const first = Math.floor((most * index) / count) + 1
    const last = index === count - 1 ? most : Math.floor((most * (index + 1)) / count)
    const [low, high] = [human(first, 'count'), human(last, 'count')]
    return first > last ? [] : [{ index: index + 1, text: first === last ? low : `${low}${to}${high}` }]
  })
  return [{ index: 0, text: '0' }, ...ranges.flat()].map(({ index, text }) => ({
    mark: (shades[index] as string).repeat(cells),
    text,
  }))
}
