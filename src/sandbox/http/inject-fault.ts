import type { ServerResponse } from 'node:http'
import type { Clock } from '../../world.ts'
import { type Faults, faultAt } from './faults.ts'
import { type Send, sendHalf, sendReset, sendWhole } from './send.ts'

export interface Rehearsal {
  readonly faults: Faults
  readonly clock: Clock
  /** Gives a number from 0 to below 1. */
  readonly random: () => number
}

/** How a request is handled. */
export interface Handling {
  /** How its answer is sent. */
  readonly send: Send
  /** The status with which it is refused, without being looked at. */
  readonly refusal?: 429 | 500 | 503
}

export const asUsual: Handling = { send: sendWhole }

/** Lets a request meet the faults that are rehearsed, and has it handled where it gets that far. */
export async function rehearse(
  { faults, clock, random }: Rehearsal,
  res: ServerResponse,
  handle: (how: Handling) => void,
): Promise<void> {
  const fault = faultAt(faults, random())
  // The connection stays as it is until the client gives up or the server closes.
  if (fault === 'stall') return
  if (faults.slow > 0) await clock.sleep(faults.slow)
  if (fault === undefined) return handle(asUsual)
  if (fault === 'cut') return handle({ send: sendHalf })
  if (fault !== 'reset') return handle({ ...asUsual, refusal: fault })
  // Half of these are carried out before, so that a client learns not to take a lost answer for a failure.
  if (random() < 0.5) handle({ send: sendReset })
  else res.socket?.resetAndDestroy()
}
