/** A value as JSON. Integers that are too large for a JavaScript number are bigints, and written exactly. */
export function serialise(value: unknown, indent?: number): string {
  try {
    // Throws for bigints, which are rare. Handling them always would take several times as long.
    return JSON.stringify(value ?? null, undefined, indent)
  } catch {
    return serialiseWithBigIntegers(value, indent)
  }
}

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
