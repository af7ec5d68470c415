import { renameSync } from 'node:fs'
import { monotonic } from './monotonic.ts'

/** How long a file that another program has open is tried again, and how often, in milliseconds. */
const [patience, askedEvery] = [2000, 50]

/**
 * Renames a file, over another one if there is one, or a folder. On Windows that fails while any program has one of the files
 * open, as virus scanners have each new file for a moment, and Excel until it is closed: it is tried for two seconds, as long as
 * `isHopeful` says so. Throws the system's error; `EBUSY` for a file that is still open then.
 */
export function renameOver(from: string, to: string, isHopeful: () => boolean = () => true): void {
  for (const until = monotonic() + patience; ; ) {
    try {
      renameSync(from, to)
      return
    } catch (error) {
      const isOpen = isHeldOpen(error)
      if (!isOpen || !isHopeful() || monotonic() > until)
        throw isOpen ? Object.assign(error as Error, { code: 'EBUSY' }) : error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, askedEvery)
    }
  }
}

/** Whether Windows says that a program has a file open. It says the same where the user may not write. */
const isHeldOpen = (error: unknown): boolean =>
  process.platform === 'win32' &&
  ['EPERM', 'EACCES', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '')
