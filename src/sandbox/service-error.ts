import type { ErrorCode } from '../service/contract/envelope.ts'
import type { FailureDetail } from '../system/errors.ts'

/** An answer of the service other than success; it becomes the error envelope (§7). */
export class ServiceError extends Error {
  readonly status: number
  readonly code: ErrorCode
  readonly details: FailureDetail[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: ErrorCode,
    message: string,
    more: { details?: FailureDetail[]; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.details = more.details
    this.headers = more.headers ?? {}
  }
}

/**
 * 400: the request is well formed, but the state of things forbids it. `details` tell which of its values are to blame,
 * where any are.
 */
export const refused = (message: string, details?: FailureDetail[]): ServiceError =>
  new ServiceError(400, 'INVALID_REQUEST', message, details ? { details } : {})

/** 404, with the kind of the resource and its identifier as the sentence's subject: `publication pub_1`. */
export const missing = (what: string): ServiceError =>
  new ServiceError(404, 'EMPTY_RESPONSE', `There is no ${what}.`)

/** 400: the request does not fit its schema. */
export const invalid = (details: FailureDetail[]): ServiceError => {
  const [first] = details
  const place = first?.path?.length ? `${first.path.join('.')}: ` : ''
  return new ServiceError(400, 'ZOD_ERROR', `The request is not valid. ${place}${first?.message ?? ''}`, {
    details,
  })
}
