import type { Problem } from '../book.ts'
import { problemOf } from '../checker-report.ts'
import { limited } from '../problems.ts'
import type { EpubCheckMessage, FindingPlace } from './report.ts'
import { distanceOf } from './same-fault.ts'

const ranks: readonly Problem['severity'][] = ['information', 'warning', 'error']

/**
 * The problems of pubctl, and what EPUBCheck found besides. A fault that both found is shown once, as pubctl says it and as
 * grave as the graver of the two has it.
 */
export function joinFindings(
  own: readonly Problem[],
  findings: readonly EpubCheckMessage[],
  checker: { readonly name: string },
): Problem[] {
  const known = new Map<Problem, EpubCheckMessage>()
  const others = findings.flatMap(finding => {
    const places = finding.places.filter(place => {
      const [nearest] = own
        .flatMap(problem => {
          const distance = known.has(problem) ? undefined : distanceOf(problem, finding, place)
          return distance === undefined ? [] : [{ problem, distance }]
        })
        .sort((one, other) => one.distance - other.distance)
      if (nearest) known.set(nearest.problem, finding)
      return nearest === undefined
    })
    return places.length + finding.unnamed === 0
      ? []
      : problemOf(checker, finding.severity, factsOf(finding, places))
  })
  return [...own.map(problem => confirmed(problem, known.get(problem), checker.name)), ...limited(others)]
}

function factsOf({ id, message, suggestion, unnamed }: EpubCheckMessage, places: readonly FindingPlace[]) {
  const [first] = places
  return {
    code: id,
    message,
    more: Math.max(0, places.length + unnamed - 1),
    place: first === undefined ? '' : first.line > 0 ? `${first.path}:${first.line}` : first.path,
    hint: suggestion,
    column: first !== undefined && first.line > 0 ? first.column : 0,
  }
}

function confirmed(problem: Problem, finding: EpubCheckMessage | undefined, name: string): Problem {
  if (finding === undefined) return problem
  const isGraver = ranks.indexOf(finding.severity) > ranks.indexOf(problem.severity)
  return {
    ...problem,
    severity: isGraver ? finding.severity : problem.severity,
    message: `${problem.message.replace(/\.$/, '')} (${name} as well: ${finding.id}).`,
  }
}
