/**
 * What a spreadsheet may run as a formula: a sign, also a full-width one, after any blanks and quotes, or a tab or carriage
 * return after any apostrophes (CSV injection, CWE-1236).
 */
const formula = /^[\s"']*[=+\-@\uff1d\uff0b\uff0d\uff20]|^'*[\t\r]/

/** A sign after blanks, quotes and what may end a cell or a row; it begins where nothing of these stands before it. */
const later = /(?<![;\s"'])[;\s"']+[=+\-@\uff1d\uff0b\uff0d\uff20]/g

/** Where the last cell of such a text begins; 0 if there is but one. */
const lastCell = (text: string): number =>
  1 + Math.max(...[';', '\n', '\r', '\t'].map(each => text.lastIndexOf(each)))

/**
 * The text of a cell that no spreadsheet runs as a formula: an apostrophe before it marks it as text. Where a semicolon separates
 * cells, as in most of Europe, the quotation marks of others are text, and a semicolon or a line break in them begins another cell.
 */
export function escapeFormula(text: string): string {
  const marked = text.replace(later, found => {
    const at = lastCell(found)
    return at === 0 ? found : `${found.slice(0, at)}'${found.slice(at)}`
  })
  return formula.test(marked) ? `'${marked}` : marked
}

/** The text of a cell without the apostrophes that `escapeFormula` added. */
export function unescapeFormula(cell: string): string {
  const marked = cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
  return marked.replace(later, found => {
    const at = lastCell(found)
    return at > 0 && found[at] === "'" ? found.slice(0, at) + found.slice(at + 1) : found
  })
}
