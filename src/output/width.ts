import stringWidth from 'string-width'

/** Plain letters, which each take a cell: for them there is no need of Unicode's tables, which take long to load. */
const isPlain = (text: string): boolean => /^[ -~]*$/.test(text)

/** How many cells of a terminal a text takes; wide characters and emoji take two, combining marks none. */
export const widthOf = (text: string): number => (isPlain(text) ? text.length : stringWidth(text))

let segmenter: Intl.Segmenter | undefined

/** Text cut to a width in terminal cells; what was cut shows as "…". */
export function shorten(text: string, width: number): string {
  if (text.length <= width / 2 || widthOf(text) <= width) return text
  if (isPlain(text)) return `${text.slice(0, Math.max(0, width - 1))}…`
  return `${fitting(segmentsOf(text), width - 1).join('')}…`
}

/** The same, cut at its beginning. */
export function shortenStart(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  if (isPlain(text)) return `…${text.slice(text.length - Math.max(0, width - 1))}`
  return `…${fitting(segmentsOf(text).reverse(), width - 1)
    .reverse()
    .join('')}`
}

function segmentsOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter()
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** As many of the parts, the first ones first, as fit into a width. */
function fitting(parts: readonly string[], width: number): string[] {
  let left = width
  const end = parts.findIndex(part => {
    left -= widthOf(part)
    return left < 0
  })
  return end === -1 ? [...parts] : parts.slice(0, end)
}

/** Text filled with blanks to a width in terminal cells. */
export const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)))

/** The largest of a number that each element has, or 0. A list may be longer than a call takes arguments. */
export const largestOf = <T>(list: readonly T[], numberOf: (element: T) => number): number =>
  list.reduce((largest, element) => Math.max(largest, numberOf(element)), 0)
