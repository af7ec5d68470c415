import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { main } from '../../src/main.ts'
import { anyFile } from '../../src/system/may-read.ts'
import { clockOf, simulatedTime, type Time } from './clock.ts'
import { simulatedNetwork } from './network.ts'
import { type FaultAt, type Machine, type Reached, startProcess } from './process.ts'
import { below, seedRandom } from './random.ts'
import { type Mood, origin, type SimulatedService, startSimulatedService } from './service.ts'

/** How one run of the program ended. */
export interface Ended {
  readonly args: readonly string[]
  /** The exit code; null if it died. */
  readonly code: number | null
  readonly out: string
  readonly err: string
  readonly trace: readonly Reached[]
}

/** One run of the program. */
interface Run {
  readonly args: readonly string[]
  /** The number of the machine, counted from 0: the first one if it is not given. */
  readonly machine?: number
  /** How long after the others it starts, in milliseconds. */
  readonly startsAfter?: number
  readonly faultAt?: FaultAt
}

/** One service, and the machines of people who use it. */
export interface SimulatedWorld {
  readonly time: Time
  readonly service: SimulatedService
  /** Runs the program. */
  run(run: Run): Promise<Ended>
  /** Runs it several times at once. Which of their requests is carried out next follows from the seed. */
  runAll(runs: readonly Run[]): Promise<Ended[]>
  /** A folder that all machines share. */
  readonly shared: string
  /** Lets time pass. */
  wait(milliseconds: number): Promise<void>
  /** Goes on at other machines, on which pubctl never ran. */
  moveToNewMachines(): void
  close(): Promise<void>
}

/** More simulated time than any command takes, in milliseconds. */
const longest = 6 * 60 * 60 * 1000

/** What happens next, while something is waited for. */
let whenIdle: (() => void) | undefined

/** Has time move when nothing else can: Node says so when it would otherwise end the process. */
export function moveTimeWhenIdle(): void {
  process.on('beforeExit', () => {
    if (whenIdle) setImmediate(whenIdle)
  })
}

class Screen extends Writable {
  text = ''
  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk
    done()
  }
}

/** `folder` is where the machines and the service keep their files. */
export async function openWorld(
  template: string,
  folder: string,
  mood: Mood,
  seed: number,
): Promise<SimulatedWorld> {
  seedRandom(seed)
  const time = simulatedTime()
  const place = mkdtempSync(join(folder, 'world-'))
  const service = await startSimulatedService(template, place, time.clock, mood)
  const network = simulatedNetwork(service, time.clock)
  let generation = 0
  const machines = new Map<string, Machine>()
  const machineOf = (number = 0): Machine => {
    const home = join(place, `home-${generation}-${number}`)
    const known = machines.get(home)
    if (known) return known
    mkdirSync(home, { mode: 0o700 })
    const machine: Machine = { home, processes: new Set(), isStopped: false, harm: undefined }
    machines.set(home, machine)
    return machine
  }
  const shared = join(place, 'shared')
  mkdirSync(shared)

  /** The outcome of some work, while time moves as far as it has to. */
  const untilDone = async <T>(work: Promise<T>, choose = (_: number) => 0): Promise<T> => {
    const began = time.clock.monotonic()
    const isStuck = new Promise<never>((_, reject) => {
      whenIdle = () => {
        if (time.clock.monotonic() - began > longest) reject(new Error('it does not end'))
        else if (!network.deliver(choose) && !time.advance())
          reject(new Error('it waits for what never comes'))
      }
    })
    try {
      return await Promise.race([work, isStuck])
    } finally {
      whenIdle = undefined
    }
  }

  /** Runs a process to its end, or to its death. */
  const runOne = async (on: Machine, args: readonly string[], faultAt: FaultAt): Promise<Ended> => {
    const [stdout, stderr] = [new Screen(), new Screen()]
    const own = startProcess(on, faultAt, time.clock.monotonic)
    const { home } = on
    try {
      const code = await own.within(() =>
        main(args, {
          env: { PUBCTL_BASE_URL: origin, PUBCTL_API_KEY: service.key, PUBCTL_KEYCHAIN: 'off' },
          platform: process.platform,
          home,
          stdin: Readable.from([]),
          stdout,
          stderr,
          clock: clockOf(time.settable, own),
          mayRead: anyFile,
          signal: own.life,
          openHttp: () => network.open(own),
        }),
      )
      const died = own.life.aborted
      return { args, code: died ? null : code, out: stdout.text, err: stderr.text, trace: own.trace }
    } finally {
      own.end()
    }
  }

  /** Once nothing runs there, the disk of a machine is as its last process left it, or its stop. */
  const settle = (machine: Machine) => {
    const { home, harm } = machine
    Object.assign(machine, { isStopped: false, harm: undefined })
    // SQLite makes the index of its log anew, as it does after a kill.
    const left = join(place, 'left')
    cpSync(home, left, { recursive: true, filter: path => !path.endsWith('-shm') })
    rmSync(home, { recursive: true })
    renameSync(left, home)
    harm?.()
  }

  const runAll = async (runs: readonly Run[]): Promise<Ended[]> => {
    const isAlone = runs.length === 1
    const ended = await untilDone(
      Promise.all(
        runs.map(async ({ args, machine, startsAfter = 0, faultAt = () => undefined }, index) => {
          if (startsAfter > 0) await time.clock.sleep(startsAfter)
          if (!isAlone) await network.turn(`start ${index}`)
          const on = machineOf(machine)
          if (on.isStopped) return { args, code: null, out: '', err: '', trace: [] }
          return await runOne(on, args, faultAt)
        }),
      ),
      isAlone ? undefined : below,
    )
    for (const [index, { machine }] of runs.entries()) {
      if (ended[index]?.code === null) settle(machineOf(machine))
    }
    return ended
  }

  return {
    time,
    service,
    shared,
    runAll,
    run: async run => (await runAll([run]))[0] as Ended,
    wait: milliseconds => untilDone(time.clock.sleep(milliseconds)),
    moveToNewMachines() {
      generation++
    },
    async close() {
      await untilDone(service.close())
      rmSync(place, { recursive: true, force: true })
    },
  }
}
