/**
 * What a spreadsheet may run as a formula: a sign, also a full-width one, after any blanks and quotes, or a tab or carriage
 * return after any apostrophes (CSV injection, CWE-1236).
 */
const formula = /^[\s"']*[=+\-@\uff1d\uff0b\uff0d\uff20]|^'*[\t\r]/

/** The text of a cell that no spreadsheet runs as a formula: an apostrophe before it marks it as text. */
export const escapeFormula = (text: string): string => (formula.test(text) ? `'${text}` : text)

/** The text of a cell without the apostrophe that `escapeFormula` added. */
export const unescapeFormula = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
