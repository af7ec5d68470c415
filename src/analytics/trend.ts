import type { Context } from '../cli/context.ts'
import { partFailed } from '../cli/for-each.ts'
import { createCountProgress } from '../cli/output/count-progress.ts'
import type { Page } from '../service/client/pages.ts'
import { analytics } from '../service/contract/analytics.ts'
import { monthAfter, monthOf, type Period } from '../system/calendar.ts'
import { type Failure, NetworkFailure, UsageFailure } from '../system/errors.ts'
import { isObject } from '../system/is-object.ts'
import { openAsking } from './ask.ts'
import type { Title } from './draw-popular.ts'

/** Popular titles, and what the service says about how each is read. */
export interface Trends {
  readonly value: readonly Title[]
  /** As the service sent them, with the answer of `analytics publication` in `trend`, or why there is none in `error`. */
  readonly raw: readonly unknown[]
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
  pages: AsyncIterable<Page<typeof analytics.popular>>,
  period: Period,
  onFailure: (failure: Failure) => void,
): AsyncGenerator<Trends> {
  const progress = context.err.isTerminal ? await context.progress() : undefined
  const count = progress && createCountProgress(progress, context.err, context.world.clock)
  const asking = await openAsking(context, (done, all) => count?.show('reading trends', done, all))
  let titles = 0
  try {
    for await (const { value, raw } of pages) {
      titles += raw.length
      const asked = value.map(async (title, index): Promise<Trends> => {
        const sent = raw[index]
        if (!isObject(sent)) return { value: [title], raw: [sent] }
        const id = title.publicationId
        const { value: answer, failure } = await asking.ask(id ?? '', async () => {
          if (id === null) throw withoutId()
          const span = { id, ...period, granularity: 'month' } as const
          return await context.call(analytics.publication, span)
        })
        const trend = { trend: answer?.raw.item ?? null, error: failure && brief(failure) }
        return { value: [{ ...title, trend: answer?.value.item ?? null }], raw: [{ ...sent, ...trend }] }
      })
      // Whoever comes later may fail before it is awaited; the failure is then thrown at its turn.
      for (const each of asked) each.catch(() => undefined)
      for (const each of asked) yield await each
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
