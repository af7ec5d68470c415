import type { Failure } from '../system/errors.ts'

/** What is checked. How each is checked is in the table of run-checks.ts. */
export type CheckName =
  | 'node'
  | 'configuration'
  | 'authorities'
  | 'settings'
  | 'sandbox'
  | 'key'
  | 'address'
  | 'proxy'
  | 'dns'
  | 'connection'
  | 'tls'
  | 'service'
  | 'keys'
  | 'clock'
  | 'store'

/** The result of one check. */
export interface Finding {
  readonly check: CheckName
  /** `skip` means that something could not be checked, or does not apply. */
  readonly status: 'pass' | 'warn' | 'fail' | 'skip'
  readonly message: string
  /** What to do about it. */
  readonly hint: string | null
  /** The failure of a failed check. That of the first one decides the exit code. */
  readonly failure?: Failure
}

export const pass = (check: CheckName, message: string): Finding => ({
  check,
  status: 'pass',
  message,
  hint: null,
})
export const skip = (check: CheckName, message: string, hint: string | null = null): Finding => ({
  check,
  status: 'skip',
  message,
  hint,
})
export const warn = (check: CheckName, message: string, hint: string): Finding => ({
  check,
  status: 'warn',
  message,
  hint,
})
export const fail = (check: CheckName, failure: Failure): Finding => ({
  check,
  status: 'fail',
  message: failure.message,
  hint: failure.hint ?? null,
  failure,
})
