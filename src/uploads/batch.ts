import type { LimitFunction } from 'p-limit'
import { exitCodes, Failure } from '../errors.ts'
import { emptyReceipt, type Result } from './receipt.ts'

/** One file of a batch: what is shown of it, and how it is carried out. */
export interface Task {
  readonly file: string
  run(): Promise<Result>
}

export interface BatchOptions {
  /** How many files may be under way at a time; each stage has a tighter bound of its own. */
  readonly underWay: LimitFunction
  readonly stopOnError: boolean
  readonly signal: AbortSignal
  /** Told of each file as it ends. */
  readonly onResult: (result: Result) => Promise<void>
}

/** What came of a batch: a result for each file that was begun, in the files' order. */
export interface BatchOutcome {
  readonly results: readonly Result[]
  /** The failure that ended the batch early, if one did. */
  readonly fatal: Failure | undefined
}

/** A failure that every further file would meet as well, or that must end the command at once. */
const isFatal = ({ exitCode }: Failure): boolean =>
  (
    [
      exitCodes.notAuthenticated,
      exitCodes.interrupted,
      exitCodes.terminated,
      exitCodes.nobodyToAsk,
    ] as number[]
  ).includes(exitCode)

/** Carries out every task. One that fails does not stop the others, unless that is wished or they would fail as well. */
export async function runBatch(tasks: readonly Task[], options: BatchOptions): Promise<BatchOutcome> {
  const { underWay, stopOnError, signal, onResult } = options
  let fatal: Failure | undefined
  const results = await Promise.all(
    tasks.map(task =>
      underWay(async () => {
        if (fatal !== undefined || signal.aborted) return undefined
        const result = await task.run().catch(error => {
          if (!(error instanceof Failure)) throw error
          const { code, message } = error
          return { receipt: { ...emptyReceipt(task.file), error: { code, message } }, failure: error }
        })
        const { failure } = result
        if (failure && (stopOnError || isFatal(failure))) fatal ??= failure
        await onResult(result)
        return result
      }),
    ),
  )
  if (signal.aborted) fatal = signal.reason instanceof Failure ? signal.reason : fatal
  return { results: results.filter(result => result !== undefined), fatal }
}
