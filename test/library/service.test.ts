import { describe, expect, it } from 'vitest'
import { propertyOf, serviceTypes } from '../../scripts/service-types.ts'
import type { BookFields } from '../../src/library/book-options.ts'
import type { SandboxFaults } from '../../src/library/sandbox.ts'
import type { Service } from '../../src/library/service.ts'
import type { Overrides } from '../../src/plan/book-fields.ts'
import type { FaultName } from '../../src/sandbox/http/faults.ts'
import type { Value } from '../../src/service/client/read.ts'
import type { Endpoint, Group, Input } from '../../src/service/contract/endpoint.ts'
import { type Contract, contract } from '../../src/service/contract/index.ts'
import { isSlow } from '../support/machine/slow.ts'
import { copyToTry } from '../support/machine/tried-change.ts'
import { library } from './library.ts'

/** The name of a group as a property: `metadata-keys` is `metadataKeys`. */
type PropertyOf<G> = G extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<PropertyOf<Rest>>}` : G

/** The names of the requests of a group whose types differ from those of the contract. */
type Different<G extends keyof Contract> = {
  [V in keyof Contract[G]]: Contract[G][V] extends infer E extends Endpoint
    ? [Input<E>, Value<E>] extends Declared<PropertyOf<G>, V>
      ? Declared<PropertyOf<G>, V> extends [Input<E>, Value<E>]
        ? never
        : V
      : V
    : V
}[keyof Contract[G]]

/** What a request of the library takes and gives. */
type Declared<P, V> = P extends keyof Service
  ? V extends keyof Service[P]
    ? Service[P][V] extends (input: infer I, ...options: never[]) => Promise<infer O>
      ? [NonNullable<I>, O]
      : never
    : never
  : never

const none = (_: never[]): void => undefined

describe("the library's types of the service", () => {
  it('are the same to the compiler as those of the contract', () => {
    // The compiler fails where this names a request.
    none([] as { [G in keyof Contract]: Different<G> }[keyof Contract][])
    none([] as Exclude<keyof BookFields, keyof Overrides>[])
    none([] as Exclude<keyof Overrides, keyof BookFields>[])
    none([] as Exclude<FaultName, `${keyof SandboxFaults}`>[])
  })

  it.runIf(isSlow)(
    'are the same in the package, where they are written out',
    async () => {
      const copy = copyToTry()
      copy.write('src/library/service.ts', serviceTypes())
      // The test above is compiled with them.
      expect(await copy.compile()).toEqual({})
    },
    300_000,
  )

  it('promise no request that a client lacks, and lack none that it has', () => {
    const client = library.createClient({ baseUrl: 'https://api.example.com', key: 'a-key-of-some-length' })
    const requests = Object.entries(client).flatMap(([group, verbs]) =>
      typeof verbs === 'object' ? Object.keys(verbs).map(verb => `${group}.${verb}`) : [],
    )
    const declared = Object.entries(contract).flatMap(([group, endpoints]) =>
      Object.keys(endpoints).map(verb => `${propertyOf(group)}.${verb}`),
    )
    const isIterator = (name: string) => name.endsWith('.each')
    expect(requests.filter(name => !isIterator(name))).toEqual(declared)
    const paged = Object.entries<Group>(contract).filter(
      ([, { list }]) => list && 'nextToken' in list.input.shape,
    )
    expect(requests.filter(isIterator)).toEqual(paged.map(([group]) => `${propertyOf(group)}.each`))
    expect(paged).toHaveLength(3)
  })
})
