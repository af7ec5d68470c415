import type { Problem, Severity } from './book.ts'
import { hintOf, type ProblemCode } from './hints.ts'
import { type Position, placeIn } from './position.ts'

/** The problems of one book, as they are found. */
export interface Problems {
  push(problem: Problem & { code: ProblemCode }): void
  /** Whether an error is at exactly this place. */
  hasError(place: string): boolean
  /** Those that were found, the gravest first, each with a hint. */
  list(): Problem[]
}

/** How many problems of one kind are listed, and how many in all. */
const limits = { ofKind: 20, all: 100 }

const severities: readonly Severity[] = ['error', 'warning', 'information']

/** An empty list of problems. A book can have a hundred thousand of one kind, of which the first are kept. */
export function createProblems(): Problems {
  const { push, list } = limitedList()
  const places = new Set<string>()
  return {
    push(problem) {
      if (problem.severity === 'error' && problem.place !== undefined) places.add(problem.place)
      push(problem)
    },
    hasError: place => places.has(place),
    list: () => list().map(problem => ({ ...problem, hint: problem.hint ?? hintOf(problem.code) })),
  }
}

/** As many of some problems as are listed, the gravest first, and how many are not. */
export function limited(problems: readonly Problem[]): Problem[] {
  const { push, list } = limitedList()
  for (const problem of problems) push(problem)
  return list()
}

function limitedList(): { push(problem: Problem): void; list(): Problem[] } {
  const kinds = new Map<string, { first: Problem[]; more: number }>()
  return {
    push(problem) {
      const kind = `${problem.severity} ${problem.code}`
      const known = kinds.get(kind) ?? { first: [], more: 0 }
      kinds.set(kind, known)
      if (known.first.length < limits.ofKind) known.first.push(problem)
      else known.more += 1
    },
    list() {
      const all = [...kinds.values()].flatMap(({ first, more }) => [...first, ...moreOf(first[0], more)])
      const sorted = sortBySeverity(all)
      const kept = sorted.slice(0, limits.all)
      const left = sorted.slice(limits.all)
      if (left[0]) {
        const count = left.reduce((sum, { unlisted }) => sum + (unlisted?.count ?? 1), 0)
        kept.push(unlisted(left[0].severity, { count }, `${count} more problems`))
      }
      return kept
    },
  }
}

/** The gravest first, and otherwise in the order in which they were found. */
export const sortBySeverity = (problems: readonly Problem[]): Problem[] =>
  [...problems].sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))

const moreOf = (one: Problem | undefined, count: number): Problem[] =>
  one === undefined || count === 0
    ? []
    : [unlisted(one.severity, { code: one.code, count }, `${count} more problems of the kind ${one.code}`)]

const unlisted = (severity: Severity, of: NonNullable<Problem['unlisted']>, what: string): Problem => ({
  severity,
  code: 'more_problems',
  message: `${what} are not listed.`,
  hint: hintOf('more_problems'),
  unlisted: of,
})

/** Adds problems of one document of the zip; `at` is where in it. */
export const problemsIn =
  (problems: Problems, path: string) =>
  (severity: Severity, code: ProblemCode, message: string, at?: number | Position): void => {
    const where = typeof at === 'number' ? { line: at } : at
    problems.push({ severity, code, message, ...(where ? placeIn(path, where) : { place: path }) })
  }

/** Where a problem is, in words: `EPUB/one.xhtml:12:5`; undefined of one of the whole book. */
export const placeText = ({
  place,
  column,
}: {
  readonly place?: string | undefined
  readonly column?: number | undefined
}): string | undefined => (place === undefined || column === undefined ? place : `${place}:${column}`)
