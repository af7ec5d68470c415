import { rmSync, truncateSync } from 'node:fs'

/**
 * Removes an SQLite file with what belongs to it, so that the next to open it finds none. Throws the system's error.
 *
 * The driver keeps a file open after `close` until what was prepared on it is collected as garbage, and Windows removes no file
 * that is open. There it is emptied instead, which SQLite takes for a new database.
 */
export function removeDatabase(path: string): void {
  for (const suffix of ['-wal', '-shm', '']) {
    try {
      rmSync(path + suffix, { force: true })
    } catch (error) {
      if (!isOpen(error)) throw error
      truncateSync(path + suffix)
    }
  }
}

const isOpen = (error: unknown): boolean =>
  process.platform === 'win32' &&
  ['EBUSY', 'EPERM', 'EACCES'].includes(`${(error as NodeJS.ErrnoException).code}`)
