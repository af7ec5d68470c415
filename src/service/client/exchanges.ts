import type { Http, Request } from '../../system/http.ts'
import type { Response } from '../../system/response.ts'
import type { Clock } from '../../system/world.ts'

/** A request and its outcome, without secrets. */
export interface Exchange {
  method: string
  url: string
  status?: number
  milliseconds: number
  requestId?: string | undefined
  trouble?: string
}

interface Watch {
  readonly clock: Clock
  /** Called with the query of every presigned URL, which is a credential. */
  readonly onPresigned: (query: string) => void
  /** Called after each answer was read completely; without it, answers are not read here. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined
}

/** The same HTTP, which also reports the secrets that are sent, and each exchange for `--verbose`. */
export function watched(http: Http, { clock, onPresigned, onExchange }: Watch): Http {
  const send = async (request: Request): Promise<Response> => {
    if (request.isPresigned) onPresigned(new URL(request.url).search.slice(1))
    if (!onExchange) return await http.send(request)

    const { origin, pathname, search } = new URL(request.url)
    const started = clock.monotonic()
    const report = (facts: Partial<Exchange>) =>
      onExchange({
        method: request.method,
        url: request.isPresigned && search !== '' ? `${origin}${pathname}?[redacted]` : request.url,
        milliseconds: clock.monotonic() - started,
        ...facts,
      })
    try {
      const response = await http.send(request)
      const body = response.text()
      const { status, headers } = response
      const known = await body.catch(() => '')
      report({
        status,
        requestId: requestIdOf(known) ?? headerOf(headers, 'x-request-id', 'x-amz-request-id'),
      })
      return { ...response, text: () => body }
    } catch (error) {
      report({ trouble: error instanceof Error ? error.message : String(error) })
      throw error
    }
  }
  return { ...http, send }
}

/** Longer answers are not parsed for their request id; it is searched at their end. */
const longBody = 64 * 1024

function requestIdOf(body: string): string | undefined {
  if (body.length > longBody) return /"requestId":\s?"([^"\\]{1,200})"/.exec(body.slice(-longBody))?.[1]
  try {
    const id: unknown = JSON.parse(body)?.context?.requestId
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}

const headerOf = (headers: Response['headers'], ...names: string[]): string | undefined =>
  names.flatMap(name => headers[name]).find(value => value !== undefined)
