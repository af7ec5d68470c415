import { UsageFailure } from '../system/errors.ts'

/** Throws UsageFailure unless a timeout is a number of milliseconds. */
export function checkTimeout(timeout: unknown): void {
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0 && timeout <= 604_800_000))
    throw unfit('timeout', 'a number of milliseconds of at most a week')
}

/** The failure for an option that is not what it should be; its value is not quoted, because it may be a key. */
export const unfit = (name: string, what: string): UsageFailure => new UsageFailure(`${name} must be ${what}`)
