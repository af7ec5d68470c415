import type { Socket } from 'node:net'
import { NetworkFailure } from '../../system/errors.ts'
import { unsentBytes } from '../../system/unsent-bytes.ts'
import type { World } from '../../system/world.ts'

/** How often a transfer is checked, and the idle time after which the system's buffers are checked, in milliseconds. */
const [checkInterval, idleBeforeSystemCheck] = [1000, 5000]

export interface StallOptions extends Pick<World, 'clock'> {
  /** Returns the milliseconds without progress or answer after which the transfer is aborted. */
  idleTimeout: () => number
  /** Called each time that bytes moved, also if only from the system's buffers to the other side. */
  onMoved?: (() => void) | undefined
}

interface StallWatch {
  /** Begins to watch a transfer, which `end` ends with an error once it has stalled. Returns what ends the watch. */
  begin(end: (error: Error) => void): () => void
  moved(): void
  /** The connection that the transfer uses. */
  watch(used: Socket): void
}

/** Ends a transfer when no bytes have moved for too long, neither into the system's buffers nor out of them. */
export function watchForStall({ clock, idleTimeout, onMoved }: StallOptions): StallWatch {
  let last = 0
  let socket: Socket | undefined
  let unsent: number | undefined
  const moved = () => {
    last = clock.monotonic()
    onMoved?.()
  }
  const check = (end: (error: Error) => void) => {
    const idle = clock.monotonic() - last
    const longest = idleTimeout()
    if (socket && idle > Math.min(idleBeforeSystemCheck, longest / 2)) {
      const now = unsentBytes(socket)
      const isMoving = now !== unsent && unsent !== undefined
      unsent = now
      if (isMoving) return moved()
    }
    if (idle > longest) end(stalled(idle))
  }
  return {
    begin(end) {
      last = clock.monotonic()
      return clock.every(Math.min(checkInterval, idleTimeout() / 8), () => check(end))
    },
    moved,
    watch(used: Socket) {
      socket = used
      unsent = undefined
    },
  }
}

const stalled = (idle: number) =>
  new NetworkFailure(`the transfer stalled: nothing moved for ${Math.round(idle / 1000)} s`, {
    code: 'timeout',
    hint: 'Run the upload again when the network works better.',
  })
