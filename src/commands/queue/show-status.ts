import type { Context } from '../../cli/context.ts'
import { showsFullTable } from '../../cli/output-kind.ts'
import { withQueue } from '../../queue/open-for-command.ts'
import { isOpen, type QueueStatus, queueStatus } from '../../queue/status.ts'
import { exitCodes, Failure } from '../../system/errors.ts'
import { failuresView, statusView } from './status-view.ts'

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
      hint: 'Once the reasons are dealt with: pubctl queue retry',
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
  const count = `${workers.length} ${workers.length === 1 ? 'worker' : 'workers'}`
  return [`${done} of ${steps} done`, ...troubles, `${perSecond} a second`, count].join(', ')
}
