/** One of those that are measured side by side; gives its own figure, or nothing when its time is the figure. */
export type Contestant = () => Promise<number | undefined>

/**
 * Lets contestants run in turns, so that whatever else the machine does meets them all alike, and gives the median of
 * each: of its own figures, or of its milliseconds. The first turn warms caches up and does not count.
 */
export async function contest<N extends string>(
  turns: number,
  contestants: Readonly<Record<N, Contestant>>,
): Promise<Record<N, number>> {
  const names = Object.keys(contestants) as N[]
  const figures = new Map<N, number[]>(names.map(name => [name, []]))
  for (let turn = 0; turn <= turns; turn++) {
    for (const name of names) {
      const started = process.hrtime.bigint()
      const own = await contestants[name]()
      const milliseconds = Number(process.hrtime.bigint() - started) / 1e6
      if (turn > 0) figures.get(name)?.push(own ?? milliseconds)
    }
  }
  return Object.fromEntries(names.map(name => [name, median(figures.get(name) ?? [])])) as Record<N, number>
}

/** The one in the middle of some figures, or what lies between the two there. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}
