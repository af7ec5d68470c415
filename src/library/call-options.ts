/** The limits of one request. */
export interface CallOptions {
  /** Ends the request; its promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** The longest wait for an answer, retries included, in milliseconds. */
  readonly timeout?: number | undefined
}
