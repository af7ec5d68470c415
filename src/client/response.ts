import type { NetworkFailure } from '../errors.ts'

/** An HTTP response, whose body is not read yet. */
export interface Response {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** What a proxy says with this answer in the place of whom it was to ask. */
  refusal?: NetworkFailure | undefined
  /** The whole body; throws when it is longer than `limit` bytes or was cut short. */
  text(limit?: number): Promise<string>
}
