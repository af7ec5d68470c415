import { basename } from 'node:path'
import type { Book, Problem } from '../book.ts'
import { hintOf } from '../hints.ts'
import type { Rule } from './read-rules.ts'

/** Why a rule is not asked of a book: until which day, by UTC, and for which reason. */
interface Waiver {
  readonly until: string
  readonly reason?: string | undefined
}

/** The exceptions of a rule that are for a book: its own, and that of all books. */
function waiversFor({ until, except = [] }: Rule, file: string, { isbn }: Pick<Book, 'isbn'>): Waiver[] {
  const isNamed = (named: string | number) =>
    `${named}`.replaceAll('-', '') === isbn || isMatch(`${named}`, basename(file))
  return [...(until === undefined ? [] : [{ until }]), ...except.filter(({ books }) => books.some(isNamed))]
}

/** Whether a name matches a pattern, in which * stands for any signs. Takes time in proportion to both. */
function isMatch(pattern: string, name: string): boolean {
  const [first = '', ...others] = pattern.split('*')
  if (others.length === 0) return pattern === name
  const last = others.pop() ?? ''
  if (!name.startsWith(first) || !name.endsWith(last)) return false
  let at = first.length
  for (const part of others) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= name.length - last.length
}

/**
 * The problems of a rule with its exceptions: what is excepted is information that says until when, and an exception that has
 * ended is said beside its problems. `today` is a day by UTC.
 */
export function withWaivers(
  problems: readonly Problem[],
  rule: Rule,
  book: { readonly file: string } & Pick<Book, 'isbn'>,
  today: string,
): Problem[] {
  if (problems.length === 0) return []
  const waivers = waiversFor(rule, book.file, book)
  const holds = waivers.find(({ until }) => until >= today)
  if (holds) {
    const reason = holds.reason === undefined ? '' : `: ${holds.reason.replace(/\.$/, '')}`
    const suffix = ` (Excepted until ${holds.until}${reason}.)`
    return problems.map(problem => ({
      ...problem,
      severity: 'information',
      message: `${problem.message}${suffix}`,
    }))
  }
  const ended = waivers.at(-1)
  if (ended === undefined) return [...problems]
  const message = `The exception of the rule ${rule.id} ended on ${ended.until}.`
  return [
    ...problems,
    { severity: 'information', code: 'waiver_ended', message, hint: hintOf('waiver_ended') },
  ]
}
