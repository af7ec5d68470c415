import { randomUUID } from 'node:crypto'
import { closeSync, constants, lstatSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, contentOf, openRegular, textOfFile, writeCompleteFile } from './complete-file.ts'
import { draftIn, removeLeftDrafts } from './drafts.ts'
import { exitCodes, Failure, UsageFailure } from './errors.ts'
import { isAlive } from './is-alive.ts'
import { identityOf, type ProcessIdentity, processMarkOf } from './process-mark.ts'
import { unwritable } from './write-file.ts'

/** Who holds a folder. */
interface Holder extends ProcessIdentity {
  /** Made at random for each lock. */
  readonly token: string
  readonly pid: number
  readonly host: string
  readonly user: string
  /** As an ISO timestamp. */
  readonly since: string
}

/** A folder that this process works on alone. */
export interface FolderLock {
  /** The process that had the folder before and did not release it, by what it puts into names of files. */
  readonly left: { readonly mark: string | undefined } | undefined
  /** Says that this process is still there. Throws `folder_taken` if another one has taken the folder over. */
  renew(): void
  release(): void
}

const lockName = '.pubctl-watch.lock'

/** A lock of another machine that was not renewed for so long is given up, in milliseconds. */
const life = 60_000

/** No lock has more bytes. */
const mostOfLock = 64 * 1024

/** Takes a folder for this process. Throws `folder_taken` if another process has it, and says which. */
export async function lockFolder(folder: string, now: Date): Promise<FolderLock> {
  const path = join(folder, lockName)
  const mine: Holder = {
    token: randomUUID(),
    pid: process.pid,
    host: hostname(),
    user: userName(),
    since: now.toISOString(),
    ...identityOf('self'),
  }
  const text = `${JSON.stringify(mine)}\n`
  let left: FolderLock['left']
  try {
    removeLeftDrafts(folder)
    while (!writeCompleteFile(path, text)) {
      const held = holderIn(path)
      if (held === 'none') continue
      if (!isStale(held, path, folder, mine)) throw takenBy(folder, held)
      await takeOver(path, text)
      left = { mark: held && processMarkOf(held.pid, held) }
      const now = holderIn(path)
      if (now !== 'none' && now?.token === mine.token) break
    }
  } catch (error) {
    throw error instanceof Failure ? error : unwritable(path, error)
  }
  const lock: FolderLock = {
    left,
    renew() {
      const file = orNoLock(path, () => openRegular(path, constants.O_RDWR))
      // Somebody deleted it, or the file system was mounted anew.
      if (file === undefined) {
        if (writeCompleteFile(path, text)) return
        return lock.renew()
      }
      try {
        // Whoever takes the folder over puts another file in its place, so this one can be read and written in peace.
        const held = holderOf(orNoLock(path, () => contentOf(file, mostOfLock)))
        if (held?.token !== mine.token) throw takenBy(folder, held)
        // Written, and not only touched, so that the time is that of the machine that has the disk.
        writeSync(file, text, 0)
      } finally {
        closeSync(file)
      }
    },
    release() {
      if (isHeldBy(mine, path)) rmSync(path, { force: true })
    },
  }
  return lock
}

/**
 * Replaces a lock. Of several processes that do so at once the last one has it; the others see that when they look again, as
 * does a holder that was not dead after all.
 */
async function takeOver(path: string, text: string): Promise<void> {
  const draft = draftIn(dirname(path))
  writeFileSync(draft, text, { flag: 'wx' })
  renameSync(draft, path)
  await sleep(200)
}

/** Whether a lock is that of a process. What else has its name is left. */
function isHeldBy({ token }: Holder, path: string): boolean {
  try {
    const held = holderIn(path)
    return held !== 'none' && held?.token === token
  } catch {
    return false
  }
}

function holderIn(path: string): Holder | undefined | 'none' {
  const text = orNoLock(path, () => textOfFile(path, mostOfLock))
  return text === undefined ? 'none' : holderOf(text)
}

/** The holder in a lock; undefined if it cannot be read as one, such as after a full disk. */
function holderOf(text: string): Holder | undefined {
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
function orNoLock<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!['ENOTSUP', 'ELOOP', 'EFBIG'].includes(codeOf(error))) throw error
    throw new UsageFailure(`${path} is not the lock of a watcher`, {
      code: 'file_unreadable',
      hint: 'Somebody has put it there: look at what it is, and remove it.',
      cause: error,
    })
  }
}

function isStale(held: Holder | undefined, path: string, folder: string, mine: Holder): boolean {
  const isNeighbour = held !== undefined && held.host === mine.host && held.processes === mine.processes
  if (!isNeighbour) return ageOf(path, folder) > life
  if (held.pid === mine.pid || !isAlive(held.pid)) return true
  const { started } = identityOf(held.pid)
  return started !== null && held.started !== null && started !== held.started
}

/** How long ago a lock was renewed, by the clock of the machine that has the disk. */
function ageOf(path: string, folder: string): number {
  const draft = draftIn(folder)
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

const takenBy = (folder: string, held: Holder | undefined): Failure =>
  new Failure(
    held === undefined
      ? `another pubctl watches ${folder}; its lock ${lockName} cannot be read`
      : `another pubctl watches ${folder}: process ${held.pid} of ${held.user} on ${held.host}, since ${held.since}`,
    {
      code: 'folder_taken',
      exitCode: exitCodes.refused,
      hint: 'One watcher a folder: stop that one, or watch another folder.',
    },
  )
