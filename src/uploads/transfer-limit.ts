/** Bytes per second and transfer: below the first, fewer files are sent at a time; above the second, one more. */
const [floor, ample] = [32_000, 128_000]

/** How often the number of transfers is adjusted, in milliseconds. */
export const judgedEvery = 10_000

/** Adapts how many files are sent at a time to the bandwidth. */
export interface TransferLimit {
  /** Registers a transfer of so many bytes. */
  begin(total: number): { sent(bytes: number): void; end(): void }
  /** Adjusts the limit by the bytes since the last call; to be called every `judgedEvery` milliseconds. */
  judge(): void
}

/** `limit` is the p-limit to adjust; its present concurrency is the maximum. */
export function openTransferLimit(limit: { concurrency: number }): TransferLimit {
  const most = limit.concurrency
  const sending = new Set<{ readonly total: number; sent: number }>()
  let bytes = 0
  return {
    begin(total) {
      const transfer = { total, sent: 0 }
      sending.add(transfer)
      return {
        sent(now) {
          // A repeated attempt counts as well, because it uses bandwidth.
          bytes += Math.max(0, now - transfer.sent)
          transfer.sent = now
        },
        end: () => void sending.delete(transfer),
      }
    },
    judge() {
      // A transfer that has sent everything waits for the store and says nothing about bandwidth.
      const count = [...sending].filter(({ sent, total }) => sent < total).length
      const each = bytes / Math.max(1, count) / (judgedEvery / 1000)
      bytes = 0
      if (count > 1 && each < floor)
        limit.concurrency = Math.max(1, Math.floor(Math.min(count, limit.concurrency) / 2))
      else if (count > 0 && each >= ample && limit.concurrency < most) limit.concurrency++
    },
  }
}
