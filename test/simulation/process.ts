import { Interrupted } from '../../src/system/errors.ts'

/** What goes wrong at a point where the network is touched. */
export const networkFaults = [
  'die before',
  'die after',
  'request lost',
  'answer lost',
  'answer cut',
  'request twice',
  'answer late',
  'request late',
  'refused once',
] as const

/** What goes wrong at a point where the disk is touched. */
export const diskFaults = ['die before', 'die after', 'disk full'] as const

export type Fault = (typeof networkFaults)[number] | (typeof diskFaults)[number]

/** A step that touches what is outside of the process. */
export interface Point {
  readonly kind: 'network' | 'disk'
  readonly name: string
}

/** One run of the program, which may die at any point. */
export interface SimulatedProcess {
  readonly pid: number
  /** Aborted when the process dies. What it still does after that is done in a folder that nobody looks at any more. */
  readonly life: AbortSignal
  /** The points that it has come to, in order. */
  readonly trace: readonly Point[]
  /** It comes to a point; what goes wrong there. */
  reach(point: Point): Fault | undefined
  die(): void
}

/** No system gives such an id to a process. */
const firstPid = 2 ** 23
const living = new Set<number>()
let [latest, current] = [firstPid, process.pid]

/**
 * Gives each simulated process an id of its own, which is that of a dead process once it has died: locks and claims are left as
 * after a kill.
 */
export function simulateProcesses(): void {
  const kill = process.kill.bind(process)
  Object.defineProperty(process, 'pid', { get: () => current })
  process.kill = (pid, signal) => {
    if (pid < firstPid) return kill(pid, signal)
    if (living.has(pid)) return true
    throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' })
  }
}

/** `faultAt` says what goes wrong at the point of a number, counted from 0; `onDeath` is called while the disk is as it is then. */
export function startProcess(
  faultAt: (point: number) => Fault | undefined,
  onDeath: () => void,
): SimulatedProcess & { end(): void } {
  const life = new AbortController()
  const trace: Point[] = []
  const pid = ++latest
  living.add(pid)
  current = pid
  return {
    pid,
    life: life.signal,
    trace,
    reach(point) {
      if (life.signal.aborted) return undefined
      trace.push(point)
      return faultAt(trace.length - 1)
    },
    die() {
      if (life.signal.aborted) return
      onDeath()
      living.delete(pid)
      life.abort(new Interrupted('SIGTERM'))
    },
    end: () => void living.delete(pid),
  }
}
