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
  segmenter ??= new Intl.Segmenter()
  let kept = ''
  let used = 0
  for (const { segment } of segmenter.segment(text)) {
    used += widthOf(segment)
    if (used > width - 1) break
    kept += segment
  }
  return `${kept}…`
}

/** Text filled with blanks to a width in terminal cells. */
export const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)))
