import { scaleQuantize } from 'd3-scale'
import { type Html, html } from '../html.ts'
import { short } from './axis.ts'
import { type ChartText, chart } from './frame.ts'
import { dayLabel, monthLabel } from './month-label.ts'

/** A day's number, or null where there is none. */
export interface DayPoint {
  /** YYYY-MM-DD */
  readonly day: string
  readonly value: number | null
}

const [cell, step, left, top, bottom] = [13, 16, 34, 18, 12]
const levels = [1, 2, 3, 4] as const
const weekdays = ['Mon', '', 'Wed', '', 'Fri', '', 'Sun']

/** Days as squares, a column a week from Monday, the darker the more. A day without a number is an outline. */
export function calendar(text: ChartText, days: readonly DayPoint[], width: number): Html {
  const weeksPerRow = Math.max(1, Math.floor((width - left) / step))
  const offset = days[0] === undefined ? 0 : weekdayOf(days[0].day)
  const rows = Math.ceil((offset + days.length) / 7 / weeksPerRow)
  const rowHeight = top + 7 * step + bottom
  const { level, legend } = levelsOf(days)
  const cellAt = (at: number) => {
    const week = Math.floor((at + offset) / 7)
    return {
      x: left + (week % weeksPerRow) * step,
      row: Math.floor(week / weeksPerRow) * rowHeight,
      weekday: (at + offset) % 7,
    }
  }
  const squares = days.map(({ day, value }, at) => {
    const { x, row, weekday } = cellAt(at)
    const said = value === null ? 'no figure' : value.toLocaleString('en')
    return html`<rect class="${value === null ? 'gap' : `level-${level(value)}`}" x="${x}" y="${row + top + weekday * step}" width="${cell}" height="${cell}" rx="2"><title>${dayLabel(day)}: ${said}</title></rect>`
  })
  const months = days.flatMap(({ day }, at) => {
    const { x, row } = cellAt(at)
    // A month that begins in the last column has no room for its name there.
    if (!day.endsWith('-01') || x > left + (weeksPerRow - 2) * step) return []
    const isNamed = day.endsWith('-01-01') || at === 0
    return [
      html`<text class="tick start" x="${x}" y="${row + 12}">${monthLabel(day.slice(0, 7), 'short')}${isNamed && ` ${day.slice(0, 4)}`}</text>`,
    ]
  })
  const names = Array.from({ length: rows }, (_, row) =>
    weekdays.map(
      (name, at) =>
        name !== '' &&
        html`<text class="tick start" x="0" y="${row * rowHeight + top + at * step + 11}">${name}</text>`,
    ),
  )
  const legendTop = rows * rowHeight
  const entries = [{ level: 0, text: '0' }, ...legend]
  const room = (width - left) / entries.length
  return chart(
    text,
    { width, height: legendTop + 20 },
    html`${names}${months}${squares}${entries.map(
      (entry, at) =>
        html`<rect class="level-${entry.level}" x="${left + Math.floor(at * Math.min(room, 110))}" y="${legendTop + 4}" width="${cell}" height="${cell}" rx="2"></rect><text class="tick start" x="${left + Math.floor(at * Math.min(room, 110)) + step + 2}" y="${legendTop + 15}">${entry.text}</text>`,
    )}`,
  )
}

/** From 0 for Monday. */
const weekdayOf = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7

/** Four levels from 1 to the highest number, and what each stands for. Zero is level 0. */
function levelsOf(days: readonly DayPoint[]) {
  const most = Math.max(0, ...days.map(({ value }) => value ?? 0))
  const scale = scaleQuantize<number>([0.5, Math.max(most, 4) + 0.5], levels)
  const legend = levels.flatMap(level => {
    const [low, high] = scale.invertExtent(level).map(edge => Math.ceil(edge)) as [number, number]
    if (low > most) return []
    const last = Math.min(high - 1, most)
    return [{ level, text: low >= last ? short(low) : `${short(low)}–${short(last)}` }]
  })
  return { level: (value: number) => (value <= 0 ? 0 : scale(value)), legend }
}
