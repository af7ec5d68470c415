import type { Problem } from '../book.ts'
import { hintOf, type ProblemCode } from '../hints.ts'
import { faultOf, isFault, type KnownFault, unseenCodes } from './known.ts'

/** The faults of a kind that are counted together: how many are known, and how many there are now. */
interface Group {
  readonly code: string
  known: number
  found: number
}

/**
 * The problems of a book against the faults that it is known to have. What is known becomes information that keeps how grave
 * it is otherwise, and is counted in a remark; what is gone is counted in another. `from` names the baseline. Of what is not
 * asked about this time, such as by EPUBCheck where it was not run, nothing is said to be gone.
 */
export function withBaseline(
  problems: readonly Problem[],
  known: readonly KnownFault[],
  from: string,
  isAsked: (code: string) => boolean,
): Problem[] {
  const groupOf = groupsOf(known, problems.filter(isFault).map(faultOf))
  const judged = problems.map((problem): Problem => {
    if (!isFault(problem)) return problem
    const group = groupOf(faultOf(problem))
    // Of more than are known nobody can say which is the new one.
    if (group.found > group.known) return problem
    return { ...problem, severity: 'information', known: problem.severity }
  })
  const isWhole = !problems.some(({ code }) => unseenCodes.includes(code))
  const gone = [...new Set(known.map(groupOf))].flatMap(({ code, known, found }) =>
    isWhole && isAsked(code) && known > found ? [{ code, count: known - found }] : [],
  )
  return [
    ...judged,
    ...remark('baseline_known', judged.filter(({ known }) => known).map(faultOf), `known by ${from}`),
    ...remark('baseline_gone', gone, `in ${from} and gone`),
  ]
}

/**
 * Gives faults the group in which they are counted: their kind at their place. Where some of a kind are not listed, their
 * places are not known, and the kind is counted in the whole book; where the kinds are not known either, all are.
 */
function groupsOf(known: readonly KnownFault[], found: readonly KnownFault[]): (fault: KnownFault) => Group {
  const unlisted = new Set(
    [...known, ...found].filter(({ isUnlisted }) => isUnlisted).map(({ code }) => code),
  )
  const groups = new Map<string, Group>()
  const groupOf = ({ code, place }: KnownFault): Group => {
    const isOfAll = unlisted.has('more_problems')
    const key = isOfAll ? '' : unlisted.has(code) ? code : `${code} ${place ?? ''}`
    const group = groups.get(key) ?? { code: isOfAll ? 'more_problems' : code, known: 0, found: 0 }
    groups.set(key, group)
    return group
  }
  for (const fault of known) groupOf(fault).known += fault.count
  for (const fault of found) groupOf(fault).found += fault.count
  return groupOf
}

/** How many kinds a remark names. */
const namedKinds = 5

function remark(
  code: ProblemCode,
  faults: readonly Pick<KnownFault, 'code' | 'count'>[],
  state: string,
): Problem[] {
  const counts = new Map<string, number>()
  for (const { code, count } of faults) counts.set(code, (counts.get(code) ?? 0) + count)
  const sum = [...counts.values()].reduce((all, count) => all + count, 0)
  if (sum === 0) return []
  const named = [...counts].slice(0, namedKinds).map(([kind, count]) => `${count} ${kind}`)
  const others = counts.size > namedKinds ? ` and ${counts.size - namedKinds} other kinds` : ''
  const message = `${sum === 1 ? '1 problem is' : `${sum} problems are`} ${state}: ${named.join(', ')}${others}.`
  return [{ severity: 'information', code, message, hint: hintOf(code) }]
}
