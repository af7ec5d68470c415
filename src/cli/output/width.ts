import stringWidth from 'string-width'

/** Printable ASCII takes one cell for each character, and needs no Unicode tables, which are slow to load. */
const isAscii = (text: string): boolean => /^[ -~]*$/.test(text)

/** So do the letters of Latin, and what is typed with them, such as the "…" of a text that was cut. */
const isLatin = (text: string): boolean => /^[ -~\u00a1-\u00ac\u00ae-\u02ff‐-―‘-‟…]*$/.test(text)

/** The widths of the last texts that had to be measured: a table asks for the same ones several times. */
const measured = new Map<string, number>()

/** The width of a text in terminal cells: wide characters and emoji take two, combining marks none. */
export function widthOf(text: string): number {
  if (isLatin(text)) return text.length
  const known = measured.get(text)
  if (known !== undefined) return known
  let width = 0
  for (const part of partsOf(text)) width += stringWidth(part)
  if (measured.size >= 1000) measured.clear()
  if (text.length <= partLength) measured.set(text, width)
  return width
}

let segmenter: Intl.Segmenter | undefined

/** Intl.Segmenter takes time in the square of the length of a text, so it gets a text in parts. */
const partLength = 256

/** Splits a text between characters into parts. A character longer than a part is split; no visible one is that long. */
function* partsOf(text: string): Generator<string> {
  let start = 0
  while (text.length - start > partLength) {
    segmenter ??= new Intl.Segmenter()
    const part = text.slice(start, start + partLength)
    // The last character of a part may be incomplete.
    const end = segmenter.segment(part).containing(partLength - 1)?.index || partLength
    yield part.slice(0, end)
    start += end
  }
  yield text.slice(start)
}

/** The grapheme clusters of a text: what people call characters. */
function* charactersOf(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter()
  for (const part of partsOf(text)) for (const { segment } of segmenter.segment(part)) yield segment
}

/** Cuts the end of a text to a width in terminal cells, and marks the cut with `mark`, in which each character takes one. */
export function shorten(text: string, width: number, mark = '…'): string {
  if (text.length <= width / 2 || widthOf(text) <= width) return text
  const left = width - mark.length
  if (isAscii(text)) return `${text.slice(0, Math.max(0, left))}${mark}`
  return `${fitting(charactersOf(text), left).join('')}${mark}`
}

/** Cuts the beginning of a text to a width in terminal cells, and marks the cut with "…". */
export function shortenStart(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  if (isAscii(text)) return `…${text.slice(text.length - Math.max(0, width - 1))}`
  return `…${fitting([...charactersOf(text)].reverse(), width - 1)
    .reverse()
    .join('')}`
}

/** The first parts that fit into a width. */
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

/** Pads a text with blanks to a width in terminal cells. */
export const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)))

/** The same with the blanks before the text. */
export const padStart = (text: string, width: number): string =>
  ' '.repeat(Math.max(0, width - widthOf(text))) + text

/** The largest number of all elements, or 0. Math.max cannot take as many arguments as a list may have. */
export const largestOf = <T>(list: readonly T[], numberOf: (element: T) => number): number =>
  list.reduce((largest, element) => Math.max(largest, numberOf(element)), 0)
