import { rmSync, truncateSync } from 'node:fs'

/**
 * Removes an SQLite file with what belongs to it, so that the next to open it finds none. `fault` is what was found to be wrong with
 * it. Throws the system's error; on Windows `EBUSY` where another process uses it.
 *
 * Windows removes no file that is open. Those of databases that this process has closed are freed first; one that another process
 * has open is emptied instead, which SQLite takes for a new database.
 */
export async function removeDatabase(path: string, fault: unknown): Promise<void> {
  const files = ['-wal', '-shm', ''].map(suffix => path + suffix)
  if (files.every(remove)) return
  // Until it is asked for its stack, an error keeps the functions in it, and they the file.
  for (let each = fault; each instanceof Error; each = each.cause) void each.stack
  // Loaded on demand, since it loads node:v8, and with it 1 of the 45 ms in which a book is inspected.
  const { freeDatabases } = await import('./free-databases.ts')
  await freeDatabases()
  for (const file of files) if (!remove(file)) empty(file)
}

function empty(file: string): void {
  try {
    truncateSync(file)
  } catch (error) {
    // Windows has no name that Node.js knows for a file that a process has in its memory.
    throw process.platform === 'win32' ? Object.assign(error as Error, { code: 'EBUSY' }) : error
  }
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
