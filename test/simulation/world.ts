import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { main } from '../../src/main.ts'
import { Interrupted } from '../../src/system/errors.ts'
import { anyFile } from '../../src/system/may-read.ts'
import { processMark } from '../../src/system/process-mark.ts'
import { simulatedTime, type Time } from './clock.ts'
import { connectMachine, forgetWorkers } from './database/driver.ts'
import { type SimulatedServer, simulatedServer } from './database/server.ts'
import type { Mood } from './moods.ts'
import { simulatedNetwork } from './network.ts'
import { type FaultAt, isGone, type Machine, type Reached, startProcess } from './process.ts'
import { below, seedRandom } from './random.ts'
import { origin, type SimulatedService, startSimulatedService } from './service.ts'
import { forgetLogs } from './torn-log.ts'

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
export interface Run {
  readonly args: readonly string[]
  /** The number of the machine, counted from 0: the first one if it is not given. */
  readonly machine?: number
  /** How long after the others it starts, in milliseconds. */
  readonly startsAfter?: number
  /** How long after its start somebody ends it with SIGTERM, in milliseconds. */
  readonly stopsAfter?: number | undefined
  readonly faultAt?: FaultAt
}

/** How a world is when it begins: what its machines and its service have, and how many milliseconds have passed. */
export interface Beginning {
  readonly folder: string
  readonly passed: number
}

/** One service, and the machines of people who use it. */
export interface SimulatedWorld {
  readonly time: Time
  readonly service: SimulatedService
  /** That of the queue, for all machines. */
  readonly database: SimulatedServer
  /** Runs the program. */
  run(run: Run): Promise<Ended>
  /** Runs it several times at once. Which of their requests is carried out next follows from the seed. */
  runAll(runs: readonly Run[]): Promise<Ended[]>
  /** A folder that all machines share. */
  readonly shared: string
  /** The home folder of a machine, the first one if no number is given. */
  home(machine?: number): string
  /** Lets time pass. */
  wait(milliseconds: number): Promise<void>
  /** Others give up the locks that they have taken over. Throws if one of these is not as they left it. */
  giveUpLocks(): void
  /** Goes on at other machines, on which pubctl never ran. */
  moveToNewMachines(): void
  close(): Promise<void>
  /** Closes it, and leaves what others can begin with. */
  leave(): Promise<Beginning>
}

/** More simulated time than any command takes, in milliseconds. */
const longest = 6 * 60 * 60 * 1000

/** The id of no process. */
const noPid = 2 ** 22 + 1

/** Where the database of the queue is; nothing listens there. */
const databaseUrl = 'postgres://pubctl@127.0.0.1/queue'

/** How many worlds there were, and how many of them are no more. */
let [opened, closed] = [0, 0]

/** A database stays open until the memory of its statements is cleared up, of which Node sees no need. */
function clearUp(): void {
  forgetWorkers()
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

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

/** Copies what is in a folder, with its times. Node's own copying takes ten times as long. */
function copyTree(from: string, to: string): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      mkdirSync(target, { mode: 0o700 })
      copyTree(source, target)
      continue
    }
    copyFileSync(source, target)
    const { atime, mtime } = statSync(source)
    utimesSync(target, atime, mtime)
  }
}

