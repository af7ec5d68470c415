import type { Context } from '../cli/context.ts'
import { differencesColumn } from '../cli/output/difference-text.ts'
import { inPages, type View } from '../cli/output/view.ts'
import {
  actions,
  actionsWith,
  type Counts,
  type PlanAction,
  phraseOf,
  planActions,
  undecidedActions,
} from '../plan/actions.ts'
import { type PlanHeader, sourceNames } from '../plan/plan-step.ts'
import { keyName } from '../plan/wanted.ts'
import { counted } from '../system/counted.ts'
import { exitCodes, Failure } from '../system/errors.ts'
import { shellWord } from '../system/shell-word.ts'
import { summariseSteps } from '../uploads/batch/job-summary.ts'
import { tellCheckers } from '../uploads/tell-checkers.ts'
import { publicationLimit } from './plan/publication-limit.ts'
import type { Rows } from './plan/rows.ts'
import type { PlanOptions } from './plan-options.ts'

/** The columns of the steps of a plan. `match` is what books are matched by. */
export const planViewOf = (match: string): View => ({
  columns: [
    { field: 'key', label: match },
    { field: 'title', isMain: true },
    { field: 'action', isCutLast: true },
    { field: 'publicationId', isCutLast: true, isMinor: true },
    { field: 'file', isPath: true, isMinor: true },
    { field: 'why', isBelow: true },
    { field: 'warnings.message', label: 'warnings', isBelow: true },
    differencesColumn,
    { field: 'hint', label: 'To do', isBelow: true },
  ],
  fields: () =>
    new Set(
      `key action why hint file sha256 bytes type title author publicationId editionId proof fields differences differences.field
       differences.there differences.wanted differences.sent before before.* send send.* cover uploadRequestId warnings
       warnings.* checkedBy checkedBy.* from from.*`.split(/\s+/),
    ),
  empty: 'There is nothing to do.',
})

/** A plan whose steps are in the rows. */
export interface Planned {
  readonly rows: Rows
  readonly header: PlanHeader
  readonly metadataKeys: ReadonlySet<string> | null
  /** How many publications the service has. */
  readonly publications: number
}

/** Shows the steps and the summary of a plan. */
export async function reportPlan(context: Context, planned: Planned, options: PlanOptions): Promise<void> {
  const { rows } = planned
  const counts = rows.counts()
  const isShort = isTable(context) && !context.options.verbose
  const left: PlanAction[] = [
    ...(isShort ? actionsWith(({ isQuiet }) => isQuiet === true) : []),
    ...(options.showsOrphans ? [] : (['orphan'] as const)),
  ]
  await context.list(
    planViewOf(planned.header.match),
    inPages(rows.steps(left), step => step),
  )
  await context.note(`${summaryOf(counts)}.`)
  await tellCheckers(context, [{ checkedBy: rows.checkedBy() }])
  await warnOfNotRead(context, planned)
  if (context.format === 'table') await explain(context, planned.header, left)
  await tellUnknown(context, planned)
  await tellUnproven(context, planned)
  await tellNotSent(context, planned)
  await warnOfLimit(context, planned.publications, counts.create ?? 0)
  if (options.summary !== undefined) await summarise(context, options.summary, rows)
  if (options.out !== undefined) await context.note(`The plan is in ${options.out}.`)
  if (options.report !== undefined) await context.note(`The page is in ${options.report}.`)
}

/** Adds the steps that there is something to do about to the job summary, those for people first. */
async function summarise(context: Context, path: string, rows: Rows): Promise<void> {
  const counts = rows.counts()
  const others = openActions.filter(action => !undecidedActions.includes(action))
  const only = (shown: readonly PlanAction[]) => rows.steps(planActions.filter(each => !shown.includes(each)))
  await summariseSteps(context, path, {
    title: 'Plan of the catalogue',
    lead: [`${summaryOf(counts)}.`],
    steps: (function* () {
      yield* only(undecidedActions)
      yield* only(others)
    })(),
    count: sumOf(counts, [...undecidedActions, ...others]),
  })
}

/** Whether people look at a table. */
const isTable = ({ format, out }: Context): boolean => format === 'table' && out.isTerminal

/** Says once what the words of the steps that are shown mean. */
async function explain(context: Context, { counts }: PlanHeader, left: readonly PlanAction[]): Promise<void> {
  const meanings = planActions.flatMap(action => {
    const { title, meaning } = actions[action]
    return counts[action] && title !== null && !left.includes(action) ? [`  ${action}: ${meaning}`] : []
  })
  for (const meaning of meanings) await context.note(meaning)
}

function summaryOf(counts: Counts): string {
  const said = planActions.flatMap(action => (counts[action] ? [phraseOf(action, counts[action])] : []))
  return said.length === 0 ? 'The sheets and messages name no books' : said.join(', ')
}

