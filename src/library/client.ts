import type { CallOptions as CallLimits } from '../client/call.ts'
import { pagesOf } from '../client/pages.ts'
import type { Endpoint, Input } from '../contract/endpoint.ts'
import { contract } from '../contract/index.ts'
import { loadZod } from '../contract/zod.ts'
import type { CallOptions } from './call-options.ts'
import type { ClientOptions } from './client-options.ts'
import { openConnection } from './connection.ts'
import { connect } from './connections.ts'
import type { PublicationSummary, ReaderInstanceSummary, Service } from './service.ts'
import { settled } from './settled.ts'
import { checkTimeout, unfit } from './unfit.ts'

/** How a listing is read. */
export interface ListOptions extends CallOptions {
  /** The most items in all; all of them by default. */
  readonly limit?: number | undefined
}

/** The filters of a list, without what pages it. */
type Filters<G extends 'publications' | 'readerInstances'> = Omit<
  NonNullable<Parameters<Service[G]['list']>[0]>,
  'limit' | 'nextToken'
>

/**
 * A service and a key. The requests are by their groups, as the commands are: `client.domains.create({ domain })`. A request
 * that only reads, sets values, or creates with an id of yours is repeated when it fails on the way.
 */
export interface Client extends Service {
  /** The address of the service. */
  readonly baseUrl: string
  /** Every publication that the filters let through, page by page as they are read. */
  eachPublication(
    filters?: Filters<'publications'>,
    options?: ListOptions,
  ): AsyncGenerator<PublicationSummary, void, undefined>
  /** Every reader instance, page by page as they are read. */
  eachReaderInstance(options?: ListOptions): AsyncGenerator<ReaderInstanceSummary, void, undefined>
  /** Closes the connections. Idle ones keep no process from ending. */
  close(): Promise<void>
}

/**
 * Makes a client of the service. Nothing is read, opened or sent until its first request. Throws `UsageFailure` for an address
 * or a key that cannot be one.
 */
export function createClient(options: ClientOptions): Client {
  const connection = openConnection(options)
  const request = async (endpoint: Endpoint, input: object = {}, { signal, timeout }: CallOptions = {}) =>
    await settled(
      async stop => {
        checkTimeout(timeout)
        const limits: CallLimits = { timeout }
        return await (await connection.caller(stop)).call(endpoint, input as Input<Endpoint>, limits)
      },
      signal,
      connection.hide,
    )

  async function* each<T>(
    endpoint: Endpoint,
    filters: Readonly<Record<string, unknown>>,
    { limit = Number.POSITIVE_INFINITY, ...options }: ListOptions,
  ): AsyncGenerator<T, void, undefined> {
    if (limit !== Number.POSITIVE_INFINITY && !(Number.isInteger(limit) && limit >= 1))
      throw unfit('limit', 'a whole number of at least 1')
    await loadZod()
    const ask = async (asked: Endpoint, input: object) => await request(asked, input, options)
    for await (const page of pagesOf(ask as Parameters<typeof pagesOf>[0], endpoint, filters, { limit }))
      yield* page as T[]
  }

  const groups = Object.entries(contract).map(([group, endpoints]) => [
    propertyOf(group),
    Object.fromEntries(
      Object.entries(endpoints).map(([name, endpoint]) => [
        name,
        (input?: object, options?: CallOptions) => request(endpoint as unknown as Endpoint, input, options),
      ]),
    ),
  ])
  const client: Client = {
    // What the loop makes is what `Service` says, which test/library/service.test.ts holds.
    ...(Object.fromEntries(groups) as Service),
    baseUrl: connection.baseUrl,
    eachPublication: (filters = {}, options = {}) =>
      each(contract.publications.list as unknown as Endpoint, { ...filters }, options),
    eachReaderInstance: (options = {}) =>
      each(contract['reader-instances'].list as unknown as Endpoint, {}, options),
    close: connection.close,
  }
  connect(client, connection)
  return client
}

/** `metadata-keys` as the name of a property. */
const propertyOf = (group: string): string =>
  group.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
