import type * as z from 'zod/mini'
import type { Endpoint } from '../../service/contract/endpoint.ts'
import { isObject } from '../../system/is-object.ts'
import { invalid } from '../service-error.ts'
import { parseAs } from '../validate.ts'

/** A request as it was received, not yet validated. */
export interface RawInput {
  path: Record<string, string>
  query: URLSearchParams
  body: Buffer | undefined
}

/**
 * The input of an endpoint, read by its own schema. Throws 400 ZOD_ERROR with every finding in `details`, for JSON
 * that cannot be parsed too.
 */
export function inputOf(
  { method, input }: Pick<Endpoint, 'method' | 'input'>,
  { path, query, body }: RawInput,
): unknown {
  const takesBody = method === 'POST' || method === 'PATCH'
  const sent = {
    ...fromQuery(query, input.shape),
    ...(takesBody ? fromBody(body) : {}),
  }
  // A parameter in the wrong place could be confused with the one in the path, or be overwritten by it.
  const misplaced = Object.keys(sent).filter(name => Object.hasOwn(path, name))
  if (takesBody) misplaced.push(...query.keys())
  if (misplaced.length > 0) {
    throw invalid([
      { message: `Unrecognized keys: ${misplaced.join(', ')}`, path: [], code: 'unrecognized_keys' },
    ])
  }
  return parseAs(input, { ...sent, ...path })
}

function fromBody(body: Buffer | undefined): Record<string, unknown> {
  if (body === undefined || body.length === 0) return {}
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    throw invalid([
      { message: `The body is not JSON: ${(error as Error).message}`, path: [], code: 'invalid_json' },
    ])
  }
  if (isObject(value)) return { ...value }
  const kind = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
  throw invalid([
    { message: `Invalid input: expected object, received ${kind}`, path: [], code: 'invalid_type' },
  ])
}

/** Query parameters with the types that their schemas ask for; what cannot be converted is left for the schema to refuse. */
function fromQuery(query: URLSearchParams, shape: Record<string, z.core.$ZodType>): Record<string, unknown> {
  const values = [...new Set(query.keys())].map(name => {
    const texts = query.getAll(name)
    const type = Object.hasOwn(shape, name) ? typeOf(shape[name] as z.core.$ZodType) : 'string'
    if (type === 'array') return [name, texts.flatMap(text => text.split(','))]
    if (texts.length > 1) return [name, texts]
    return [name, type === 'number' ? numberIn(texts[0] as string) : texts[0]]
  })
  return Object.fromEntries(values)
}

function typeOf(schema: z.core.$ZodType): string {
  const { type, innerType } = schema._zod.def as { type: string; innerType?: z.core.$ZodType }
  return innerType ? typeOf(innerType) : type
}

const numberIn = (text: string): number | string => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text)
