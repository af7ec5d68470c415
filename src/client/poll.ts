import { exitCodes, Failure } from '../errors.ts'
import type { World } from '../world.ts'

/**
 * Asks until the answer is final, at intervals that grow from a quarter of a second to ten seconds and are jittered so
 * that many clients do not ask in step. Throws a failure with exit code 13 when `timeout` milliseconds have passed.
 */
export async function poll<T>(
  ask: () => Promise<T>,
  isFinal: (answer: T) => boolean,
  { timeout, clock, signal }: Pick<World, 'clock' | 'signal'> & { timeout: number },
): Promise<T> {
  const deadline = clock.now() + timeout
  for (let interval = 250; ; interval = Math.min(interval * 1.5, 10_000)) {
    const answer = await ask()
    if (isFinal(answer)) return answer
    const left = deadline - clock.now()
    if (left <= 0) throw waitExhausted(timeout)
    await clock.sleep(Math.min(left, interval * (0.8 + Math.random() * 0.4)), signal)
  }
}

const waitExhausted = (timeout: number) =>
  new Failure(`processing did not finish within ${timeout / 1000} s; the upload itself is intact`, {
    code: 'wait_exhausted',
    exitCode: exitCodes.waitExhausted,
    hint: 'Run the command again to go on waiting; --timeout says how long.',
  })
