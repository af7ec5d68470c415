import type { Context } from '../cli/context.ts'
import { exitCodes, Failure, isFatal } from '../system/errors.ts'

/** What was asked for under an id: an answer, or why there is none. */
export type Asked<T> =
  | { readonly value: T; readonly failure: null }
  | { readonly value: null; readonly failure: Failure }

/** Asks several things at a time, and remembers what failed. */
export interface Asking {
  /** `id` is how the failure is named in the result of the command. Throws what ends the command. */
  ask<T>(id: string, call: () => Promise<T>): Promise<Asked<T>>
  /** What failed, once for each id. */
  failures(): { readonly id: string; readonly failure: Failure }[]
  /** How many ids were asked for. */
  count(): number
}

/** How many requests are under way at a time. */
const concurrency = 6

/** After so many network failures and no answer in between, the rest would fail as well. */
const givenUpAfter = 12

/** `onDone` hears how much of how much is done. */
export async function openAsking(
  { world: { signal } }: Pick<Context, 'world'>,
  onDone: (done: number, all: number) => void,
): Promise<Asking> {
  const { default: pLimit } = await import('p-limit')
  const limit = pLimit(concurrency)
  const ids = new Set<string>()
  const failures = new Map<string, Failure>()
  let [asked, done, failedInARow] = [0, 0, 0]
  let last: Failure | undefined
  return {
    failures: () => [...failures].map(([id, failure]) => ({ id, failure })),
    count: () => ids.size,
    async ask(id, call) {
      asked++
      ids.add(id)
      return await limit(async () => {
        signal.throwIfAborted()
        try {
          if (last !== undefined && failedInARow >= givenUpAfter) throw last
          const value = await call()
          failedInARow = 0
          return { value, failure: null }
        } catch (error) {
          if (!(error instanceof Failure) || isFatal(error)) throw error
          if (error.exitCode === exitCodes.network) failedInARow++
          last = error
          failures.set(id, error)
          return { value: null, failure: error }
        } finally {
          onDone(++done, asked)
        }
      })
    },
  }
}
