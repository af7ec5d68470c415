import type { Endpoint, Input } from '../contract/endpoint.ts'
import { NetworkFailure } from '../errors.ts'
import type { Call } from './call.ts'

/** The endpoints that are paginated by cursor (§8); every other listing answers with its complete set. */
const paginated: readonly string[] = ['/v1/publications', '/v1/reader-instances']

/** The most that those give in one page (§8). */
const largestPage = 50

export interface Paging {
  /** How many items are wanted in all; Infinity for every one. */
  limit: number
  /** Told once when the listing ended at `limit` and the service has more. */
  onMore?: () => void
}

/**
 * The pages of a listing; one page where the service gives its complete set. The next page is asked for while the caller
 * is still busy with the last one. Tokens go back exactly as they came (§4.11) and are forgotten afterwards.
 */
export async function* pagesOf<E extends Endpoint>(
  call: Call,
  endpoint: E,
  filters: Record<string, unknown>,
  { limit, onMore }: Paging,
): AsyncGenerator<unknown[]> {
  const takesToken = 'nextToken' in endpoint.input.shape
  // The bounds of any other endpoint's `limit` are not documented, so that it is sent only where it was asked for.
  const sizeOf = (left: number): number | undefined => {
    if (paginated.includes(endpoint.path)) return Math.min(left, largestPage)
    return Number.isFinite(left) ? left : undefined
  }
  const ask = (left: number, nextToken?: string) => {
    const paging = takesToken ? { limit: sizeOf(left), nextToken } : {}
    const page = call(endpoint, { ...filters, ...paging } as Input<E>)
    // A page that is asked for ahead may fail while nobody waits for it; the failure is met when its turn comes.
    page.catch(() => undefined)
    return page
  }
  const seen = new Set<string>()
  let left = limit
  let coming: ReturnType<typeof ask> | undefined = ask(left)
  while (coming) {
    const reply = (await coming) as { items?: unknown; nextToken?: unknown }
    const all = Array.isArray(reply.items) ? reply.items : []
    const items = all.length > left ? all.slice(0, left) : all
    left -= items.length
    const token = typeof reply.nextToken === 'string' && reply.nextToken !== '' ? reply.nextToken : undefined
    coming = undefined
    if (token !== undefined && left > 0 && takesToken) {
      if (seen.has(token)) throw sameTokenAgain('; --limit gives the items up to there')
      seen.add(token)
      coming = ask(left, token)
    } else if (token !== undefined || all.length > items.length) onMore?.()
    yield items
  }
}

/** The records in an answer's `items`; whatever else stands there is left out. */
export function recordsIn<T extends object>({ items }: { items?: readonly T[] | null }): T[] {
  return Array.isArray(items) ? items.filter(each => typeof each === 'object' && each !== null) : []
}

/** A listing that would be asked for the same page for ever. */
export const sameTokenAgain = (advice = ''): NetworkFailure =>
  new NetworkFailure('the service gave the same continuation token twice, so the listing would never end', {
    code: 'bad_reply',
    hint: `Report it to the service${advice}.`,
  })
