import { isSameStamp, type Seen } from './scan.ts'

/** A file as long as it has not changed. */
export interface Watched {
  readonly seen: Seen
  /** When it was first seen as it is now, on the monotonic clock in milliseconds. */
  readonly since: number
}

/** What a scan has changed. */
export interface Observed {
  readonly watched: ReadonlyMap<string, Watched>
  /** Files that are new or have changed. */
  readonly fresh: readonly Watched[]
}

/**
 * Compares what a scan found with what was there before. Pure: `now` is a time that never goes back, so that setting the
 * clock makes no file older than it is.
 */
export function observe(before: ReadonlyMap<string, Watched>, files: readonly Seen[], now: number): Observed {
  const watched = new Map<string, Watched>()
  const fresh: Watched[] = []
  for (const seen of files) {
    const known = before.get(seen.path)
    const isSame = known !== undefined && isSameStamp(known.seen.stamp, seen.stamp)
    const next = { seen, since: isSame ? known.since : now }
    watched.set(seen.path, next)
    if (!isSame) fresh.push(next)
  }
  return { watched, fresh }
}

/** Whether a file has been as it is for the whole quiet period, in milliseconds. */
export const isQuiet = ({ since }: Watched, now: number, quietPeriod: number): boolean =>
  now - since >= quietPeriod
