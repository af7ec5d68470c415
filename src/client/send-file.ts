import { ServiceFailure } from '../errors.ts'
import type { World } from '../world.ts'
import type { Http } from './http.ts'
import { TunnelRefused } from './proxy-refusal.ts'
import { put } from './put.ts'
import type { Reach } from './reach.ts'
import { attemptsOf, openBudget, operationTimeout, type Waiting } from './retry.ts'
import { isRetryable } from './retryable.ts'
import { isOutOfHandles } from './trouble.ts'
import type { Source } from './upload-body.ts'
import { nameOfStore, type PutTarget } from './upload-target.ts'

/** The longest that a transfer may go without any movement unless `--timeout` says otherwise, in milliseconds. */
const idleTimeout = 60_000

/**
 * The longest that the answer to a whole file is waited for, in milliseconds: what a slow line has brought lies in the
 * buffers of those between, where nobody sees it move, for at most as long as it took to send.
 */
const answerTimeout = 300_000

export interface SendOptions extends Pick<World, 'clock' | 'signal'> {
  readonly http: Http
  /** The address of the service that gave the session, which settles where a session may lead. */
  readonly baseUrl: string
  readonly userAgent: string
  /** The longest wait that was asked for with `--timeout`, in milliseconds; bytes that move are not waiting. */
  readonly timeout: number | undefined
  readonly waiting?: Waiting | undefined
  /** What the transfers of a batch know of the store together. */
  readonly reach?: Reach | undefined
  /** Gives the session to send to; asked before each attempt, so that one that has ended can be replaced. */
  readonly target: () => Promise<PutTarget>
  /** Gets a fresh session in place of one that the store refuses; false where there is none to be had. */
  readonly renew?: () => Promise<boolean>
  /** Told the bytes of this attempt that have gone out. */
  readonly onProgress?: ((sent: number) => void) | undefined
}

/**
 * Sends a file, or bytes at hand, to where an upload session says: a book, a cover or an asset. Troubles that may pass
 * are tried again from the start of the file, within one budget; a session that is refused is replaced where it can be.
 * Throws the store's own error, or a `Failure` that says what went wrong.
 */
export async function sendFile(source: Source, options: SendOptions): Promise<void> {
  const { http, clock, signal, baseUrl, userAgent, waiting, reach, target, renew, onProgress } = options
  const timeout = options.timeout ?? operationTimeout
  const length = 'path' in source ? source.bytes : source.content.length
  let to = await target()
  let wasRenewed = false
  const name = nameOfStore(to.uploadUrl)
  const budget = openBudget({ clock, signal, name, attempts: attemptsOf.upload, timeout, waiting })
  try {
    for (;;) {
      const begun = clock.monotonic()
      let [hasMoved, isSent] = [false, false]
      try {
        return await put(http, to, source, {
          signal,
          userAgent,
          baseUrl,
          wasRenewed,
          idleTimeout() {
            if (!hasMoved) return Math.min(options.timeout ?? idleTimeout, reach?.left(name) ?? timeout)
            if (options.timeout !== undefined) return options.timeout
            const elapsed = Math.min(clock.monotonic() - begun, answerTimeout)
            return isSent ? Math.max(idleTimeout, elapsed) : idleTimeout
          },
          onProgress(sent) {
            isSent = sent === length
            onProgress?.(sent)
          },
          onMoved() {
            hasMoved = true
            budget.moved()
            reach?.reached(name)
          },
        })
      } catch (error) {
        if (error instanceof ServiceFailure) reach?.reached(name)
        if (isSessionOver(error) && (await renew?.())) {
          wasRenewed = true
          to = await target()
          continue
        }
        if (!isRetryable(error)) throw error
        const why =
          error instanceof ServiceFailure ? `${name} answered ${error.status}` : (error as Error).message
        if (!(error instanceof ServiceFailure)) reach?.failed(name, why)
        const retryAfter =
          error instanceof ServiceFailure || error instanceof TunnelRefused ? error.retryAfter : undefined
        if (!(await budget.tryAgain(why, { retryAfter, isCounted: !isOutOfHandles(error) }))) throw error
      }
      to = await target()
    }
  } finally {
    budget.end()
  }
}

/** Whether the store does not accept the session, or no longer. */
export const isSessionOver = (error: unknown): boolean =>
  error instanceof ServiceFailure && (error.status === 403 || error.code === 'ExpiredToken')
