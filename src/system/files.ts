import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { monotonic } from './monotonic.ts'

// Functions of node:fs as promises, because loading node:fs/promises would take a large part of a short command's time.

/** How often to try again when too many files are open, and how long after anything was opened, in milliseconds. */
const [askedEvery, longest] = [50, 4000]

/** When something was opened; and whether nothing was for so long that trying again is of no use. */
let [lastOpened, isHopeless] = [0, false]

/**
 * Wraps a function so that it tries again while this process or the machine has too many open files, which ends when others
 * are closed. Where nothing at all can be opened, it gives up soon, and at once from then on: a batch must come to its end.
 * Callers must not hold a connection that others wait for.
 */
export const whenFree = <F extends (...args: never[]) => Promise<unknown>>(work: F): F =>
  (async (...args: Parameters<F>) => {
    for (const began = monotonic(); ; ) {
      try {
        const done = await work(...args)
        lastOpened = monotonic()
        isHopeless = false
        return done
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException
        if (!['EMFILE', 'ENFILE'].includes(code)) throw error
        isHopeless ||= monotonic() - Math.max(began, lastOpened) > longest
        if (isHopeless) throw error
        await new Promise(resolve => setTimeout(resolve, askedEvery))
      }
    }
  }) as F

/** A disk that needs more milliseconds for a call is slow; in another thread, a call may wait for this one as well. */
const [quick, quickElsewhere] = [2, 50]

/** How many calls go to another thread before the next one is tried in this one. Nothing is known of a disk at first. */
let elsewhere = 1

/** As many after a slow call. */
const afterSlow = 10

/**
 * Wraps a function so that it runs in this thread while the disk is quick, as it is when it has the file in memory: handing
 * a call to another thread takes ten times as long as the call. A slow disk must not stop everything else.
 */
const whileQuick =
  <A extends unknown[], R>(inThis: (...args: A) => R, inOther: (...args: A) => Promise<R>) =>
  async (...args: A): Promise<R> => {
    const [started, isElsewhere] = [monotonic(), elsewhere > 0]
    try {
      return isElsewhere ? await inOther(...args) : inThis(...args)
    } finally {
      const took = monotonic() - started
      if (!isElsewhere && took > quick) elsewhere = afterSlow
      else if (isElsewhere && took < quickElsewhere) elsewhere = Math.max(0, elsewhere - 1)
    }
  }

const openElsewhere = promisify(fs.open)

/** Opens a pipe, which waits for its other end. */
export const openPipe = whenFree(openElsewhere)
/** Reads what may be a pipe, which can take any time. Returns `bytesRead`. */
export const readPipe = promisify(fs.read<Buffer>)

export const close = whileQuick((fd: number) => fs.closeSync(fd), promisify(fs.close))
export const fstat = whileQuick((fd: number) => fs.fstatSync(fd), promisify<number, fs.Stats>(fs.fstat))
/** Opens a file that is no pipe. */
export const open = whenFree(
  whileQuick(
    (path: string, flags: number | string) => fs.openSync(path, flags),
    (path, flags) => openElsewhere(path, flags),
  ),
)
/** Returns how many bytes were read of a file that is no pipe. */
export const read = whileQuick(
  (fd: number, into: Buffer, offset: number, length: number, position: number) =>
    fs.readSync(fd, into, offset, length, position),
  async (...args) => (await readPipe(...args)).bytesRead,
)
/** Of one folder: what `recursive` follows depends on the version of Node, and `readTree` follows no link. */
export const readdir = whenFree(promisify(fs.readdir))
export const rename = promisify(fs.rename)
export const stat = whileQuick((path: string) => fs.statSync(path), promisify<string, fs.Stats>(fs.stat))
