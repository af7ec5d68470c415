import type { Context } from '../cli/context.ts'
import { partFailed } from '../cli/for-each.ts'
import { actionCounts, countedByName, settledActions, undecidedActions } from '../plan/actions.ts'
import { keyOfStep } from '../plan/divide.ts'
import type { PlanHeader } from '../plan/plan-step.ts'
import { type Shard, shardText } from '../plan/shard.ts'
import { Failure, Interrupted } from '../system/errors.ts'
import { shellWord } from '../system/shell-word.ts'
import { callerOf } from '../uploads/batch/caller.ts'
import { divide } from '../uploads/batch/divide.ts'
import { summariseDryRun } from '../uploads/batch/job-summary.ts'
import { orMemoryJournal, readJournal } from '../uploads/batch/journal.ts'
import type { PlanEnding, RunOptions } from '../uploads/batch/options.ts'
import { runTasks } from '../uploads/batch/run-tasks.ts'
import { showStep } from '../uploads/dry-run.ts'
import { openCreatedSince } from './apply/created-since.ts'
import { readyStep } from './apply/examine.ts'
import { planTasks } from './apply/plan-tasks.ts'
import { mustBeForThisService } from './for-this-service.ts'
import { type OpenPlan, openPlan } from './sources/read-plan.ts'

/** Carries out a plan file, or records with `--dry-run` what would be carried out. */
export async function applyPlan(
  context: Context,
  path: string,
  { shard, ...options }: RunOptions & { readonly shard?: Shard | undefined },
): Promise<void> {
  const plan = await openPlan(path, context.world.mayRead)
  try {
    const { header } = plan
    await mustBeForThisService(context, path, header)
    const { rows, part } = await divide(context, plan.steps, { keyOf: keyOfStep, shard, noun: 'steps' })
    if (context.options.dryRun) return await showPlan(context, { header, steps: rows }, options.summary)
    const batch = { rows, part, isList: true, plan: endingOf(path, header, rows, shard) }
    await runTasks(context, options, batch, transfer => planTasks(rows, header, transfer))
  } finally {
    await plan.close()
  }
}

const endingOf = (
  path: string,
  { planId, counts }: PlanHeader,
  rows: OpenPlan['steps'],
  shard: Shard | undefined,
): PlanEnding => {
  const settled = countedByName(counts, settledActions)
  const undecided = countedByName(actionCounts(rows), undecidedActions)
  return {
    planId,
    continueWith: `catalogue apply ${shellWord(path)}${shard ? ` --shard ${shardText(shard)}` : ''}`,
    remarks: [
      ...(settled ? [`Left as planned: ${settled}.`] : []),
      ...(undecided
        ? [`Not carried out: ${undecided}. The receipts say why; settle them in the sources, and plan again.`]
        : []),
    ],
  }
}

/** Records for `--dry-run` what would be carried out now; throws if something is stale. */
async function showPlan(
  context: Context,
  { steps, header }: Pick<OpenPlan, 'header' | 'steps'>,
  summary: string | undefined,
): Promise<void> {
  const journal = await orMemoryJournal(context, readJournal)
  const now = <T>(work: () => Promise<T>) => work()
  const { signal, mayRead } = context.world
  try {
    const examining = {
      ...{ journal, call: context.call, signal, mayRead },
      caller: await callerOf(context, journal),
      limits: { read: now, ask: now },
    }
    const failures: { id: string; failure: Failure }[] = []
    const createdSince = openCreatedSince(Date.parse(header.made), examining)
    for (const place of steps) {
      const step = await place.read()
      const options = { createdSince, match: header.match, mayAskForSession: false }
      try {
        await showStep(context, await readyStep(step, examining, options))
      } catch (error) {
        if (!(error instanceof Failure) || error instanceof Interrupted) throw error
        failures.push({ id: step.file ?? step.key ?? step.action, failure: error })
      }
    }
    if (summary !== undefined) await summariseDryRun(context, summary, failures)
    if (failures.length > 0) throw partFailed(failures, steps.length)
  } finally {
    journal.close()
  }
}
