import { resolve } from 'node:path'
import type { Context } from '../cli/context.ts'
import { actionCounts, type Counts, countedByName } from '../plan/actions.ts'
import type { PlanStep } from '../plan/plan-step.ts'
import { type Selection, selectorOf } from '../plan/selection.ts'
import { UsageFailure } from '../system/errors.ts'

export const isWhole = ({ only, exclude, actions }: Selection): boolean =>
  only.length + exclude.length + actions.length === 0

/** A selector that knows where relative paths begin, and refuses names that no step has. */
export function openSelector(selection: Selection) {
  const { isSelected, unused } = selectorOf(selection, path => resolve(path))
  return {
    isSelected,
    /** To be called when all steps were looked at. */
    mustBeUsed() {
      const [missing] = unused()
      if (missing === undefined) return
      throw new UsageFailure(`${missing.flag} ${missing.name}: no step of the plan is about it`, {
        code: 'not_in_plan',
        hint: 'Name a book by its ISBN, its publication or its file, as the plan does.',
      })
    },
  }
}

/** The steps of a plan file that are selected; says how many are left out. */
export async function selectSteps<S extends Pick<PlanStep, 'action' | 'key' | 'file' | 'publicationId'>>(
  context: Context,
  steps: readonly S[],
  selection: Selection,
): Promise<readonly S[]> {
  if (isWhole(selection)) return steps
  const { isSelected, mustBeUsed } = openSelector(selection)
  const [selected, others]: [S[], S[]] = [[], []]
  for (const step of steps) (isSelected(step) ? selected : others).push(step)
  mustBeUsed()
  await warnOfUnselected(context, selection, actionCounts(others))
  return selected
}

/** What is left out is never left out in silence. */
export async function warnOfUnselected(
  context: Context,
  { only, exclude, actions }: Selection,
  counts: Counts,
): Promise<void> {
  const said = countedByName(counts)
  if (said === '') return
  const flags = Object.entries({ '--only': only, '--exclude': exclude, '--action': actions }).flatMap(
    ([flag, values]) => (values.length > 0 ? [flag] : []),
  )
  await context.warn({
    code: 'steps_left_out',
    message: `steps are left out by ${flags.join(' and ')}: ${said}`,
  })
}
