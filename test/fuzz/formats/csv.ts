import type { Random } from '../random.ts'
import { bytes } from './bytes.ts'
import { bytesOf, type Format, textOf, without } from './format.ts'
import { oddTexts } from './odd-values.ts'

/** Rows of cells; how they were quoted is lost. */
function rowsOf(input: Buffer): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of textOf(input).matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\n') rows.push([])
    if (end === '') break
  }
  return rows
}

const written = (rows: readonly (readonly string[])[], delimiter = ',', end = '\n'): Buffer =>
  bytesOf(
    rows
      .map(cells =>
        cells
          .map(cell => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
          .join(delimiter),
      )
      .join(end),
  )

type Change = (rows: string[][], random: Random, other: readonly (readonly string[])[]) => void

const odd = (random: Random): string => textOf(Buffer.from(random.pick(oddTexts)))
const cellOf = (rows: string[][], random: Random): [row: string[], at: number] => {
  const row = random.pick(rows)
  return [row, random.below(row.length)]
}

const changes: readonly Change[] = [
  (rows, random) => {
    const [row, at] = cellOf(rows, random)
    row[at] = odd(random)
  },
  (rows, random) => {
    const [row, at] = cellOf(rows, random)
    row[at] += odd(random)
  },
  (rows, random, other) => {
    const [row, at] = cellOf(rows, random)
    row[at] = random.pick(random.pick(other)) ?? ''
  },
  (rows, random) => {
    const [row, at] = cellOf(rows, random)
    row.splice(at, random.below(2), ...(random.once(2) ? [] : [odd(random)]))
  },
  (rows, random) => {
    const at = random.below(Math.max(...rows.map(({ length }) => length)))
    for (const [index, row] of rows.entries()) row.splice(at, 0, index === 0 ? odd(random) : (row[at] ?? ''))
  },
  (rows, random) => {
    const at = random.below(Math.max(...rows.map(({ length }) => length)))
    for (const row of rows) row.splice(at, 1)
  },
  (rows, random) => void rows.splice(random.below(rows.length), 1),
  (rows, random) => {
    const times = random.once(4) ? random.below(400) : 1
    const row = random.pick(rows)
    rows.splice(random.below(rows.length), 0, ...Array.from({ length: times }, () => [...row]))
  },
  (rows, random, other) => void rows.splice(random.below(rows.length), 0, [...random.pick(other)]),
  rows => void rows.reverse(),
]

/** Sheets: cells, columns and rows are changed, left out, repeated and taken from others, with other delimiters. */
export const csv: Format = {
  mutate(input, random, other) {
    if (random.once(10)) return bytes.mutate(input, random, other)
    const rows = rowsOf(input)
    random.pick(changes)(rows, random, rowsOf(other))
    const delimiter = random.once(8) ? random.pick([';', '\t', '|']) : ','
    return written(rows, delimiter, random.once(8) ? random.pick(['\r\n', '\r']) : '\n')
  },
  *smaller(input) {
    const rows = rowsOf(input)
    for (const rest of without(rows)) yield written(rest)
    const columns = Math.max(...rows.map(({ length }) => length))
    for (let column = 0; column < columns; column++)
      yield written(rows.map(row => row.filter((_, index) => index !== column)))
    for (const [at, row] of rows.entries())
      for (const rest of without(row)) yield written(rows.with(at, rest))
    if (input.length < 2000) yield* bytes.smaller(input)
  },
}
