import { setMaxListeners } from 'node:events'
import type { Endpoint, Input, Output } from '../contract/endpoint.ts'
import { parameterLocations } from '../contract/parameters.ts'
import { type Failure, NetworkFailure, ServiceFailure, UsageFailure } from '../errors.ts'
import { serialise } from '../exact-json.ts'
import type { World } from '../world.ts'
import { checkAnswer, checkInput } from './checks.ts'
import type { Http } from './http.ts'
import { TunnelRefused } from './proxy-refusal.ts'
import type { Reach } from './reach.ts'
import { isRedirect, readReply } from './reply.ts'
import type { Response } from './response.ts'
import { attemptsOf, attemptTimeout, openBudget, operationTimeout, type Waiting } from './retry.ts'
import { notTakenUp, unavailable } from './retryable.ts'
import { asNetworkFailure, isOutOfHandles, isPermanent, wasNotSent } from './trouble.ts'

export interface Target {
  /** The address of the service without a slash at its end; a path prefix is allowed. */
  readonly baseUrl: string
  readonly key: string
  /** How `statuses` and `formats` travel: the name repeated, or one value with commas. */
  readonly multiValue: 'repeat' | 'comma'
  readonly userAgent: string
  /** The longest wait that was asked for with `--timeout`, in milliseconds. */
  readonly timeout: number | undefined
  /** Told what is waited for. */
  readonly waiting?: Waiting
}

export interface RawRequest {
  method: string
  /** Path and query below the base address. */
  path: string
  body?: unknown
  /** Whether it may be made again whatever became of it; without it, whether it is a GET. */
  isRepeatable?: boolean
}

/** How one call differs from others in what it may take. */
export interface CallOptions {
  /** How often the request is made at most. */
  readonly attempts?: number | undefined
  /** Milliseconds for all attempts, where less is left of a longer wait. */
  readonly timeout?: number | undefined
  /** What the requests of a batch know of the service together. */
  readonly reach?: Reach | undefined
  /** Told when an attempt failed in a way that leaves open whether the service carried it out. */
  readonly onUnclear?: (() => void) | undefined
}

/** Calls an endpoint of the contract and gives the service's answer untouched; throws a `Failure`. */
export type Call = <E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options?: CallOptions,
) => Promise<Output<E>>

export interface Client {
  readonly call: Call
  /** Any request below the base address: its answer before anything is read from it. */
  send(request: RawRequest): Promise<Response>
  /** The other side in words, for messages. */
  readonly name: string
}

