import type { LimitFunction } from 'p-limit'
import { asFailure, Failure, isFatal } from '../system/errors.ts'
import { given } from '../system/given.ts'
import type { World } from '../system/world.ts'
import { emptyReceipt, errorOf, type Result, wasBegun } from './receipt.ts'

/** One file of a batch, or one step of a plan, which may need no file. */
export interface Task {
  readonly file: string | null
  run(): Promise<Result>
}

interface BatchOptions extends Pick<World, 'signal'> {
  /** Limits the files that are in progress at a time; each stage has a lower limit. */
  readonly underWay: LimitFunction
  readonly stopOnError: boolean
  /** Aborted when no further file is to be begun. */
  readonly halt: AbortController
  /** Called when a file ends. */
  readonly onResult: (result: Result) => Promise<void>
}

export interface BatchOutcome {
  /** The results in the order of the files; undefined for those that were not begun. */
  readonly results: readonly (Result | undefined)[]
  /** The failure that ended the batch early, if one did. */
  readonly fatal: Failure | undefined
}

/** Runs every task. A failure stops the others only with `stopOnError`, or if they would fail as well. */
export async function runBatch(tasks: readonly Task[], options: BatchOptions): Promise<BatchOutcome> {
  const { underWay, stopOnError, halt, signal, onResult } = options
  let fatal: Failure | undefined

  const results = await Promise.all(
    tasks.map(task =>
      underWay(async () => {
        if (fatal !== undefined || signal.aborted) return undefined
        const result = await task.run().catch(error => failed(task.file, asFailure(error)))
        const { failure } = result
        if (!wasBegun(result)) return undefined
        if (failure && (stopOnError || isFatal(failure))) {
          fatal ??= failure
          halt.abort()
        }
        await onResult(result)
        return result
      }),
    ),
  )
  if (signal.aborted) fatal = signal.reason instanceof Failure ? signal.reason : fatal
  return { results, fatal }
}

const failed = (file: string | null, failure: Failure): Result => ({
  receipt: { ...emptyReceipt(file), ...given({ checkedBy: failure.checkedBy }), error: errorOf(failure) },
  failure,
})
