import { lstatSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { nameDraft } from './complete-file.ts'
import { fittingName, namesLike } from './free-names.ts'
import { lifetimeOfMarked, processMark, processMarkPattern } from './process-mark.ts'
import { unwritable } from './write-file.ts'

/** A name to put a file aside for a moment, from which its own name can be told. */
export const setAsideName = (path: string): string =>
  join(dirname(path), `.pubctl-moving-${processMark()}-${fittingName(basename(path), 180)}`)

const setAsidePattern = new RegExp(`^\\.pubctl-moving-(${processMarkPattern})-(.+)$`, 's')

/**
 * Whether a file was put aside by a process that was killed. A file is aside for a moment only, so one of another machine that
 * shares the folder is left too.
 */
export function isSetAside(path: string): boolean {
  const [, mark] = setAsidePattern.exec(basename(path)) ?? []
  if (mark === undefined) return false
  const lifetime = lifetimeOfMarked(mark, 0)
  if (lifetime === 0) return true
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.ctimeMs > lifetime
}

/** Gives a file its name back that was put aside by a process that was killed. Throws UsageFailure `file_unwritable`. */
export function restoreSetAside(path: string): void {
  const [, , name] = setAsidePattern.exec(basename(path)) ?? []
  if (name === undefined) return
  const from = join(dirname(path), name)
  try {
    putBack(path, from)
  } catch (error) {
    throw unwritable(from, error)
  }
}

/** Gives a file its name back; if that is taken again, the name that is most like it. */
export function putBack(aside: string, from: string): void {
  for (const name of namesLike(from)) {
    if (!nameDraft(aside, name)) continue
    rmSync(aside, { force: true })
    return
  }
}
