import type { Call } from '../../service/client/call.ts'
import { pagesOf } from '../../service/client/pages.ts'
import { readerUsers } from '../../service/contract/reader-users.ts'
import type { Period } from '../../system/calendar.ts'
import type { Asked, Asking } from '../ask.ts'
import { usableFigure } from './figures.ts'
import { fewestReaders, groupProgress, type ReaderProgress } from './progress-groups.ts'

/** How far readers have come in the books that they read in the months of the report. */
export async function collectProgress(
  call: Call,
  asking: Asking,
  period: Period,
): Promise<Asked<ReaderProgress>> {
  const listed = await asking.ask('reader-users', () => listReaders(call))
  if (listed.value === null) return listed
  const read = await Promise.all(
    listed.value.map(id => asking.ask(id, async () => (await call(readerUsers.get, { id })).item)),
  )
  const progress = read.flatMap(({ value }) => progressIn(value, period) ?? [])
  return {
    value: {
      readers: progress.length < fewestReaders ? null : progress.length,
      groups: groupProgress(progress),
      unread: read.filter(({ failure }) => failure !== null).length,
    },
    failure: null,
  }
}

/** The ids of all reader users. */
async function listReaders(call: Call): Promise<string[]> {
  const ids = new Set<string>()
  const pages = pagesOf(call, readerUsers.list, {}, { limit: Number.POSITIVE_INFINITY })
  for await (const page of pages) {
    for (const each of page as ({ id?: unknown } | null)[]) if (typeof each?.id === 'string') ids.add(each.id)
  }
  return [...ids]
}

/** The progress of the book that a reader read last of those read in the period; undefined if nothing is said of any. */
function progressIn(reader: unknown, { from, to }: Period): number | undefined {
  const history = (reader as { readingHistory?: unknown } | null)?.readingHistory
  if (!Array.isArray(history)) return undefined
  const monthOf = (text: unknown): string | undefined =>
    typeof text === 'string' ? text.slice(0, 7) : undefined
  return (
    history
      .map(each => ({
        first: monthOf(each?.firstReadAtIso),
        last: each?.lastReadAtIso as unknown,
        progress: usableFigure(each?.progression, 1),
      }))
      .filter(({ first, last, progress }) => {
        const lastMonth = monthOf(last)
        return progress !== null && lastMonth !== undefined && lastMonth >= from && (first ?? lastMonth) <= to
      })
      .sort((a, b) => (String(a.last) < String(b.last) ? 1 : -1))[0]?.progress ?? undefined
  )
}
