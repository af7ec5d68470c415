/** Bytes a second and transfer below which transfers starve each other, and from which on there is room for one more. */
const [floor, ample] = [32_000, 128_000]

/** How often the number of transfers is judged, in milliseconds. */
export const judgedEvery = 10_000

/** How many files are sent at a time, which goes down by itself where the line is too narrow for as many, and up again. */
export interface Pace {
  /** A file of so many bytes is sent from now on. */
  begin(total: number): { sent(bytes: number): void; end(): void }
  /** Sets the limit by what went out since the last time; to be called every `judgedEvery` milliseconds. */
  judge(): void
}

/** `limit` is the one to set, of p-limit; its concurrency now is the most there will be. */
export function openPace(limit: { concurrency: number }): Pace {
  const most = limit.concurrency
  const sending = new Set<{ readonly total: number; sent: number }>()
  let bytes = 0
  return {
    begin(total) {
      const transfer = { total, sent: 0 }
      sending.add(transfer)
      return {
        sent(now) {
          // An attempt from the start again counts as well: it takes its part of the line.
          bytes += Math.max(0, now - transfer.sent)
          transfer.sent = now
        },
        end: () => void sending.delete(transfer),
      }
    },
    judge() {
      // One that has handed over all it has waits for the store, which says nothing of the line.
      const count = [...sending].filter(({ sent, total }) => sent < total).length
      const each = bytes / Math.max(1, count) / (judgedEvery / 1000)
      bytes = 0
      if (count > 1 && each < floor)
        limit.concurrency = Math.max(1, Math.floor(Math.min(count, limit.concurrency) / 2))
      else if (count > 0 && each >= ample && limit.concurrency < most) limit.concurrency++
    },
  }
}
