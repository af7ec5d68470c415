import type * as z from 'zod/mini'
import type { Group, Output } from '../service/contract/endpoint.ts'
import type { Clock } from '../system/world.ts'
import type { ApiKeyRecord } from './store/api-keys.ts'
import type { Store } from './store/cache.ts'
import type { Objects } from './store/objects.ts'
import type { Tokens } from './store/tokens.ts'
import type { UserRecord } from './store/users.ts'
import type { SandboxVariant } from './variants.ts'

/** What handlers can use. */
export interface SandboxState {
  db: Store
  clock: Clock
  tokens: Tokens
  objects: Objects
  /** Milliseconds that each step of processing takes at least. */
  processingDelay: number
  variants: readonly SandboxVariant[]
  /** Wakes the processing, because there may be something to do. */
  wake(): void
}

/** The API key of a request, and whose it is. */
export interface KeyHolder {
  user: UserRecord
  key: ApiKeyRecord
}

/** A scope as one request sees it. */
export interface RequestContext extends SandboxState {
  caller: KeyHolder
  /** The time of the request, as ISO 8601. */
  now: string
}

/** A handler for each endpoint of a group. It gets the endpoint's input and returns its answer without the context. */
export type Handlers<G extends Group> = {
  readonly [Name in keyof G]: (
    input: z.output<G[Name]['input']>,
    call: RequestContext,
  ) => Omit<Output<G[Name]>, 'context'>
}
