import type { Failure } from '../system/errors.ts'

/** The result of one check. */
export interface Finding {
  readonly check: string
  /** `skip` means that something could not be checked, or does not apply. */
  readonly status: 'pass' | 'warn' | 'fail' | 'skip'
  readonly message: string
  /** What to do about it. */
  readonly hint: string | null
  /** The failure of a failed check. That of the first one decides the exit code. */
  readonly failure?: Failure
}

export const pass = (check: string, message: string): Finding => ({
  check,
  status: 'pass',
  message,
  hint: null,
})
export const skip = (check: string, message: string, hint: string | null = null): Finding => ({
  check,
  status: 'skip',
  message,
  hint,
})
export const warn = (check: string, message: string, hint: string): Finding => ({
  check,
  status: 'warn',
  message,
  hint,
})
export const fail = (check: string, failure: Failure): Finding => ({
  check,
  status: 'fail',
  message: failure.message,
  hint: failure.hint ?? null,
  failure,
})
