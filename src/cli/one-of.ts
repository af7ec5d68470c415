import { UsageFailure } from '../system/errors.ts'
import { closest, didYouMean } from './output/did-you-mean.ts'

/** The one of the values that the text is. Throws UsageFailure. */
export function oneOf<V extends string>(values: readonly V[], text: string): V {
  const found = values.find(value => value === text)
  if (found === undefined) throw notOneOf(values, text)
  return found
}

/** The error for a text that is none of the values, with the one that was most likely meant. */
export const notOneOf = (values: readonly string[], text: string): UsageFailure =>
  new UsageFailure(`"${text}" is not one of its values${didYouMean(closest(text, values))}`, {
    hint: `The values are ${values.join(', ')}.`,
  })
