import type { Clock } from '../../system/world.ts'
import { humanBytes, humanDuration } from './cell.ts'
import { openLiveText } from './live-lines.ts'
import { isNamedIn } from './named.ts'
import { neutraliseLine } from './neutralise.ts'
import { shorten, widthOf } from './width.ts'
import type { Writer } from './writer.ts'

/** Shows the progress of many files, at a terminal or in a log. Files are identified by their absolute paths. */
export interface BatchProgress {
  sent(path: string, bytes: number): void
  finished(
    file: { readonly name: string; readonly path: string },
    outcome: string,
    message: string | undefined,
  ): void
  /** Shows what the batch waits for, and why; undefined removes it. */
  waiting(text: string | undefined): void
  /** Removes the live line while `print` prints something else. */
  withoutLine(print: () => void): void
  /** Removes the live line while something is asked. */
  whileAsking<T>(ask: () => Promise<T>): Promise<T>
  stop(): void
}

/** The interval of summaries in a log, in milliseconds. */
const summaryInterval = 30_000

/** Shows nothing, for `--quiet` and JSON formats. */
export const silentBatch: BatchProgress = {
  sent() {},
  finished() {},
  waiting() {},
  withoutLine: print => print(),
  whileAsking: ask => ask(),
  stop() {},
}

/**
 * Shows one live line for the whole batch at a terminal, else a line for each file that ends. `sizes` has the bytes of each
 * file.
 */
export function createBatchProgress(
  err: Writer,
  clock: Clock,
  sizes: ReadonlyMap<string, number>,
): BatchProgress {
  const started = clock.monotonic()
  /** The bytes that were sent of each file that has not ended. */
  const underWay = new Map<string, number>()
  /** When each file that waits for the scan was sent, on the monotonic clock. */
  const arrived = new Map<string, number>()
  /** How long the latest scan took, in milliseconds. */
  let lastScan: number | undefined
  let lastFailure = ''
  const done = new Map<string, number>()
  let finishedBytes = 0
  let totalBytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  let waiting = ''
  const live = err.isTerminal ? openLiveText(err) : undefined
  const timer = setInterval(
    () => {
      if (live) live.show(line())
      else void err.write(`${summary()}\n`)
    },
    err.isTerminal ? 200 : summaryInterval,
  )
  timer.unref()

  /**
   * The remaining time of sending in milliseconds, estimated from the bytes alone: how long a scan takes is not known before.
   * Undefined while there is too little to estimate from.
   */
  function timeLeft(sent: number, elapsed: number): number | undefined {
    if (elapsed < 2000 || sent === 0) return undefined
    const left = ((totalBytes - sent) / sent) * elapsed
    return left < 1000 ? undefined : left
  }

  /** The state of the batch. The least important parts are left out where it would be longer than `width`. */
  function summary(width = Number.POSITIVE_INFINITY): string {
    if (waiting !== '') {
      const head = progressIn(width - Math.min(widthOf(waiting) + 2, width * 0.7))
      return `${head}  ${shorten(waiting, Math.max(1, width - widthOf(head) - 2))}`
    }
    return progressIn(width)
  }

  function progressIn(width: number): string {
    const ended = [...done.values()].reduce((sum, count) => sum + count, 0)
    const parts = [...underWay]
    const sent = finishedBytes + parts.reduce((sum, [, bytes]) => sum + bytes, 0)
    const sending = parts.filter(([path, bytes]) => bytes < (sizes.get(path) ?? 0)).length
    const elapsed = Math.max(1, clock.monotonic() - started)
    const rate = (sent / elapsed) * 1000
    const left = timeLeft(sent, elapsed)
    // Each part with its importance.
    const weighted = [
      [`${ended} of ${sizes.size} done`, 9],
      ...[...done]
        .filter(([outcome]) => outcome !== 'uploaded')
        .map(([outcome, count]) => [`${count} ${outcome}`, outcome === 'skipped' ? 3 : 8] as const)
        .sort(([, a], [, b]) => b - a),
      [sending > 0 ? `sending ${sending}` : '', 4],
      [scanning(parts.length - sending), 5],
      [`${humanBytes(sent)} of ${humanBytes(totalBytes)}`, 6],
      [sent > 0 ? `${humanBytes(rate)}/s` : '', 2],
      [left === undefined ? '' : `${humanDuration(left)} left`, 7],
    ] as const
    for (let least = 0; ; least++) {
      const text = weighted
        .filter(([part, weight]) => part !== '' && weight > least)
        .map(([part]) => part)
        .join('  ')
      if (widthOf(text) <= width || least === 8) return text
    }
  }

  const scanning = (count: number): string =>
    count === 0
      ? ''
      : `${count} waiting for the scan${lastScan === undefined ? '' : ` (the last took ${humanDuration(lastScan)})`}`

  /** The lines of the terminal, next to the spinner: the summary, and what failed last. */
  function line(): string {
    const width = Math.max(10, err.width - 3)
    const failure = lastFailure && shorten(lastFailure, width - 2)
    return `${summary(width)}${failure && `\n  ${failure}`}`
  }

  const withoutLine = (print: () => void): void => (live ? live.without(print) : print())
  live?.show(line())

  return {
    sent(path, bytes) {
      underWay.set(path, bytes)
      if (bytes >= (sizes.get(path) ?? 0)) arrived.set(path, clock.monotonic())
    },
    finished({ name, path }, outcome, message) {
      const sent = underWay.get(path) ?? 0
      underWay.delete(path)
      const since = arrived.get(path)
      if (since !== undefined) lastScan = clock.monotonic() - since
      arrived.delete(path)
      finishedBytes += sent
      // The rest of it will not be sent.
      totalBytes -= Math.max(0, (sizes.get(path) ?? 0) - sent)
      done.set(outcome, (done.get(outcome) ?? 0) + 1)
      const line = `${neutraliseLine(name)}: ${outcome}${message ? `: ${neutraliseLine(message)}` : ''}\n`
      if (!err.isTerminal) void err.write(line)
      // A terminal shows what failed last while it works, and the reasons of all at the end.
      else if (message !== undefined)
        lastFailure = neutraliseLine(
          `${outcome}: ${isNamedIn(message, name) ? message : `${name}: ${message}`}`,
        )
    },
    waiting: text => {
      waiting = text === undefined ? '' : neutraliseLine(text)
    },
    withoutLine,
    whileAsking: ask => (live ? live.whileAsking(ask) : ask()),
    stop() {
      clearInterval(timer)
      live?.stop()
    },
  }
}
