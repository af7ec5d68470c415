import { NetworkFailure } from '../../system/errors.ts'
import { type Endpoint, type Input, largestPage } from '../contract/endpoint.ts'
import type { Call } from './call.ts'
import type { ItemOf } from './read.ts'

/** The items of a page: as they are read, and as they were sent, in the same places. */
export interface Page<E extends Endpoint> {
  readonly value: readonly ItemOf<E>[]
  readonly raw: readonly unknown[]
}

/** What ended a listing though there is more. */
export type EndedBy = 'limit' | 'service'

export interface Paging {
  /** The most items in total; Infinity for all. */
  limit: number
  /** The token of the page to begin with, from an earlier listing. */
  from?: string | undefined
  /**
   * Called once if the listing ended and the service has more: at `limit`, with the token of the page after it if there is one, or
   * because the service gave a part of a list of which it gives no parts.
   */
  onMore?: (endedBy: EndedBy, token?: string) => void
}

/**
 * The pages of a list; one page if the service answers completely. The next page is requested before the caller gets the
 * current one. Tokens are sent back unchanged (§4.11) and not stored.
 */
export async function* pagesOf<E extends Endpoint>(
  call: Call,
  endpoint: E,
  filters: Record<string, unknown>,
  { limit, from, onMore }: Paging,
): AsyncGenerator<Page<E>> {
  const ask = (left: number, nextToken?: string) => {
    const paging = endpoint.isPaged ? { limit: sizeOf(endpoint, left), nextToken } : {}
    const page = call(endpoint, { ...filters, ...paging } as Input<E>)
    // A page that is requested ahead may fail before it is awaited; the failure is then thrown at its turn.
    page.catch(() => undefined)
    return page
  }
  const usedTokens = new Set<string>()
  let left = limit
  let next: ReturnType<typeof ask> | undefined = ask(left, from)
  while (next) {
    const { value, raw } = (await next) as unknown as ListAnswer<E>
    const all = raw.items ?? []
    const token = value.nextToken ?? undefined
    const page = new ReadPage<E>(value, all.slice(0, left))
    left -= page.raw.length
    next = undefined
    if (token !== undefined && left > 0 && endpoint.isPaged) {
      if (usedTokens.has(token)) throw sameTokenAgain('; --limit gives the items up to there')
      usedTokens.add(token)
      next = ask(left, token)
    } else if (all.length > page.raw.length) onMore?.('limit')
    else if (token !== undefined && endpoint.isPaged) onMore?.('limit', token)
    else if (token !== undefined) onMore?.('service')
    if (next) await untilSent()
    yield page
  }
}

/**
 * Resolves when undici has sent a request on a connection that it kept: it waits two rounds of events for what may still
 * come on that. So the service works while the page before is printed.
 */
async function untilSent(): Promise<void> {
  for (let round = 0; round < 2; round++) await new Promise(setImmediate)
}

/**
 * A page, whose items are read if somebody asks for them. It is a class, because V8 gives each object that has a getter of
 * its own a hidden class of its own, which keeps the page from being collected as a young object: a listing of 100,000 rows would
 * copy 50 MB once more, and keep as much of it.
 */
class ReadPage<E extends Endpoint> implements Page<E> {
  readonly #answer: ListAnswer<E>['value']
  readonly raw: readonly unknown[]

  constructor(answer: ListAnswer<E>['value'], raw: readonly unknown[]) {
    this.#answer = answer
    this.raw = raw
  }

  get value(): readonly ItemOf<E>[] {
    return this.#answer.items.slice(0, this.raw.length)
  }
}

/** The answer of a list, whatever its items are. */
interface ListAnswer<E extends Endpoint> {
  readonly value: { readonly items: readonly ItemOf<E>[]; readonly nextToken?: string | null }
  readonly raw: { readonly items?: readonly unknown[] | null }
}

/** How many items to ask for: a list without a documented page size is not limited unless fewer than all are wanted. */
const sizeOf = ({ mostItems }: Endpoint, left: number): number | undefined =>
  mostItems !== undefined || Number.isFinite(left) ? Math.min(left, mostItems ?? largestPage) : undefined

/** A listing that would be asked for the same page for ever. */
export const sameTokenAgain = (advice = ''): NetworkFailure =>
  new NetworkFailure('the service gave the same continuation token twice, so the listing would never end', {
    code: 'bad_reply',
    hint: `Report it to the service${advice}.`,
  })
