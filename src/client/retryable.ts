import { NetworkFailure, ServiceFailure } from '../errors.ts'

/** Statuses of one that gave up before it had the request, wants it at a safer time, or has too many of them. */
export const notTakenUp: readonly number[] = [408, 425, 429]

/** Statuses of what stands before the service, or of a service that is overburdened. */
export const unavailable: readonly number[] = [500, 502, 503, 504]

/** What stores of S3's kind say, with statuses that would otherwise be final, of troubles that pass. */
const retryableCodes = ['IncompleteBody', 'RequestTimeout', 'OperationAborted', 'SlowDown']

/** Whether the same may well succeed when it is done again: a lost connection, an overburdened or restarting server. */
export const isRetryable = (error: unknown): boolean =>
  (error instanceof NetworkFailure && (error.code === 'network' || error.code === 'timeout')) ||
  (error instanceof ServiceFailure &&
    ((error.status ?? 0) >= 500 ||
      notTakenUp.includes(error.status ?? 0) ||
      retryableCodes.includes(error.code)))

/** Whether the service, or the store, refused what was sent, so that it would refuse the same again. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ServiceFailure &&
  (error.status ?? 500) < 500 &&
  ![401, 403, ...notTakenUp].includes(error.status ?? 0)
