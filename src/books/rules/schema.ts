import * as z from 'zod/mini'
import { publicationTypes } from '../../service/contract/publication-type.ts'
import { inEnglish } from '../../service/contract/zod-parts.ts'
import type { DataFault } from '../../system/data-file.ts'
import { isOfEpubCheck } from '../epubcheck/message-id.ts'
import { isProblemCode } from '../hints.ts'
import { marks } from '../marks.ts'
import { pattern, someOf, texts } from './parameters.ts'
import { predicates } from './predicates/index.ts'

/** The severities of rules: those of problems, and `off` for a rule that is not asked. */
const ruleSeverities = ['error', 'warning', 'information', 'off'] as const

/** Which books a rule is for: those for which all of it is true. */
export const conditions = {
  types: someOf('the types of books', publicationTypes, 'types'),
  layouts: someOf('the layouts', ['reflowable', 'fixed'], 'layouts'),
  versions: texts('the versions of EPUB, such as "3" for all that begin so'),
  languages: texts('the languages, such as en; with any region'),
  name: pattern('what the name of the file matches'),
  publisher: pattern('what the publisher of the metadata matches'),
  has: someOf('what some page of the EPUB has', Object.keys(marks.page), 'the names of pages'),
} as const

const day = z
  .string()
  .check(
    z.refine(
      text => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
      'is no day such as 2027-01-31',
    ),
  )
const text = z.string().check(z.regex(/./s, 'is empty'))

const exception = z.strictObject({ books: texts('').schema, until: day, reason: z.optional(text) })

const checks = z.strictObject(
  Object.fromEntries(
    Object.entries(predicates).map(([name, { parameters }]) => {
      const one = z.strictObject(
        Object.fromEntries(Object.entries(parameters).map(([key, { schema }]) => [key, z.optional(schema)])),
      )
      return [name, z.optional(z.union([one, z.array(one)]))]
    }),
  ),
)

const rule = z.strictObject({
  id: z.string().check(z.regex(/^[A-Za-z0-9][\w-]{0,63}$/, 'has other signs than letters, digits, - and _')),
  severity: z.optional(z.enum(ruleSeverities)),
  says: z.optional(text),
  when: z.optional(
    z.strictObject(
      Object.fromEntries(Object.entries(conditions).map(([name, { schema }]) => [name, z.optional(schema)])),
    ),
  ),
  check: z.optional(checks),
  person: z.optional(text),
  hint: z.optional(text),
  link: z.optional(z.string().check(z.regex(/^https?:\/\/\S+$/, 'is no address of the web'))),
  until: z.optional(day),
  except: z.optional(z.array(exception)),
})

const file = z.strictObject({
  name: z.optional(text),
  sources: z.optional(z.array(text)),
  baseline: z.optional(text),
  rules: z.array(rule),
})

/** Values of the parameters of a predicate, as a rule gives them. */
export type Values = Readonly<Record<string, unknown>>

/** A rule as a file has it. */
export interface WrittenRule {
  readonly id: string
  readonly severity?: (typeof ruleSeverities)[number] | undefined
  /** What it asks, as a sentence. */
  readonly says?: string | undefined
  readonly when?:
    | { readonly [name in keyof typeof conditions]?: z.infer<(typeof conditions)[name]['schema']> }
    | undefined
  readonly check?: Readonly<Record<string, Values | readonly Values[]>> | undefined
  /** What a person has to look at. */
  readonly person?: string | undefined
  readonly hint?: string | undefined
  readonly link?: string | undefined
  /** The last day on which it is not asked of any book, by UTC. */
  readonly until?: string | undefined
  /** The books of which it is not asked until a day, by patterns of names and ISBNs. */
  readonly except?:
    | readonly {
        readonly books: readonly (string | number)[]
        readonly until: string
        readonly reason?: string | undefined
      }[]
    | undefined
}

/** A file of rules, or a pack. */
export interface RuleFile {
  readonly name?: string | undefined
  readonly sources?: readonly string[] | undefined
  /** The path of the baseline, from the folder of the file. */
  readonly baseline?: string | undefined
  readonly rules: readonly WrittenRule[]
}

/** The rules in a value, or the first fault. `known` are the ids of rules that may be changed. */
export function checkRules(
  value: unknown,
  known: ReadonlySet<string>,
): { readonly data: RuleFile } | { readonly fault: DataFault } {
  const result = file.safeParse(value, inEnglish)
  if (!result.success) {
    const [issue] = result.error.issues
    return { fault: issue ? plainFault(issue) : { path: [], message: 'is wrong' } }
  }
  const data = result.data as RuleFile
  const fault = faultIn(data, known)
  return fault ? { fault } : { data }
}

/** An issue at the closest place to what is wrong; of a name that is not known it says those that are. */
function plainFault(issue: z.core.$ZodIssue): DataFault {
  if (issue.code === 'unrecognized_keys') {
    const names = namesAt(issue.path)
    return { path: [...issue.path, issue.keys[0] ?? ''], message: `is none of ${names.join(', ')}` }
  }
  if (issue.code !== 'invalid_union') return issue
  // Of a list and a single one, the issues of that which the author wrote are the longer ones.
  const [best] = issue.errors.flat().sort((a, b) => b.path.length - a.path.length)
  return best ? plainFault({ ...best, path: [...issue.path, ...best.path] } as z.core.$ZodIssue) : issue
}

function namesAt(path: readonly PropertyKey[]): string[] {
  const names = path.filter(each => typeof each === 'string')
  const last = names.at(-1) ?? ''
  if (names.length === 0) return Object.keys(file.shape)
  if (last === 'rules') return Object.keys(rule.shape)
  if (last === 'when') return Object.keys(conditions)
  if (last === 'check') return Object.keys(predicates)
  if (last === 'except') return Object.keys(exception.shape)
  const of = predicates[last]
  return of && names.at(-2) === 'check' ? Object.keys(of.parameters) : ['min', 'max']
}

/** What no type says: rules that ask nothing, ask twice, or change what is not there. */
function faultIn({ rules }: RuleFile, known: ReadonlySet<string>): DataFault | undefined {
  const seen = new Set<string>()
  for (const [index, { id, check, person, ...rule }] of rules.entries()) {
    const at = (name: string, message: string): DataFault => ({ path: ['rules', index, name], message })
    if (seen.has(id)) return at('id', `"${id}" occurs twice`)
    seen.add(id)
    const isKnown = isProblemCode(id) || known.has(id) || isOfEpubCheck.test(id)
    const asks = check !== undefined || person !== undefined
    if (!asks && !isKnown)
      return at('id', `"${id}" needs a check, since it is no code of a problem and no earlier rule`)
    if (check && isProblemCode(id))
      return at('id', `"${id}" is the code of a problem that pubctl finds by itself`)
    const changes = [rule.severity, rule.hint, rule.link, rule.until, rule.except].some(
      each => each !== undefined,
    )
    if (!asks && !changes) return at('id', `"${id}" changes nothing`)
    for (const [name, values] of Object.entries(check ?? {})) {
      const missing = [values]
        .flat()
        .some(each => predicates[name]?.required.some(key => !(key in (each ?? {}))))
      if (missing)
        return {
          path: ['rules', index, 'check', name],
          message: `needs ${predicates[name]?.required.join(', ')}`,
        }
    }
    if (check && Object.keys(check).length === 0)
      return at('check', `is empty; it may have ${Object.keys(predicates).join(', ')}`)
  }
  return undefined
}
