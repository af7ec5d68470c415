import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { UsageFailure } from '../errors.ts'
import { isAlive } from '../system/is-alive.ts'
import { writeNewFile } from '../system/write-file.ts'
import { type Clock, systemClock } from '../world.ts'

/** The longest that one waits for the others, in milliseconds. */
const patience = 10_000
/** The age from which a claim counts as left behind, in milliseconds, whether its process can be seen or not. */
const claimLife = 30_000
/** A claim's name says whose it is: machine, process, and a part that is never used twice. */
const claimName = /\.([0-9a-f]{12})\.(\d+)\.[0-9a-f-]{36}$/

/** Throws when the lock was lost, as it is by a process that slept for longer than a claim lives. */
type Confirm = () => void

/**
 * Runs `work` while no other process runs one under the same path; its folder must exist. `work` calls `confirm` right
 * before it changes anything.
 *
 * Each process claims the lock by a file with a name of its own, and has it when it then sees no other's claim. Of two
 * that claim at once, the later one at least sees the other; both may step back and try again, but never do both have
 * it. A claim left behind is deleted by whoever finds it: as no name is ever used twice, nobody's new claim can be
 * hit, which a single lock file with a fixed name could not promise.
 */
export async function withLock<T>(
  path: string,
  work: (confirm: Confirm) => T | Promise<T>,
  clock: Clock = systemClock,
): Promise<T> {
  const mine = await claim(path, clock)
  try {
    return await work(() => {
      if (!existsSync(mine)) throw locked(path, 'was lost to another process')
    })
  } finally {
    rmSync(mine, { force: true })
  }
}

async function claim(path: string, clock: Clock): Promise<string> {
  const mine = `${path}.${machine}.${process.pid}.${randomUUID()}`
  const end = clock.monotonic() + patience
  for (let attempt = 0; ; attempt++) {
    if (!isClaimed(path, mine, clock)) {
      create(mine)
      if (!isClaimed(path, mine, clock)) return mine
      rmSync(mine, { force: true })
    }
    if (clock.monotonic() >= end)
      throw locked(path, `is held by another process for more than ${patience / 1000} seconds`)
    await clock.sleep((5 + 5 * Math.min(attempt, 9)) * (0.5 + Math.random()))
  }
}

/** Whether a living claim other than one's own is there. Those left behind are cleared away. */
function isClaimed(path: string, mine: string, clock: Clock): boolean {
  const folder = dirname(path)
  const others = readdirSync(folder).filter(
    name => name.startsWith(`${basename(path)}.`) && name !== basename(mine),
  )
  return others.filter(name => isLiving(join(folder, name), clock)).length > 0
}

function isLiving(path: string, clock: Clock): boolean {
  const [, host, pid] = claimName.exec(path) ?? []
  const age = ageOf(path, clock)
  if (pid === undefined || age === undefined) return false
  // A process of another machine, which shares this folder, cannot be seen from here.
  if (age < claimLife && (host !== machine || isAlive(Number(pid)))) return true
  rmSync(path, { force: true })
  return false
}

/** Milliseconds since a file was made, or nothing when it is gone. */
function ageOf(path: string, clock: Clock): number | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats && clock.now() - stats.mtimeMs
}

function create(path: string): void {
  try {
    writeNewFile(path, '', { isPrivate: true })
  } catch (error) {
    throw new UsageFailure(`cannot write in ${dirname(path)}: ${(error as NodeJS.ErrnoException).code}`, {
      code: 'config_unwritable',
      cause: error,
    })
  }
}

const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 12)

const locked = (path: string, trouble: string): UsageFailure =>
  new UsageFailure(`the lock ${path} ${trouble}`, {
    code: 'config_locked',
    hint: `Try again. If no other pubctl is running, delete the files whose names begin with ${path}.`,
  })
