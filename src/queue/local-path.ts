import { join, sep } from 'node:path'
import type { PlanStep } from '../plan/plan-step.ts'

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

/** Finds the folder of a plan while its steps pass by: the deepest one that contains all their files and covers. */
export function openPlanFolder(): {
  add(step: Pick<PlanStep, 'file' | 'cover'>): void
  folder(): string | null
} {
  let folder: string | undefined
  return {
    add({ file, cover }) {
      if (file !== null) folder = commonFolder(folder, file)
      if (isImage(cover)) folder = commonFolder(folder, cover)
    },
    folder: () => (folder === undefined ? null : folder === '' ? '/' : folder),
  }
}

const isImage = (cover: string | null): cover is string =>
  cover !== null && cover !== 'auto' && cover !== 'none'

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
    cover: isImage(step.cover) ? moved(step.cover) : step.cover,
  }
}
