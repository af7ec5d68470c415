import { cutText } from '../../system/cut-text.ts'
import { type Failure, type FailureDetail, NetworkFailure, ServiceFailure } from '../../system/errors.ts'
import { parseExactly } from '../../system/exact-json.ts'
import { isObject } from '../../system/is-object.ts'
import type { Response } from '../../system/response.ts'

type Json = Record<string, unknown>

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const hints: Readonly<Record<number, string>> = {
  401: 'Check which key is used with "pubctl doctor", or set one with "pubctl profile setup".',
  403: 'The key may lack the scope for this; "pubctl whoami" shows its scopes.',
  404: 'Check the id; the matching "list" command shows those that exist.',
  429: 'There were too many requests, also after pubctl slowed down. Try again later, or allow more time with --timeout.',
}

/** The answer was cut short or damaged on its way, so that a retry may succeed. */
export class BrokenReply extends NetworkFailure {}

/** What to do about an error whose code says more than its status. */
const hintsOfCodes: Readonly<Record<string, string>> = {
  ACCOUNT_RESTRICTED:
    'The account is restricted, whatever the key may do; check its plan and its limits, or ask the operator of the service.',
}

/** Whether the answer is a redirect. */
export const isRedirect = ({ status }: Response): boolean => status >= 300 && status < 400

/**
 * The body of a successful answer as the service sent it. Throws a failure that describes any other answer; `ownHints`
 * replaces the hints for some statuses.
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
  if (hasTooManyValues(text)) throw tooManyValues(what, status)
  const body = parse(text)
  if (status >= 400) throw errorOf(response, { text, body }, requestId, what, { ...hints, ...ownHints })
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

/** The most values in an answer: one for every eight bytes of the longest answer, far more than any page has. */
const mostValues = 2_000_000

/** Whether an answer has so many values that parsing it would take hundreds of times its size in memory. */
function hasTooManyValues(text: string): boolean {
  let values = 0
  for (let index = 0; index < text.length && text.length > mostValues; index++) {
    const code = text.charCodeAt(index)
    // A comma, [ or {.
    if (code === 0x2c || code === 0x5b || code === 0x7b) values++
    if (values > mostValues) return true
  }
  return false
}

const tooManyValues = (what: string, status: number) =>
  new NetworkFailure(`${what} answered with more than ${mostValues.toLocaleString('en')} values`, {
    code: 'bad_reply',
    status,
    hint: 'Check that the address is that of the service. For a list, --limit asks for less.',
  })

/** The failure for an error status, with what the envelope (§7) contains. */
function errorOf(
  response: Response,
  { text, body }: { readonly text: string; readonly body: unknown },
  headerId: string | undefined,
  what: string,
  hints: Readonly<Record<number, string>>,
): Failure {
  const { status, headers } = response
  const envelope = isObject(body) ? body : {}
  const context = isObject(envelope['context']) ? envelope['context'] : {}
  const message = textOf(envelope['message'])
  const code = textOf(envelope['error']) ?? `http_${status}`
  const kind = bodyKind(response, text)
  const isElsewhere = status < 500 && kind === aWebPage
  return new ServiceFailure(
    message ??
      `${what} answered ${status}${isElsewhere ? ` with ${kind}: this is not the publishing service` : isObject(body) ? '' : ' without a readable error'}`,
    {
      status,
      code,
      authentication: isObject(context['authentication']) ? context['authentication'] : undefined,
      retryAfter: textOf(headers['retry-after']),
      requestId: textOf(context['requestId']) ?? headerId,
      details: detailsOf(envelope['details']),
      hint: isElsewhere
        ? 'Check the address; "pubctl whoami" shows the one in use. A proxy or a login page may have answered in its place.'
        : ((Object.hasOwn(hintsOfCodes, code) ? hintsOfCodes[code] : hints[status]) ??
          (status >= 500
            ? 'The service has a problem; try again, and if it remains, report the request id.'
            : undefined)),
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

/** The most details of an error, and the most steps of a detail's path. */
const most = { details: 100, steps: 50 }

function stepOf(step: unknown): (string | number)[] {
  if (typeof step === 'number') return [step]
  return typeof step === 'string' ? [cutText(step)] : []
}

function redirected(response: Response, what: string): Failure {
  const location = textOf(response.headers['location'])
  const target = location && URL.canParse(location) ? ` to ${new URL(location).origin}` : ''
  return new NetworkFailure(
    `${what} answered with a redirect${target}, which is not followed, so that the key is sent nowhere else`,
    {
      code: 'redirected',
      status: response.status,
      hint: 'Set the new address with "pubctl profile setup" or --base-url.',
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

const aWebPage = 'a web page'

function bodyKind(response: Response, text: string): string {
  if (text === '') return 'nothing'
  const type = textOf(response.headers['content-type'])?.split(';')[0]
  if (type === 'text/html' || /^\s*<(?:!doctype|html)/i.test(text)) return aWebPage
  return /^\s*[[{]/.test(text) ? 'invalid, too deeply nested or truncated JSON' : `${type ?? 'text'}`
}
