/** No group of readers that a report shows has fewer, so that nobody can be recognised in it. */
export const fewestReaders = 5

/** How many readers have come how far: at least `from` and less than `to`, as parts of 1; the last group includes 1. */
export interface ProgressGroup {
  readonly from: number
  readonly to: number
  readonly readers: number
}

/** How far readers have come in the book that they read last in the months of the report. */
export interface ReaderProgress {
  /** Readers in all groups. Null if there are too few for a single group. */
  readonly readers: number | null
  readonly groups: readonly ProgressGroup[]
  /** Readers whose records could not be read. */
  readonly unread: number
}

const tenths = 10

/**
 * Groups readers by their progress (0 to 1) in tenths, and joins neighbouring tenths until every group has the fewest
 * readers that may be shown. Gives no group if there are fewer readers than that.
 */
export function groupProgress(progress: readonly number[]): ProgressGroup[] {
  const counts = Array.from({ length: tenths }, () => 0)
  for (const part of progress) {
    const at = Math.min(tenths - 1, Math.floor(part * tenths))
    counts[at] = (counts[at] as number) + 1
  }
  const groups: { from: number; to: number; readers: number }[] = []
  let [from, readers] = [0, 0]
  for (const [at, count] of counts.entries()) {
    readers += count
    if (readers < fewestReaders) continue
    groups.push({ from: from / tenths, to: (at + 1) / tenths, readers })
    ;[from, readers] = [at + 1, 0]
  }
  const last = groups.at(-1)
  // What is left at the end has too few readers for a group of its own.
  if (last !== undefined && from < tenths) {
    last.to = 1
    last.readers += readers
  }
  return groups
}
