import { scaleLinear } from 'd3-scale'
import { type Html, html } from '../html.ts'
import { type ChartText, chart, round } from './frame.ts'
import type { MonthPoint } from './month-bars.ts'
import { monthStart } from './month-label.ts'

const [width, height, margin] = [120, 32, 4]

/** A small line of months, from zero to its highest. It is broken where a month has no number; a hollow dot is the running one. */
export function trendLine(text: ChartText, points: readonly MonthPoint[], running: string | null): Html {
  const dated = points.map(({ month, value }) => ({ month, date: monthStart(month), value }))
  const [first, last] = [dated[0]?.date ?? new Date(0), dated.at(-1)?.date ?? new Date(0)]
  const x = scaleLinear([first, last], [margin, width - margin])
  const most = Math.max(1, ...points.map(({ value }) => value ?? 0))
  const y = scaleLinear([0, most], [height - margin, margin])
  const atX = ({ date }: { date: Date }) => round(x(date))
  const atY = ({ value }: { value: number | null }) => round(y(value ?? 0))
  const base = round(y(0))
  const runs = runsOf(dated).map(run => ({
    top: run.map(point => `${atX(point)},${atY(point)}`).join('L'),
    bottom: run
      .map(point => `${atX(point)},${base}`)
      .reverse()
      .join('L'),
  }))
  const path = runs.map(({ top }) => (top.includes('L') ? `M${top}` : `M${top}Z`)).join('')
  const shade = runs.map(({ top, bottom }) => `M${top}L${bottom}Z`).join('')
  const dots = dated.filter(({ value }, at) => {
    const isAlone = dated[at - 1]?.value == null && dated[at + 1]?.value == null
    return value !== null && (isAlone || at === dated.length - 1)
  })
  return chart(
    text,
    { width, height, kind: 'spark' },
    html`<line class="base" x1="${margin}" x2="${width - margin}" y1="${height - margin}" y2="${height - margin}"></line>${
      path !== '' && html`<path class="shade" d="${shade}"></path><path class="trend" d="${path}"></path>`
    }${dots.map(
      dot =>
        html`<circle class="${dot.month === running ? 'dot hollow' : 'dot'}" cx="${atX(dot)}" cy="${atY(dot)}" r="2.5"></circle>`,
    )}`,
  )
}

/** The points with a number that follow one another. */
function runsOf<T extends { value: number | null }>(points: readonly T[]): T[][] {
  const runs: T[][] = [[]]
  for (const point of points) {
    if (point.value === null) runs.push([])
    else runs.at(-1)?.push(point)
  }
  return runs.filter(run => run.length > 0)
}
