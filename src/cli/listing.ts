import { type Command, Option } from '@commander-js/extra-typings'
import { type EndedBy, type Page, pagesOf } from '../service/client/pages.ts'
import { type Endpoint, largestPage } from '../service/contract/endpoint.ts'
import type { Context } from './context.ts'
import { parseCount } from './option-types.ts'
import type { View } from './output/view.ts'

/** How many items of a paginated listing are printed without --limit or --all. */
const defaultLimit = largestPage

const limitOption = () => new Option('--limit <count>', 'how many items in all').argParser(parseCount)

/** Adds --limit and --all to a `list` command whose endpoint returns all items at once. */
export const listing = <A extends unknown[], O extends Record<string, unknown>>(command: Command<A, O>) =>
  command.addOption(limitOption().conflicts('all')).option('--all', 'all items, which is the default')

/** Adds --limit and --all to a `list` command whose endpoint is paginated and may have very many items. */
export const paginatedListing = <A extends unknown[], O extends Record<string, unknown>>(
  command: Command<A, O>,
) =>
  command
    .addOption(limitOption().default(defaultLimit).conflicts('all'))
    .option('--all', 'all items')
    .option('--next-token <token>', 'continue a listing that was cut, with its token')

/** Prints a listing as its pages arrive, and warns when --limit cut it. */
export async function list<E extends Endpoint>(
  context: Context,
  view: View,
  endpoint: E,
  filters: Record<string, unknown>,
  {
    limit,
    all,
    nextToken: from,
    onItems,
  }: {
    limit?: number | undefined
    all?: true | undefined
    nextToken?: string | undefined
    /** Called with the items of each page before they are printed. */
    onItems?: (items: Page<E>['value']) => void
  },
): Promise<void> {
  await context.check(view)
  let endedBy: EndedBy | undefined
  const max = all || limit === undefined ? Number.POSITIVE_INFINITY : limit
  const pages = pagesOf(context.call, endpoint, filters, {
    limit: max,
    from,
    onMore(by, token) {
      endedBy = by
      context.cut(token)
    },
  })
  await context.list(view, printed(pages, onItems))
  if (endedBy) await warnOfEnd(context, endedBy, max)
}

async function* printed<E extends Endpoint>(
  pages: AsyncIterable<Page<E>>,
  onItems?: (items: Page<E>['value']) => void,
): AsyncGenerator<readonly unknown[]> {
  for await (const page of pages) {
    onItems?.(page.value)
    yield page.raw
  }
}

/** Warns that a listing was cut, and says how to see the rest. */
export const warnOfCut = async (context: Context, limit: number, which: 'first' | 'latest'): Promise<void> =>
  await context.warn({
    code: 'listing_cut',
    message: `the listing was cut: these are the ${which} ${limit}, and there are more`,
    hint: 'Use --all to see everything, or a higher --limit.',
  })

/** Warns that a listing ended though there is more. */
export async function warnOfEnd(context: Context, endedBy: EndedBy, limit: number): Promise<void> {
  if (endedBy === 'limit') return await warnOfCut(context, limit, 'first')
  await context.warn({
    code: 'listing_cut',
    message: 'the service says that there are more, and gives no way to ask for them',
    hint: 'It should give all of this list at once. Tell whoever runs it.',
  })
}
