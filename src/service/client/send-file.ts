import { ServiceFailure } from '../../system/errors.ts'
import type { Http } from '../../system/http.ts'
import type { World } from '../../system/world.ts'
import { isOutOfHandles } from './network-errors.ts'
import { TunnelRefused } from './proxy-refusal.ts'
import { put } from './put.ts'
import type { Reachability } from './reachability.ts'
import { attemptsOf, openBudget, operationTimeout, type Waiting } from './retry.ts'
import { isRetryable } from './retryable.ts'
import type { UploadBody } from './upload-body.ts'
import { nameOfStore, type PutTarget } from './upload-target.ts'

/** The longest time without progress, in milliseconds, unless `--timeout` says otherwise. */
const idleTimeout = 60_000

/**
 * The longest wait for the answer to a complete file, in milliseconds. Buffers on the way may still hold the last bytes,
 * whose progress cannot be seen, for at most as long as the file took to send.
 */
const answerTimeout = 300_000

export interface SendOptions extends Pick<World, 'clock' | 'signal' | 'mayRead'> {
  readonly http: Http
  /** The address of the service that gave the session, which settles where a session may lead. */
  readonly baseUrl: string
  readonly userAgent: string
  /** `--timeout` in milliseconds; while bytes move, it does not run. */
  readonly timeout: number | undefined
  readonly waiting?: Waiting | undefined
  /** Shared by the transfers of a batch: whether the store can be reached. */
  readonly reachability?: Reachability | undefined
  /** Returns the session to send to; called before each attempt, because a session can expire. */
  readonly target: () => Promise<PutTarget>
  /** Gets a new session after the store refused one; false if that is not possible. */
  readonly renew?: () => Promise<boolean>
  /** Called with the number of bytes that this attempt has sent. */
  readonly onProgress?: ((sent: number) => void) | undefined
}

/**
 * Sends a book, a cover or an asset, from a file or from memory, to its upload session. Retryable failures restart from the
 * beginning of the file, within one budget; a refused session is replaced if possible. Throws the store's error, or another
 * `Failure`.
 */
export async function sendFile(source: UploadBody, options: SendOptions): Promise<void> {
  const { http, clock, signal, baseUrl, userAgent, waiting, reachability, target, renew, onProgress } =
    options
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
          clock,
          signal,
          mayRead: options.mayRead,
          userAgent,
          baseUrl,
          wasRenewed,
          idleTimeout() {
            if (!hasMoved)
              return Math.min(options.timeout ?? idleTimeout, reachability?.left(name) ?? timeout)
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
            reachability?.reached(name)
          },
        })
      } catch (error) {
        if (error instanceof ServiceFailure) reachability?.reached(name)
        if (isSessionOver(error) && (await renew?.())) {
          wasRenewed = true
          to = await target()
          continue
        }
        if (!isRetryable(error)) throw error
        const isCounted = !isOutOfHandles(error)
        if (!isCounted && reachability?.waitsForHandles(name) === false) throw error
        const why =
          error instanceof ServiceFailure ? `${name} answered ${error.status}` : (error as Error).message
        if (!(error instanceof ServiceFailure)) reachability?.failed(name, why)
        const retryAfter =
          error instanceof ServiceFailure || error instanceof TunnelRefused ? error.retryAfter : undefined
        if (!(await budget.tryAgain(why, { retryAfter, isCounted }))) throw error
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
