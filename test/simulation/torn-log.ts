import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { below } from './random.ts'

/** What each log had when it was last safe on the disk. */
const safe = new Map<string, Buffer>()

/** What a disk writes at once. */
const sector = 512

/** The salt in the head of SQLite's log, which is another one once the log begins anew. */
const saltOf = (log: Buffer): string => log.subarray(16, 24).toString('hex')

/** No log is of use once its world is no more. */
export const forgetLogs = (): void => safe.clear()

/** A log of SQLite, of which only a part may be on the disk after its machine has stopped. */
export function tornLog(path: string) {
  const content = () => (existsSync(path) ? readFileSync(path) : Buffer.alloc(0))
  return {
    /** What it has now is on the disk. */
    isSafe: () => void safe.set(path, content()),
    /**
     * What a stop at this moment makes of it: it ends somewhere behind what is safe, or a sector there is still as it was. Returns
     * what does so, once nobody has it open.
     */
    tear(): () => void {
      const log = content()
      const kept = safe.get(path)
      const before = kept && saltOf(kept) === saltOf(log) ? kept : Buffer.alloc(0)
      let start = 0
      while (start < before.length && before[start] === log[start]) start++
      const at = start + below(log.length - start + 1)
      if (below(2) === 0) return () => writeFileSync(path, log.subarray(0, at))
      const [from, to] = [
        Math.max(start, at - (at % sector)),
        Math.min(at - (at % sector) + sector, log.length),
      ]
      const earlier = Buffer.alloc(to - from)
      before.copy(earlier, 0, Math.min(from, before.length), to)
      earlier.copy(log, from)
      return () => writeFileSync(path, log)
    },
  }
}
