import type { Context } from '../../cli/context.ts'
import type { View } from '../../cli/output/view.ts'
import { showsFullTable } from '../../cli/output-kind.ts'
import { withQueue } from '../../queue/open-queue.ts'
import { isOpen, type QueueStatus, queueStatus } from '../../queue/status.ts'
import { counted } from '../../system/counted.ts'
import { exitCodes, Failure } from '../../system/errors.ts'

/** A queue. What failed is a table of its own at a terminal, and part of the item in JSON. */
const statusView: View = {
  columns: [
    { field: 'steps', kind: 'count' },
    { field: 'waiting', kind: 'count' },
    { field: 'underWay', kind: 'count' },
    { field: 'retrying', kind: 'count' },
    { field: 'failed', kind: 'count' },
    { field: 'uploaded', kind: 'count' },
    { field: 'updated', kind: 'count' },
    { field: 'skipped', kind: 'count' },
    { field: 'perSecond' },
    { field: 'secondsLeft' },
    { field: 'limitPerSecond', label: 'limit per second' },
    { field: 'workers.host', label: 'workers' },
    { field: 'plans.planId', label: 'plans', isDetail: true },
    { field: 'plans.root', label: 'folders', isDetail: true },
  ],
  fields: () =>
    new Set(
      `steps waiting underWay retrying failed uploaded updated skipped perSecond secondsLeft limitPerSecond workers
       workers.host workers.pid workers.concurrency workers.startedAtIso plans plans.planId plans.baseUrl plans.scopeId
       plans.root plans.loadedAtIso failures failures.id failures.key failures.file failures.state failures.outcome
       failures.code failures.why failures.hint failures.tries failures.nextTryAtIso`.split(/\s+/),
    ),
}

/** The steps that failed. */
const failuresView: View = {
  columns: [
    { field: 'id', isCutLast: true, isMinor: true },
    { field: 'file', isPath: true },
    { field: 'state' },
    { field: 'tries', kind: 'count', isMinor: true },
    { field: 'why', isMain: true },
    { field: 'hint', isMinor: true },
  ],
  fields: () =>
    new Set(['id', 'key', 'file', 'state', 'outcome', 'code', 'why', 'hint', 'tries', 'nextTryAtIso']),
  empty: 'Nothing has failed.',
}

interface StatusOptions {
  readonly database?: string | undefined
  readonly follow?: true | undefined
  readonly failures: number
}

/** How often `--follow` looks, in milliseconds. */
const interval = 2000

/** Shows what there is in a queue; with `--follow` once nothing is left that happens by itself. */
export async function showStatus(
  context: Context,
  { database, follow, failures }: StatusOptions,
): Promise<void> {
  await context.check(statusView)
  const { world } = context
  const status = await withQueue(context, database, async ({ query }) => {
    const progress = follow ? await context.progress() : undefined
    try {
      for (;;) {
        const now = await queueStatus(query, failures)
        if (!follow || !isOpen(now)) return now
        progress?.state(lineOf(now))
        await world.clock.sleep(interval, world.signal)
      }
    } finally {
      progress?.stop()
    }
  })
  await context.item(statusView, status)
  if (showsFullTable(context) && status.failures.length > 0) {
    await context.out.write('\n')
    await context.list(failuresView, [status.failures])
  }
  const shown = status.failures.length
  const all = status.failed + status.retrying
  if (all > shown && failures > 0)
    await context.note(`${all - shown} more failed; to see them: --failures ${all}`)
  if (follow && status.failed > 0) {
    throw new Failure(`${status.failed} of ${status.steps} steps failed`, {
      code: 'part_failed',
      exitCode: exitCodes.partFailed,
      hint: 'When you have mended what went wrong: pubctl queue retry',
    })
  }
}

function lineOf(status: QueueStatus): string {
  const { steps, uploaded, updated, skipped, failed, retrying, perSecond, workers } = status
  const done = uploaded + updated + skipped
  const troubles = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(retrying > 0 ? [`${retrying} to be tried again`] : []),
  ]
  return [
    `${done} of ${steps} done`,
    ...troubles,
    `${perSecond} a second`,
    counted(workers.length, 'worker'),
  ].join(', ')
}
