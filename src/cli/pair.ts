import { UsageFailure } from '../system/errors.ts'
import { hasRounded } from '../system/exact-json.ts'

/**
 * A pair as a user writes it: `key=value` is text, so that an ISBN stays one; `key:=value` is JSON, such as a number or
 * a boolean. Throws UsageFailure for anything else.
 */
export function parsePair(text: string): [key: string, value: unknown] {
  const at = text.indexOf('=')
  const isJson = text[at - 1] === ':'
  const key = text.slice(0, isJson ? at - 1 : Math.max(at, 0)).trim()
  const value = text.slice(at + 1)
  if (key === '') {
    throw new UsageFailure(`"${text}" is not of the form key=value`, {
      hint: 'Write key=value for text, or key:=value for a number, true, false or other JSON.',
    })
  }
  return [key, isJson ? parseJson(value) : value]
}

/** The pair as text that `parsePair` reads back to the same. */
export const pairText = (key: string, value: unknown): string =>
  typeof value === 'string' && !key.endsWith(':') ? `${key}=${value}` : `${key}:=${JSON.stringify(value)}`

function parseJson(text: string): unknown {
  let value: unknown
  let isExact: boolean
  try {
    value = JSON.parse(text)
    isExact = !hasRounded(value)
  } catch {
    throw new UsageFailure(`"${text}" is not JSON`, {
      hint: 'Write key=value for text, and key:=value for a number, true, false or other JSON.',
    })
  }
  if (!isExact) {
    throw new UsageFailure(`"${text}" has a number that is too large to be sent exactly`, {
      hint: 'Write key=value to send it as text.',
    })
  }
  return value
}

/** An object without a prototype, so that a pair may have any name. */
export const noPairs = (): Record<string, unknown> => Object.create(null)

/**
 * Adds a pair to those that were there before, and gives these back; to copy them each time would take the square of their
 * number. A repeated key is an error, because one of its values would be lost.
 */
export function withPair(
  pairs: Record<string, unknown> | undefined,
  [key, value]: readonly [string, unknown],
): Record<string, unknown> {
  const all = pairs ?? noPairs()
  if (key in all) {
    throw new UsageFailure(`"${key}" is given twice`, {
      hint: `Give it once; several values are a list: ${key}:=["one","two"].`,
    })
  }
  all[key] = value
  return all
}