/** Says how many publications the plan knows nothing of but their titles. */
async function warnOfNotRead(
  context: Context,
  { header: { notReadYet }, publications }: Planned,
): Promise<void> {
  if (notReadYet === 0) return
  await context.warn({
    code: 'publications_not_read_yet',
    message: `${notReadYet} of the ${counted(publications, 'publication')} at the service are not read yet, because no book of the sheets and messages can be one of them by its ISBN, title or content; which of them are in no sheet or message is not known`,
    hint: 'Later plans read more of them. To read all of them now: pubctl catalogue index --refresh',
  })
}

/** Says where a value is replaced that somebody may have changed at the service. */
async function tellUnknown(context: Context, { rows }: Planned): Promise<void> {
  const unknown = rows.replacingUnknown()
  if (unknown === 0) return
  await context.note(
    `What was sent last to ${unknown} of them is not known on this machine, so what is replaced there may have been changed at the service.`,
  )
}

/** Says how content can be proven, where there are books of which it is not. */
async function tellUnproven(context: Context, { rows, metadataKeys, header }: Planned): Promise<void> {
  const unproven = rows.unproven()
  const hasKey = metadataKeys?.has('sha256') ?? false
  const hint =
    'A metadata key proves it for what is uploaded from then on: pubctl metadata-keys create sha256'
  if (unproven > 0) {
    await context.warn({
      code: 'not_proven',
      message: `of ${counted(unproven, 'book')} it is not proven that the service has the same file: only its ${keyName(header.match)} and size are known to be the same`,
      ...(hasKey ? {} : { hint }),
    })
  } else if (!hasKey) {
    await context.note(
      'The organisation has no metadata key "sha256", by which content is proven on every machine. To create it: pubctl metadata-keys create sha256',
    )
  }
}

/** Whether the service has no field for values of this name, whatever metadata keys there are. */
export const isWithoutField = (name: string): boolean => name === 'prices' || name === 'rights'

/** Says which values of the sources are not sent, and why. */
async function tellNotSent(context: Context, { header: { notSent } }: Planned): Promise<void> {
  const { prices = 0, rights = 0 } = notSent
  if (prices + rights > 0) {
    await context.warn({
      code: 'not_sent',
      message: `the service has no fields for ${counted(prices, 'price')} and ${counted(rights, 'sales right')} of the sheets and messages, so pubctl does not send them`,
    })
  }
  const missing = Object.entries(notSent).filter(([name]) => !isWithoutField(name))
  if (missing.length === 0) return
  await context.warn({
    code: 'metadata_not_sent',
    message: `pubctl does not send these values, for which the organisation has no metadata keys: ${missing.map(([name, count]) => `${name} (${counted(count, 'book')})`).join(', ')}`,
    hint: `To send them, create the keys before planning, such as: pubctl metadata-keys create ${missing[0]?.[0]}`,
  })
}

async function warnOfLimit(context: Context, publications: number, creations: number): Promise<void> {
  if (creations === 0) return
  const limit = await publicationLimit(context.call)
  if (limit === null || publications + creations <= limit) return
  await context.warn({
    code: 'publication_limit',
    message: `the organisation may have ${limit} publications and has ${publications}; with the ${creations} of this plan it would have ${publications + creations}`,
    hint: 'The service may refuse those beyond the limit.',
  })
}

/**
 * Throws if a row is broken or a publication could not be read, or with `--detailed-exitcode` if the service is not equal to
 * the sources.
 */
export function endWith(header: PlanHeader, { detailedExitCode, out }: PlanOptions): void {
  mustBeComplete(header)
  const { counts } = header
  const open = sumOf(counts, openActions)
  if (!detailedExitCode || open === 0) return
  throw new Failure(`the service is not equal to ${sourceNames(header)}: ${summaryOf(counts)}`, {
    code: 'changes_planned',
    exitCode: exitCodes.changesPlanned,
    hint:
      open === sumOf(counts, undecidedActions)
        ? 'There is nothing to carry out: each step says what has to be settled first.'
        : out === undefined
          ? 'To carry it out, write the plan with --out.'
          : `To carry it out: pubctl catalogue apply ${shellWord(out)}`,
  })
}

/** Throws if a row is broken or a publication could not be read. */
export function mustBeComplete(header: PlanHeader): void {
  const { counts, unread } = header
  const broken = sumOf(counts, brokenActions)
  if (broken > 0) {
    throw new Failure(`${counted(broken, 'book')} of ${sourceNames(header)} cannot be used`, {
      code: 'rows_broken',
      exitCode: exitCodes.partFailed,
      hint: 'Each is a step "broken" that says why. The other books are planned.',
    })
  }
  if (unread > 0) {
    throw new Failure(`${counted(unread, 'publication')} of the service could not be read`, {
      code: 'publications_unread',
      exitCode: exitCodes.partFailed,
      hint: 'What is wrong with them: pubctl catalogue index --refresh. The steps do not know what they are.',
    })
  }
}

/** The actions that mean that the service is not equal to the sources. */
const openActions = actionsWith(({ exit }) => exit === 'different')

/** The actions of what cannot be used. */
const brokenActions = actionsWith(({ exit }) => exit === 'broken')

const sumOf = (counts: Counts, names: readonly PlanAction[]): number =>
  names.reduce((sum, action) => sum + (counts[action] ?? 0), 0)
