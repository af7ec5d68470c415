import { setMaxListeners } from 'node:events'
import type { Endpoint, Input, Output } from '../contract/endpoint.ts'
import { placesOf } from '../contract/places.ts'
import { NetworkFailure, UsageFailure } from '../errors.ts'
import type { World } from '../world.ts'
import type { Http, Response } from './http.ts'
import { isRedirect, readReply } from './reply.ts'
import { backoff } from './retry.ts'
import { asNetworkFailure, isLasting, wasNotSent } from './trouble.ts'

export interface Target {
  /** The address of the service without a slash at its end; a path prefix is allowed. */
  readonly baseUrl: string
  readonly key: string
  /** How `statuses` and `formats` travel: the name repeated, or one value with commas. */
  readonly multiValue: 'repeat' | 'comma'
  readonly userAgent: string
  /** Milliseconds that one request may take to answer. */
  readonly timeout: number
}

export interface RawRequest {
  method: string
  /** Path and query below the base address. */
  path: string
  body?: unknown
}

/** Calls an endpoint of the contract and gives the service's answer untouched; throws a `Failure`. */
export type Call = <E extends Endpoint>(endpoint: E, input: Input<E>) => Promise<Output<E>>

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
  async function once({ method, path, body }: RawRequest): Promise<Response> {
    // By hand, since signals made of signals cost a long listing a tenth of its time.
    const end = new AbortController()
    const stop = () => end.abort(signal.reason)
    signal.addEventListener('abort', stop)
    const timer = setTimeout(() => end.abort(tooSlow(name, target.timeout)), target.timeout)
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
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        timeout: target.timeout,
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
   * A GET may be repeated whatever happened to it. Anything else may be repeated only when it cannot have been carried
   * out: the connection was never made, or the service says that it did not take the request up.
   */
  async function send(request: RawRequest): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      let wait: number | undefined
      try {
        const response = await once(request)
        // An answer that was cut short can be asked for again.
        if (request.method === 'GET' && response.status === 200) await response.text()
        const mayRepeat =
          notTakenUp.includes(response.status) ||
          (request.method === 'GET' && passing.includes(response.status))
        wait = mayRepeat ? backoff(attempt + 1, response.headers['retry-after'], clock) : undefined
        if (wait === undefined) return response
        await response.text().catch(() => undefined)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        const mayRepeat = request.method === 'GET' || wasNotSent(error)
        wait = mayRepeat && !isLasting(error) ? backoff(attempt + 1, undefined, clock) : undefined
        if (wait === undefined) throw asNetworkFailure(error, name)
      }
      await clock.sleep(wait, signal)
    }
  }

  return {
    name,
    send,
    async call(endpoint, input) {
      const request = requestFor(endpoint, input as Record<string, unknown>, target.multiValue)
      const response = await send(request)
      try {
        return (await readReply(response, name)) as Output<typeof endpoint>
      } catch (error) {
        if (signal.aborted) throw signal.reason
        throw asNetworkFailure(error, name)
      }
    },
  }
}

/** The service gave up before it had the request, wants it at a safer time, or has too many of them. */
const notTakenUp = [408, 425, 429]

/** Answers that come from what stands before the service, or from a service that is overburdened. */
const passing = [500, 502, 503, 504]

const tooSlow = (name: string, timeout: number) =>
  new NetworkFailure(`${name} did not answer within ${timeout / 1000} s`, {
    code: 'timeout',
    hint: 'Give it longer with --timeout, or try again later.',
  })

/** An endpoint and its input as a request: each input at its place, what is undefined left out. */
export function requestFor(
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
  multiValue: Target['multiValue'],
): RawRequest {
  const places = placesOf(endpoint)
  let path = endpoint.path as string
  for (const name of places.path) path = path.replace(`{${name}}`, pathSegment(name, input[name]))
  const query = new URLSearchParams()
  for (const name of places.query) {
    const value = input[name]
    if (Array.isArray(value) && multiValue === 'comma') query.append(name, value.join(','))
    else if (Array.isArray(value)) for (const each of value) query.append(name, String(each))
    else if (value !== undefined) query.append(name, String(value))
  }
  const body = places.body.filter(name => input[name] !== undefined).map(name => [name, input[name]] as const)
  return {
    method: endpoint.method,
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
