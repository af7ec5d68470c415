import type { Socket } from 'node:net'
import { NetworkFailure } from '../../system/errors.ts'
import { unsentBytes } from '../../system/unsent-bytes.ts'
import type { World } from '../../system/world.ts'

/** How often a transfer is checked, and the idle time after which the system's buffers are checked, in milliseconds. */
const [checkInterval, idleBeforeSystemCheck] = [1000, 5000]

export interface StallOptions extends Pick<World, 'clock' | 'signal'> {
  /** Returns the milliseconds without progress or answer after which the transfer is aborted. */
  idleTimeout: () => number
  /** Called each time that bytes moved, also if only from the system's buffers to the other side. */
  onMoved?: (() => void) | undefined
}

interface StallWatch {
  /** Aborted when the transfer has stalled, or when the given signal is. */
  readonly signal: AbortSignal
  readonly moved: () => void
  watch(used: Socket): void
  stop(): void
}

/** Aborts a transfer when no bytes have moved for too long, neither into the system's buffers nor out of them. */
export function watchForStall({ clock, signal, idleTimeout, onMoved }: StallOptions): StallWatch {
  // Not AbortSignal.any, which takes several times as long, and a batch makes one for each book.
  const controller = new AbortController()
  const abort = () => controller.abort(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort)
  let last = clock.monotonic()
  let socket: Socket | undefined
  let unsent: number | undefined
  const moved = () => {
    last = clock.monotonic()
    onMoved?.()
  }
  const check = () => {
    const idle = clock.monotonic() - last
    const longest = idleTimeout()
    if (socket && idle > Math.min(idleBeforeSystemCheck, longest / 2)) {
      const now = unsentBytes(socket)
      const isMoving = now !== unsent && unsent !== undefined
      unsent = now
      if (isMoving) return moved()
    }
    if (idle > longest) controller.abort(stalled(idle))
  }
  const endChecks = clock.every(Math.min(checkInterval, idleTimeout() / 8), check)
  return {
    signal: controller.signal,
    moved,
    watch(used: Socket) {
      socket = used
      unsent = undefined
    },
    stop() {
      endChecks()
      signal.removeEventListener('abort', abort)
    },
  }
}

const stalled = (idle: number) =>
  new NetworkFailure(`the transfer stalled: nothing moved for ${Math.round(idle / 1000)} s`, {
    code: 'timeout',
    hint: 'Run the upload again when the network works better.',
  })
