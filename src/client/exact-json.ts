/** Deeper than anything sensible; whoever goes through such a value would run out of stack. */
const deepest = 1000

/**
 * Parses JSON. An integer that a JavaScript number would round becomes a bigint, so that it can be shown as it came.
 * Throws what JSON.parse throws, and a RangeError for a value that is nested without end.
 */
export function parseExactly(text: string): unknown {
  const value = /\d{16}/.test(text) ? parseWithBigIntegers(text) : JSON.parse(text)
  if (isDeeperThan(deepest, value)) throw new RangeError('nested too deeply')
  return value
}

function parseWithBigIntegers(text: string): unknown {
  // Random, so that no text of the service can pass for one of these marks.
  const mark = `big:${crypto.randomUUID()}:`
  const marked = text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g, token =>
    /^-?[1-9]\d{15,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${mark}${token}"` : token,
  )
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  )
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function isDeeperThan(most: number, value: unknown): boolean {
  let level = [value].filter(isObject)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true
    level = level.flatMap(each => Object.values(each) as unknown[]).filter(isObject)
  }
  return false
}
