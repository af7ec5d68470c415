import { NetworkFailure, ServiceFailure } from '../errors.ts'

/** What stores of S3's kind say, with statuses that would otherwise be final, of troubles that pass. */
const passingCodes = ['IncompleteBody', 'RequestTimeout', 'OperationAborted', 'SlowDown']

/** Whether the same may well succeed when it is done again: a lost connection, an overburdened or restarting server. */
export const isPassing = (error: unknown): boolean =>
  (error instanceof NetworkFailure && (error.code === 'network' || error.code === 'timeout')) ||
  (error instanceof ServiceFailure &&
    ((error.status ?? 0) >= 500 ||
      [408, 425, 429].includes(error.status ?? 0) ||
      passingCodes.includes(error.code)))

/** Whether a failed request may have been carried out all the same. */
export const isUnclear = (error: unknown): boolean =>
  (error instanceof NetworkFailure && ['network', 'timeout', 'bad_reply'].includes(error.code)) ||
  (error instanceof ServiceFailure && (error.status ?? 0) >= 500)

/** Whether the service, or the store, refused what was sent, so that it would refuse the same again. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ServiceFailure &&
  (error.status ?? 500) < 500 &&
  ![401, 403, 408, 425, 429].includes(error.status ?? 0)
