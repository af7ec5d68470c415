import { Failure } from '../system/errors.ts'
import type { Receipt } from '../uploads/receipt.ts'

/** An upload that did not succeed. Code, exit code and hint are those of its `cause`. */
export class UploadFailure extends Failure {
  override readonly name: string = 'UploadFailure'
  /** How far it came: what exists at the service, and under which ids. */
  readonly receipt: Receipt

  constructor(cause: Failure, receipt: Receipt) {
    const { message, code, exitCode, hint, status, requestId, details } = cause
    super(message, {
      ...{ code, exitCode, hint, requestId, cause },
      ...(details && { details: [...details] }),
      ...(status !== undefined && { status }),
    })
    this.receipt = receipt
  }
}
