import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { main } from '../../src/main.ts'
import { anyFile } from '../../src/system/may-read.ts'
import { randomFrom } from '../support/machine/random.ts'
import { clockOf, simulatedTime, type Time } from './clock.ts'
import { watchDisk } from './disk.ts'
import { simulatedNetwork } from './network.ts'
import { type Fault, type Point, startProcess } from './process.ts'
import { type Mood, origin, type SimulatedService, startSimulatedService } from './service.ts'

/** How one run of the program ended. */
export interface Ended {
  readonly args: readonly string[]
  /** The exit code; null if it died. */
  readonly code: number | null
  readonly out: string
  readonly err: string
  readonly trace: readonly Point[]
}

/** One service, and the machines of people who use it. */
export interface SimulatedWorld {
  readonly time: Time
  readonly service: SimulatedService
  /** Runs a command line; `faultAt` says what goes wrong at which of its points. */
  run(args: readonly string[], faultAt?: (point: number) => Fault | undefined): Promise<Ended>
  /** A folder that all machines share. */
  readonly shared: string
  /** Lets time pass. */
  wait(milliseconds: number): Promise<void>
  /** Goes on at another machine, on which pubctl never ran. */
  moveToNewMachine(): void
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
  const time = simulatedTime()
  const place = mkdtempSync(join(folder, 'world-'))
  const service = await startSimulatedService(template, place, time.clock, mood)
  const network = simulatedNetwork(service, time.clock)
  const random = Math.random
  Math.random = randomFrom(seed)
  let homes = 0
  const newHome = () => {
    const home = join(place, `home-${++homes}`)
    mkdirSync(home, { mode: 0o700 })
    return home
  }
  let home = newHome()

  /** The outcome of some work, while time moves as far as it has to. */
  const untilDone = async <T>(work: Promise<T>): Promise<T> => {
    const began = time.clock.monotonic()
    const isStuck = new Promise<never>((_, reject) => {
      whenIdle = () => {
        if (time.clock.monotonic() - began > longest) reject(new Error('it does not end'))
        else if (!network.deliver() && !time.advance()) reject(new Error('it waits for what never comes'))
      }
    })
    try {
      return await Promise.race([work, isStuck])
    } finally {
      whenIdle = undefined
    }
  }

  return {
    time,
    service,
    shared: place,
    async run(args, faultAt = () => undefined) {
      const [stdout, stderr] = [new Screen(), new Screen()]
      const left = join(place, 'left')
      const own = startProcess(faultAt, () => {
        // SQLite makes the index of its log anew, as it does after a kill.
        cpSync(home, left, { recursive: true, filter: path => !path.endsWith('-shm') })
      })
      const unwatch = watchDisk(home, own)
      const work = main(args, {
        env: { PUBCTL_BASE_URL: origin, PUBCTL_API_KEY: service.key, PUBCTL_KEYCHAIN: 'off' },
        platform: process.platform,
        home,
        stdin: Readable.from([]),
        stdout,
        stderr,
        clock: clockOf(time.settable, own.life),
        mayRead: anyFile,
        signal: own.life,
        openHttp: () => network.open(own),
      })
      try {
        const code = await untilDone(work)
        const died = own.life.aborted
        return { args, code: died ? null : code, out: stdout.text, err: stderr.text, trace: own.trace }
      } finally {
        unwatch()
        own.end()
        if (own.life.aborted) {
          rmSync(home, { recursive: true })
          renameSync(left, home)
        }
      }
    },
    wait: milliseconds => untilDone(time.clock.sleep(milliseconds)),
    moveToNewMachine() {
      home = newHome()
    },
    async close() {
      await untilDone(service.close())
      Math.random = random
      rmSync(place, { recursive: true, force: true })
    },
  }
}
