import type { Dirent } from 'node:fs'
import { join } from 'node:path'
import { readdir } from './files.ts'

/**
 * All that is in a folder, and in the folders in it at any depth. Links are listed and not followed: Node 22 and 24 follow them with
 * `recursive`, again and again where one leads upwards. Throws the system's error for the first folder that cannot be read.
 */
export async function readTree(folder: string): Promise<Dirent[]> {
  const found: Dirent[] = []
  const waiting = [folder]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true })) {
      found.push(entry)
      if (entry.isDirectory()) waiting.push(join(next, entry.name))
    }
  }
  return found
}
