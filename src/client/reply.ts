import { cutText } from '../cut-text.ts'
import { type Failure, type FailureDetail, NetworkFailure, ServiceFailure } from '../errors.ts'
import { parseExactly } from '../exact-json.ts'
import { isObject } from '../is-object.ts'
import type { Response } from './response.ts'

type Json = Record<string, unknown>

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const hints: Readonly<Record<number, string>> = {
  401: 'Check which key is used with "pubctl doctor", or set one with "pubctl profile setup".',
  403: 'The key may lack the scope for this; "pubctl whoami" shows its scopes.',
  404: 'Check the id; the matching "list" command shows those that exist.',
  429: 'The service asks for patience; try again in a minute.',
}

/** The answer began as it should and was cut or garbled on its way, so that another may be whole. */
export class BrokenReply extends NetworkFailure {}

/** What to do about an error whose code says more than its status. */
const hintsOfCodes: Readonly<Record<string, string>> = {
  ACCOUNT_RESTRICTED:
    'The account is restricted, whatever the key may do; check its plan and its limits, or ask whoever runs the service.',
}

/** An answer that leads elsewhere, of which nothing but that matters. */
export const isRedirect = ({ status }: Response): boolean => status >= 300 && status < 400

/**
 * The body of a success as the service sent it, or a failure that says what came instead; `ownHints` are of whoever
 * knows better what to do about a status.
 */
export async function readReply(
  response: Response,
  what: string,
  ownHints: Readonly<Record<number, string>> = {},
): Promise<Json> {
  const { status } = response
  const requestId = textOf(response.headers['x-request-id'])
  if (response.refusal) throw response.refusal
  if (isRedirect(response)) throw redirected(response, what)
  const text = await response.text()
  if (holdsTooMuch(text)) throw tooMuch(what, status)
  const body = parse(text)
  if (status >= 400) throw errorOf(response, body, requestId, what, { ...hints, ...ownHints })
  if (isObject(body)) return body
  const isBroken = text === '' || (body === undefined && /^\s*[[{]/.test(text))
  throw new (isBroken ? BrokenReply : NetworkFailure)(
    `${what} answered ${status} with ${bodyKind(response, text)} instead of a JSON object`,
    {
      code: 'bad_reply',
      status,
      hint: 'Check that the address is the one of the service; a proxy or login page may have answered in its place.',
    },
  )
}

/** The most values that an answer may hold: one for every eight bytes of the longest, which no record comes near. */
const mostValues = 2_000_000

/** Whether an answer, although not too long, would take hundreds of bytes of memory for each of its own. */
function holdsTooMuch(text: string): boolean {
  let values = 0
  for (let index = 0; index < text.length && text.length > mostValues; index++) {
    const code = text.charCodeAt(index)
    // A comma, or a bracket of either kind that opens.
    if (code === 0x2c || code === 0x5b || code === 0x7b) values++
    if (values > mostValues) return true
  }
  return false
}

const tooMuch = (what: string, status: number) =>
  new NetworkFailure(`${what} answered with more than ${mostValues.toLocaleString('en')} values`, {
    code: 'bad_reply',
    status,
    hint: 'Check that the address is that of the service; --limit asks for less where a list has it.',
  })

/** An error status as a failure, with the parts of the envelope (§7) that came. */
function errorOf(
  { status, headers }: Response,
  body: unknown,
  headerId: string | undefined,
  what: string,
  hints: Readonly<Record<number, string>>,
): Failure {
  const envelope = isObject(body) ? body : {}
  const context = isObject(envelope['context']) ? envelope['context'] : {}
  const message = textOf(envelope['message'])
  const code = textOf(envelope['error']) ?? `http_${status}`
  return new ServiceFailure(
    message ?? `${what} answered ${status}${isObject(body) ? '' : ' without a readable error'}`,
    {
      status,
      code,
      authentication: isObject(context['authentication']) ? context['authentication'] : undefined,
      retryAfter: textOf(headers['retry-after']),
      requestId: textOf(context['requestId']) ?? headerId,
      details: detailsOf(envelope['details']),
      hint:
        (Object.hasOwn(hintsOfCodes, code) ? hintsOfCodes[code] : hints[status]) ??
        (status >= 500
          ? 'The fault is on the service; try again, and quote the request id if it stays.'
          : undefined),
    },
  )
}

function detailsOf(value: unknown): FailureDetail[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value
    .slice(0, most.details)
    .filter(isObject)
    .map(({ message, path, code }) => ({
      message: cutText(textOf(message) ?? 'not valid'),
      ...(Array.isArray(path) ? { path: path.slice(0, most.steps).flatMap(stepOf) } : {}),
      ...(textOf(code) === undefined ? {} : { code: cutText(code as string) }),
    }))
}

/** More of these tell a person nothing. */
const most = { details: 100, steps: 50 }

function stepOf(step: unknown): (string | number)[] {
  if (typeof step === 'number') return [step]
  return typeof step === 'string' ? [cutText(step)] : []
}

function redirected(response: Response, what: string): Failure {
  const location = textOf(response.headers['location'])
  const target = location && URL.canParse(location) ? ` to ${new URL(location).origin}` : ''
  return new NetworkFailure(
    `${what} answered with a redirect${target}, which is not followed, so that the key stays here`,
    {
      code: 'redirected',
      status: response.status,
      hint: 'Set the address that the service really has with "pubctl profile setup" or --base-url.',
    },
  )
}

function parse(text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
    return undefined
  }
}

function bodyKind(response: Response, text: string): string {
  if (text === '') return 'nothing'
  const type = textOf(response.headers['content-type'])?.split(';')[0]
  if (type === 'text/html' || /^\s*<(?:!doctype|html)/i.test(text)) return 'a web page'
  return /^\s*[[{]/.test(text) ? 'broken, bottomless or truncated JSON' : `${type ?? 'text'}`
}
