/** The limits of one request. */
export interface CallOptions {
  /** Ends the request; its promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** The longest wait for an answer, retries included, in milliseconds. */
  readonly timeout?: number | undefined
}

/** How a list is read. */
export interface ListOptions extends CallOptions {
  /** The most items in all; all of them by default. */
  readonly limit?: number | undefined
}
