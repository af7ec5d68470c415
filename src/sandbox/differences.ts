import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../system/is-object.ts'

/** The paths at which two JSON values differ, from the outermost name inwards; arrays are compared as one value. */
export function differences(one: unknown, other: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (isDeepStrictEqual(one, other)) return []
  if (!isObject(one) || !isObject(other)) return [at]
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap(name =>
    differences(own(one, name), own(other, name), [...at, name]),
  )
}

const own = (object: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined
