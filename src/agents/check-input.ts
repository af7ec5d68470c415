import { closest, didYouMean } from '../cli/output/did-you-mean.ts'
import { UsageFailure } from '../system/errors.ts'
import type { Property, ValueSchema } from './schema.ts'

/** What an agent gave to a tool, once it was checked. */
export type ToolInput = Readonly<Record<string, ToolValue>>
export type ToolValue = string | number | boolean | readonly (string | number)[]

/** Checks what an agent gave to a tool. Throws UsageFailure `bad_arguments`, which names what is wrong. */
export function checkToolInput(given: unknown, properties: readonly Property[]): ToolInput {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw wrong('the arguments are not an object')
  const known = new Map(properties.map(property => [property.name, property]))
  for (const name of Object.keys(given)) {
    if (known.has(name)) continue
    const near = closest(name.slice(0, 100), known.keys())
    throw wrong(`there is no argument ${quotedValue(name)}${didYouMean(near)}`, known.keys())
  }
  const input: Record<string, ToolValue> = {}
  for (const { name, schema, isRequired } of properties) {
    const value: unknown = Object.hasOwn(given, name) ? (given as Record<string, unknown>)[name] : undefined
    if (value === undefined || value === null) {
      if (isRequired) throw wrong(`the argument "${name}" is missing`, known.keys())
    } else input[name] = checkValue(`"${name}"`, value, schema)
  }
  return input
}

function checkValue(name: string, value: unknown, schema: ValueSchema): ToolValue {
  if (schema.type === 'array' || (schema.items && Array.isArray(value))) {
    if (!Array.isArray(value)) throw wrong(`${name} must be a list`)
    if (value.length > (schema.maxItems ?? Number.POSITIVE_INFINITY))
      throw wrong(`${name} has more than ${schema.maxItems} entries`)
    if (value.length < (schema.minItems ?? 0)) throw wrong(`${name} is empty`)
    return value.map((each, index) =>
      checkValue(`${name}, entry ${index + 1},`, each, schema.items ?? { type: 'string' }),
    ) as string[]
  }
  if (schema.type === 'boolean') {
    if (typeof value !== 'boolean') throw wrong(`${name} must be true or false`)
    return value
  }
  if (schema.type === 'integer') {
    const { minimum = Number.MIN_SAFE_INTEGER } = schema
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < minimum)
      throw wrong(`${name} must be a whole number of at least ${minimum}`)
    return value
  }
  if (typeof value !== 'string') throw wrong(`${name} must be a text`)
  if (value.length > (schema.maxLength ?? Number.POSITIVE_INFINITY))
    throw wrong(`${name} has more than ${schema.maxLength} characters`)
  if (value.includes('\0')) throw wrong(`${name} has a zero character in it`)
  if (schema.enum && !schema.enum.includes(value))
    throw wrong(`${name} must be one of ${schema.enum.join(', ')}; it is ${quotedValue(value)}`)
  return value
}

/** What an agent wrote, so that it cannot be taken for words of pubctl. */
export const quotedValue = (text: string): string =>
  JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)

const wrong = (message: string, known?: Iterable<string>): UsageFailure =>
  new UsageFailure(message, {
    code: 'bad_arguments',
    hint: known ? `The arguments are ${[...known].join(', ')}.` : 'The schema of the tool says what fits.',
  })
