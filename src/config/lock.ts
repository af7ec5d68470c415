import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { backoff } from '../system/backoff.ts'
import { UsageFailure } from '../system/errors.ts'
import { isAlive } from '../system/is-alive.ts'
import { sha256 } from '../system/sha256.ts'
import { type Clock, systemClock } from '../system/world.ts'
import { writeNewFile } from '../system/write-file.ts'

/** How long to wait for the lock, in milliseconds. */
const lockTimeout = 10_000
/** The age at which a claim counts as abandoned, in milliseconds, even if its process is alive. */
const claimLifetime = 30_000
/** The name of a claim file: hash of the host name, process id, random UUID. */
const claimName = /\.([0-9a-f]{12})\.(\d+)\.[0-9a-f-]{36}$/

/** Throws UsageFailure when the lock was lost, which happens to a process that was suspended for too long. */
type Confirm = () => void

/**
 * Runs `work` while holding the lock at a path, whose folder must exist. `work` must call `confirm` right before it changes
 * anything. Throws UsageFailure `config_locked` after 10 seconds.
 *
 * Each process claims the lock with a file of a unique name, and holds the lock if there is no other claim afterwards. Of
 * two processes that claim it at once, at least the later one sees the other's claim, so both never hold it; both may
 * withdraw and try again. Anyone may delete an abandoned claim: because names are never reused, that cannot delete a new
 * claim, as it could with a lock file of a fixed name.
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
  const end = clock.monotonic() + lockTimeout
  for (let attempt = 0; ; attempt++) {
    if (!isClaimed(path, mine, clock)) {
      create(mine)
      if (!isClaimed(path, mine, clock)) return mine
      rmSync(mine, { force: true })
    }
    if (clock.monotonic() >= end)
      throw locked(path, `is held by another process for more than ${lockTimeout / 1000} seconds`)
    await clock.sleep(backoff(attempt, { first: 5, most: 50 }) * (0.5 + Math.random()))
  }
}

/** Whether another process has a claim. Deletes abandoned claims. */
function isClaimed(path: string, mine: string, clock: Clock): boolean {
  const folder = dirname(path)
  const others = readdirSync(folder).filter(
    name => name.startsWith(`${basename(path)}.`) && name !== basename(mine),
  )
  return others.filter(name => isActive(join(folder, name), clock)).length > 0
}

function isActive(path: string, clock: Clock): boolean {
  const [, host, pid] = claimName.exec(path) ?? []
  const age = ageOf(path, clock)
  if (pid === undefined || age === undefined) return false
  // Another machine may share the folder. Whether its processes are alive cannot be checked from here.
  if (age < claimLifetime && (host !== machine || isAlive(Number(pid)))) return true
  rmSync(path, { force: true })
  return false
}

/** Milliseconds since a file was created; undefined when it is gone. */
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

const machine = sha256(hostname()).slice(0, 12)

const locked = (path: string, trouble: string): UsageFailure =>
  new UsageFailure(`the lock ${path} ${trouble}`, {
    code: 'config_locked',
    hint: `Try again. If no other pubctl is running, delete the files whose names begin with ${path}.`,
  })
