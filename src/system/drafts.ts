import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readdir } from './files.ts'
import { lifetimeOfMarked, processMark, processMarkPattern } from './process-mark.ts'

/** A name for a draft. It need not be unpredictable, because creating the draft fails if the name exists. */
export const draftIn = (folder: string): string =>
  join(folder, `.pubctl-${processMark()}-${Math.random().toString(36).slice(2)}`)

/** What `draftIn` makes, with the process that writes it. */
const draftName = new RegExp(`^\\.pubctl-(${processMarkPattern})-[a-z0-9]{1,20}$`)

/** Milliseconds after which a draft is given up whose process may run elsewhere, such as on a machine that shares the folder. */
const lifetimeElsewhere = 10 * 60 * 1000

/** Deletes the drafts of processes that were killed while they wrote to a folder. A failure is no fault of who calls this. */
export function removeLeftDrafts(folder: string): void {
  try {
    for (const name of readdirSync(folder)) removeIfLeft(folder, name, undefined)
  } catch {
    // Another process deletes the same drafts, or the folder cannot be listed.
  }
}

/** Deletes them in the folders within as well, with those of a process that is known to be gone. Links are not followed. */
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

function removeIfLeft(folder: string, name: string, gone: string | undefined): void {
  const [, mark] = draftName.exec(name) ?? []
  if (mark === undefined) return
  const path = join(folder, name)
  const found = lstatSync(path)
  const lifetime = mark === gone ? 0 : lifetimeOfMarked(mark, lifetimeElsewhere)
  if (found.isFile() && (lifetime === 0 || Date.now() - found.mtimeMs > lifetime))
    rmSync(path, { force: true })
}
