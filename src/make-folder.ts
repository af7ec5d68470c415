import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder, and those above it, for their owner alone where it is missing; throws the system's error. Node's own
 * way never comes to an end where the system calls the folder above missing that is there, as it does in /proc.
 */
export function makeFolder(folder: string): void {
  const isThere = () => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  if (isThere()) return
  const above = dirname(folder)
  if (above !== folder) makeFolder(above)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have been first.
    if (!isThere()) throw error
  }
}
