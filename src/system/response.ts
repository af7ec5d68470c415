import type { NetworkFailure } from './errors.ts'

/** An HTTP response, whose body is not read yet. */
export interface Response {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** The proxy's refusal, if the answer is the proxy's own. */
  refusal?: NetworkFailure | undefined
  /** The complete body. Throws if it is longer than `limit` bytes or was cut short. */
  text(limit?: number): Promise<string>
}
