/** How many bytes of data one answer has at most. */
const most = 32_768

/**
 * The beginning of a text that fits into a number of bytes, and the rest: cut after a line if there is an end of one,
 * else between two characters.
 */
export function cutPage(text: string): { page: string; rest: string } {
  // No character has more bytes than this has for each code unit.
  if (text.length * 3 <= most) return { page: text, rest: '' }
  const bytes = Buffer.from(text.slice(0, most))
  if (bytes.length <= most && text.length <= most) return { page: text, rest: '' }
  let end = Math.min(bytes.length, most)
  const line = bytes.lastIndexOf(10, end - 1)
  if (line > 0) end = line + 1
  else while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  const page = bytes.subarray(0, end).toString()
  return { page, rest: text.slice(page.length) }
}
