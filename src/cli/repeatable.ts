import { Option } from '@commander-js/extra-typings'
import { UsageFailure } from '../system/errors.ts'
import { oneOf } from './one-of.ts'
import { parsePair, withPair } from './pair.ts'

const repeatable = new WeakSet<object>()

function mayRepeat<O extends object>(option: O): O {
  repeatable.add(option)
  return option
}

/** Adds values to those that were given before: to copy these each time would take the square of their number. */
function withValues<T>(earlier: T[] = [], values: readonly T[]): T[] {
  for (const value of values) earlier.push(value)
  return earlier
}

/** Whether an option may be given several times. */
export const isRepeatable = (option: object): boolean => repeatable.has(option)

/** An option that may be given several times. Unlike a variadic option, it does not take the arguments after it. */
export const repeated = <F extends string>(flags: F, description: string) =>
  mayRepeat(
    new Option(flags, description).argParser((value: string, earlier: string[] | undefined): string[] =>
      withValues(earlier, [value]),
    ),
  )

/** A repeatable option whose values are from a fixed set and may also be separated by commas. */
export const repeatedChoice = <F extends string, const V extends string>(
  flags: F,
  description: string,
  values: readonly V[],
) => {
  const option = new Option(flags, description).argParser((value: string, earlier: V[] | undefined): V[] =>
    withValues(
      earlier,
      value.split(',').map(each => oneOf(values, each)),
    ),
  )
  option.argChoices = [...values]
  return mayRepeat(option)
}

/** A repeatable option of `key=value` and `key:=json` pairs, which become one object. */
export const pairs = <F extends string>(flags: F, description: string) =>
  mayRepeat(
    new Option(flags, description).argParser(
      (value: string, earlier: Record<string, unknown> | undefined): Record<string, unknown> =>
        withPair(earlier, parsePair(value)),
    ),
  )

export type Parameter = readonly [name: string, value: string]

/** A repeatable option of `key=value` query parameters, in which a name may occur several times. */
export const parameters = <F extends string>(flags: F, description: string) =>
  mayRepeat(
    new Option(flags, description).argParser(
      (text: string, earlier: Parameter[] | undefined): Parameter[] => {
        const at = text.indexOf('=')
        if (at < 1) {
          throw new UsageFailure(`"${text}" is not of the form key=value`, { hint: 'Write it like limit=5.' })
        }
        return withValues(earlier, [[text.slice(0, at), text.slice(at + 1)]])
      },
    ),
  )