export function createClient(
  target: Target,
  http: Http,
  { clock, signal }: Pick<World, 'clock' | 'signal'>,
): Client {
  const name = `the service at ${new URL(target.baseUrl).origin}`
  setMaxListeners(0, signal)

  /** One attempt, which ends once the body of the answer has come, or will not: `text` says which. */
  async function once({ method, path, body }: RawRequest, timeout: number): Promise<Response> {
    // By hand, since signals made of signals cost a long listing a tenth of its time.
    const end = new AbortController()
    const stop = () => end.abort(signal.reason)
    signal.addEventListener('abort', stop)
    const timer = setTimeout(() => end.abort(tooSlow(name, timeout)), timeout)
    try {
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
        // The timer above decides; undici's own are half a second off.
        timeout: 0,
        signal: end.signal,
      })
      if (isRedirect(response)) return response
      const text = response.text()
      await text.catch(() => undefined)
      return { ...response, text: () => text }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }

  /**
   * Makes a request and reads its answer, again and again within one budget. What only reads, sets values or creates by
   * an id of its own may be repeated whatever happened to it. Anything else may be repeated only when it cannot have been
   * carried out: the connection was never made, or the service says that it did not take the request up.
   */
  async function exchange<T>(
    request: RawRequest,
    read: (response: Response) => Promise<T>,
    { attempts = attemptsOf.command, timeout = Number.POSITIVE_INFINITY, reach, onUnclear }: CallOptions = {},
  ): Promise<T> {
    const isRepeatable = request.isRepeatable ?? request.method === 'GET'
    const whole = Math.min(timeout, target.timeout ?? operationTimeout)
    const budget = openBudget({ clock, signal, name, attempts, timeout: whole, waiting: target.waiting })
    const attempt = () =>
      once(
        request,
        Math.ceil(Math.min(target.timeout ?? attemptTimeout, budget.left(), reach?.left(name) ?? whole)),
      )
    try {
      for (;;) {
        let stands: () => Promise<T>
        let why: string
        let retryAfter: unknown
        let isCounted = true
        try {
          const response = await attempt()
          const isUnavailable = unavailable.includes(response.status)
          if (!isUnavailable && !response.refusal) reach?.reached(name)
          if (isUnavailable) onUnclear?.()
          const mayRepeat = notTakenUp.includes(response.status) || (isRepeatable && isUnavailable)
          if (!mayRepeat) return await read(response)
          await response.text().catch(() => undefined)
          stands = () => read(response)
          why = response.refusal?.message ?? `${name} answered ${response.status}`
          retryAfter = response.headers['retry-after']
        } catch (error) {
          if (signal.aborted) throw signal.reason
          if (error instanceof ServiceFailure) throw error
          const failure = asNetworkFailure(error, name)
          if (isUnclear(failure)) onUnclear?.()
          if (!(isRepeatable || wasNotSent(error)) || isPermanent(error)) throw failure
          stands = () => Promise.reject(failure)
          why = failure.message
          isCounted = !isOutOfHandles(error)
          if (error instanceof TunnelRefused) retryAfter = error.retryAfter
        }
        reach?.failed(name, why)
        if (!(await budget.tryAgain(why, { retryAfter, isCounted }))) return await stands()
      }
    } finally {
      budget.end()
    }
  }

  return {
    name,
    send: request =>
      exchange(request, async response => {
        // An answer that was cut short can be asked for again.
        if (request.method === 'GET' && response.status === 200) await response.text()
        return response
      }),
    call: (endpoint, input, options) =>
      exchange(
        requestFor(endpoint, input as Record<string, unknown>, target.multiValue),
        async response => {
          const reply = await readReply(response, name)
          checkAnswer(endpoint, reply, name)
          if (isNothing(endpoint, reply)) throw noItem(name)
          return reply as Output<typeof endpoint>
        },
        options,
      ),
  }
}

/** Whether a look-up by id came to nothing; some services answer `item: null` in place of 404. */
const isNothing = ({ method, path }: Endpoint, { item }: Readonly<Record<string, unknown>>): boolean =>
  method === 'GET' && path.includes('{') && (item === null || (item === undefined && path.endsWith('}')))

const noItem = (name: string) =>
  new ServiceFailure(`${name} has nothing of this id`, {
    status: 404,
    code: 'not_found',
    hint: 'Check the id; the matching "list" command shows those that exist.',
  })

/** Whether a request that failed so may have been carried out all the same. */
const isUnclear = (failure: Failure): boolean =>
  ['network', 'timeout', 'bad_reply'].includes(failure.code) && !wasNotSent(failure)

const tooSlow = (name: string, timeout: number) =>
  new NetworkFailure(`${name} did not answer within ${Math.round(timeout / 100) / 10} s`, {
    code: 'timeout',
    hint: 'Give it longer with --timeout, or try again later.',
  })

/**
 * An endpoint and its input as a request: each input at its place, what is undefined left out. Throws `invalid_request`
 * when the endpoint does not take it.
 */
export function requestFor(
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
  multiValue: Target['multiValue'],
): RawRequest {
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
  checkInput(endpoint, input)
  const body = places.body.filter(name => input[name] !== undefined).map(name => [name, input[name]] as const)
  return {
    method: endpoint.method,
    isRepeatable: endpoint.isRepeatable ?? (endpoint.method === 'GET' || endpoint.method === 'PATCH'),
    path: query.size > 0 ? `${path}?${query}` : path,
    ...(places.body.length > 0 ? { body: Object.fromEntries(body) } : {}),
  }
}

/** An id as one segment of a path: it can neither be empty nor climb to another path. */
function pathSegment(name: string, value: unknown): string {
  const text = String(value ?? '')
  if (text === '' || text === '.' || text === '..') {
    throw new UsageFailure(`"${text}" cannot be an ${name === 'editionid' ? 'edition id' : name}`)
  }
  return encodeURIComponent(text)
}
