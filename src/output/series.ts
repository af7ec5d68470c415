import { human } from './cell.ts'
import { pick } from './fields.ts'
import { largestOf, pad, shorten, widthOf } from './width.ts'
import type { Writer } from './writer.ts'

/** A list of counts inside an item: a terminal draws it as bars, and a file has a row for each element. */
export interface Series {
  /** The item's field that holds the list. */
  readonly rows: string
  /** The fields of an element that stand beside a bar and give its length. */
  readonly label: string
  readonly value: string
  /** All fields of an element, in the order of a file's columns. */
  readonly fields: readonly string[]
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A bar in eighths of a cell, so that near values can be told apart. */
function bar(part: number, width: number): string {
  const units = Math.round(part * width * 8)
  return '█'.repeat(Math.floor(units / 8)) + eighths[units % 8]
}

/** The series as a line each: label, number and a bar beside it, as long as the terminal has room for. */
export async function printSeries(out: Writer, series: Series, item: unknown): Promise<void> {
  const rows = pick(item, series.rows.split('.'))
  if (!Array.isArray(rows) || rows.length === 0) return
  const lines = rows.map(row => {
    const value = Number(pick(row, series.value.split('.')))
    return {
      label: shorten(human(pick(row, series.label.split('.')), 'text', out.hide), longest),
      text: shorten(human(pick(row, series.value.split('.')), 'count', out.hide), longest),
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

/** The most that a label or a number takes of a line, so that room is left for the bar. */
const longest = 20
