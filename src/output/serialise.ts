/** A value as JSON; an integer that came too large for a JavaScript number is written digit by digit. */
export function serialise(value: unknown, indent?: number): string {
  try {
    // The other way takes several times as long, and is needed by hardly any value.
    return JSON.stringify(value ?? null, undefined, indent)
  } catch {
    return serialiseWithBigIntegers(value, indent)
  }
}

function serialiseWithBigIntegers(value: unknown, indent: number | undefined): string {
  // Random, so that no text of the service can pass for one of these marks.
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
