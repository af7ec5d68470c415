import * as z from 'zod/mini'
import { exitCodes, Failure, type FailureDetail, NetworkFailure } from '../../system/errors.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { inEnglish } from '../contract/zod-parts.ts'

/** Throws `invalid_request`, with every fault in `details`, if the input does not match the endpoint's schema. */
export function checkInput(endpoint: Endpoint, input: Readonly<Record<string, unknown>>): void {
  const { error } = endpoint.input.safeParse(input, inEnglish)
  if (error === undefined) return
  throw new Failure(`the service would not take this: ${endpoint.method} ${endpoint.path}`, {
    code: 'invalid_request',
    exitCode: exitCodes.usage,
    hint: 'Nothing was sent. Correct what is named above; --help shows what each option takes.',
    details: error.issues.map(detailOf),
  })
}

/**
 * Throws `bad_reply` if an answer has the wrong shape: `items` is not an array, or `item` is not an object. Other deviations
 * are accepted: unknown fields, unknown values of an enumeration, null, and single values of another type.
 */
export function checkAnswer(
  endpoint: Endpoint,
  answer: Readonly<Record<string, unknown>>,
  what: string,
): void {
  const { items, item, result } = endpoint.output.shape as Record<string, z.ZodMiniType | undefined>
  if (items !== undefined && answer['items'] === undefined) throw badReply(what, 'no items')
  for (const [name, schema] of Object.entries({ items, item, result })) {
    const value = answer[name]
    if (schema === undefined || value === undefined || value === null) continue
    const wrong = wrongShapeIn(schema, value)
    if (wrong) throw badReply(what, `${[name, ...wrong.path].join('.')} that is no ${kindOf(wrong)}`)
  }
}

/**
 * The first fault in a shape. The resources of a list are checked one by one, because zod copies what it reads and keeps
 * every fault, which for a long list would take several times the memory of the answer.
 */
function wrongShapeIn(schema: z.ZodMiniType, value: unknown): z.core.$ZodIssue | undefined {
  const find = (each: z.core.$ZodType, part: unknown, ...place: number[]) =>
    z
      .safeParse(each, part)
      .error?.issues.map(issue => ({ ...issue, path: [...place, ...issue.path] }))
      .find(issue => isWrongShape(issue, value))
  const element = elementOf(schema)
  if (element === undefined || !Array.isArray(value)) return find(schema, value)
  for (const [index, part] of value.entries()) {
    const wrong = find(element, part, index)
    if (wrong) return wrong
  }
  return undefined
}

/** The schema of a list's elements, where the schema is one of a list. */
function elementOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  if (schema instanceof z.core.$ZodOptional || schema instanceof z.core.$ZodNullable)
    return elementOf(schema._zod.def.innerType)
  return schema instanceof z.core.$ZodArray ? schema._zod.def.element : undefined
}

/** A list must be an array at any depth, and a resource an object. */
function isWrongShape(issue: z.core.$ZodIssue, answer: unknown): boolean {
  if (issue.code !== 'invalid_type') return false
  const isShape = issue.expected === 'array' || (issue.expected === 'object' && issue.path.length <= 1)
  return isShape && valueAt(answer, issue.path) !== null
}

const kindOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_type' && issue.expected === 'array' ? 'list' : 'object'

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, step) => (inner as Record<PropertyKey, unknown> | null)?.[step], value)

const detailOf = ({ message, path, code }: z.core.$ZodIssue): FailureDetail => ({
  message,
  path: path.map(step => (typeof step === 'number' ? step : String(step))),
  ...(code === undefined ? {} : { code }),
})

const badReply = (what: string, trouble: string): NetworkFailure =>
  new NetworkFailure(`${what} answered with ${trouble}`, {
    code: 'bad_reply',
    hint: 'Check that the address is the one of the service; another service may have answered in its place.',
  })
