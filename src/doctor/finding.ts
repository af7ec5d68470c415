import type { Failure } from '../errors.ts'

/** What one check found. */
export interface Finding {
  readonly check: string
  /** `skip` is for what could not be checked, or does not apply. */
  readonly status: 'pass' | 'warn' | 'fail' | 'skip'
  readonly message: string
  /** What the person should do. */
  readonly hint: string | null
  /** What a failed check stands for; it settles the exit code. */
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
