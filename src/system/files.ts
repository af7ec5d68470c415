import * as fs from 'node:fs'
import { promisify } from 'node:util'

// Node's functions on files as promises. Its own `fs/promises` takes longer to load than many a command has to run.

/** How often, and for how long at most, a place among the open files is waited for, in milliseconds. */
const [askedEvery, longest] = [50, 60_000]

/**
 * The same function, which waits while this process, or the machine, may open no further file: that passes as others are
 * closed. Whoever calls it must not hold a connection that others wait for.
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
/** Gives the `bytesRead`. */
export const read = promisify(fs.read<Buffer>)
export const readdir = whenFree(promisify(fs.readdir))
export const readFile = whenFree(promisify(fs.readFile))
export const rename = promisify(fs.rename)
export const stat = promisify(fs.stat)
