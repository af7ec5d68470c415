import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { readAnswer } from '../../src/service/client/read.ts'
import type { Endpoint, Group } from '../../src/service/contract/endpoint.ts'
import { contract } from '../../src/service/contract/index.ts'
import { outlines } from '../../src/service/contract/outlines.ts'
import { useZod } from '../../src/service/contract/zod.ts'
import * as names from '../../src/service/contract/zod-names.ts'
import { NetworkFailure } from '../../src/system/errors.ts'
import { share } from '../support/machine/slow.ts'
import { records } from '../support/servers/hostile-records.ts'
import { routes } from '../support/servers/hostile-routes.ts'

type Json = Record<string, unknown>

const context = {
  ...{ path: '/v1/x', method: 'GET', requestId: 'req_1' },
  authentication: {
    sub: 'sub_1',
    scopeId: 'scope_1',
    authType: 'apiKey',
    keyId: 'kid_1',
    user: records.user,
  },
}

const endpoints = Object.entries<Group>(contract).flatMap(([group, all]) =>
  Object.entries(all).map(([name, endpoint]) => [`${group} ${name}`, endpoint] as const),
)

/** A complete answer of an endpoint, written from the service's document alone. */
function answerOf({ method, path }: Endpoint): Json {
  const found = routes.find(
    route => route.method === method && route.path.test(path.replaceAll(/\{\w+\}/g, '1')),
  )
  return structuredClone({ ...found?.answer('https://store.example.org'), context })
}

/** The steps to every value in a value, its own elements first. */
function placesIn(value: unknown, before: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    [...before, name],
    ...placesIn(inner, [...before, name]),
  ])
}

const missing = Symbol('missing')
const odd = [
  missing,
  null,
  '',
  'a text',
  -7,
  12.5,
  2n ** 70n,
  true,
  [],
  ['a', 1, null, {}],
  {},
  { a: { b: 1 } },
]

/** An answer with another value at a place, or none. */
function withValue(answer: Json, place: readonly string[], value: unknown): Json {
  const changed = structuredClone(answer)
  const inner = place.slice(0, -1).reduce<Json>((outer, step) => outer[step] as Json, changed)
  const name = place.at(-1) as string
  if (value !== missing) inner[name] = value
  else if (Array.isArray(inner)) inner.splice(Number(name), 1)
  else delete inner[name]
  return changed
}

/** What a value must be: every field is there, of its type or null; lists that belong to every answer are never null. */
function valueSchema(schema: z.core.$ZodType): z.ZodMiniType {
  const { shape, innerType, element, getter, type } = schema._zod.def as unknown as {
    type: string
    shape?: Record<string, z.core.$ZodType>
    innerType?: z.core.$ZodType
    element?: z.core.$ZodType
    getter?: () => z.core.$ZodType
  }
  if (innerType) return z.nullable(valueSchema(innerType))
  if (getter) return valueSchema(getter())
  if (element) return z.array(valueSchema(element))
  if (type === 'string') return (schema as z.ZodMiniString).check(z.minLength(1))
  if (!shape) return schema as z.ZodMiniType
  const fields = Object.entries(shape).map(([name, field]) => {
    const isList = (field._zod.def as { type: string }).type === 'array'
    const isThere = z.refine(value => value !== undefined)
    return [name, (isList ? valueSchema(field) : z.nullable(valueSchema(field))).check(isThere)] as const
  })
  return z.looseObject(Object.fromEntries(fields))
}

describe('what the service answers', () => {
  it('is there to be broken, for each endpoint', () => {
    expect(endpoints).toHaveLength(38)
    for (const [, endpoint] of endpoints) expect(placesIn(answerOf(endpoint)).length).toBeGreaterThan(10)
  })

  it.each(endpoints)('is read as it is where nothing is odd: %s', (_, endpoint) => {
    const sent = answerOf(endpoint)
    const { value, raw } = readAnswer(endpoint, sent, 'the service')
    expect(raw).toBe(sent)
    const withoutEmpty = JSON.parse(JSON.stringify(sent), (_, each) => (each === '' ? null : each))
    expect(value).toMatchObject(withoutEmpty)
    expect(valueSchema(endpoint.output).safeParse(value).error).toBeUndefined()
  })

  it.each(endpoints)('is true to its type whatever is missing or odd in it: %s', (_, endpoint) => {
    const complete = answerOf(endpoint)
    const schema = valueSchema(endpoint.output)
    let [tried, read] = [0, 0]
    for (const [index, place] of placesIn(complete).entries()) {
      for (const other of share(odd, 10, index)) {
        tried++
        const sent = withValue(complete, place, other)
        const before = structuredClone(sent)
        const where = `${place.join('.')} = ${String(other === missing ? 'missing' : JSON.stringify(other, String))}`
        try {
          const { value, raw } = readAnswer(endpoint, sent, 'the service')
          const { error } = schema.safeParse(value)
          // What is expected of thousands of answers takes longer than to read them.
          if (raw !== sent || !isDeepStrictEqual(raw, before) || error)
            expect.fail(`${where}: the raw answer or the type is not as it should be: ${error}`)
          read++
        } catch (error) {
          if (!(error instanceof NetworkFailure)) throw error
          expect(error.message, where).toMatch(
            /^the service answered with (no items|[\w.-]+ that is no (list|object|text))$/i,
          )
        }
      }
    }
    // Most of what is odd is no reason to refuse the rest.
    expect(read).toBeGreaterThan(tried / 2)
  })

  it.each(endpoints)('is read by the outline of its schema as by zod: %s', (_, endpoint) => {
    const complete = answerOf(endpoint)
    const all = placesIn(complete).flatMap((place, index) =>
      share(odd, 10, index).map(other => withValue(complete, place, other)),
    )
    const readAll = () =>
      all.map(sent => {
        try {
          return structuredClone(readAnswer(endpoint, sent, 'the service').value)
        } catch (error) {
          return (error as Error).message
        }
      })
    const byZod = readAll()
    useZod(outlines as unknown as typeof names)
    try {
      expect(isDeepStrictEqual(readAll(), byZod)).toBe(true)
    } finally {
      useZod(names)
    }
  })
})
