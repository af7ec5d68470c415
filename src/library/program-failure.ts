import { hideInside } from '../cli/output/secrets.ts'
import { cutText } from '../system/cut-text.ts'
import { Failure, type FailureDetail } from '../system/errors.ts'
import { hintForProgram, withProgramHints } from './program-hints.ts'

const fitted = new WeakSet<Failure>()

/**
 * Makes a failure, and what caused it, fit for a program, in place, so that each stays of its class: without secrets, with hints
 * that fit a program, and with the fields that it is about in its message.
 */
export function forProgram<F extends Error>(failure: F, hide: (text: string) => string): F {
  const seen = new Set<unknown>()
  for (let error: unknown = failure; error instanceof Error && !seen.has(error); error = error.cause) {
    seen.add(error)
    if (error instanceof Failure && !fitted.has(error)) adapt(error)
    error.message = hide(error.message)
    if (error.stack !== undefined) error.stack = hide(error.stack)
    const { cause: _, ...fields } = error as Error & Record<string, unknown>
    Object.assign(error, hideInside(fields, hide))
  }
  return failure
}

function adapt(failure: Failure): void {
  fitted.add(failure)
  const { code, status, message, stack } = failure
  const details = failure.details && withProgramHints(failure.details)
  const hint = failure.hint && hintForProgram(code, failure.hint, status)
  const told = cutText(message + placesOf(details))
  Object.assign(failure, { details, hint, message: told })
  if (stack !== undefined) failure.stack = stack.replace(message, () => told)
}

/** How many of the places that an error is about stand in its message. */
const most = 3

function placesOf(details: readonly FailureDetail[] = []): string {
  const places = details.flatMap(({ path = [], message }) =>
    path.length === 0 ? [] : [`${path.join('.')}: ${message.replace(/\.$/, '')}`],
  )
  if (places.length === 0) return ''
  const more = places.length > most ? `; and ${places.length - most} more in details` : ''
  return ` (${places.slice(0, most).join('; ')}${more})`
}
