import { replaceTokens } from './json-tokens.ts'

// JSON whose integers stay exact: those that a JavaScript number would round are bigints.

/** The deepest nesting that is accepted; recursion through deeper values could exceed the stack. */
const deepest = 1000

/**
 * Parses JSON. An integer that a JavaScript number would round becomes a bigint, so that it can be shown as it came.
 * Throws what JSON.parse throws, and a RangeError for a value that is nested without end.
 */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return hasRounded(value) ? parseWithBigIntegers(text) : value
}

/** Whether the value contains a number that may have been rounded, or is infinite. Throws for too deep nesting. */
export function hasRounded(value: unknown, room = deepest): boolean {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER
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
  const marked = replaceTokens(text, token =>
    /^-?[1-9]\d{15,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${mark}${token}"` : token,
  )
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  )
}

/** A value as JSON. Integers that are too large for a JavaScript number are bigints, and written exactly. */
export function serialise(value: unknown, indent?: number): string {
  try {
    // Throws for bigints, which are rare. Handling them always would take several times as long.
    return JSON.stringify(value ?? null, undefined, indent)
  } catch {
    return serialiseWithBigIntegers(value, indent)
  }
}

/** A value as text: a text is itself, and everything else is JSON, as no object is by `String`. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : serialise(value))

function serialiseWithBigIntegers(value: unknown, indent: number | undefined): string {
  // Random, so that no string of the service can look like a mark.
  let mark = ''
  const text = JSON.stringify(
    value ?? null,
    (_, each: unknown) => {
      if (typeof each !== 'bigint') return each
      mark ||= `big:${crypto.randomUUID()}:`
      return mark + each
    },
    indent,
  )
  return mark === '' ? text : text.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1')
}
