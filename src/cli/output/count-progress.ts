import type { Clock } from '../../system/world.ts'
import { humanDuration } from './cell.ts'
import type { Progress } from './progress.ts'
import type { Writer } from './writer.ts'

/** Shows how far a count has come, with an estimate of the time that is left. */
export interface CountProgress {
  /** `what` is such as "reading publications". */
  show(what: string, done: number, total?: number): void
  stop(): void
}

/** How often a log gets a line, in milliseconds. */
const logInterval = 10_000

/** At a terminal a live line; else a line every ten seconds, and none for what is done before. */
export function createCountProgress(
  progress: Progress,
  err: Pick<Writer, 'isTerminal'>,
  { monotonic }: Pick<Clock, 'monotonic'>,
): CountProgress {
  let [current, began, shown] = ['', monotonic(), monotonic()]
  return {
    show(what, done, total) {
      const now = monotonic()
      if (what !== current) [current, began] = [what, now]
      if (!err.isTerminal && now - shown < logInterval) return
      shown = now
      const elapsed = now - began
      const left = total !== undefined && done > 0 && elapsed > 2000 ? (elapsed / done) * (total - done) : 0
      const count = total === undefined ? `${done}` : `${done} of ${total}`
      progress.state(`${what}: ${count}${left > 0 ? `, ${humanDuration(left)} left` : ''}`)
    },
    stop: () => progress.stop(),
  }
}
