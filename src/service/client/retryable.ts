import { NetworkFailure, ServiceFailure } from '../../system/errors.ts'

/** Too Many Requests: those of the whole process are to slow down. */
export const tooManyRequests = 429

/** Statuses with which a server says that it did not process the request: Request Timeout, Too Early, Too Many Requests. */
export const notTakenUp: readonly number[] = [408, 425, tooManyRequests]

/** Statuses of a gateway before the service, or of an overloaded service. */
export const unavailable: readonly number[] = [500, 502, 503, 504]

/** Codes of S3-compatible stores for temporary failures whose statuses would otherwise be permanent. */
const retryableCodes = ['IncompleteBody', 'RequestTimeout', 'OperationAborted', 'SlowDown']

/** Whether a retry may succeed: after a lost connection, or with an overloaded or restarting server. */
export const isRetryable = (error: unknown): boolean =>
  (error instanceof NetworkFailure && (error.code === 'network' || error.code === 'timeout')) ||
  (error instanceof ServiceFailure &&
    ((error.status ?? 0) >= 500 ||
      notTakenUp.includes(error.status ?? 0) ||
      retryableCodes.includes(error.code)))

/** Whether the service or the store refused the request, and would refuse it again. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ServiceFailure &&
  (error.status ?? 500) < 500 &&
  ![401, 403, ...notTakenUp].includes(error.status ?? 0)
