import { asFailure, Interrupted } from '../system/errors.ts'
import { forProgram } from './program-failure.ts'

type Hide = (text: string) => string

/** A callback of the caller, and where what it throws is kept. */
export type CallbackGuard = <A extends unknown[]>(
  callback: ((...args: A) => void) | undefined,
) => (...args: A) => void

/**
 * Does some work as the library promises it: what is rejected is the reason of the caller's signal, what a callback of the
 * caller threw, or a `Failure` without secrets and with hints that fit a program. The work gets a signal whose reason is a failure, as everything below
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
    throw forProgram(asFailure(error), hide)
  } finally {
    given?.removeEventListener('abort', end)
  }
}
