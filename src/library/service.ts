import type { ItemOf, Value } from '../service/client/read.ts'
import type { Endpoint, Group, Input } from '../service/contract/endpoint.ts'
import type { Contract } from '../service/contract/index.ts'
import type { CallOptions, ListOptions } from './call-options.ts'

/**
 * The requests of the service by its groups. Each resolves with what the service answered: what it left out, or sent as
 * something else, is null. In the package's types, scripts/service-types.ts writes them out with the resources, since zod is
 * not installed with it.
 */
export type Service = {
  readonly [G in keyof Contract as PropertyOf<G>]: Requests<Contract[G]>
}

/** The name of a group as a property: `metadata-keys` is `metadataKeys`. */
type PropertyOf<G> = G extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<PropertyOf<Rest>>}` : G

type Requests<G extends Group> = { [V in keyof G]: Request<G[V]> } & (G extends {
  list: infer L extends Endpoint
}
  ? 'nextToken' extends keyof Input<L>
    ? { each(filters?: Filters<L>, options?: ListOptions): AsyncGenerator<ItemOf<L>, void, undefined> }
    : unknown
  : unknown)

type Request<E extends Endpoint> =
  Record<never, never> extends Input<E>
    ? (input?: Input<E>, options?: CallOptions) => Promise<Value<E>>
    : (input: Input<E>, options?: CallOptions) => Promise<Value<E>>

/** What a paged list may be asked for, but for its pages. */
type Filters<E extends Endpoint> = Omit<Input<E>, 'limit' | 'nextToken'>
