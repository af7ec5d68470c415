import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder, and those above it, for their owner alone where it is missing; throws the system's error. Node's own
 * way never comes to an end where the system calls the folder above missing that is there, as it does in /proc.
 */
export function makeFolder(folder: string): void {
  try {
    makeOne(folder)
  } catch (error) {
    const above = dirname(folder)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === folder) throw error
    makeFolder(above)
    makeOne(folder)
  }
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // It was there, or another process was first.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
