import { basename } from 'node:path'
import type { MayRead } from '../../system/may-read.ts'
import { withBaseline } from '../baseline/judge.ts'
import { findKnown } from '../baseline/known.ts'
import { readBaseline } from '../baseline/read.ts'
import type { Problem, ReadOptions } from '../book.ts'
import { isOfEpubCheck } from '../epubcheck/message-id.ts'
import { hintOf, isProblemCode, type ProblemCode } from '../hints.ts'
import { limited, sortBySeverity } from '../problems.ts'
import { inTime, matches } from './expression.ts'
import type { JudgedBook, RuleFault } from './predicate.ts'
import { predicates } from './predicates/index.ts'
import { type Rule, readRules } from './read-rules.ts'
import type { Values } from './schema.ts'
import { withWaivers } from './waivers.ts'

/** Where a rule is from, and what it says of itself. */
export interface RuleSource {
  /** The name of its pack, or that of its file. */
  readonly from: string
  readonly hint?: string | undefined
  readonly link?: string | undefined
}

/** The rules that books are checked by. */
export interface Rules {
  /** The rules that ask something, by their ids. */
  readonly sources: ReadonlyMap<string, RuleSource>
  /** What has to be read of a book for them, besides its metadata. */
  readonly reads: ReadOptions
  /** The problems of a book: those that were found without rules, as the rules grade them, and those of the rules. */
  judge(subject: JudgedBook): Problem[]
}

/**
 * Opens packs and files of rules, and the baselines that they name, unless another one is to be written; `now` is in
 * milliseconds since 1970. Throws as `readRules` and `readBaseline` do.
 */
export async function openRules(
  named: readonly string[],
  mayRead: MayRead,
  now: number,
  { asksBaselines = true }: { readonly asksBaselines?: boolean } = {},
): Promise<Rules> {
  const { rules, baselines } = await readRules(named, mayRead)
  const known: Baseline[] = []
  for (const path of asksBaselines ? baselines : [])
    known.push({ name: basename(path), find: findKnown(await readBaseline(path, mayRead)) })
  const today = new Date(now).toISOString().slice(0, 10)
  const needs = new Set(
    rules
      .filter(isAsked)
      .flatMap(({ check = {}, when }) => [
        ...Object.keys(check).map(name => predicates[name]?.needs),
        ...(when?.has ? ['content'] : []),
      ]),
  )
  const asking = rules.filter(({ check }) => check !== undefined)
  return {
    sources: new Map(asking.map(({ id, from, hint, link }) => [id, { from: basename(from), hint, link }])),
    reads: { content: needs.has('content'), rights: needs.has('rights') },
    judge: subject => againstBaselines(judged(subject, rules, today), subject, rules, known),
  }
}

interface Baseline {
  readonly name: string
  readonly find: ReturnType<typeof findKnown>
}

function againstBaselines(
  problems: readonly Problem[],
  { file, book, checkedBy = [] }: JudgedBook,
  rules: readonly Rule[],
  baselines: readonly Baseline[],
): Problem[] {
  const hasRun = (checker: string) => checkedBy.some(({ name }) => name === checker)
  const asked = new Set(
    rules.filter(({ check, severity }) => check && severity !== 'off').map(({ id }) => id),
  )
  const isAsked = (code: string) =>
    isProblemCode(code) || asked.has(code) || hasRun(isOfEpubCheck.test(code) ? 'EPUBCheck' : 'Ace')
  const judged = baselines.reduce<Problem[]>(
    (left, { name, find }) => {
      const known = find(file, book)
      return known ? withBaseline(left, known.faults, name, isAsked) : left
    },
    [...problems],
  )
  return sortBySeverity(judged)
}

const isAsked = ({ severity }: Rule): boolean => severity !== 'off'

/** The problems by all rules but those whose expressions take too long for the book, which are named. */
function judged(subject: JudgedBook, rules: readonly Rule[], today: string): Problem[] {
  const tooLong = new Set<Rule>()
  for (;;) {
    const left = rules.filter(rule => !tooLong.has(rule))
    let last: Rule | undefined
    const all = inTime(() => {
      const isFor = (rule: Rule): boolean => {
        last = rule
        return isMeant(rule, subject)
      }
      return [...graded(subject, left, isFor, today), ...found(subject, left.filter(isAsked), isFor, today)]
    })
    if (all) return sortBySeverity([...all.value, ...[...tooLong].map(stopped)])
    if (last === undefined) throw new Error('a book was not judged in time, without any rule being asked')
    tooLong.add(last)
  }
}

const stopped = ({ id }: Rule): Problem => ({
  severity: 'warning',
  code: 'rule_stopped',
  message: `The rule ${id} was stopped, since its expression takes too long for this book.`,
  hint: hintOf('rule_stopped'),
})

