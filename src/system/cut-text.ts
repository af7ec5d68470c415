/** The longest message or table cell with text from outside, in UTF-16 code units. */
const defaultMax = 4096

/**
 * Cuts a text to a number of code units and marks the cut with "…". An ASCII word is never cut in the middle, because part
 * of a key would no longer be recognised when secrets are hidden.
 */
export function cutText(text: string, max = defaultMax): string {
  if (text.length <= max) return text
  let end = max
  while (end > 0 && isInWord(text.charCodeAt(end - 1))) end--
  return `${text.slice(0, end)}…`
}

/** Printable ASCII except the blank, or the first half of a surrogate pair, which must not be cut either. */
const isInWord = (code: number): boolean => (code > 0x20 && code < 0x7f) || (code >= 0xd800 && code <= 0xdbff)
