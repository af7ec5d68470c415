import type * as z from 'zod/mini'
import type { Group, Output } from '../contract/endpoint.ts'
import type { Contract } from '../contract/index.ts'
import type { Clock } from '../world.ts'
import { analyticsHandlers } from './analytics.ts'
import { apikeyHandlers } from './apikeys.ts'
import { assetHandlers } from './assets.ts'
import { domainHandlers } from './domains.ts'
import { editionHandlers } from './editions.ts'
import type { Caller } from './http/authenticate.ts'
import { metadataKeyHandlers } from './metadata-keys.ts'
import { publicationHandlers } from './publications.ts'
import { readerInstanceHandlers } from './reader-instances.ts'
import { readerUserHandlers } from './reader-users.ts'
import type { Store } from './store/cache.ts'
import type { Objects } from './store/objects.ts'
import type { Tokens } from './store/tokens.ts'
import { uploadHandlers } from './uploads.ts'
import { userHandlers } from './users.ts'

/** What every handler may touch. */
export interface Scope {
  db: Store
  clock: Clock
  tokens: Tokens
  objects: Objects
  /** Milliseconds that each step of processing takes at least. */
  processingDelay: number
  /** Tells the processing that there may be something to do. */
  wake(): void
}

/** A scope as one request sees it. */
export interface Call extends Scope {
  caller: Caller
  /** The time of the request, as ISO 8601. */
  now: string
}

/** One handler for each endpoint of a group: the endpoint's input in, its answer without the context out. */
export type Handlers<G extends Group> = {
  readonly [Name in keyof G]: (
    input: z.output<G[Name]['input']>,
    call: Call,
  ) => Omit<Output<G[Name]>, 'context'>
}

/** The handlers of every group; one that is missing does not compile. */
export const handlers: { readonly [Name in keyof Contract]: Handlers<Contract[Name]> } = {
  publications: publicationHandlers,
  editions: editionHandlers,
  uploads: uploadHandlers,
  assets: assetHandlers,
  'metadata-keys': metadataKeyHandlers,
  domains: domainHandlers,
  'reader-instances': readerInstanceHandlers,
  'reader-users': readerUserHandlers,
  users: userHandlers,
  analytics: analyticsHandlers,
  apikeys: apikeyHandlers,
}
