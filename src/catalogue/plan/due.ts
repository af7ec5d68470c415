import { sha256 } from '../../system/sha256.ts'

/**
 * Whether a record is to be read again, so that it is never older than `age` when a plan is made. Each publication has its own
 * time for that, once in each `age`, so that what was read together is read again in parts by the plans of that time. All in
 * milliseconds, the times since 1970.
 */
export function isDue(publicationId: string, readAt: number, now: number, age: number): boolean {
  if (age === 0) return true
  const place = Number.parseInt(sha256(publicationId).slice(0, 8), 16) / 2 ** 32
  const turn = (time: number) => Math.floor(time / age - place)
  return turn(now) > turn(readAt)
}
