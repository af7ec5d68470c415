import { NetworkFailure } from '../../system/errors.ts'
import type { Endpoint, Input } from '../contract/endpoint.ts'
import type { Call } from './call.ts'

/** The endpoints with cursor pagination (§8); every other list is answered completely. */
const paginated: readonly string[] = ['/v1/publications', '/v1/reader-instances']

/** The most items in one page (§8). For other lists it is not documented, so no more are asked for there either. */
const largestPage = 50

export interface Paging {
  /** The most items in total; Infinity for all. */
  limit: number
  /** The token of the page to begin with, from an earlier listing. */
  from?: string | undefined
  /** Called once if the listing ended at `limit` and the service has more, with the token of the page after it if there is one. */
  onMore?: (token: string | undefined) => void
}

/**
 * The pages of a list; one page if the service answers completely. The next page is requested while the caller still
 * processes the current one. Tokens are sent back unchanged (§4.11) and not stored.
 */
export async function* pagesOf<E extends Endpoint>(
  call: Call,
  endpoint: E,
  filters: Record<string, unknown>,
  { limit, from, onMore }: Paging,
): AsyncGenerator<unknown[]> {
  // Another list has no documented page size, so one is only asked for if fewer than all items are wanted.
  const sizeOf = (left: number): number | undefined =>
    paginated.includes(endpoint.path) || Number.isFinite(left) ? Math.min(left, largestPage) : undefined
  const ask = (left: number, nextToken?: string) => {
    const paging = endpoint.isPaged ? { limit: sizeOf(left), nextToken } : {}
    const page = call(endpoint, { ...filters, ...paging } as Input<E>)
    // A page that is requested ahead may fail before it is awaited; the failure is then thrown at its turn.
    page.catch(() => undefined)
    return page
  }
  const usedTokens = new Set<string>()
  let left = limit
  let next: ReturnType<typeof ask> | undefined = ask(left, from)
  while (next) {
    const reply = (await next) as { items?: unknown; nextToken?: unknown }
    const all = Array.isArray(reply.items) ? reply.items : []
    const items = all.length > left ? all.slice(0, left) : all
    left -= items.length
    const token = typeof reply.nextToken === 'string' && reply.nextToken !== '' ? reply.nextToken : undefined
    next = undefined
    if (token !== undefined && left > 0 && endpoint.isPaged) {
      if (usedTokens.has(token)) throw sameTokenAgain('; --limit gives the items up to there')
      usedTokens.add(token)
      next = ask(left, token)
    } else if (token !== undefined || all.length > items.length)
      onMore?.(all.length > items.length ? undefined : token)
    yield items
  }
}

/** The objects in an answer's `items`; anything else is left out. */
export function recordsIn<T extends object>({ items }: { items?: readonly T[] | null }): T[] {
  return Array.isArray(items) ? items.filter(each => typeof each === 'object' && each !== null) : []
}

/** A listing that would be asked for the same page for ever. */
export const sameTokenAgain = (advice = ''): NetworkFailure =>
  new NetworkFailure('the service gave the same continuation token twice, so the listing would never end', {
    code: 'bad_reply',
    hint: `Report it to the service${advice}.`,
  })
