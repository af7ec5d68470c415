import type { ScaleLinear } from 'd3-scale'
import { type Html, html } from '../html.ts'
import { round } from './frame.ts'

/** A number for an axis or a bar: 950, 1,200, 45K. */
export const short = (value: number): string =>
  value >= 10_000
    ? value.toLocaleString('en', { notation: 'compact', maximumFractionDigits: 1 })
    : value.toLocaleString('en', { maximumFractionDigits: 1 })

/** How the ticks of an axis are written: all in full, or all shortened. */
export const tickLabel = (ticks: readonly number[]): ((tick: number) => string) => {
  const isLarge = ticks.some(tick => tick >= 10_000)
  return tick => (isLarge ? tick.toLocaleString('en', { notation: 'compact' }) : short(tick))
}

/** Whole numbers for the ticks of a count, about so many. */
export const countTicks = (scale: ScaleLinear<number, number>, about: number): number[] =>
  scale.ticks(about).filter(Number.isInteger)

/** How much room labels need, in units of the chart. */
export const roomFor = (labels: readonly string[]): number =>
  Math.max(0, ...labels.map(label => label.length)) * 7.5 + 10

/** A vertical axis with lines across the chart. */
export const leftAxis = (
  y: ScaleLinear<number, number>,
  {
    left,
    right,
    ticks,
    label,
  }: { left: number; right: number; ticks: readonly number[]; label: (tick: number) => string },
): Html =>
  html`${ticks.map(
    tick =>
      html`<line class="${tick === 0 ? 'base' : 'grid'}" x1="${round(left)}" x2="${round(right)}" y1="${round(y(tick))}" y2="${round(y(tick))}"></line><text class="tick end" x="${round(left - 8)}" y="${round(y(tick) + 4)}">${label(tick)}</text>`,
  )}`
