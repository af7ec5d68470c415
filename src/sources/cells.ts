// What a catalogue's cells hold, written and read back to the same.

/** What a spreadsheet may run as a formula, behind any apostrophes that say that it is text. */
const formula = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

/** A cell that no spreadsheet runs as a formula: an apostrophe before it says that it is text. */
export const defused = (text: string): string => (formula.test(text) ? `'${text}` : text)

/** The text of a cell without the apostrophe that says that it is text. */
export const fused = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell

/** Several values in one cell, with semicolons between; a semicolon within a value has a backslash before it. */
export const listCell = (values: readonly string[] | undefined): string | undefined =>
  values?.map(value => value.replace(/[\\;]/g, '\\$&')).join('; ') || undefined

/** The values of such a cell. A backslash stands for itself unless a semicolon or another one follows. */
export const listOf = (cell: string): string[] =>
  (cell.match(/(?:\\[\\;]|[^;])+/g) ?? [])
    .map(each => each.trim().replace(/\\([\\;])/g, '$1'))
    .filter(each => each !== '')
