import { addTo } from '../system/add-to.ts'
import type { PlanAction } from './actions.ts'
import { isbn13 } from './match.ts'
import type { PlanStep } from './plan-step.ts'

/** The steps of a plan that a user names; without names, all of them. */
export interface Selection {
  /** ISBNs or other keys, publications, and files: as they are in the plan, or by their names alone. */
  readonly only: readonly string[]
  readonly exclude: readonly string[]
  readonly actions: readonly PlanAction[]
}

type Named = Pick<PlanStep, 'action' | 'key' | 'file' | 'publicationId'>

/** Chooses steps. `absolute` makes a path absolute; `unused` are the names by which no step was found so far. */
export function selectorOf({ only, exclude, actions }: Selection, absolute: (path: string) => string) {
  const [kept, left] = [namesIn(only, absolute), namesIn(exclude, absolute)]
  return {
    isSelected(step: Named): boolean {
      // Both are asked, so that each knows which of its names are used.
      const [isKept, isLeft] = [kept.has(step), left.has(step)]
      return (
        (only.length === 0 || isKept) && !isLeft && (actions.length === 0 || actions.includes(step.action))
      )
    },
    unused: () => [
      ...kept.unused().map(name => ({ flag: '--only', name })),
      ...left.unused().map(name => ({ flag: '--exclude', name })),
    ],
  }
}

function namesIn(names: readonly string[], absolute: (path: string) => string) {
  const byText = new Map<string, string[]>()
  for (const name of names)
    for (const text of new Set([name, isbn13(name) ?? name, absolute(name)])) addTo(byText, text, name)
  const used = new Set<string>()
  return {
    has({ key, file, publicationId }: Named): boolean {
      const texts = [key, publicationId, file, file?.split(/[\\/]/).at(-1)]
      const found = texts.flatMap(text => (text ? (byText.get(text) ?? []) : []))
      for (const name of found) used.add(name)
      return found.length > 0
    },
    unused: () => names.filter(name => !used.has(name)),
  }
}
