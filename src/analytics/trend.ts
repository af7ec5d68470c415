import type { Context } from '../cli/context.ts'
import { partFailed } from '../cli/for-each.ts'
import { createCountProgress } from '../cli/output/count-progress.ts'
import { analytics } from '../service/contract/analytics.ts'
import { monthAfter, monthOf, type Period } from '../system/calendar.ts'
import { type Failure, NetworkFailure, UsageFailure } from '../system/errors.ts'
import { isObject } from '../system/is-object.ts'
import { openAsking } from './ask.ts'

/** A popular title as the service sent it, and what the service says about how it is read. */
interface Trending {
  /** The answer of `analytics publication`; null if it failed. */
  readonly trend: unknown
  readonly error: { readonly code: string; readonly message: string } | null
}

/** How many months a trend has by default: a year. */
const usualMonths = 12

/** The months of a trend: by default the twelve that end with the running one. Throws UsageFailure. */
export function trendPeriod(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: number,
): Period {
  const last = to ?? monthOf(now)
  const first = from ?? monthAfter(last, 1 - usualMonths)
  if (first > last) {
    throw new UsageFailure(`${first} is after ${last}`, {
      hint: 'Name the first month with --from, and the last with --to.',
    })
  }
  return { from: first, to: last }
}

/**
 * Adds its trend to each title of the pages, with a request for each title and some of them at a time. The titles keep their
 * order, and one whose trend fails keeps its place. At the end, `onFailure` gets the Failure `part_failed` if there is any.
 */
export async function* withTrends(
  context: Context,
  pages: AsyncIterable<readonly unknown[]>,
  period: Period,
  onFailure: (failure: Failure) => void,
): AsyncGenerator<readonly unknown[]> {
  const progress = context.err.isTerminal ? await context.progress() : undefined
  const count = progress && createCountProgress(progress, context.err, context.world.clock)
  const asking = await openAsking(context, (done, all) => count?.show('reading trends', done, all))
  let titles = 0
  try {
    for await (const page of pages) {
      titles += page.length
      const asked = page.map(async title => {
        if (!isObject(title)) return title
        const id = title['publicationId']
        const name = typeof id === 'string' ? id : ''
        const { value, failure } = await asking.ask(name, async () => {
          if (name === '') throw withoutId()
          const span = { id: name, ...period, granularity: 'month' } as const
          return (await context.call(analytics.publication, span)).item
        })
        return { ...title, trend: value, error: failure && brief(failure) } satisfies Trending
      })
      // Whoever comes later may fail before it is awaited; the failure is then thrown at its turn.
      for (const each of asked) each.catch(() => undefined)
      for (const each of asked) yield [await each]
    }
  } finally {
    count?.stop()
  }
  const failures = asking.failures()
  if (failures.length > 0) onFailure(partFailed(failures, titles))
}

const withoutId = () =>
  new NetworkFailure('the service gave this title no id', {
    code: 'bad_reply',
    hint: 'Report it to the service.',
  })

const brief = ({ code, message }: Failure) => ({ code, message })
