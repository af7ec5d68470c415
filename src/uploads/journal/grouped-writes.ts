import { Failure } from '../../system/errors.ts'
import type { Clock } from '../../system/world.ts'

/** Writes of several uploads that are done together, in one transaction. */
export interface GroupedWrites {
  /**
   * Does some work in the next transaction; its result is there once that has been committed. Throws what the work throws, which
   * keeps the other writes from nothing, or why there was no transaction.
   */
  add<T>(work: () => T): Promise<T>
  /** Has a transaction begin within `within` milliseconds. */
  soon(): void
  /** Does at once all that has been asked for. */
  flush(): void
}

interface GroupOptions {
  /** Runs work in a transaction. */
  readonly transact: <T>(work: () => T) => T
  readonly clock: Pick<Clock, 'after'>
  /** The longest that anything waits for others, in milliseconds. */
  readonly within: number
  /** Whether so many waiting works are all that can be asked for, so that there are no others to wait for. */
  readonly isAll: (waiting: number) => boolean
  /** What else each transaction writes. */
  readonly writeRest: () => void
}

interface Waiting {
  readonly work: () => unknown
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
}

export function groupWrites({ transact, clock, within, isAll, writeRest }: GroupOptions): GroupedWrites {
  let waiting: Waiting[] = []
  let endWaiting: (() => void) | undefined
  const flush = (): void => {
    if (endWaiting === undefined && waiting.length === 0) return
    endWaiting?.()
    endWaiting = undefined
    const works = waiting
    waiting = []
    try {
      const outcomes = transact(() => {
        const outcomes = works.map(outcomeOf)
        writeRest()
        return outcomes
      })
      for (const settle of outcomes) settle()
    } catch (error) {
      for (const { reject } of works) reject(error)
      // Whoever waits, or changes something next, says what is wrong with the journal.
      if (!(error instanceof Failure)) throw error
    }
  }
  const soon = (): void => {
    endWaiting ??= clock.after(within, flush)
  }
  return {
    flush,
    soon,
    add: <T>(work: () => T) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ work, resolve, reject })
        if (isAll(waiting.length)) flush()
        else soon()
      }),
  }
}

/** Does some work, and returns what tells its outcome. */
function outcomeOf({ work, resolve, reject }: Waiting): () => void {
  try {
    const result = work() as never
    return () => resolve(result)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return () => reject(error)
  }
}
