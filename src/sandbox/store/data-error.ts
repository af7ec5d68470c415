import { UsageFailure } from '../../errors.ts'
import { isUnwritable, nameOf, remedyOf } from '../../system/database-error.ts'

/** What keeps a sandbox from being used; `trouble` goes on from where it lies. */
export const unusable = (path: string, trouble: string, cause?: unknown): UsageFailure =>
  new UsageFailure(`the sandbox at ${path} ${trouble}`, {
    code: 'sandbox_data',
    hint: isUnwritable(cause)
      ? remedyOf(cause)
      : 'Start over with "pubctl sandbox reset", or use another data directory.',
    cause,
  })

/** Does something with a path of the sandbox's; throws UsageFailure `sandbox_data` where the system does not let it. */
export function reach<T>(path: string, work: (path: string) => T): T {
  try {
    return work(path)
  } catch (error) {
    throw unusable(path, `cannot be used (${nameOf(error)})`, error)
  }
}
