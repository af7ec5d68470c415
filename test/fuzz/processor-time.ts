import { readFileSync } from 'node:fs'

/** Milliseconds in a tick of the clock in which Linux counts. */
const tick = 10

/** How long the processor has worked for a process, in milliseconds; undefined where the system does not say (proc(5)). */
export function processorTimeOf(pid: number | undefined): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Behind the name, which may have blanks, the first field is the third.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [user, system] = fields.slice(11, 13).map(Number)
    return user === undefined || system === undefined ? undefined : (user + system) * tick
  } catch {
    return undefined
  }
}
