import { isDeepStrictEqual } from 'node:util'

/** Where two JSON values differ: the names that lead there from outside in, arrays taken as a whole. */
export function differences(one: unknown, other: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (isDeepStrictEqual(one, other)) return []
  if (!isObject(one) || !isObject(other)) return [at]
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap(name =>
    differences(own(one, name), own(other, name), [...at, name]),
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const own = (object: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined
