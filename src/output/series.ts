import { human } from './cell.ts'
import { pick } from './fields.ts'
import { largestOf, pad, shorten, widthOf } from './width.ts'
import type { Writer } from './writer.ts'

/** A list of counts in an item. A terminal shows it as a bar chart, and CSV has a row for each element. */
export interface Series {
  /** The field of the item that holds the list. */
  readonly rows: string
  /** The fields of an element that are the label and the length of its bar. */
  readonly label: string
  readonly value: string
  /** All fields of an element, in the order of the CSV columns. */
  readonly fields: readonly string[]
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A bar in steps of an eighth of a terminal cell, so that similar values can be distinguished. */
function bar(part: number, width: number): string {
  const units = Math.round(part * width * 8)
  return '█'.repeat(Math.floor(units / 8)) + eighths[units % 8]
}

/** Prints a line for each element of the series: label, number and bar. */
export async function printSeries(out: Writer, series: Series, item: unknown): Promise<void> {
  const rows = pick(item, series.rows.split('.'))
  if (!Array.isArray(rows) || rows.length === 0) return
  const lines = rows.map(row => {
    const value = Number(pick(row, series.value.split('.')))
    return {
      label: shorten(human(pick(row, series.label.split('.')), 'text', out.hide), maxLabelWidth),
      text: shorten(human(pick(row, series.value.split('.')), 'count', out.hide), maxLabelWidth),
      value: Number.isFinite(value) ? Math.max(0, value) : 0,
    }
  })
  const most = Math.max(
    1,
    largestOf(lines, ({ value }) => value),
  )
  const labels = largestOf(lines, ({ label }) => widthOf(label))
  const numbers = largestOf(lines, ({ text }) => widthOf(text))
  const room = Math.max(0, Math.min(out.width, 100) - labels - numbers - 4)
  await out.styled(
    `\n${lines
      .map(({ label, text, value }) => {
        const line = `${pad(label, labels)}  ${' '.repeat(numbers - widthOf(text))}${text}`
        return `${line}  ${out.paint('cyan', bar(value / most, room))}`.trimEnd()
      })
      .join('\n')}\n`,
  )
}

/** The maximum width of a label or a number, so that there is room for the bar. */
const maxLabelWidth = 20
