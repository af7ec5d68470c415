/** Deeper than anything sensible; whoever goes through such a value would run out of stack. */
const deepest = 1000

/**
 * Parses JSON. An integer that a JavaScript number would round becomes a bigint, so that it can be shown as it came.
 * Throws what JSON.parse throws, and a RangeError for a value that is nested without end.
 */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return hasRounded(value, deepest) ? parseWithBigIntegers(text) : value
}

/** Whether there is an integer among the numbers that may have been rounded. Throws for a value without a bottom. */
function hasRounded(value: unknown, room: number): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  if (typeof value !== 'object' || value === null) return false
  if (room < 0) throw new RangeError('nested too deeply')
  let isFound = false
  if (Array.isArray(value)) {
    for (const each of value) if (hasRounded(each, room - 1)) isFound = true
  } else {
    // What JSON.parse made has no names but its own, and to list its values first would take longer than to look at them.
    for (const name in value)
      if (hasRounded((value as Record<string, unknown>)[name], room - 1)) isFound = true
  }
  return isFound
}

function parseWithBigIntegers(text: string): unknown {
  // Random, so that no text of the service can pass for one of these marks.
  const mark = `big:${crypto.randomUUID()}:`
  const marked = text.replace(/"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|-?\d[\d.eE+-]*/g, token =>
    /^-?[1-9]\d{15,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${mark}${token}"` : token,
  )
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  )
}
