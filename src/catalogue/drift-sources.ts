import type { Context } from '../cli/context.ts'
import { differencesColumn } from '../cli/output/difference-text.ts'
import { inPages, type View } from '../cli/output/view.ts'
import { actions, countedByName, planActions } from '../plan/actions.ts'
import type { Difference } from '../plan/difference.ts'
import { differenceState } from '../plan/differences.ts'
import type { PlanStep } from '../plan/plan-step.ts'
import { stateMeanings } from '../plan/state-meanings.ts'
import { exitCodes, Failure } from '../system/errors.ts'
import { tellAccepted } from './accepted.ts'
import type { CompareOptions } from './plan-options.ts'
import { compareSources } from './plan-sources.ts'
import { mustBeComplete } from './report-plan.ts'

/** The columns of books that differ. `match` is what books are matched by. */
export const driftViewOf = (match: string): View => ({
  columns: [
    { field: 'key', label: match },
    { field: 'title', isMain: true },
    { field: 'state', isCutLast: true },
    { field: 'publicationId', isMinor: true },
    differencesColumn,
  ],
  fields: () =>
    new Set(
      `key title state publicationId editionId differences differences.field differences.state differences.sent
       differences.there differences.wanted from from.*`.split(/\s+/),
    ),
  empty: 'Nothing has drifted.',
})

type State = keyof typeof stateMeanings

/** The states of a book, that of most concern first: the first that one of its fields has is its own. */
const states = Object.keys(stateMeanings) as readonly State[]

/** A book whose fields are not as the source says. */
interface DriftedBook extends Pick<PlanStep, 'key' | 'title' | 'publicationId' | 'editionId' | 'from'> {
  readonly state: State
  readonly differences: readonly (Difference & { readonly state: State })[]
}

/**
 * Shows where the service is not as the sources say, and whether that was changed at the service or in a source. Throws for
 * the exit code if anything drifted and `detailedExitCode` is set, or if something could not be compared.
 */
export async function driftOfSources(
  context: Context,
  paths: readonly string[],
  { detailedExitCode, ...options }: CompareOptions & { readonly detailedExitCode: boolean },
): Promise<void> {
  await compareSources(context, paths, options, async ({ rows, header }, accepted) => {
    const counts = new Map<State, number>()
    await context.list(
      driftViewOf(header.match),
      inPages(rows.steps(), step => {
        const book = bookOf(step)
        if (book) counts.set(book.state, (counts.get(book.state) ?? 0) + 1)
        return book
      }),
    )
    const found = states.filter(state => counts.has(state))
    const said = found.map(state => `${counts.get(state)} ${state}`)
    await context.note(`${rows.size} compared: ${said.length === 0 ? 'none drifted' : said.join(', ')}.`)
    for (const state of found) await context.note(`  ${state}: ${stateMeanings[state]}`)
    const left = countedByName(header.counts, notCompared)
    if (left !== '') await context.note(`  Not compared: ${left}. See why: pubctl catalogue plan`)
    await tellAccepted(context, options.accepted, accepted)
    mustBeComplete(header)
    const drifted = counts.get('drifted') ?? 0
    if (drifted > 0 && !detailedExitCode) await context.note(`${actions.drifted.hint}`)
    if (!detailedExitCode || drifted === 0) return
    throw new Failure(`${drifted === 1 ? 'a book was' : `${drifted} books were`} changed at the service`, {
      code: 'drifted',
      exitCode: exitCodes.changesPlanned,
      hint: actions.drifted.hint as string,
    })
  })
}

/** The actions of what has no publication to be compared with, or not for certain. */
const notCompared = planActions.filter(action => ['conflict', 'no-file', 'create'].includes(action))

/** Undefined for a step whose book is as the source says, or that is about no publication. */
function bookOf({ key, title, publicationId, editionId, from, ...step }: PlanStep): DriftedBook | undefined {
  const differences = (step.differences ?? []).flatMap(each => {
    const state = states.find(name => name === differenceState(each))
    return state === undefined ? [] : [{ ...each, state }]
  })
  const state = states.find(name => differences.some(each => each.state === name))
  return state && { state, key, title, publicationId, editionId, differences, from }
}
