/** The longest message, or cell of a table, that is told of what others say, in UTF-16 code units. */
const longestForeign = 4096

/**
 * Text of at most so many code units; what was cut shows as "…". A word of ASCII that would be cut is left out, since
 * half a key could not be told from any other word when secrets are hidden later on.
 */
export function cutText(text: string, most = longestForeign): string {
  if (text.length <= most) return text
  let end = most
  while (end > 0 && isInWord(text.charCodeAt(end - 1))) end--
  return `${text.slice(0, end)}…`
}

/** Printable ASCII but the blank; or the first half of a character, which must not stand alone. */
const isInWord = (code: number): boolean => (code > 0x20 && code < 0x7f) || (code >= 0xd800 && code <= 0xdbff)
