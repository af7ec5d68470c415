import { randomUUID } from 'node:crypto'
import { closeSync, constants, lstatSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { dirname } from 'node:path'
import { codeOf, contentOf, openRegular, textOfFile, writeCompleteFile } from './complete-file.ts'
import { draftIn, removeLeftDrafts } from './drafts.ts'
import { UsageFailure } from './errors.ts'
import { isAlive } from './is-alive.ts'
import { identityOf, type ProcessIdentity, processMarkOf } from './process-mark.ts'
import { renameOver } from './rename-over.ts'
import type { Clock } from './world.ts'

/** Who has a lock. */
export interface LockHolder extends ProcessIdentity {
  /** Made at random for each lock. */
  readonly token: string
  readonly pid: number
  readonly host: string
  readonly user: string
  /** As an ISO timestamp. */
  readonly since: string
}

interface LockOptions {
  /** What messages call it, such as "the lock of a watcher". */
  readonly name: string
  /** One of another machine that was not renewed for so long is given up, in milliseconds. */
  readonly life: number
  /** Whether one of a process of this machine is given up after that time as well, however alive the process seems. */
  readonly expires: boolean
}

/** A lock that this process has. */
export interface LockFile {
  /** The process that had it before and did not release it, by what it puts into names of files. */
  readonly left: { readonly mark: string | undefined } | undefined
  /** Says that this process is still there. Returns who has taken the lock over, if another process has. */
  renew(): { readonly by: LockHolder | undefined } | undefined
  /** Whether this process still has it. */
  isHeld(): boolean
  release(): void
}

/** No lock has more bytes. */
const mostOfLock = 64 * 1024

/** How long nothing is done before a lock that is just being taken or released is looked at again, in milliseconds. */
const betweenLooks = 20

/** The tokens of the locks that this process has or is taking. */
const own = new Set<string>()

/** Takes a lock for this process, or says which other one has it. Throws the system's error if it cannot be written. */
export async function takeLock(
  path: string,
  clock: Clock,
  options: LockOptions,
): Promise<LockFile | { readonly by: LockHolder | undefined }> {
  const mine: LockHolder = {
    token: randomUUID(),
    pid: process.pid,
    host: hostname(),
    user: userName(),
    since: new Date(clock.now()).toISOString(),
    ...identityOf('self'),
  }
  const text = `${JSON.stringify(mine)}\n`
  const holder = () => holderIn(path, options)
  let left: LockFile['left']
  own.add(mine.token)
  removeLeftDrafts(dirname(path))
  for (; ; await clock.sleep(betweenLooks)) {
    const held = holder()
    if (held === 'none') {
      if (writeCompleteFile(path, text)) break
      continue
    }
    const isGivenUp = isStale(held, path, mine, options)
    const again = holder()
    // It was released meanwhile, or another process has it by now, of which nothing is known yet.
    if (again === 'none' || again?.token !== held?.token) continue
    if (!isGivenUp) {
      own.delete(mine.token)
      return { by: held }
    }
    await takeOver(path, text, clock)
    left = { mark: held && processMarkOf(held.pid, held) }
    const now = holder()
    if (now !== 'none' && now?.token === mine.token) break
  }
  const lock: LockFile = {
    left,
    renew() {
      const file = orNoLock(path, options, () => openRegular(path, constants.O_RDWR))
      // Somebody deleted it, or the file system was mounted anew.
      if (file === undefined) return writeCompleteFile(path, text) ? undefined : lock.renew()
      try {
        // Whoever takes the lock over puts another file in its place, so this one can be read and written in peace.
        const held = holderOf(orNoLock(path, options, () => contentOf(file, mostOfLock)))
        if (held?.token !== mine.token) return { by: held }
        // Written, and not only touched, so that the time is that of the machine that has the disk.
        writeSync(file, text, 0)
        return undefined
      } finally {
        closeSync(file)
      }
    },
    isHeld: () => isHeldBy(mine, path, options),
    release() {
      own.delete(mine.token)
      if (lock.isHeld()) rmSync(path, { force: true })
    },
  }
  return lock
}

/**
 * Replaces a lock. Of several processes that do so at once the last one has it; the others see that when they look again, as
 * does a holder that was not dead after all.
 */
async function takeOver(path: string, text: string, clock: Clock): Promise<void> {
  const draft = draftIn(dirname(path))
  writeFileSync(draft, text, { flag: 'wx' })
  renameOver(draft, path)
  await clock.sleep(200)
}

/** Whether a lock is that of a process. What else has its name is left. */
function isHeldBy({ token }: LockHolder, path: string, options: LockOptions): boolean {
  try {
    const held = holderIn(path, options)
    return held !== 'none' && held?.token === token
  } catch {
    return false
  }
}

function holderIn(path: string, options: LockOptions): LockHolder | undefined | 'none' {
  const text = orNoLock(path, options, () => textOfFile(path, mostOfLock))
  return text === undefined ? 'none' : holderOf(text)
}

/** The holder in a lock; undefined if it cannot be read as one, such as after a full disk. */
function holderOf(text: string): LockHolder | undefined {
  try {
    const { token, pid, host, user, since, processes, started } = JSON.parse(text)
    const isHolder =
      [token, host, user, since].every(each => typeof each === 'string') && Number.isInteger(pid)
    return isHolder ? { token, pid, host, user, since, processes, started } : undefined
  } catch {
    return undefined
  }
}

/** Reads a lock. Throws UsageFailure `file_unreadable` where another thing has its name. */
function orNoLock<T>(path: string, { name }: LockOptions, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!['ENOTSUP', 'ELOOP', 'EFBIG'].includes(codeOf(error))) throw error
    throw new UsageFailure(`${path} is not ${name}`, {
      code: 'file_unreadable',
      hint: 'Somebody has put it there: look at what it is, and remove it.',
      cause: error,
    })
  }
}

function isStale(
  held: LockHolder | undefined,
  path: string,
  mine: LockHolder,
  { life, expires }: LockOptions,
): boolean {
  const isNeighbour = held !== undefined && held.host === mine.host && held.processes === mine.processes
  if (!isNeighbour) return ageOf(path) > life
  if (held.pid === mine.pid) return !own.has(held.token) || (expires && ageOf(path) > life)
  if (!isAlive(held.pid)) return true
  const { started } = identityOf(held.pid)
  const isKnown = started !== null && held.started !== null
  if (isKnown && started !== held.started) return true
  // Where the system does not say when a process started, another one may have the id by now: only time tells.
  return (expires || !isKnown) && ageOf(path) > life
}

/** How long ago a lock was renewed, by the clock of the machine that has the disk. */
function ageOf(path: string): number {
  const draft = draftIn(dirname(path))
  try {
    writeFileSync(draft, '', { flag: 'wx' })
    return lstatSync(draft).mtimeMs - lstatSync(path).mtimeMs
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Number.POSITIVE_INFINITY
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `${process.getuid?.() ?? 'unknown'}`
  }
}
