import { randomUUID } from 'node:crypto'
import type * as z from 'zod/mini'
import type { Endpoint } from '../../service/contract/endpoint.ts'
import { isObject } from '../../system/is-object.ts'
import type { KeyHolder, SandboxState } from '../call.ts'
import { invalid, ServiceError } from '../service-error.ts'
import { parseAs } from '../validate.ts'
import { authenticate, authenticationOf, authorise } from './authenticate.ts'
import type { Handling } from './inject-fault.ts'
import { findRoutes } from './routes.ts'

export interface ServiceRequest {
  method: string
  /** Path and query. */
  url: string
  authorization: string | undefined
  /** Why the request is not answered, where it does not come from this machine's own tools. */
  originError: string | undefined
  /** The status of an injected fault. */
  refusal: Handling['refusal']
  body: Buffer | 'too large' | undefined
}

export interface ServiceAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** Answers one request to the JSON API; every error becomes an envelope. */
export function answerRequest(sandbox: SandboxState, request: ServiceRequest): ServiceAnswer {
  const { method, url } = request
  const [path = '', ...rest] = url.split('?')
  const requestId = randomUUID()
  const now = sandbox.clock.now()
  let caller: KeyHolder | undefined
  const context = () => ({
    path,
    method,
    requestId,
    authentication: caller && authenticationOf(caller, requestId),
  })
  const work = () => {
    if (request.originError !== undefined) {
      throw new ServiceError(403, 'AUTHENTICATION_ERROR', request.originError)
    }
    if (request.refusal !== undefined) throw injectedError(request.refusal)
    caller = authenticate(sandbox.db, request.authorization, now)
    return dispatch(sandbox, { method, path, query: rest.join('?'), body: request.body }, caller, now)
  }
  try {
    const { status, body } = method === 'GET' ? sandbox.db.read(work) : work()
    return reply(requestId, status, Object.assign(body, { context: context() }))
  } catch (error) {
    const { status, code, message, details, headers } = asServiceError(error)
    return reply(requestId, status, { error: code, message, details, context: context() }, headers)
  }
}

function dispatch(
  sandbox: SandboxState,
  { method, path, query, body }: Pick<ServiceRequest, 'method' | 'body'> & { path: string; query: string },
  caller: KeyHolder,
  now: number,
): { status: number; body: object } {
  const found = findRoutes(path)
  if (!found) throw new ServiceError(404, 'EMPTY_RESPONSE', `The service has no path ${path}.`)
  const route = found.routes.get(method)
  if (!route) {
    const allow = [...found.routes.keys()].join(', ')
    throw new ServiceError(405, 'UNSUPPORTED_METHOD', `${path} does not support ${method}, only ${allow}.`, {
      headers: { allow },
    })
  }
  authorise(caller, route.endpoint.method)
  if (body === 'too large') {
    throw new ServiceError(413, 'INVALID_REQUEST', 'The body is larger than 1 MiB.', {
      details: [{ message: 'Too big: expected at most 1048576 bytes', path: [], code: 'too_big' }],
    })
  }
  const input = inputOf(route.endpoint, { path: found.parameters, query: new URLSearchParams(query), body })
  // Not a spread, which takes several times as long.
  const { db, clock, tokens, objects, processingDelay, variants, wake } = sandbox
  const own = { db, clock, tokens, objects, processingDelay, variants, wake }
  const call = Object.assign(own, { caller, now: new Date(now).toISOString() })
  const answered = route.handle(input, call)
  return { status: route.endpoint.status, body: answered }
}

/** The error of an injected fault. The document has no 429 and 503, which proxies in front of a service send. */
const injectedError = (status: 429 | 500 | 503): ServiceError =>
  new ServiceError(
    status,
    status === 500 ? 'INTERNAL_ERROR' : 'UNKNOWN_ERROR',
    `The sandbox rehearses the status ${status}; nothing was done.`,
    status === 429 ? { headers: { 'retry-after': '1' } } : {},
  )

function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const { message, code } = error as { message?: string; code?: unknown }
  const isStore = code === 'sandbox_data' || (typeof code === 'string' && code.startsWith('SQLITE_'))
  return new ServiceError(500, isStore ? 'DB_ERROR' : 'INTERNAL_ERROR', `The sandbox failed: ${message}`)
}

function reply(
  requestId: string,
  status: number,
  content: object,
  headers: Readonly<Record<string, string>> = {},
): ServiceAnswer {
  const body = JSON.stringify(content)
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'no-store',
      'x-request-id': requestId,
      ...headers,
    },
    body,
  }
}

/** A request as it was received, not yet validated. */
interface RawInput {
  path: Record<string, string>
  query: URLSearchParams
  body: Buffer | undefined
}

/**
 * The input of an endpoint, read by its own schema. Throws 400 ZOD_ERROR with every finding in `details`, for JSON
 * that cannot be parsed too.
 */
function inputOf(
  { method, input }: Pick<Endpoint, 'method' | 'input'>,
  { path, query, body }: RawInput,
): unknown {
  const takesBody = method === 'POST' || method === 'PATCH'
  const sent = {
    ...fromQuery(query, input.shape),
    ...(takesBody ? fromBody(body) : {}),
  }
  // A parameter in the wrong place could be confused with the one in the path, or be overwritten by it.
  const misplaced = Object.keys(sent).filter(name => Object.hasOwn(path, name))
  if (takesBody) misplaced.push(...query.keys())
  if (misplaced.length > 0) {
    throw invalid([
      { message: `Unrecognized keys: ${misplaced.join(', ')}`, path: [], code: 'unrecognized_keys' },
    ])
  }
  return parseAs(input, { ...sent, ...path })
}

function fromBody(body: Buffer | undefined): Record<string, unknown> {
  if (body === undefined || body.length === 0) return {}
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    throw invalid([
      { message: `The body is not JSON: ${(error as Error).message}`, path: [], code: 'invalid_json' },
    ])
  }
  if (isObject(value)) return { ...value }
  const kind = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
  throw invalid([
    { message: `Invalid input: expected object, received ${kind}`, path: [], code: 'invalid_type' },
  ])
}

/** Query parameters with the types that their schemas ask for; what cannot be converted is left for the schema to refuse. */
function fromQuery(query: URLSearchParams, shape: Record<string, z.core.$ZodType>): Record<string, unknown> {
  const values = [...new Set(query.keys())].map(name => {
    const texts = query.getAll(name)
    const type = Object.hasOwn(shape, name) ? typeOf(shape[name] as z.core.$ZodType) : 'string'
    if (type === 'array') return [name, texts.flatMap(text => text.split(','))]
    if (texts.length > 1) return [name, texts]
    return [name, type === 'number' ? numberIn(texts[0] as string) : texts[0]]
  })
  return Object.fromEntries(values)
}

function typeOf(schema: z.core.$ZodType): string {
  const { type, innerType } = schema._zod.def as { type: string; innerType?: z.core.$ZodType }
  return innerType ? typeOf(innerType) : type
}

const numberIn = (text: string): number | string => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text)
