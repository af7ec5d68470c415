import * as fs from 'node:fs'
import { promisify } from 'node:util'

// Functions of node:fs as promises, because loading node:fs/promises would take a large part of a short command's time.

/** How often to try again, and for how long at most, when too many files are open, in milliseconds. */
const [askedEvery, longest] = [50, 60_000]

/**
 * Wraps a function so that it tries again while this process or the machine has too many open files, which ends when others
 * are closed. Callers must not hold a connection that others wait for.
 */
const whenFree = <F extends (...args: never[]) => Promise<unknown>>(work: F): F =>
  (async (...args: Parameters<F>) => {
    for (const end = performance.now() + longest; ; ) {
      try {
        return await work(...args)
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException
        if (!['EMFILE', 'ENFILE'].includes(code) || performance.now() > end) throw error
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
export const readFile = whenFree(promisify(fs.readFile))
export const rename = promisify(fs.rename)
export const stat = promisify(fs.stat)
