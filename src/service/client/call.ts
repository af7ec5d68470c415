import { setMaxListeners } from 'node:events'
import { type Failure, NetworkFailure, ServiceFailure, UsageFailure } from '../../system/errors.ts'
import { serialise } from '../../system/exact-json.ts'
import type { Http } from '../../system/http.ts'
import type { Response } from '../../system/response.ts'
import type { World } from '../../system/world.ts'
import type { Endpoint, Input } from '../contract/endpoint.ts'
import { parameterLocations } from '../contract/parameters.ts'
import { checkInput } from './check-input.ts'
import { asNetworkFailure, isOutOfHandles, isPermanent, wasNotSent } from './network-errors.ts'
import { TunnelRefused } from './proxy-refusal.ts'
import { createRateLimit } from './rate-limit.ts'
import type { Reachability } from './reachability.ts'
import { type Answer, readAnswer } from './read.ts'
import { isRedirect, readReply } from './reply.ts'
import {
  attemptsOf,
  attemptTimeout,
  openBudget,
  operationTimeout,
  parseRetryAfter,
  type Waiting,
} from './retry.ts'
import { notTakenUp, tooManyRequests, unavailable } from './retryable.ts'

export interface Target {
  /** The address of the service without a slash at its end; a path prefix is allowed. */
  readonly baseUrl: string
  readonly key: string
  /** How `statuses` and `formats` travel: the name repeated, or one value with commas. */
  readonly multiValue: 'repeat' | 'comma'
  readonly userAgent: string
  /** The longest wait that was asked for with `--timeout`, in milliseconds. */
  readonly timeout: number | undefined
  /** Shows what pubctl is waiting for. */
  readonly waiting?: Waiting
}

export interface RawRequest {
  method: string
  /** Path and query below the base address. */
  path: string
  body?: unknown
  /** Whether it may be repeated even if it was carried out; by default only a GET may. */
  isRepeatable?: boolean
}

/** The limits of one call. */
export interface RequestOptions {
  /** The most attempts. */
  readonly attempts?: number | undefined
  /** Milliseconds for all attempts, if less than usual is left. */
  readonly timeout?: number | undefined
  /** Shared by the requests of a batch: whether the service can be reached. */
  readonly reachability?: Reachability | undefined
  /** Called when an attempt failed and it is not known whether the service carried it out. */
  readonly onUnclear?: (() => void) | undefined
}

/** Calls an endpoint of the contract. Throws a `Failure`. */
export type Call = <E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options?: RequestOptions,
) => Promise<Answer<E>>

export interface ServiceClient {
  readonly call: Call
  /** Makes any request below the base address, and returns the answer before its body is read. */
  send(request: RawRequest): Promise<Response>
  /** What messages call the service. */
  readonly name: string
}

export function createServiceClient(
  target: Target,
  http: Http,
  { clock, signal }: Pick<World, 'clock' | 'signal'>,
): ServiceClient {
  const name = `the service at ${new URL(target.baseUrl).origin}`
  setMaxListeners(0, signal)
  const rate = createRateLimit({ clock, signal })

  /** Makes one attempt. It ends when the body of the answer has arrived or failed; `text` returns or throws that. */
  async function attemptOnce({ method, path, body }: RawRequest, timeout: number): Promise<Response> {
    signal.throwIfAborted()
    const response = await http.send({
      method,
      url: target.baseUrl + path,
      isPresigned: false,
      headers: {
        authorization: `Bearer ${target.key}`,
        accept: 'application/json',
        'user-agent': target.userAgent,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: serialise(body) }),
      // The timer below is exact; those of undici can be half a second late.
      timeout: 0,
      signal,
      limit: end => clock.after(timeout, () => end(tooSlow(name, timeout))),
    })
    if (isRedirect(response)) return response
    const text = response.text()
    await text.catch(() => undefined)
    return { ...response, text: () => text }
  }

  /**
   * Makes a request, with retries within one budget, and reads its answer. A request that only reads, sets values, or
   * creates with an id from the client may always be repeated. Any other is repeated only if it cannot have been carried
   * out: there was no connection, or the status says that the service did not process it. 429 is nobody's failed attempt:
   * the request waits for its turn among all others, as long as the budget has time.
   */
  async function exchange<T>(
    request: RawRequest,
    read: (response: Response) => Promise<T>,
    {
      attempts = attemptsOf.command,
      timeout = Number.POSITIVE_INFINITY,
      reachability,
      onUnclear,
    }: RequestOptions = {},
  ): Promise<T> {
    const isRepeatable = request.isRepeatable ?? request.method === 'GET'
    const total = Math.min(timeout, target.timeout ?? operationTimeout)
    // The time of a request begins with its first turn.
    await rate.turn()
    const budget = openBudget({ clock, signal, name, attempts, timeout: total, waiting: target.waiting })
    const attempt = () =>
      attemptOnce(
        request,
        Math.ceil(
          Math.min(target.timeout ?? attemptTimeout, budget.left(), reachability?.left(name) ?? total),
        ),
      )
    try {
      for (;;) {
        let giveUp: () => Promise<T>
        let why: string
        let retryAfter: unknown
        let isCounted = true
        try {
          const sentAt = clock.monotonic()
          const response = await attempt()
          if (response.status !== tooManyRequests) rate.accepted()
          else if (attempts > 1) {
            reachability?.reached(name)
            const refused = await errorAnswer(response)
            const retryAfter = parseRetryAfter(response.headers['retry-after'], clock)
            const pause = rate.refused(sentAt, retryAfter, budget.longestPause())
            if (!budget.hasTimeFor(pause, `${name} answered ${response.status}`)) return await read(refused)
            await rate.turn()
            if (budget.longestPause() <= 0) return await read(refused)
            continue
          }
          const isUnavailable = unavailable.includes(response.status)
          if (!isUnavailable && !response.refusal) reachability?.reached(name)
          if (isUnavailable) onUnclear?.()
          const mayRepeat = notTakenUp.includes(response.status) || (isRepeatable && isUnavailable)
          if (!mayRepeat) return await read(response)
          const refused = await errorAnswer(response)
          giveUp = () => read(refused)
          why = response.refusal?.message ?? `${name} answered ${response.status}`
          retryAfter = response.headers['retry-after']
        } catch (error) {
          if (signal.aborted) throw signal.reason
          if (error instanceof ServiceFailure) throw error
          const failure = asNetworkFailure(error, name)
          if (isUnclear(failure)) onUnclear?.()
          if (!(isRepeatable || wasNotSent(error)) || isPermanent(error)) throw failure
          isCounted = !isOutOfHandles(error)
          if (!isCounted && reachability?.waitsForHandles(name) === false) throw failure
          giveUp = () => Promise.reject(failure)
          why = failure.message
          if (error instanceof TunnelRefused) retryAfter = error.retryAfter
        }
        reachability?.failed(name, why)
        if (!(await budget.tryAgain(why, { retryAfter, isCounted }))) return await giveUp()
        await rate.turn()
        if (budget.longestPause() <= 0) return await giveUp()
      }
    } finally {
      budget.end()
    }
  }

  return {
    name,
    send: request =>
      exchange(request, async response => {
        // An answer that was cut short is the network's failure, and a GET can be repeated.
        if (!isRedirect(response) && !response.refusal) await response.text()
        return response
      }),
    call: async (endpoint, input, options) =>
      await exchange(
        await requestFor(endpoint, input as Record<string, unknown>, target.multiValue),
        async response => {
          const reply = await readReply(response, name)
          const answer = readAnswer(endpoint, reply, name)
          if (isMissing(endpoint, reply)) throw noItem(name)
          return answer
        },
        options,
      ),
  }
}

