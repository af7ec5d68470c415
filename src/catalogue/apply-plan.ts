import type { Context } from '../cli/context.ts'
import { partFailed } from '../cli/for-each.ts'
import { stepView } from '../cli/output/dry-run-views.ts'
import {
  actionCounts,
  actions,
  actionsWith,
  type Counts,
  countedActions,
  countedByName,
  type PlanAction,
  phraseOf,
  planActions,
  settledActions,
  undecidedActions,
} from '../plan/actions.ts'
import { keyOfStep } from '../plan/divide.ts'
import { type PlanHeader, sourceNames } from '../plan/plan-step.ts'
import type { Selection } from '../plan/selection.ts'
import { type Shard, shardText } from '../plan/shard.ts'
import type { CheckedBy } from '../system/checked-by.ts'
import { Failure, Interrupted, UsageFailure } from '../system/errors.ts'
import { rest } from '../system/rest.ts'
import { shellWord } from '../system/shell-word.ts'
import type { AskedChecks } from '../uploads/asked-checks.ts'
import { callerOf } from '../uploads/batch/caller.ts'
import { divide } from '../uploads/batch/divide.ts'
import { summariseDryRun, summaryFile } from '../uploads/batch/job-summary.ts'
import { orMemoryJournal, readJournal } from '../uploads/batch/journal.ts'
import type { PlanEnding, RunOptions } from '../uploads/batch/options.ts'
import { planReceiptView } from '../uploads/batch/receipt-view.ts'
import { runTasks } from '../uploads/batch/run-tasks.ts'
import { showStep } from '../uploads/dry-run.ts'
import { openedChecks } from '../uploads/opened-checks.ts'
import { checkReport } from '../uploads/report/index.ts'
import { tellCheckers } from '../uploads/tell-checkers.ts'
import { openCreatedSince } from './apply/created-since.ts'
import { readyStep } from './apply/examine.ts'
import { planTasks, type ReadyOf } from './apply/plan-tasks.ts'
import { readyRevert } from './apply/revert.ts'
import { beyondLimit, type ChangeLimit } from './change-limit.ts'
import { mustBeForThisService } from './for-this-service.ts'
import { selectSteps } from './select.ts'
import { type OpenPlan, openPlan } from './sources/read-plan.ts'

interface ApplyOptions extends Omit<RunOptions, 'summary'> {
  /** Whether the result is added to the job summary. */
  readonly summary?: true | undefined
  readonly shard?: Shard | undefined
  readonly selection: Selection
  readonly maxChanges?: ChangeLimit | undefined
  /** What books are checked by that nobody but pubctl has checked yet. */
  readonly asked?: AskedChecks | undefined
}

/** What is done with a plan: it is carried out, or its updates are undone. */
interface Way {
  readonly command: 'apply' | 'revert'
  readonly ready: ReadyOf
  readonly steps: (plan: OpenPlan) => OpenPlan['steps']
  readonly remarks: (header: PlanHeader, steps: OpenPlan['steps']) => readonly string[]
}

/** Carries out a plan file, or records with `--dry-run` what would be carried out. */
export const applyPlan = (context: Context, path: string, options: ApplyOptions): Promise<void> =>
  carryOut(context, path, options, {
    ...{ command: 'apply', ready: readyStep },
    steps: ({ steps }) => steps,
    remarks(header, steps) {
      const settled = countedByName(header.counts, countedActions)
      const undecided = countedByName(actionCounts(steps), undecidedActions)
      return [
        ...(settled ? [`Left as planned: ${settled}.`] : []),
        ...(undecided
          ? [
              `Not carried out: ${undecided}. The receipts say why; settle them in ${sourceNames(header)}, and plan again.`,
            ]
          : []),
      ]
    },
  })

/** Gives the publications that a plan has updated their former values, or records with `--dry-run` what would be done. */
export const revertPlan = (context: Context, path: string, options: ApplyOptions): Promise<void> =>
  carryOut(context, path, options, {
    ...{ command: 'revert', ready: readyRevert },
    steps: ({ steps }) => steps.filter(({ action }) => actions[action].carriedOutBy === 'update'),
    remarks({ counts }) {
      const others = actionsWith(({ writes, carriedOutBy }) => writes && carriedOutBy !== 'update')
      const left = countedByName(counts, others)
      return left ? [`Not undone: ${left}. pubctl takes no upload back.`] : []
    },
  })