/** The problems that were found without rules, with the severities that rules give their codes. */
function graded(
  { problems, book, file }: JudgedBook,
  rules: readonly Rule[],
  isFor: (rule: Rule) => boolean,
  today: string,
): Problem[] {
  const changes = new Map(rules.filter(({ check, person }) => !check && !person).map(rule => [rule.id, rule]))
  const byCode = new Map<string, Problem[]>()
  for (const problem of problems) byCode.set(problem.code, [...(byCode.get(problem.code) ?? []), problem])
  return [...byCode].flatMap(([code, all]) => {
    const rule = changes.get(code)
    if (rule === undefined || !isFor(rule)) return all
    const { severity } = rule
    if (severity === 'off') return []
    const hint = hintIn(rule)
    const changed = all.map(each => ({
      ...each,
      ...(severity && { severity }),
      ...(hint !== undefined && { hint }),
    }))
    return withWaivers(changed, rule, { file, ...book }, today)
  })
}

/** The problems of the rules that ask something, and what was not asked. */
function found(
  subject: JudgedBook,
  rules: readonly Rule[],
  isFor: (rule: Rule) => boolean,
  today: string,
): Problem[] {
  const { file, book } = subject
  const problems: Problem[] = []
  const notApplied: string[] = []
  const forPerson = new Map<string, string[]>()
  let asksContent = false
  for (const rule of rules) {
    if (!isFor(rule)) continue
    const { id, check, person, severity } = rule
    if (check === undefined) {
      if (person !== undefined) forPerson.set(rule.from, [...(forPerson.get(rule.from) ?? []), id])
      continue
    }
    const own: Problem[] = []
    for (const [name, values] of Object.entries(check)) {
      const { faults, hint, needs } = predicates[name] as (typeof predicates)[string]
      asksContent ||= needs === 'content'
      for (const each of [values].flat() as Values[]) {
        const all: RuleFault[] | undefined = faults(subject, each as never)
        if (all === undefined && !notApplied.includes(id)) notApplied.push(id)
        const grade = severity === undefined || severity === 'off' ? 'warning' : severity
        for (const fault of all ?? [])
          own.push({ severity: grade, code: id, ...fault, hint: hintIn(rule) ?? hint })
      }
    }
    problems.push(...withWaivers(limited(own), rule, { file, ...book }, today))
  }
  return [...problems, ...remarks(subject, notApplied, forPerson, asksContent)]
}

/** What was not asked of the book, so that nobody takes it for answered. */
function remarks(
  { book }: JudgedBook,
  notApplied: readonly string[],
  forPerson: ReadonlyMap<string, readonly string[]>,
  asksContent: boolean,
): Problem[] {
  const remark = (code: ProblemCode, message: string, place?: string): Problem => ({
    ...{ severity: 'information', code, message, hint: hintOf(code) },
    ...(place !== undefined && { place }),
  })
  const [unread, ...more] = (asksContent && book.content?.unread) || []
  const others = more.length === 0 ? '' : `, and neither were ${more.length} other files`
  return [
    ...(notApplied.length === 0
      ? []
      : [
          remark(
            'rule_not_applied',
            `What these rules ask is not known of this ${book.type}: ${notApplied.join(', ')}.`,
          ),
        ]),
    ...(unread === undefined
      ? []
      : [remark('rules_partial', `This file was not read to its end by the rules${others}.`, unread)]),
    ...[...forPerson].map(([from, ids]) =>
      remark('rules_for_person', `Left to a person by ${basename(from)}: ${ids.join(', ')}.`),
    ),
  ]
}

function hintIn({ hint, link }: Rule): string | undefined {
  if (link === undefined) return hint
  return `${hint ?? 'Correct it.'} ${link}`
}

/** Whether a rule is for a book, by its `when`. */
function isMeant({ when = {} }: Rule, { file, book }: JudgedBook): boolean {
  const { types, layouts, versions, languages, name, publisher, has } = when
  const bare = (tag: string) => tag.toLowerCase().split('-')[0]
  return (
    (types?.includes(book.type) ?? true) &&
    (layouts === undefined || (book.layout !== undefined && layouts.includes(book.layout))) &&
    (versions?.some(version => book.epubVersion?.startsWith(`${version}`)) ?? true) &&
    (languages?.some(language => bare(`${language}`) === bare(book.language ?? '')) ?? true) &&
    (name === undefined || matches(name, basename(file))) &&
    (publisher === undefined || matches(publisher, book.publisher ?? '')) &&
    (has?.some(mark => book.content?.files.some(({ marks }) => marks?.has(mark))) ?? true)
  )
}
