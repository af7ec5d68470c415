import { asFailure, type Failure, Interrupted } from '../errors.ts'
import { hideInside } from '../output/secrets.ts'

type Hide = (text: string) => string

/** A callback of the caller, and where what it throws is kept. */
export type CallbackGuard = <A extends unknown[]>(
  callback: ((...args: A) => void) | undefined,
) => (...args: A) => void

/**
 * Does some work as the library promises it: what is rejected is the reason of the caller's signal, what a callback of the
 * caller threw, or a `Failure` without secrets. The work gets a signal whose reason is a failure, as everything below
 * expects, and a guard for callbacks.
 */
export async function settled<T>(
  work: (signal: AbortSignal, guard: CallbackGuard) => Promise<T>,
  given: AbortSignal | undefined,
  hide: Hide,
): Promise<T> {
  given?.throwIfAborted()
  const stop = new AbortController()
  const end = () => stop.abort(new Interrupted('SIGINT'))
  let thrown: { readonly error: unknown } | undefined
  const guard: CallbackGuard =
    callback =>
    (...args) => {
      if (thrown !== undefined) return
      try {
        callback?.(...args)
      } catch (error) {
        thrown = { error }
        end()
      }
    }
  given?.addEventListener('abort', end, { once: true })
  try {
    return await work(stop.signal, guard)
  } catch (error) {
    if (thrown !== undefined) throw thrown.error
    if (given?.aborted) throw given.reason
    throw withoutSecrets(asFailure(error, 'Please report it with the call that you made.'), hide)
  } finally {
    given?.removeEventListener('abort', end)
  }
}

/** Hides the secrets in a failure and in what caused it, in place, so that it stays of its class. */
function withoutSecrets(failure: Failure, hide: Hide): Failure {
  const seen = new Set<unknown>()
  for (let error: unknown = failure; error instanceof Error && !seen.has(error); error = error.cause) {
    seen.add(error)
    error.message = hide(error.message)
    if (error.stack !== undefined) error.stack = hide(error.stack)
    const { cause: _, ...fields } = error as Error & Record<string, unknown>
    Object.assign(error, hideInside(fields, hide))
  }
  return failure
}
