import { scaleLinear } from 'd3-scale'
import { type Html, html } from '../html.ts'
import { countTicks, leftAxis, tickLabel } from './axis.ts'
import { type ChartText, chart, round } from './frame.ts'

interface ScatterPoint {
  readonly name: string
  /** What stands in the dot. */
  readonly label: string
  readonly x: number
  /** A part of 1. */
  readonly y: number
}

interface Drawing {
  readonly width: number
  readonly height: number
  readonly xLabel: string
  readonly yLabel: string
}

const [top, bottom, left] = [28, 46, 52]
/** Dots with a number in them would cover one another if there were more. */
const mostNumbered = 60

/** Dots by a count and by a part of a whole. Both axes begin at zero. */
export function scatter(text: ChartText, points: readonly ScatterPoint[], drawing: Drawing): Html {
  const { width, height, xLabel, yLabel } = drawing
  const isNumbered = points.length <= mostNumbered
  const radius = isNumbered ? 10 : 4
  const right = width - 16
  const x = scaleLinear([0, Math.max(1, ...points.map(point => point.x))], [left, right]).nice(6)
  const y = scaleLinear([0, 1], [height - bottom, top])
  const ticks = countTicks(x, Math.max(2, Math.round(width / 120)))
  const label = tickLabel(ticks)
  const parts = [0, 0.25, 0.5, 0.75, 1]
  // The first titles matter most, so they are drawn last, above the others.
  const dots = [...points].reverse().map(point => {
    const [cx, cy] = [round(x(point.x)), round(y(point.y))]
    return html`<g><title>${point.name}</title><circle class="mark point" cx="${cx}" cy="${cy}" r="${radius}"></circle>${isNumbered && html`<text class="number-in" x="${cx}" y="${round(cy + 4)}">${point.label}</text>`}</g>`
  })
  return chart(
    text,
    { width, height },
    html`<text class="tick start" x="0" y="12">${yLabel}</text>${leftAxis(y, { left, right, ticks: parts, label: part => `${Math.round(part * 100)} %` })}${ticks.map(
      tick =>
        html`<line class="${tick === 0 ? 'base' : 'grid'}" x1="${round(x(tick))}" x2="${round(x(tick))}" y1="${top}" y2="${height - bottom}"></line><text class="tick" x="${round(x(tick))}" y="${height - bottom + 18}">${label(tick)}</text>`,
    )}<text class="tick end" x="${right}" y="${height - 8}">${xLabel}</text>${dots}`,
  )
}
