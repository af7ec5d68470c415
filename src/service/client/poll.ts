import { backoff } from '../../system/backoff.ts'
import { exitCodes, Failure } from '../../system/errors.ts'
import type { World } from '../../system/world.ts'

/** The least milliseconds for a request after the first one, so that the last request, at the end of the wait, has time. */
const leastForRequest = 2000

/**
 * Asks until the answer is final. The intervals grow from a quarter of a second to ten seconds, and are jittered so that
 * clients do not ask at the same time. `ask` gets the limit for its request in milliseconds. When `timeout` milliseconds have
 * passed since the first request, asks once more, and throws a failure with exit code 13 if that answer is not final either.
 */
export async function poll<T>(
  ask: (left: number) => Promise<T>,
  isFinal: (answer: T) => boolean,
  { timeout, clock, signal }: Pick<World, 'clock' | 'signal'> & { timeout: number },
): Promise<T> {
  const deadline = clock.monotonic() + timeout
  const left = () => deadline - clock.monotonic()
  let wasAnswered = false
  for (let asked = 0; ; asked++) {
    let answer: T
    try {
      answer = await ask(wasAnswered ? Math.max(leastForRequest, left()) : timeout)
    } catch (error) {
      // The last request ended with the wait, so its timeout is no failure of the service. The rest may be too short for
      // another request.
      if (wasAnswered && left() < 1000 && error instanceof Failure && error.code === 'timeout')
        throw waitExhausted(timeout)
      throw error
    }
    if (isFinal(answer)) return answer
    // A timer can end a millisecond early.
    if (left() <= 1) throw waitExhausted(timeout)
    wasAnswered = true
    const interval = backoff(asked, { first: 250, most: 10_000, factor: 1.5 })
    await clock.sleep(Math.min(Math.max(0, left()), interval * (0.8 + Math.random() * 0.4)), signal)
  }
}

const waitExhausted = (timeout: number) =>
  new Failure(`processing did not finish within ${timeout / 1000} s; the upload itself is intact`, {
    code: 'wait_exhausted',
    exitCode: exitCodes.waitExhausted,
    hint: 'Run the command again to go on waiting; --timeout says how long.',
  })
