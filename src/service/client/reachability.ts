import { NetworkFailure } from '../../system/errors.ts'
import type { Clock } from '../../system/world.ts'

/** Milliseconds without an answer after which a host counts as unreachable: if it never answered, and if it did. */
const givenUpAfter = { atFirst: 25_000, later: 120_000 } as const

/** The longest wait for a file or a connection to be closed while nothing comes, longer than idle connections are kept. */
const longestWithoutHandles = 10_000

/**
 * Whether the service and the store can be reached. It is shared by all requests of a batch, so that not every file waits
 * for a dead host on its own.
 */
export interface Reachability {
  /** The milliseconds that an attempt may take; limited while the host has never answered. */
  left(name: string): number
  /** Gives attempts as long again, for a caller that goes on after a host was given up. One that fails still throws at once. */
  tryAgain(): void
  /** Bytes were received from the host or sent to it. */
  reached(name: string): void
  /** Throws a failure that ends the batch if the host has not answered for too long. */
  failed(name: string, why: string): void
  /**
   * No connection to the host was made, because too many files are open. Whether to wait for others to be closed: not once
   * no host has been reached for too long, and then not until this one is.
   */
  waitsForHandles(name: string): boolean
}

export function createReachability({ monotonic }: Pick<Clock, 'monotonic'>): Reachability {
  const hosts = new Map<string, { wasReached: boolean; failingSince: number | undefined }>()
  let triedAgainAt = Number.NEGATIVE_INFINITY
  const hopeless = new Set<string>()
  let withoutHandlesSince: number | undefined
  const hostOf = (name: string) => {
    const host = hosts.get(name) ?? { wasReached: false, failingSince: monotonic() }
    hosts.set(name, host)
    return host
  }
  return {
    left(name) {
      const { wasReached, failingSince } = hostOf(name)
      if (wasReached || failingSince === undefined) return Number.POSITIVE_INFINITY
      return Math.max(1, givenUpAfter.atFirst - (monotonic() - Math.max(failingSince, triedAgainAt)))
    },
    tryAgain() {
      triedAgainAt = monotonic()
    },
    reached(name) {
      withoutHandlesSince = undefined
      hopeless.delete(name)
      Object.assign(hostOf(name), { wasReached: true, failingSince: undefined })
    },
    failed(name, why) {
      const host = hostOf(name)
      host.failingSince ??= monotonic()
      const elapsed = monotonic() - host.failingSince
      if (elapsed < givenUpAfter[host.wasReached ? 'later' : 'atFirst'] - 50) return
      throw new NetworkFailure(
        `nothing has come from ${name} for ${Math.round(elapsed / 1000)} s, so no further file is tried (${why})`,
        { code: 'unreachable', hint: 'Check the address and the network, then go on: pubctl uploads resume' },
      )
    },
    waitsForHandles(name) {
      withoutHandlesSince ??= monotonic()
      if (monotonic() - withoutHandlesSince >= longestWithoutHandles) hopeless.add(name)
      return !hopeless.has(name)
    },
  }
}
