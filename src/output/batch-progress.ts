import type { Clock } from '../world.ts'
import { humanBytes, humanDuration } from './cell.ts'
import { neutraliseLine } from './neutralise.ts'
import type { Writer } from './writer.ts'

/** Tells a person, or a log, how many files together are getting on. */
export interface BatchProgress {
  sent(file: string, bytes: number): void
  finished(file: string, outcome: 'uploaded' | 'skipped' | 'failed', message: string | undefined): void
  stop(): void
}

/** How often a log gets a line about the whole, in milliseconds. */
const summaryInterval = 30_000

export const silentBatch: BatchProgress = { sent() {}, finished() {}, stop() {} }

/** One line for the whole batch on a terminal, however many files there are; in a log a line for each file that ends. */
export function createBatchProgress(
  err: Writer,
  clock: Clock,
  count: number,
  totalBytes: number,
): BatchProgress {
  const started = clock.now()
  const underWay = new Map<string, number>()
  const done = { uploaded: 0, skipped: 0, failed: 0 }
  let finishedBytes = 0
  let spinner: { text: string; clear(): unknown; render(): unknown; stop(): unknown } | undefined
  let isStopped = false
  if (err.isTerminal) {
    import('ora')
      .then(({ default: ora }) => {
        if (isStopped) return
        spinner = ora({
          stream: err.live,
          text: summary(),
          discardStdin: false,
          color: err.hasColour ? 'cyan' : false,
        }).start()
      })
      .catch(() => undefined)
  }
  const timer = setInterval(
    () => {
      if (err.isTerminal) show()
      else void err.write(`${summary()}\n`)
    },
    err.isTerminal ? 200 : summaryInterval,
  )
  timer.unref()

  function summary(): string {
    const ended = done.uploaded + done.skipped + done.failed
    const sent = finishedBytes + [...underWay.values()].reduce((sum, bytes) => sum + bytes, 0)
    const elapsed = Math.max(1, clock.now() - started)
    const rate = (sent / elapsed) * 1000
    const left =
      sent > 0 && elapsed > 2000 && totalBytes > sent ? ((totalBytes - sent) / rate) * 1000 : undefined
    return [
      `${ended} of ${count} done`,
      done.failed > 0 ? `${done.failed} failed` : '',
      done.skipped > 0 ? `${done.skipped} skipped` : '',
      underWay.size > 0 ? `sending ${underWay.size}` : '',
      `${humanBytes(sent)} of ${humanBytes(totalBytes)}`,
      sent > 0 ? `${humanBytes(rate)}/s` : '',
      left === undefined ? '' : `${humanDuration(left)} left`,
    ]
      .filter(Boolean)
      .join('  ')
  }
  function show(): void {
    if (spinner) spinner.text = summary().slice(0, Math.max(10, err.width - 3))
  }

  return {
    sent(file, bytes) {
      underWay.set(file, bytes)
    },
    finished(file, outcome, message) {
      finishedBytes += underWay.get(file) ?? 0
      underWay.delete(file)
      done[outcome]++
      const line = `${neutraliseLine(file)}: ${outcome}${message ? `: ${neutraliseLine(message)}` : ''}\n`
      if (!err.isTerminal) void err.write(line)
      else if (outcome === 'failed') {
        // A person sees each failure at once; what went well is in the receipt at the end.
        spinner?.clear()
        void err.write(line)
        spinner?.render()
      }
    },
    stop() {
      isStopped = true
      clearInterval(timer)
      spinner?.stop()
    },
  }
}
