import { errorName, isUnwritable, remedyOf } from '../../system/database-error.ts'
import { UsageFailure } from '../../system/errors.ts'

/** The failure of a sandbox that cannot be used; `reason` is the rest of the sentence that begins with its path. */
export const sandboxDataFailure = (path: string, reason: string, cause?: unknown): UsageFailure =>
  new UsageFailure(`the sandbox at ${path} ${reason}`, {
    code: 'sandbox_data',
    hint: isUnwritable(cause)
      ? remedyOf(cause)
      : 'Start over with "pubctl sandbox reset", or use another data directory.',
    cause,
  })

/** Does something with a path of the sandbox; a system error becomes UsageFailure `sandbox_data`. */
export function usePath<T>(path: string, work: (path: string) => T): T {
  try {
    return work(path)
  } catch (error) {
    throw sandboxDataFailure(path, `cannot be used (${errorName(error)})`, error)
  }
}
