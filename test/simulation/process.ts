import { AsyncLocalStorage } from 'node:async_hooks'
import { EventEmitter, setMaxListeners } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import threads from 'node:worker_threads'
import { Interrupted } from '../../src/system/errors.ts'
import type { Clock } from '../../src/system/world.ts'
import { clockOf } from './clock.ts'

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

/** What goes wrong there besides where the disk is written: the machine stops, and of what was not yet safe a part is on the disk. */
export const writeFaults = ['torn write'] as const

/**
 * What goes wrong where a lock is renewed: the process was held up for longer than the lock lasts, and another program has put a lock
 * of its own in the place of this one.
 */
export const lockFaults = ['lock taken over'] as const
/** What goes wrong at a point where the database is touched. */
export const databaseFaults = [
  'die before',
  'die after',
  'connection lost before',
  'connection lost after',
  'database restarts',
] as const

/** What may begin at any point, and goes on while the command does. */
export const lastingFaults = ['clock forward', 'clock back', 'disk stays full'] as const

export type Fault = (typeof faults)[number]

export const faults = [
  ...networkFaults,
  ...diskFaults,
  ...writeFaults,
  ...lockFaults,
  ...databaseFaults,
  ...lastingFaults,
] as const

/** A step that touches what is outside of the process. */
export interface Point {
  readonly kind: 'network' | 'disk' | 'database'
  readonly name: string
}

/** A point that a process came to, the time at which it did, in milliseconds, and what went wrong there. */
export interface Reached extends Point {
  readonly at: number
  readonly fault?: Fault
}

/** What a process and others may have in common: a home folder, and that it may stop as a whole. */
export interface Machine {
  readonly home: string
  readonly processes: Set<SimulatedProcess>
  /** Whether it has stopped, so that nothing begins there until it is started again. */
  isStopped: boolean
  /** The locks that another program has taken over, with what is in each of them. */
  readonly taken: Map<string, string>
  /** What its stop has done to the disk. */
  harm: (() => void) | undefined
}

/** One run of the program, which may die at any point. */
export interface SimulatedProcess {
  readonly pid: number
  readonly machine: Machine
  /** That of its machine, of which it hears nothing more once it is dead. */
  readonly clock: Clock
  /** Aborted when the process dies. What it still does after that has no effect. */
  readonly life: AbortSignal
  /** The points that it has come to, in order. */
  readonly trace: readonly Reached[]
  /** Does something as this process, with all that follows from it. */
  within<T>(work: () => T): T
  /** It comes to a point; what goes wrong there. */
  reach(point: Point): Fault | undefined
  die(): void
}

/**
 * When a death kills the real process as well, and with it all that is simulated: at the point itself, or once nothing more comes of
 * the process that is dead.
 */
export const killings = ['at once', 'afterwards'] as const
type Killing = (typeof killings)[number]

let killing: Killing | undefined
let killReally = () => {}

export function killWithTheDead(when: Killing): void {
  killing = when
}

/** A process died, and nothing more comes of it. */
export function isGone(): void {
  if (killing === 'afterwards') killReally()
}

/** A process dies at a point. Returns what it is refused with from then on. */
export function dead(process: SimulatedProcess): unknown {
  if (killing === 'at once') killReally()
  process.die()
  return process.life.reason
}

/** Says what goes wrong at a point; `number` counts those of its run from 0. */
export type FaultAt = (point: Point, number: number) => Fault | undefined

/** No system gives such an id to a process. */
const firstPid = 2 ** 23
const living = new Set<number>()
let latest = firstPid
const acting = new AsyncLocalStorage<SimulatedProcess>()

/** The process that does what is being done; undefined for the service. */
export const actor = (): SimulatedProcess | undefined => acting.getStore()

/**
 * Gives each simulated process an id of its own, which is that of a dead process once it has died: locks and claims are left as
 * after a kill.
 */
export function simulateProcesses(): void {
  const [own, kill] = [process.pid, process.kill.bind(process)]
  killReally = () => void kill(own, 'SIGKILL')
  Object.defineProperty(process, 'pid', { get: () => actor()?.pid ?? own })
  process.kill = (pid, signal) => {
    if (pid < firstPid) return kill(pid, signal)
    if (living.has(pid)) return true
    throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' })
  }
}

/**
 * Has the timers of Node, which libraries use, ring by the clock of the process that sets them. To be called before the program is
 * loaded.
 */
export function simulateTimers(): void {
  const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis
  const stops = new WeakMap<object, () => void>()
  const timer = (stop: () => void) => {
    const own = { ref: () => own, unref: () => own, hasRef: () => true }
    stops.set(own, stop)
    return own
  }
  const clear = (real: (timer: unknown) => void) => (timer: unknown) => {
    const stop = typeof timer === 'object' && timer ? stops.get(timer) : undefined
    if (stop) stop()
    else real(timer)
  }
  Object.assign(globalThis, {
    setTimeout: Object.assign((ring: (...args: unknown[]) => void, after = 1, ...args: unknown[]) => {
      const own = actor()
      return own ? timer(own.clock.after(after, () => ring(...args))) : setTimeout(ring, after, ...args)
    }, setTimeout),
    setInterval: (ring: (...args: unknown[]) => void, every = 1, ...args: unknown[]) => {
      const own = actor()
      return own ? timer(own.clock.every(every, () => ring(...args))) : setInterval(ring, every, ...args)
    },
    clearTimeout: clear(clearTimeout as (timer: unknown) => void),
    clearInterval: clear(clearInterval as (timer: unknown) => void),
  })
}

/**
 * No thread starts, as where the system has none left: what would be done in one is done in the thread that asks, in an order that
 * is the same each time.
 */
export function simulateThreads(): void {
  class NoThread extends EventEmitter {
    constructor() {
      super()
      setImmediate(() => {
        this.emit('error', new Error('the system starts no more threads'))
        this.emit('exit', 1)
      })
    }
    ref(): void {}
    unref(): void {}
    postMessage(): void {}
    async terminate(): Promise<void> {}
  }
  Object.assign(threads, { Worker: NoThread })
  syncBuiltinESMExports()
}

/** A process that is to run on a machine; `clock` is that of the machine. */
export function startProcess(
  machine: Machine,
  faultAt: FaultAt,
  clock: Clock,
): SimulatedProcess & { end(): void } {
  const life = new AbortController()
  // Every connection waits for its end.
  setMaxListeners(0, life.signal)
  const trace: Reached[] = []
  const pid = ++latest
  living.add(pid)
  let ownClock: Clock | undefined
  const own = {
    pid,
    machine,
    life: life.signal,
    trace,
    get clock(): Clock {
      ownClock ??= clockOf(clock, own)
      return ownClock
    },
    within: <T>(work: () => T): T => acting.run(own, work),
    reach(point: Point) {
      if (life.signal.aborted) return undefined
      const fault = faultAt(point, trace.length)
      trace.push({ ...point, at: clock.monotonic(), ...(fault && { fault }) })
      return fault
    },
    die() {
      own.end()
      if (!life.signal.aborted) life.abort(new Interrupted('SIGTERM'))
    },
    end() {
      living.delete(pid)
      machine.processes.delete(own)
    },
  }
  machine.processes.add(own)
  return own
}
