import type { Call, RequestOptions as CallLimits } from '../service/client/call.ts'
import { pagesOf } from '../service/client/pages.ts'
import type { Endpoint, Group, Input } from '../service/contract/endpoint.ts'
import { contract } from '../service/contract/index.ts'
import type { CallOptions, ListOptions } from './call-options.ts'
import type { ClientOptions } from './client-options.ts'
import { type Connection, openConnection } from './connection.ts'
import { connect } from './connections.ts'
import { forProgram } from './program-failure.ts'
import type { Service } from './service.ts'
import { settled } from './settled.ts'
import { checkTimeout, unfit } from './unfit.ts'

/**
 * A service and a key. The requests are by their groups, as the commands are: `client.domains.create({ domain })`. A request
 * that only reads, sets values, or creates with an id of yours is repeated when it fails on the way.
 */
export interface Client extends Service, AsyncDisposable {
  /** The address of the service. */
  readonly baseUrl: string
  /** Closes the connections. Idle ones keep no process from ending. */
  close(): Promise<void>
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Makes a client of the service. Nothing is read, opened or sent until its first request. Throws `UsageFailure` for an address
 * or a key that cannot be one.
 */
export function createClient(options: ClientOptions): Client {
  const connection = opened(options)
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

  async function* each(
    endpoint: Endpoint,
    filters: object = {},
    { limit = Number.POSITIVE_INFINITY, ...options }: ListOptions = {},
  ): AsyncGenerator<unknown, void, undefined> {
    if (limit !== Number.POSITIVE_INFINITY && !(Number.isInteger(limit) && limit >= 1))
      throw unfit('limit', 'a whole number of at least 1')
    const ask = async (asked: Endpoint, input: object) => await request(asked, input, options)
    const pages = pagesOf(ask as Call, endpoint, { ...filters }, { limit })
    while (true) {
      const { done, value } = await settled(async () => await pages.next(), options.signal, connection.hide)
      if (done) return
      yield* value.value
    }
  }

  const groups = Object.entries<Group>(contract).map(([group, endpoints]) => {
    const requests = Object.entries(endpoints).map(([name, endpoint]) => [
      name,
      // A list is copied when it is asked for, and callers get plain data.
      async (input?: object, options?: CallOptions) => ({
        ...(await request(endpoint, input, options)).value,
      }),
    ])
    const { list } = endpoints
    const iterator = list?.isPaged && {
      each: (filters?: object, options?: ListOptions) => each(list, filters, options),
    }
    return [propertyOf(group), { ...Object.fromEntries(requests), ...iterator }]
  })
  const client: Client = {
    // What the loop makes is what `Service` says, which test/library/service.test.ts holds.
    ...(Object.fromEntries(groups) as Service),
    baseUrl: connection.baseUrl,
    close: connection.close,
    [Symbol.asyncDispose]: connection.close,
  }
  connect(client, connection)
  return client
}

function opened(options: ClientOptions): Connection {
  try {
    return openConnection(options)
  } catch (error) {
    // No message or hint about an option has its value.
    throw error instanceof Error ? forProgram(error, text => text) : error
  }
}

/** `metadata-keys` as the name of a property. */
const propertyOf = (group: string): string =>
  group.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
