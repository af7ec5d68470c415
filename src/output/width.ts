import stringWidth from 'string-width'

/** Plain letters, which each take a cell: for them there is no need of Unicode's tables, which take long to load. */
const isPlain = (text: string): boolean => /^[ -~]*$/.test(text)

/** How many cells of a terminal a text takes; wide characters and emoji take two, combining marks none. */
export function widthOf(text: string): number {
  if (isPlain(text)) return text.length
  let width = 0
  for (const part of partsOf(text)) width += stringWidth(part)
  return width
}

let segmenter: Intl.Segmenter | undefined

/** Node goes through the characters of a text in time in the square of its length, so that it is given parts of it. */
const partLength = 256

/** A text in parts that end where a character does, unless one is longer than a part: none that can be seen is. */
function* partsOf(text: string): Generator<string> {
  let start = 0
  while (text.length - start > partLength) {
    segmenter ??= new Intl.Segmenter()
    const part = text.slice(start, start + partLength)
    // The last character may go on in what follows.
    const end = segmenter.segment(part).containing(partLength - 1)?.index || partLength
    yield part.slice(0, end)
    start += end
  }
  yield text.slice(start)
}

/** The characters of a text as a person counts them. */
function* charactersOf(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter()
  for (const part of partsOf(text)) for (const { segment } of segmenter.segment(part)) yield segment
}

/** Text cut to a width in terminal cells; what was cut shows as "…". */
export function shorten(text: string, width: number): string {
  if (text.length <= width / 2 || widthOf(text) <= width) return text
  if (isPlain(text)) return `${text.slice(0, Math.max(0, width - 1))}…`
  return `${fitting(charactersOf(text), width - 1).join('')}…`
}

/** The same, cut at its beginning. */
export function shortenStart(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  if (isPlain(text)) return `…${text.slice(text.length - Math.max(0, width - 1))}`
  return `…${fitting([...charactersOf(text)].reverse(), width - 1)
    .reverse()
    .join('')}`
}

/** As many of the parts, the first ones first, as fit into a width. */
function fitting(parts: Iterable<string>, width: number): string[] {
  const fit: string[] = []
  let left = width
  for (const part of parts) {
    left -= widthOf(part)
    if (left < 0) break
    fit.push(part)
  }
  return fit
}

/** Text filled with blanks to a width in terminal cells. */
export const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)))

/** The largest of a number that each element has, or 0. A list may be longer than a call takes arguments. */
export const largestOf = <T>(list: readonly T[], numberOf: (element: T) => number): number =>
  list.reduce((largest, element) => Math.max(largest, numberOf(element)), 0)
