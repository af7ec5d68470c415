import type { LimitFunction } from 'p-limit'
import { exitCodes, Failure, isFatal } from '../errors.ts'
import type { World } from '../world.ts'
import { emptyReceipt, type Result, wasBegun } from './receipt.ts'

/** One file of a batch: what is shown of it, and how it is carried out. */
export interface Task {
  readonly file: string
  run(): Promise<Result>
}

interface BatchOptions extends Pick<World, 'signal'> {
  /** How many files may be under way at a time; each stage has a tighter bound of its own. */
  readonly underWay: LimitFunction
  readonly stopOnError: boolean
  /** Aborted as soon as no further file is to be begun. */
  readonly halt: AbortController
  /** Told of each file as it ends. */
  readonly onResult: (result: Result) => Promise<void>
}

/** What came of a batch. */
export interface BatchOutcome {
  /** A result for each file in the files' order; undefined for those that were not begun. */
  readonly results: readonly (Result | undefined)[]
  /** The failure that ended the batch early, if one did. */
  readonly fatal: Failure | undefined
}

/** Carries out every task. One that fails does not stop the others, unless that is wished or they would fail as well. */
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

const failed = (file: string, failure: Failure): Result => {
  const { code, message } = failure
  return { receipt: { ...emptyReceipt(file), error: { code, message } }, failure }
}

/** One file on which pubctl itself fails must not take the others with it. */
const asFailure = (error: unknown): Failure =>
  error instanceof Failure
    ? error
    : new Failure(`this is a fault in pubctl: ${error instanceof Error ? error.message : String(error)}`, {
        code: 'fault',
        exitCode: exitCodes.fault,
        hint: 'Please report it with the command you ran; PUBCTL_DEBUG=1 shows where it happened.',
        cause: error,
      })
