import { scaleBand, scaleLinear } from 'd3-scale'
import { type Html, html } from '../html.ts'
import { countTicks, leftAxis, roomFor, short, tickLabel } from './axis.ts'
import { type ChartText, chart, round } from './frame.ts'
import { monthLabel } from './month-label.ts'

/** A month's number, or null where there is none. */
export interface MonthPoint {
  readonly month: string
  readonly value: number | null
}

interface Drawing {
  readonly width: number
  readonly height: number
  /** The month that is not over. */
  readonly running: string | null
}

const [top, bottom] = [22, 40]

/** Bars of months, from zero. A month without a number is a gap, and the running one is marked. */
export function monthBars(
  text: ChartText,
  points: readonly MonthPoint[],
  { width, height, running }: Drawing,
): Html {
  const most = Math.max(1, ...points.map(({ value }) => value ?? 0))
  const y = scaleLinear([0, most], [height - bottom, top]).nice(4)
  const ticks = countTicks(y, 4)
  const label = tickLabel(ticks)
  const left = roomFor(ticks.map(label))
  const x = scaleBand(
    points.map(({ month }) => month),
    [left, width],
  ).padding(0.2)
  const band = x.bandwidth()
  const hasNumbers = band >= 7 * Math.max(...points.map(({ value }) => short(value ?? 0).length))
  const every = [1, 2, 3, 6, 12, 24].find(step => x.step() * step >= 30) ?? 24
  const isLabelled = (month: string, at: number) =>
    every < 12 ? at % every === 0 : Number(month.slice(0, 4)) % (every / 12) === 0 && month.endsWith('-01')

  const drawn = points.map(({ month, value }, at) => {
    const start = x(month) ?? left
    const middle = round(start + band / 2)
    const isRunning = month === running
    const name = `${monthLabel(month)}${isRunning ? ', so far' : ''}: ${value === null ? 'no figure' : value.toLocaleString('en')}`
    const bar =
      value === null
        ? html`<rect class="gap" x="${round(start)}" y="${top}" width="${round(band)}" height="${height - bottom - top}"><title>${name}</title></rect>`
        : html`<rect class="${isRunning ? 'mark running' : 'mark'}" x="${round(start)}" y="${round(y(value))}" width="${round(band)}" height="${round(y(0) - y(value))}"><title>${name}</title></rect>`
    const number =
      hasNumbers &&
      html`<text class="value" x="${middle}" y="${round(y(value ?? 0) - 6)}">${value === null ? '–' : short(value)}</text>`
    const isFirstOfYear = at === 0 || month.endsWith('-01')
    const monthName =
      isLabelled(month, at) &&
      html`<text class="tick" x="${middle}" y="${height - bottom + 16}">${every < 12 ? monthLabel(month, 'short') : monthLabel(month, 'year')}</text>`
    const year =
      every < 12 &&
      (isFirstOfYear || isRunning) &&
      html`<text class="tick year" x="${middle}" y="${height - bottom + 32}">${isRunning ? 'so far' : monthLabel(month, 'year')}</text>`
    return html`${bar}${number}${monthName}${year}`
  })
  return chart(text, { width, height }, html`${leftAxis(y, { left, right: width, ticks, label })}${drawn}`)
}
