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

export const close = promisify(fs.close)
export const fstat = promisify(fs.fstat)
export const open = whenFree(promisify(fs.open))
/** Returns `bytesRead`. */
export const read = promisify(fs.read<Buffer>)
export const readdir = whenFree(promisify(fs.readdir))
export const rename = promisify(fs.rename)
export const stat = promisify(fs.stat)
