import type { Clock } from '../world.ts'
import type { Http, Request } from './http.ts'
import type { Response } from './response.ts'

/** One request and what came of it, without a secret in it. */
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
  /** Told the query of every presigned address, which is a credential. */
  readonly onPresigned: (query: string) => void
  /** Told of each exchange once the whole answer is there; it is read early only where this is given. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined
}

/** The same HTTP, watched: it makes known which secrets travel, and each exchange for `--verbose`. */
export function watched(http: Http, { clock, onPresigned, onExchange }: Watch): Http {
  const send = async (request: Request): Promise<Response> => {
    const { origin, pathname, search } = new URL(request.url)
    if (request.isPresigned) onPresigned(search.slice(1))
    if (!onExchange) return await http.send(request)

    const started = clock.monotonic()
    const tell = (facts: Partial<Exchange>) =>
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
      tell({ status, requestId: requestIdOf(known) ?? headerOf(headers, 'x-request-id', 'x-amz-request-id') })
      return { ...response, text: () => body }
    } catch (error) {
      tell({ trouble: error instanceof Error ? error.message : String(error) })
      throw error
    }
  }
  return { ...http, send }
}

/** An answer that is longer than this is not taken apart once more for its request id, which mostly stands at its end. */
const long = 64 * 1024

function requestIdOf(body: string): string | undefined {
  if (body.length > long) return /"requestId":\s?"([^"\\]{1,200})"/.exec(body.slice(-long))?.[1]
  try {
    const id: unknown = JSON.parse(body)?.context?.requestId
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}

const headerOf = (headers: Response['headers'], ...names: string[]): string | undefined =>
  names.flatMap(name => headers[name]).find(value => value !== undefined)
