import fc from 'fast-check'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { Endpoint, Group } from '../../src/service/contract/endpoint.ts'
import { fieldsOf } from '../../src/service/contract/fields.ts'
import { contract } from '../../src/service/contract/index.ts'
import { outlines } from '../../src/service/contract/outlines.ts'
import { useZod } from '../../src/service/contract/zod.ts'
import * as names from '../../src/service/contract/zod-names.ts'

const endpoints = Object.entries<Group>(contract).flatMap(([group, all]) =>
  Object.entries(all).map(([name, endpoint]) => [`${group} ${name}`, endpoint] as const),
)

/** What `work` gives where the contract's schemas are outlines. */
function withOutlines<T>(work: () => T): T {
  useZod(outlines as unknown as typeof names)
  try {
    return work()
  } finally {
    useZod(names)
  }
}

afterEach(() => useZod(names))

// As something new, so that all schemas are made again: those of before name others that were made anew in between, and the
// files of tests share them.
afterAll(() => useZod({ ...names }))

/** Values of which each type of the contract takes some, and none takes all. */
const value = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      'a',
      'a text',
      '2025-01',
      '2025-13',
      '2025-01-15',
      '2025-02-30',
      'asc',
      'live',
      'EPUB',
      'PDF',
      'font',
    ],
    ...['123e4567-e89b-42d3-a456-426614174000', '123E4567-E89B-42D3-A456-426614174000', 'read', 'month'],
    ...[0, 1, 50, 51, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60, 10n, true, null, undefined],
    ...[[], {}, ['a'], ['live'], ['read', 5], [{ type: 'font', filename: 'a.otf' }], { a: 'b' }, { a: 5 }],
    ...[new Date(), Object.create(null), { metadata: { isbn: '1' }, type: 'EPUB', isReflowable: true }],
  ),
  fc.anything({ maxDepth: 2 }),
)

const inputOf = ({ input }: Endpoint) =>
  fc.tuple(
    fc.record(Object.fromEntries(Object.keys(input.shape).map(name => [name, value])), { requiredKeys: [] }),
    fc.option(fc.dictionary(fc.constantFrom('other', 'id', 'limit'), value, { maxKeys: 1 }), { freq: 3 }),
  )

const isTaken = ({ input }: Endpoint, given: unknown): boolean => input.safeParse(given).success

describe('an outline of a schema', () => {
  it.each(endpoints)('takes no input that zod refuses: %s', (_, endpoint) => {
    const given = fc.sample(inputOf(endpoint), 2000).map(([own, more]) => ({ ...own, ...more }))
    const taken = withOutlines(() => given.filter(each => isTaken(endpoint, each)))
    expect(taken.filter(each => !isTaken(endpoint, each))).toEqual([])
  })

  it.each([
    [contract.domains.list, {}],
    [contract.domains.get, { id: 'dom_1' }],
    [contract.domains.create, { domain: 'a.example', description: 'An example' }],
    [contract.publications.list, { limit: 50, statuses: ['live'], sortBy: 'title', sortDirection: 'asc' }],
    [contract.apikeys.update, { id: 'key_1', scopes: ['read'], status: 'inactive' }],
    [contract.analytics.activity, { id: 'pub_1', from: '2025-01-01', to: '2025-01-31' }],
    [
      contract.uploads.create,
      {
        uploadRequestId: '123e4567-e89b-42d3-a456-426614174000',
        publicationFilename: 'a.pdf',
        publicationType: 'PDF',
      },
    ],
  ] as const)('takes what commands send, so that zod is not loaded: $0.path', (endpoint, input) => {
    expect(isTaken(endpoint, input)).toBe(true)
    expect(withOutlines(() => isTaken(endpoint, input))).toBe(true)
  })

  it.each(endpoints)('has the fields that zod has: %s', (_, endpoint) => {
    for (const schema of [() => endpoint.input, () => endpoint.output])
      expect(withOutlines(() => fieldsOf(schema))).toEqual(fieldsOf(schema))
  })
})
