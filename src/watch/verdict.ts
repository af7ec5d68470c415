import { exitCodes, type Failure, isFatal } from '../system/errors.ts'
import type { Result } from '../uploads/receipt.ts'

/**
 * What becomes of a file after an attempt: it is moved (`done`, `failed`), it stays and is tried again (`later`: the service
 * did not answer; `changed`: somebody wrote to it; `again`: only this file has to wait), or the watcher ends (`fatal`).
 */
export type Verdict = 'done' | 'failed' | 'later' | 'changed' | 'again' | 'fatal'

/** Failures of a file that somebody else has in hand, or that time settles. */
const passing = ['upload_taken', 'not_begun', 'journal_busy', 'stale']

export function verdictOf({ failure }: Pick<Result, 'failure'>): Verdict {
  return failure === undefined ? 'done' : verdictOfFailure(failure)
}

function verdictOfFailure(failure: Failure): Verdict {
  const { code, exitCode } = failure
  if (code === 'unreachable' || exitCode === exitCodes.network) return 'later'
  if (passing.includes(code) || exitCode === exitCodes.waitExhausted) return 'again'
  // A key that may not write is no fault of a book.
  if (isFatal(failure) || exitCode === exitCodes.forbidden) return 'fatal'
  if (code === 'file_changed') return 'changed'
  return 'failed'
}
