import { join } from 'node:path'
import { removeIfLeft } from './drafts.ts'
import { readdir } from './files.ts'

/**
 * Deletes the drafts of processes that were killed in a folder and all folders within, with those of a process that is known to
 * be gone. Links are not followed.
 */
export async function removeLeftDraftsWithin(folder: string, gone: string | undefined): Promise<void> {
  const open = [folder]
  for (let inside = open.pop(); inside !== undefined; inside = open.pop()) {
    try {
      for (const entry of await readdir(inside, { withFileTypes: true })) {
        if (entry.isDirectory()) open.push(join(inside, entry.name))
        else removeIfLeft(inside, entry.name, gone)
      }
    } catch {
      // It is not there yet, or cannot be listed.
    }
  }
}
