import type { ServerResponse } from 'node:http'
import type { Clock } from '../../system/world.ts'
import { type Faults, faultAt } from './faults.ts'
import { type Send, sendComplete, sendHalf, sendReset } from './send.ts'

export interface FaultInjection {
  readonly faults: Faults
  readonly clock: Clock
  /** Gives a number from 0 to below 1. */
  readonly random: () => number
}

/** How a request is handled. */
export interface Handling {
  /** How its answer is sent. */
  readonly send: Send
  /** The status with which it is refused at once. */
  readonly refusal?: 429 | 500 | 503
}

export const noFault: Handling = { send: sendComplete }

/** Handles a request, with a fault that is chosen at random. */
export async function injectFault(
  { faults, clock, random }: FaultInjection,
  res: ServerResponse,
  handle: (how: Handling) => void,
): Promise<void> {
  const fault = faultAt(faults, random())
  // The connection stays as it is until the client gives up or the server closes.
  if (fault === 'stall') return
  if (faults.slow > 0) await clock.sleep(faults.slow)
  if (fault === undefined) return handle(noFault)
  if (fault === 'cut') return handle({ send: sendHalf })
  if (fault !== 'reset') return handle({ ...noFault, refusal: fault })
  // Half of these requests take effect, so that a client is tested with an answer that was lost after success.
  if (random() < 0.5) handle({ send: sendReset })
  else res.socket?.resetAndDestroy()
}
