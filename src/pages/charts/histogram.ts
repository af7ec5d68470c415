import { scaleLinear } from 'd3-scale'
import { type Html, html } from '../html.ts'
import { leftAxis, roomFor, short, tickLabel } from './axis.ts'
import { type ChartText, chart, round } from './frame.ts'

/** How many there are between two parts of 1. */
interface Group {
  readonly from: number
  readonly to: number
  readonly count: number
}

interface Drawing {
  readonly width: number
  readonly height: number
  readonly xLabel: string
  readonly yLabel: string
}

const [top, bottom] = [44, 46]
const tenths = Array.from({ length: 11 }, (_, at) => at / 10)

/** Bars of groups whose areas are their counts, so that a wide group does not look larger than it is. */
export function histogram(text: ChartText, groups: readonly Group[], drawing: Drawing): Html {
  const { width, height, xLabel, yLabel } = drawing
  const perTenth = ({ from, to, count }: Group) => count / ((to - from) * 10)
  const y = scaleLinear([0, Math.max(1, ...groups.map(perTenth))], [height - bottom, top]).nice(4)
  const ticks = y.ticks(4)
  const label = tickLabel(ticks)
  const left = roomFor(ticks.map(label))
  const x = scaleLinear([0, 1], [left, width - 18])
  const right = x(1)
  const bars = groups.map(group => {
    const [start, end, height] = [x(group.from), x(group.to), perTenth(group)]
    return html`<rect class="mark" x="${round(start + 1)}" y="${round(y(height))}" width="${round(end - start - 2)}" height="${round(y(0) - y(height))}"><title>${percent(group.from)} to ${percent(group.to)}: ${group.count.toLocaleString('en')}</title></rect><text class="value" x="${round((start + end) / 2)}" y="${round(y(height) - 6)}">${short(group.count)}</text>`
  })
  return chart(
    text,
    { width, height },
    html`<text class="tick start" x="0" y="12">${yLabel}</text>${leftAxis(y, { left, right, ticks, label })}${bars}${tenths.map(
      (tenth, at) =>
        (width > 500 || at % 2 === 0) &&
        html`<text class="tick" x="${round(x(tenth))}" y="${height - bottom + 18}">${percent(tenth)}</text>`,
    )}<text class="tick end" x="${round(right)}" y="${height - 8}">${xLabel}</text>`,
  )
}

const percent = (part: number): string => `${Math.round(part * 100)} %`
