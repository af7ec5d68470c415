import { human } from './cell.ts'
import { pick } from './fields.ts'
import type { Writer } from './writer.ts'

/** A list of counts inside an item, to be drawn as bars: where it is, and which of its fields are label and value. */
export interface Series {
  readonly rows: string
  readonly label: string
  readonly value: string
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
    const value = pick(row, series.value.split('.'))
    return {
      label: human(pick(row, series.label.split('.'))),
      text: human(value, 'count'),
      value: Number(value) || 0,
    }
  })
  const most = Math.max(1, ...lines.map(({ value }) => value))
  const labels = Math.max(...lines.map(({ label }) => label.length))
  const numbers = Math.max(...lines.map(({ text }) => text.length))
  const room = Math.max(8, Math.min(out.width, 100) - labels - numbers - 5)
  await out.styled(
    `\n${lines
      .map(({ label, text, value }) =>
        `${label.padEnd(labels)}  ${text.padStart(numbers)}  ${out.paint('cyan', bar(Math.max(0, value) / most, room))}`.trimEnd(),
      )
      .join('\n')}\n`,
  )
}
