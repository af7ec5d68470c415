import { actions, actionsWith, type Counts, type PlanAction } from '../plan/actions.ts'
import { counted } from '../system/counted.ts'
import { UsageFailure } from '../system/errors.ts'

/** How many changes a plan may make at most: so many, or a part of the books in it that the service has. */
export type ChangeLimit = { readonly most: number } | { readonly percent: number }

/** Reads `10%` or `25`. */
export function parseChangeLimit(text: string): ChangeLimit {
  const [, number, sign] = /^(\d{1,9}(?:\.\d{1,3})?)(%?)$/.exec(text.trim()) ?? []
  const value = Number(number)
  if (number === undefined || (sign === '' ? !Number.isInteger(value) : value > 100)) {
    throw new UsageFailure(`"${text}" is neither a number nor a percentage`, {
      hint: 'Write it like 25 or 10%.',
    })
  }
  return sign === '' ? { most: value } : { percent: value }
}

/** The actions that are about a publication that the service has. */
const ofPublications = actionsWith(({ isExclusive }) => isExclusive)

const sumOf = (counts: Counts, isMeant: (action: PlanAction) => boolean): number =>
  Object.entries(counts).reduce(
    (sum, [action, count]) => sum + (isMeant(action as PlanAction) ? count : 0),
    0,
  )

/** Why there are more changes than the limit allows. `counts` are those of the whole plan, `chosen` those to be carried out. */
export function beyondLimit(
  limit: ChangeLimit | undefined,
  chosen: Counts,
  counts: Counts,
): UsageFailure | undefined {
  if (limit === undefined) return undefined
  const changes = sumOf(chosen, action => actions[action].writes)
  const there = sumOf(counts, action => ofPublications.includes(action))
  const most = 'most' in limit ? limit.most : (there * limit.percent) / 100
  if (changes <= most) return undefined
  const allowed =
    'most' in limit
      ? `${limit.most}`
      : `${Math.floor(most)} (${limit.percent}% of the ${there} books in it that the service has)`
  return new UsageFailure(
    `the plan would make ${counted(changes, 'change')}, and --max-changes allows ${allowed}`,
    {
      code: 'too_many_changes',
      hint: 'Nothing was changed. If the plan is right, allow more with --max-changes; else look at --files, --name and --match.',
    },
  )
}
