import { Failure } from '../../system/errors.ts'
import type { Clock } from '../../system/world.ts'

/** Writes of several uploads that are done together, in one transaction. */
export interface GroupedWrites {
  /**
   * Does some work in the next transaction, which begins within `within` milliseconds; its result is there once that has been
   * committed. Throws what the work throws, which keeps the other writes from nothing unless the journal refused it, or why there was
   * no transaction.
   */
  add<T>(work: () => T): Promise<T>
  /** The same for what a request waits for: it begins within `promptly` milliseconds. */
  addPrompt<T>(work: () => T, options?: Partial<Pick<Needs, 'isDurable'>>): Promise<T>
  /** Has a transaction begin within `within` milliseconds, with what else there is to write. */
  soon(): void
  /** Does at once all that has been asked for. */
  flush(): void
}

/** What some work needs of its transaction. */
interface Needs {
  /** Whether it has to survive a power cut. */
  readonly isDurable: boolean
  /** Whether a request waits for it, so that a lock of another process is waited for. */
  readonly isAwaited: boolean
}

interface GroupOptions {
  /** Runs work in a transaction. */
  readonly transact: <T>(work: () => T, needs: Needs) => T
  readonly clock: Pick<Clock, 'after'>
  /** The longest that work waits for that of others, in milliseconds, and what a request waits for. */
  readonly within: number
  readonly promptly: number
  /** Whether so many waiting works are all that can be asked for, so that there are no others to wait for. */
  readonly isAll: (waiting: number) => boolean
  /** What else is to be written. */
  readonly writeRest: () => void
}

interface Waiting extends Needs {
  readonly work: () => unknown
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
}

export function groupWrites(options: GroupOptions): GroupedWrites {
  const { transact, clock, within, promptly, isAll, writeRest } = options
  let waiting: Waiting[] = []
  let endWaiting: (() => void) | undefined
  let endPrompt: (() => void) | undefined
  const write = (rest: () => void): void => {
    endPrompt?.()
    endPrompt = undefined
    const works = waiting
    waiting = []
    const needs = {
      isDurable: works.some(({ isDurable }) => isDurable),
      isAwaited: works.some(({ isAwaited }) => isAwaited),
    }
    try {
      const outcomes = transact(() => {
        const outcomes = works.map(outcomeOf)
        rest()
        return outcomes
      }, needs)
      for (const settle of outcomes) settle()
    } catch (error) {
      for (const { reject } of works) reject(error)
      // Whoever waits, or changes something next, says what is wrong with the journal.
      if (!(error instanceof Failure)) throw error
    }
  }
  const flush = (): void => {
    if (endWaiting === undefined && waiting.length === 0) return
    endWaiting?.()
    endWaiting = undefined
    write(writeRest)
  }
  const soon = (): void => {
    endWaiting ??= clock.after(within, flush)
  }
  const add = <T>(work: () => T, needs: Needs, wait: () => void): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ work, resolve, reject, ...needs })
      if (isAll(waiting.length)) flush()
      else wait()
    })
  return {
    flush,
    soon,
    add: work => add(work, { isDurable: false, isAwaited: false }, soon),
    addPrompt: (work, { isDurable = false } = {}) =>
      add(work, { isDurable, isAwaited: true }, () => {
        endPrompt ??= clock.after(promptly, () => write(() => undefined))
      }),
  }
}

/** Does some work, and returns what tells its outcome. */
function outcomeOf({ work, resolve, reject }: Waiting): () => void {
  try {
    const result = work() as never
    return () => resolve(result)
  } catch (error) {
    // What the journal itself refuses may be written in part, and is undone with the whole transaction.
    if (!(error instanceof Failure) || /^journal_/.test(error.code)) throw error
    return () => reject(error)
  }
}
