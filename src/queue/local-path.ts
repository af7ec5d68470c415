import { realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { isImagePath } from '../plan/book-fields.ts'
import type { PlanStep } from '../plan/plan-step.ts'
import type { MayRead } from '../system/may-read.ts'
import { leadsOut } from '../system/within.ts'

/** The parts of a path, which may have been written on another system. */
const partsOf = (path: string): string[] =>
  /^[a-z]:[\\/]|^\\\\/i.test(path) ? path.split(/[\\/]/) : path.split('/')

/** The deepest folder that contains both; a folder ends without a separator. */
function commonFolder(folder: string | undefined, file: string): string {
  const parents = partsOf(file).slice(0, -1)
  const separator = file.includes('/') ? '/' : '\\'
  if (folder === undefined) return parents.join(separator)
  const known = partsOf(folder)
  const count = known.findIndex((part, index) => part !== parents[index])
  return count === -1 ? folder : known.slice(0, count).join(separator)
}

/**
 * The folder of a plan: the deepest one that contains the files and covers of all its steps, and the folder that is given,
 * if it is. Null if there are none.
 */
export function folderOfPlan(
  steps: Iterable<Pick<PlanStep, 'file' | 'cover'>>,
  before: string | null,
): string | null {
  let folder = before === null ? undefined : before === '/' ? '' : before
  for (const { file, cover } of steps) {
    if (file !== null) folder = commonFolder(folder, file)
    if (isImagePath(cover)) folder = commonFolder(folder, cover)
  }
  return folder === undefined ? null : folder === '' ? '/' : folder
}

/**
 * Tells of a path whether it is really below the folder that a worker was given or, without one, that of the plan, which may
 * have been written on another system. Links do not lead out of it.
 */
export function belowRoot(folder: string | null, root: string | undefined): MayRead {
  const base = root ?? folder
  if (base === null) return () => false
  const parents = base === '/' ? [''] : partsOf(base)
  const real = realPath(base)
  return path => {
    const parts = partsOf(path)
    const isBelow = parts.length > parents.length && parents.every((part, index) => part === parts[index])
    return isBelow && !parts.includes('..') && !leadsOut(real, path)
  }
}

function realPath(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch {
    return folder
  }
}

/** A step whose paths below the plan's folder are those below another folder. */
export function movedTo<S extends Pick<PlanStep, 'file' | 'cover'>>(
  step: S,
  folder: string | null,
  root: string | undefined,
): S {
  if (root === undefined || folder === null) return step
  const moved = (path: string): string => {
    const within = partsOf(path)
    const parents = folder === '/' ? [''] : partsOf(folder)
    if (parents.some((part, index) => part !== within[index])) return path
    return join(root, within.slice(parents.length).join(sep))
  }
  return {
    ...step,
    file: step.file === null ? null : moved(step.file),
    cover: isImagePath(step.cover) ? moved(step.cover) : step.cover,
  }
}