/** `folder` is where the machines and the service keep their files. */
export async function openWorld(
  beginning: Beginning,
  folder: string,
  mood: Mood,
  seed: number,
): Promise<SimulatedWorld> {
  seedRandom(seed)
  const time = simulatedTime(beginning.passed)
  // The same name each time, since paths are written down.
  const place = join(folder, `world-${++opened}`)
  mkdirSync(place, { mode: 0o700 })
  copyTree(beginning.folder, place)
  const service = await startSimulatedService(join(place, 'service'), time.clock, mood)
  const network = simulatedNetwork(service, time.clock)
  const savedDatabase = join(place, 'database')
  const database = simulatedServer(
    time.clock,
    existsSync(savedDatabase) ? readFileSync(savedDatabase) : undefined,
  )
  let generation = 0
  const machines = new Map<string, Machine>()
  const machineOf = (number = 0): Machine => {
    const home = join(place, `home-${generation}-${number}`)
    const known = machines.get(home)
    if (known) return known
    mkdirSync(home, { recursive: true, mode: 0o700 })
    const machine: Machine = {
      home,
      processes: new Set(),
      isStopped: false,
      taken: new Map(),
      harm: undefined,
    }
    machines.set(home, machine)
    connectMachine(machine, { server: database, clock: time.clock, turn: network.turn })
    return machine
  }
  const shared = join(place, 'shared')
  mkdirSync(shared, { recursive: true })

  /** What waits until nothing more comes of a process that has died. */
  const gone: (() => void)[] = []

  /** The outcome of some work, while time moves as far as it has to. */
  const untilDone = async <T>(work: Promise<T>, choose = (_: number) => 0): Promise<T> => {
    const began = time.clock.monotonic()
    const isStuck = new Promise<never>((_, reject) => {
      whenIdle = () => {
        if (time.clock.monotonic() - began > longest) reject(new Error('it does not end'))
        else if (gone.length > 0) for (const done of gone.splice(0)) done()
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
  const runOne = async ({ args, machine, stopsAfter, faultAt = () => undefined }: Run): Promise<Ended> => {
    const [stdout, stderr] = [new Screen(), new Screen()]
    const on = machineOf(machine)
    const own = startProcess(on, faultAt, time.settable)
    const { home } = on
    const stop = new AbortController()
    const stopping = stopsAfter && time.clock.after(stopsAfter, () => stop.abort(new Interrupted('SIGTERM')))
    try {
      let isOver = false
      const hasDied = new Promise<null>(resolve => {
        own.life.addEventListener('abort', () => isOver || gone.push(() => resolve(null)))
      })
      const ending = own.within(() =>
        main(args, {
          env: {
            PUBCTL_BASE_URL: origin,
            PUBCTL_API_KEY: service.key,
            PUBCTL_KEYCHAIN: 'off',
            PUBCTL_DATABASE_URL: databaseUrl,
          },
          platform: process.platform,
          home,
          stdin: Readable.from([]),
          stdout,
          stderr,
          clock: own.clock,
          mayRead: anyFile,
          signal: stopsAfter ? AbortSignal.any([own.life, stop.signal]) : own.life,
          openHttp: () => network.open(own),
        }),
      )
      // Not all of a process that has died comes to its end.
      const code = await Promise.race([ending, hasDied])
      const died = own.life.aborted
      isOver = true
      return { args, code: died ? null : code, out: stdout.text, err: stderr.text, trace: own.trace }
    } finally {
      if (stopping) stopping()
      // Nothing is left of what it had begun.
      own.die()
    }
  }

  /** Once nothing runs there, the disk of a machine is as its last process left it, or its stop. */
  const settle = (machine: Machine) => {
    const mark = processMark()
    const deadMark = mark.replace(/^\d+/, `${noPid}`)
    const { home, harm } = machine
    Object.assign(machine, { isStopped: false, harm: undefined })
    for (const name of readdirSync(home, { recursive: true, encoding: 'utf8' })) {
      const path = join(home, name)
      // SQLite makes the index of its log anew, as it does after a kill.
      if (path.endsWith('-shm')) rmSync(path)
      // What the dead has named by the process that all are simulated in is that of a process that is gone.
      if (name.includes(mark)) renameSync(path, path.replace(mark, deadMark))
      if (!/\.db(-wal)?$/.test(path)) continue
      // Another file than the one that the dead still have open.
      copyFileSync(path, `${path}.left`)
      renameSync(`${path}.left`, path)
    }
    harm?.()
  }

  const ownConsole = globalThis.console
  const runAll = async (runs: readonly Run[]): Promise<Ended[]> => {
    const isAlone = runs.length === 1
    const ended = await untilDone(
      Promise.all(
        runs.map(async (run, index) => {
          const { startsAfter = 0 } = run
          if (startsAfter > 0) await time.clock.sleep(startsAfter)
          if (!isAlone) await network.turn(`start ${index}`)
          if (machineOf(run.machine).isStopped)
            return { args: run.args, code: null, out: '', err: '', trace: [] }
          return await runOne(run)
        }),
      ),
      isAlone ? undefined : below,
    )
    // What workers that have died had set up for themselves.
    globalThis.console = ownConsole
    process.removeAllListeners('unhandledRejection')
    if (ended.some(({ code }) => code === null)) isGone()
    for (const [index, { machine }] of runs.entries()) {
      if (ended[index]?.code === null) settle(machineOf(machine))
    }
    return ended
  }

  return {
    time,
    service,
    database,
    shared,
    home: machine => machineOf(machine).home,
    runAll,
    run: async run => (await runAll([run]))[0] as Ended,
    async wait(milliseconds) {
      for (let left = milliseconds; left > 0; left -= longest)
        await untilDone(time.clock.sleep(Math.min(left, longest)))
    },
    giveUpLocks() {
      for (const { taken } of machines.values()) {
        for (const [path, text] of taken) {
          const found = existsSync(path) ? readFileSync(path, 'utf8') : 'nothing'
          if (found !== text) throw new Error(`in the place of a lock of another program is ${found}`)
          rmSync(path)
        }
        taken.clear()
      }
    },
    moveToNewMachines() {
      generation++
    },
    async close() {
      await untilDone(service.close())
      forgetLogs()
      if (++closed % 50 === 0) clearUp()
      rmSync(place, { recursive: true, force: true })
    },
    async leave() {
      await untilDone(service.close())
      writeFileSync(savedDatabase, database.saved())
      return { folder: place, passed: time.clock.monotonic() }
    },
  }
}
