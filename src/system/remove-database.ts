import { rmSync, truncateSync } from 'node:fs'
import { freeDatabases } from './free-databases.ts'

/**
 * Removes an SQLite file with what belongs to it, so that the next to open it finds none. Throws the system's error.
 *
 * Windows removes no file that is open. Those of databases that this process has closed are freed first; one that another process
 * has open is emptied instead, which SQLite takes for a new database.
 */
export async function removeDatabase(path: string): Promise<void> {
  const files = ['-wal', '-shm', ''].map(suffix => path + suffix)
  if (files.every(remove)) return
  await freeDatabases()
  for (const file of files) if (!remove(file)) truncateSync(file)
}

/** Removes a file; false if it is open on Windows. */
function remove(file: string): boolean {
  try {
    rmSync(file, { force: true })
    return true
  } catch (error) {
    if (process.platform === 'win32' && isOpen(error)) return false
    throw error
  }
}

const isOpen = (error: unknown): boolean =>
  ['EBUSY', 'EPERM', 'EACCES'].includes(`${(error as NodeJS.ErrnoException).code}`)
