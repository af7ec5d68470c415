import type { Clock } from '../system/world.ts'
import type { Query } from './postgres/postgres.ts'

/** The limit for all workers together, in steps that are begun in a second; null if there is none. */
export async function rateLimit(query: Query): Promise<number | null> {
  const [row] = await query<{ perSecond: number | null }>('SELECT "perSecond" FROM pubctl.rate')
  return row?.perSecond ?? null
}

export async function setRateLimit(query: Query, perSecond: number | null): Promise<void> {
  await query('UPDATE pubctl.rate SET "perSecond" = $1, "nextAt" = now()', [perSecond])
}

/** How long a worker goes on by what it was told of the limit, in milliseconds. */
const trusted = 2000

/**
 * Lets one step after another begin when the limit for all workers permits. The row of the limit says when the next step
 * may begin; whoever begins one moves that on. Where there is no limit, the row is only looked at now and then.
 */
export function openGate(query: Query, clock: Clock, signal: AbortSignal): { pass(): Promise<void> } {
  let unlimitedUntil = 0
  let last: Promise<void> = Promise.resolve()
  const passOne = async (): Promise<void> => {
    for (;;) {
      signal.throwIfAborted()
      if (clock.monotonic() < unlimitedUntil) return
      if ((await rateLimit(query)) === null) {
        unlimitedUntil = clock.monotonic() + trusted
        return
      }
      // A turn is taken only shortly before it comes, so that one that ends takes none with it, and a new limit holds soon.
      const [turn] = await query<{ wait: number }>(
        `UPDATE pubctl.rate AS rate SET "nextAt" = greatest("nextAt", now()) + interval '1 second' / "perSecond"
         FROM (SELECT "nextAt" AS before FROM pubctl.rate FOR UPDATE) AS earlier
         WHERE "perSecond" IS NOT NULL AND before < now() + interval '1 second'
         RETURNING greatest(0, extract(epoch FROM before - now()) * 1000)::double precision AS wait`,
      )
      if (turn) return await clock.sleep(turn.wait, signal)
      await clock.sleep(500, signal)
    }
  }
  return {
    pass() {
      const turn = last.then(passOne)
      last = turn.catch(() => undefined)
      return turn
    },
  }
}
