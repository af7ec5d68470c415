import { NetworkFailure } from '../errors.ts'
import type { Clock } from '../world.ts'

/** Milliseconds after which a side that never answered is given up, and one that answered before. */
const givenUpAfter = { atFirst: 25_000, later: 120_000 } as const

/**
 * Whether the service, and the store, can be reached at all, known to all the requests of a batch: what is dead for one
 * file is dead for the others, and each need not find it out by itself.
 */
export interface Reach {
  /** Milliseconds that an attempt may take: one to a side that never answered ends in time to say so. */
  left(name: string): number
  /** Something came back from there, or went there. */
  reached(name: string): void
  /** Throws a failure that ends the batch once nothing has come from there for too long. */
  failed(name: string, why: string): void
}

export function createReach({ monotonic }: Pick<Clock, 'monotonic'>): Reach {
  const sides = new Map<string, { wasReached: boolean; failingSince: number | undefined }>()
  const sideOf = (name: string) => {
    const side = sides.get(name) ?? { wasReached: false, failingSince: monotonic() }
    sides.set(name, side)
    return side
  }
  return {
    left(name) {
      const { wasReached, failingSince } = sideOf(name)
      if (wasReached || failingSince === undefined) return Number.POSITIVE_INFINITY
      return Math.max(1, givenUpAfter.atFirst - (monotonic() - failingSince))
    },
    reached(name) {
      Object.assign(sideOf(name), { wasReached: true, failingSince: undefined })
    },
    failed(name, why) {
      const side = sideOf(name)
      side.failingSince ??= monotonic()
      const elapsed = monotonic() - side.failingSince
      if (elapsed < givenUpAfter[side.wasReached ? 'later' : 'atFirst'] - 50) return
      throw new NetworkFailure(
        `nothing has come from ${name} for ${Math.round(elapsed / 1000)} s, so no further file is tried (${why})`,
        { code: 'unreachable', hint: 'Check the address and the network, then go on: pubctl uploads resume' },
      )
    },
  }
}
