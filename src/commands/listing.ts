import { type Command, Option } from '@commander-js/extra-typings'
import { pagesOf } from '../client/pages.ts'
import type { Context } from '../context.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { View } from '../output/view.ts'
import { parseCount } from './repeated.ts'

/** Gives a `list` command the options that every listing has. */
export const listing = <A extends unknown[], O extends Record<string, unknown>>(command: Command<A, O>) =>
  command
    .addOption(
      new Option('--limit <count>', 'how many items in all')
        .argParser(parseCount)
        .default(50)
        .conflicts('all'),
    )
    .option('--all', 'every item there is')

/** Prints a listing as its pages arrive, and says when there is more than was asked for. */
export async function list(
  context: Context,
  view: View,
  endpoint: Endpoint,
  filters: Record<string, unknown>,
  { limit, all }: { limit: number; all?: true | undefined },
): Promise<void> {
  await context.check(view)
  let hasMore = false
  const paging = { limit: all ? Number.POSITIVE_INFINITY : limit, onMore: () => (hasMore = true) }
  await context.list(view, pagesOf(context.call, endpoint, filters, paging))
  if (hasMore) await context.note(`These are the first ${limit}; --all shows everything.`)
}
