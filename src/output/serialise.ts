import { randomUUID } from 'node:crypto'

// Random, so that no text of the service can pass for one of these marks.
const mark = `big:${randomUUID()}:`
const marked = new RegExp(`"${mark}(-?\\d+)"`, 'g')

/** A value as JSON; an integer that came too large for a JavaScript number is written digit by digit. */
export function serialise(value: unknown, indent?: number): string {
  let hasBig = false
  const text = JSON.stringify(
    value ?? null,
    (_, each: unknown) => {
      if (typeof each !== 'bigint') return each
      hasBig = true
      return mark + each
    },
    indent,
  )
  return hasBig ? text.replace(marked, '$1') : text
}