async function carryOut(
  context: Context,
  path: string,
  { shard, selection, maxChanges, asked, ...given }: ApplyOptions,
  { command, ready, steps, remarks }: Way,
): Promise<void> {
  await context.check(context.options.dryRun ? stepView : planReceiptView)
  if (given.report !== undefined) checkReport(given.report)
  const options = { ...given, summary: summaryFile(context, given.summary) }
  const plan = await openPlan(path, context.world.mayRead)
  try {
    const { header } = plan
    const selected = await selectSteps(context, steps(plan), selection)
    const beyond = beyondLimit(maxChanges, actionCounts(selected), header.counts)
    if (beyond) throw beyond
    await mustBeForThisService(context, path, header)
    const { rows, part } = await divide(context, selected, { keyOf: keyOfStep, shard, noun: 'steps' })
    if (context.options.dryRun)
      return await showPlan(
        context,
        { header, steps: rows.filter(isToDo) },
        { ready, asked, summary: options.summary },
      )
    await confirm(context, command, actionCounts(rows))
    const ending: PlanEnding = {
      ...{ planId: header.planId, match: header.match },
      continueWith: `catalogue ${command} ${shellWord(path)}${flagsOf(selection)}${shard ? ` --shard ${shardText(shard)}` : ''}`,
      remarks: remarks(header, rows),
    }
    const shown = rows.map(row => ({ ...row, isQuiet: actions[row.action].isQuiet === true }))
    const batch = { rows: shown, part, isList: true, plan: ending }
    await runTasks(context, options, batch, transfer => planTasks(rows, header, transfer, { ready, asked }))
  } finally {
    await plan.close()
  }
}

const isToDo = ({ action }: { readonly action: PlanAction }): boolean => !settledActions.includes(action)

/** A selection as it is written on a command line. */
const flagsOf = ({ only, exclude, actions: chosen }: Selection): string =>
  [
    ...only.map(name => ` --only ${shellWord(name)}`),
    ...exclude.map(name => ` --exclude ${shellWord(name)}`),
    ...chosen.map(action => ` --action ${action}`),
  ].join('')

/** Asks somebody at a terminal before anything is changed. Scripts are not asked, since the plan says what they do. */
async function confirm(context: Context, command: Way['command'], counts: Counts): Promise<void> {
  const { ask, options } = context
  if (options.yes || !ask.isPossible) return
  const said = planActions.flatMap(action => {
    const count = counts[action] ?? 0
    return count > 0 && actions[action].writes ? [phraseOf(action, count)] : []
  })
  if (said.length === 0) return
  const question = command === 'apply' ? `Carry out ${said.join(', ')}?` : `Undo ${said.join(', ')}?`
  if (await ask.confirm(question, '--yes')) return
  throw new UsageFailure('nothing was changed', { code: 'not_confirmed' })
}

/** Records for `--dry-run` what would be carried out now; throws if something is stale. */
async function showPlan(
  context: Context,
  { steps, header }: Pick<OpenPlan, 'header' | 'steps'>,
  {
    ready,
    asked,
    summary,
  }: {
    readonly ready: ReadyOf
    readonly asked: AskedChecks | undefined
    readonly summary: string | undefined
  },
): Promise<void> {
  const journal = await orMemoryJournal(context, readJournal)
  const now = <T>(work: () => Promise<T>) => work()
  const { signal, mayRead } = context.world
  try {
    const examining = {
      ...{ journal, call: context.call, signal, mayRead },
      openChecks: (checks: AskedChecks) => openedChecks(context, checks),
      caller: await callerOf(context, journal),
      limits: { read: now, ask: now },
    }
    const failures: { id: string; failure: Failure }[] = []
    const checkers: { readonly checkedBy?: readonly CheckedBy[] | undefined }[] = []
    const createdSince = openCreatedSince(Date.parse(header.made), examining)
    for (const place of steps) {
      await rest(signal)
      const step = await place.read()
      const options = { createdSince, match: header.match, asked, mayAskForSession: false }
      try {
        const shown = await ready(step, examining, options)
        await showStep(context, shown)
        checkers.push(shown.step)
      } catch (error) {
        if (!(error instanceof Failure) || error instanceof Interrupted) throw error
        checkers.push(error)
        failures.push({ id: step.file ?? step.key ?? step.action, failure: error })
      }
    }
    await tellCheckers(context, checkers)
    if (summary !== undefined) await summariseDryRun(context, summary, failures)
    if (failures.length > 0) throw partFailed(failures, steps.length)
  } finally {
    journal.close()
  }
}
