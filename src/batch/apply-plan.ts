import { partFailed } from '../cli/for-each.ts'
import type { Context } from '../context.ts'
import { publications } from '../contract/publications.ts'
import { type Failure, UsageFailure } from '../errors.ts'
import { type PlanAction, type PlanHeader, settledActions, undecidedActions } from '../plan/plan-step.ts'
import { type OpenPlan, openPlan } from '../sources/read-plan.ts'
import { shellWord } from '../system/shell-word.ts'
import { openCreatedSince } from '../transfer/planned/created-since.ts'
import { examine } from '../transfer/planned/examine.ts'
import { planTasks } from '../transfer/planned/plan-tasks.ts'
import { callerOf, targetOf } from './caller.ts'
import { orMemoryJournal, readJournal } from './journal.ts'
import type { PlanEnding, RunOptions } from './options.ts'
import { runTasks } from './run-tasks.ts'
import { showPlannedStep } from './show-planned-step.ts'

/** Carries out a plan file, or records with `--dry-run` what would be carried out. */
export async function applyPlan(context: Context, path: string, options: RunOptions): Promise<void> {
  const plan = await openPlan(path)
  try {
    await mustBeForThisService(context, path, plan.header)
    if (context.options.dryRun) return await showPlan(context, plan)
    const { steps, header } = plan
    const batch = { rows: steps, isList: true, plan: endingOf(path, header) }
    await runTasks(context, options, batch, transfer => planTasks(steps, header, transfer))
  } finally {
    await plan.close()
  }
}

/** Refuses a plan for another address or another scope, before anything is sent. */
async function mustBeForThisService(context: Context, path: string, { baseUrl, scopeId }: PlanHeader) {
  const target = await targetOf(context)
  if (baseUrl !== target) {
    throw new UsageFailure(`${path} was made for ${baseUrl}, and this command goes to ${target}`, {
      code: 'other_service',
      hint: 'Nothing was sent. Choose the profile of that address, or plan again.',
    })
  }
  await context.call(publications.list, { limit: 1 })
  const now = context.scopeId()
  if (now !== scopeId) {
    throw new UsageFailure(
      `${path} was made for the scope ${scopeId ?? '(none)'}, and the key that is used is of ${now ?? '(none)'}`,
      {
        code: 'other_organisation',
        hint: 'Nothing was sent. Choose the profile of that organisation, or plan again.',
      },
    )
  }
}

const endingOf = (path: string, { counts }: PlanHeader): PlanEnding => {
  const told = (isMeant: (action: PlanAction) => boolean): string =>
    (Object.entries(counts) as [PlanAction, number][])
      .filter(([action, count]) => count > 0 && isMeant(action))
      .map(([action, count]) => `${count} ${action}`)
      .join(', ')
  const settled = told(action => settledActions.includes(action))
  const undecided = told(action => undecidedActions.includes(action))
  return {
    continueWith: `catalogue apply ${shellWord(path)}`,
    remarks: [
      ...(settled ? [`Left as planned: ${settled}.`] : []),
      ...(undecided
        ? [`Not carried out: ${undecided}. The receipts say why; settle them in the sources, and plan again.`]
        : []),
    ],
  }
}

/** Records for `--dry-run` what would be carried out now; throws if something is stale. */
async function showPlan(context: Context, { steps, header }: OpenPlan): Promise<void> {
  const journal = await orMemoryJournal(context, readJournal)
  const now = <T>(work: () => Promise<T>) => work()
  try {
    const examining = {
      ...{ journal, call: context.call, signal: context.world.signal },
      caller: await callerOf(context, journal),
      limits: { read: now, ask: now },
    }
    const failures: { id: string; failure: Failure }[] = []
    const createdSince = openCreatedSince(Date.parse(header.made), examining)
    for (const place of steps) {
      const step = await place.read()
      const options = { createdSince, match: header.match, mayAskForSession: false }
      const failure = await showPlannedStep(context, step, () => examine(step, examining, options))
      if (failure) failures.push({ id: step.file ?? step.key ?? step.action, failure })
    }
    if (failures.length > 0) throw partFailed(failures, steps.length)
  } finally {
    journal.close()
  }
}
