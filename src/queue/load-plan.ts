import { openPlan } from '../catalogue/sources/read-plan.ts'
import type { Context } from '../cli/context.ts'
import { createCountProgress } from '../cli/output/count-progress.ts'
import type { View } from '../cli/output/view.ts'
import { countedByName, settledActions, undecidedActions } from '../plan/actions.ts'
import { sourceNames } from '../plan/plan-step.ts'
import { loadPlan } from './load.ts'
import { withQueue } from './open-queue.ts'

/** What is shown of a plan that was loaded. */
export const loadedView: View = {
  columns: [
    { field: 'planId' },
    { field: 'root' },
    { field: 'added', kind: 'count' },
    { field: 'known', kind: 'count' },
    { field: 'leftToPeople', kind: 'count' },
  ],
  fields: () => new Set(['planId', 'root', 'added', 'known', 'leftToPeople', 'left', 'left.*']),
}

/** Puts the steps of a plan into the queue; with `--dry-run`, only checks the plan. */
export async function loadQueue(context: Context, path: string, database: string | undefined): Promise<void> {
  const plan = await openPlan(path, context.world.mayRead)
  try {
    const { header } = plan
    const steps = plan.steps.filter(({ action }) => !settledActions.includes(action))
    const toDo = steps.filter(({ action }) => !undecidedActions.includes(action)).length
    if (context.options.dryRun) {
      await context.note(`${toDo} steps of the plan ${header.planId} would be put into the queue.`)
      return
    }
    await withQueue(context, database, async postgres => {
      const count = createCountProgress(await context.progress(), context.err, context.world.clock)
      const loaded = await loadPlan(postgres, {
        ...{ header, steps, signal: context.world.signal },
        onProgress: done => count.show('loading steps', done, toDo),
      }).finally(count.stop)
      const leftToPeople = Object.values(loaded.left).reduce((sum, many) => sum + many, 0)
      await context.item(loadedView, { ...loaded, leftToPeople })
      if (leftToPeople > 0) {
        await context.note(
          `Not loaded: ${countedByName(loaded.left)}. The plan says why; settle them in ${sourceNames(header)}, and plan again.`,
        )
      }
      if (loaded.added > 0)
        await context.note('To carry them out, on as many machines as you like: pubctl worker')
    })
  } finally {
    await plan.close()
  }
}
