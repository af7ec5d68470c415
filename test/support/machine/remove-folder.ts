import { rmSync } from 'node:fs'

/**
 * Deletes a folder of a test. Windows deletes no file that is open, as a database is until its process ends: what is left there goes
 * with the folder of the whole run.
 */
export function removeFolder(folder: string): void {
  const isWindows = process.platform === 'win32'
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: isWindows ? 0 : 5 })
  } catch (error) {
    if (!isWindows) throw error
  }
}
