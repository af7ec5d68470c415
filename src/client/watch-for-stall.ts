import type { Socket } from 'node:net'
import { NetworkFailure } from '../errors.ts'
import { unsentBytes } from '../system/unsent-bytes.ts'

/** How often a transfer is looked at, and after how long without movement the system is asked, in milliseconds. */
const [lookEvery, quiet] = [1000, 5000]

export interface StallOptions {
  /** Gives the milliseconds without any movement or answer after which the transfer is given up. */
  idleTimeout: () => number
  /** Called each time that bytes were seen to move, be it only from the system's buffers to the other side. */
  onMoved?: (() => void) | undefined
}

/** Ends a transfer in which nothing has moved for too long, neither into the system's buffers nor out of them. */
export function watchForStall({ idleTimeout, onMoved }: StallOptions) {
  const controller = new AbortController()
  let last = performance.now()
  let socket: Socket | undefined
  let unsent: number | undefined
  const moved = () => {
    last = performance.now()
    onMoved?.()
  }
  const look = () => {
    const idle = performance.now() - last
    const longest = idleTimeout()
    if (socket && idle > Math.min(quiet, longest / 2)) {
      const now = unsentBytes(socket)
      const isMoving = now !== unsent && unsent !== undefined
      unsent = now
      if (isMoving) return moved()
    }
    if (idle > longest) controller.abort(stalled(idle))
  }
  const timer = setInterval(look, Math.min(lookEvery, idleTimeout() / 8))
  timer.unref()
  return {
    signal: controller.signal,
    moved,
    watch(used: Socket) {
      socket = used
      unsent = undefined
    },
    stop: () => clearInterval(timer),
  }
}

const stalled = (idle: number) =>
  new NetworkFailure(`the transfer stalled: nothing moved for ${Math.round(idle / 1000)} s`, {
    code: 'timeout',
    hint: 'Run the upload again when the network is better.',
  })
