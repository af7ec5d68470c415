/** The rows of a page's table, by what a screen reader calls it: the texts of their cells. */
export function tableNamed(page: string, name: string): string[][] {
  const start = page.indexOf(`aria-label="${name}"`)
  if (start < 0) throw new Error(`no table is named ${name}`)
  const [, body = ''] = /<tbody>([\s\S]*?)<\/tbody>/.exec(page.slice(start)) ?? []
  return body
    .split('</tr>')
    .slice(0, -1)
    .map(row => [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = '']) => textOf(cell)))
}

/** The text of a cell, without that of drawings. */
const textOf = (cell: string): string =>
  cell
    .replace(/<svg[\s\S]*?<\/svg>/g, '')
    .replace(/<[^>]*>/g, '')
    .trim()

/** The number in a cell; null for a dash, which stands for none. */
export const numberIn = (cell: string | undefined): number | null =>
  cell === undefined || cell === '–' || cell === '' ? null : Number(cell.replaceAll(',', ''))

export const sumOf = (numbers: readonly (number | null)[]): number =>
  numbers.reduce((sum: number, each) => sum + (each ?? 0), 0)
