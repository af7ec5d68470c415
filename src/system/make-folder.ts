import { mkdirSync, mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * Creates a folder and those above it, by default for their owner alone, unless it exists. Throws the system's error. Node's own
 * `recursive` option never ends where the system reports an existing folder above as missing, as in /proc.
 */
export function makeFolder(folder: string, mode = 0o700): void {
  try {
    makeOne(folder, mode)
  } catch (error) {
    const above = dirname(folder)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === folder) throw error
    makeFolder(above, mode)
    makeOne(folder, mode)
  }
}

/** Creates a folder for temporary files, for the user alone, and returns its path. Throws the system's error. */
export const makeTemporaryFolder = (name: string): string => mkdtempSync(join(tmpdir(), `pubctl-${name}-`))

function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // It exists, or another process created it first.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
