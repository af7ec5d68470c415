import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
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

/** Deletes a file if it is a draft that was left; `gone` is the mark of a process that is known to be gone. */
export function removeIfLeft(folder: string, name: string, gone: string | undefined): void {
  const [, mark] = draftName.exec(name) ?? []
  if (mark === undefined) return
  const path = join(folder, name)
  const found = lstatSync(path)
  const lifetime = mark === gone ? 0 : lifetimeOfMarked(mark, lifetimeElsewhere)
  if (found.isFile() && (lifetime === 0 || Date.now() - found.mtimeMs > lifetime))
    rmSync(path, { force: true })
}