/** An error that says what it is by its status, also if the rest of it was cut. */
async function errorAnswer(response: Response): Promise<Response> {
  const text = await response.text().catch(() => '')
  return { ...response, text: async () => text }
}

/** Whether a request for one item found none; some services answer `item: null` instead of 404. */
const isMissing = ({ method, path }: Endpoint, { item }: Readonly<Record<string, unknown>>): boolean =>
  method === 'GET' && path.includes('{') && (item === null || (item === undefined && path.endsWith('}')))

const noItem = (name: string) =>
  new ServiceFailure(`${name} has nothing of this id`, {
    status: 404,
    code: 'not_found',
    hint: 'Check the id; the matching "list" command shows those that exist.',
  })

/** Whether a request that failed in this way may have been carried out nevertheless. */
const isUnclear = (failure: Failure): boolean =>
  ['network', 'timeout', 'bad_reply'].includes(failure.code) && !wasNotSent(failure)

const tooSlow = (name: string, timeout: number) =>
  new NetworkFailure(`${name} did not answer within ${Math.round(timeout / 100) / 10} s`, {
    code: 'timeout',
    hint: 'Allow more time with --timeout, or try again later.',
  })

/**
 * The request for an endpoint and its input: path, query and body, without undefined values. Throws `invalid_request` if
 * the input does not match the endpoint's schema.
 */
export async function requestFor(
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
  multiValue: Target['multiValue'],
): Promise<RawRequest> {
  const places = parameterLocations(endpoint)
  let path = endpoint.path as string
  for (const name of places.path) path = path.replace(`{${name}}`, pathSegment(name, input[name]))
  const query = new URLSearchParams()
  for (const name of places.query) {
    const value = input[name]
    if (Array.isArray(value) && multiValue === 'comma') query.append(name, value.join(','))
    else if (Array.isArray(value)) for (const each of value) query.append(name, String(each))
    else if (value !== undefined) query.append(name, String(value))
  }
  await checkInput(endpoint, input)
  const body = places.body.filter(name => input[name] !== undefined).map(name => [name, input[name]] as const)
  return {
    method: endpoint.method,
    isRepeatable: endpoint.isRepeatable ?? (endpoint.method === 'GET' || endpoint.method === 'PATCH'),
    path: query.size > 0 ? `${path}?${query}` : path,
    ...(places.body.length > 0 ? { body: Object.fromEntries(body) } : {}),
  }
}

/** An id as one segment of a path. It must be Unicode, and must not be empty or lead to another path. */
function pathSegment(name: string, value: unknown): string {
  const text = String(value ?? '')
  if (text === '' || text === '.' || text === '..' || /\p{Surrogate}/u.test(text)) {
    throw new UsageFailure(`"${text}" cannot be an ${name === 'editionid' ? 'edition id' : name}`)
  }
  return encodeURIComponent(text)
}
