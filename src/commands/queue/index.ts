import type { Command } from '@commander-js/extra-typings'
import { about } from '../../cli/about.ts'
import type { Run } from '../../cli/context.ts'
import { parseUuid } from '../../cli/option-types.ts'
import type { View } from '../../cli/output/view.ts'
import { UsageFailure } from '../../system/errors.ts'
import { databaseOption } from './database-option.ts'

/** The commands on a queue: a plan that many machines carry out. */
export function register(group: Command, run: Run): void {
  about(
    databaseOption(
      group
        .command('load')
        .argument('<plan>', 'a file that "catalogue plan --out" wrote')
        .description('Put the steps of a plan into the queue, each once'),
    ),
    {
      does: 'adds',
      notForAgents: 'a worker sends files from its own folder, not from that of agents',
      examples: [
        'queue load plan.ndjson --database postgres://pubctl@db.example.org/pubctl',
        'queue load plan.ndjson',
      ],
      isLocal: true,
      ends: ['network'],
    },
  ).action(
    run(async (context, plan, { database }) => {
      const { loadedView, loadQueue } = await import('../../queue/load-plan.ts')
      await context.check(loadedView)
      await loadQueue(context, plan, database)
    }),
  )

  about(
    databaseOption(group.command('status').description('Show how far a queue is, and what failed and why'))
      .option('--follow', 'show it again until everything is done')
      .option('--failures <count>', 'how many failed steps are shown', parseFailures, 20),
    {
      does: 'reads',
      withheld: ['--database', '--follow'],
      examples: ['queue status', 'queue status --follow', 'queue status --json'],
      isLocal: true,
      ends: ['network', 'partFailed'],
    },
  ).action(
    run(async (context, options) => {
      const { showStatus } = await import('./status.ts')
      await showStatus(context, options)
    }),
  )

  about(
    databaseOption(
      group
        .command('retry')
        .argument('[step...]', 'the ids of steps that "queue status" shows (default: all that failed)')
        .description('Try failed steps again'),
    ),
    {
      does: 'changes',
      withheld: ['--database'],
      examples: ['queue retry', 'queue retry 4b6aa668-6336-4631-b0cc-77d59186b759'],
      isLocal: true,
      ends: ['network'],
    },
  ).action(
    run(async (context, ids, { database }) => {
      await context.check(retriedView)
      for (const id of ids) parseUuid(id)
      const { withQueue } = await import('../../queue/open-queue.ts')
      const { retrySteps } = await import('../../queue/retry.ts')
      await withQueue(context, database, async postgres => {
        const { retried, unknown } = await retrySteps(
          postgres,
          ids.length > 0 ? ids : undefined,
          context.options.dryRun === true,
        )
        await context.item(retriedView, { retried })
        const [first] = unknown
        if (first === undefined) return
        throw new UsageFailure(
          `${unknown.length === 1 ? `${first} is` : `${first} and ${unknown.length - 1} more are`} no step of the queue that failed`,
          { code: 'unknown_step', hint: '"pubctl queue status" shows those that did.' },
        )
      })
    }),
  )

  about(
    databaseOption(
      group
        .command('limit')
        .argument('[rate]', '5/s, 300/m, 1000/h or none; shows the limit if it is not given')
        .description('Show or set how many steps all workers together begin: 5/s, 300/m, none'),
    ),
    {
      does: 'changes',
      withheld: ['--database'],
      examples: ['queue limit 5/s', 'queue limit 1000/h', 'queue limit none', 'queue limit'],
      isLocal: true,
      ends: ['network'],
    },
  ).action(
    run(async (context, text, { database }) => {
      await context.check(limitView)
      const wanted = text === undefined ? undefined : parseRate(text)
      const { withQueue } = await import('../../queue/open-queue.ts')
      const { rateLimit, setRateLimit } = await import('../../queue/rate.ts')
      await withQueue(context, database, async ({ query }) => {
        if (wanted !== undefined && !context.options.dryRun) await setRateLimit(query, wanted)
        await context.item(limitView, { limitPerSecond: await rateLimit(query) })
      })
    }),
  )
}

/** A whole number, 0 included. */
function parseFailures(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw new UsageFailure(`"${text}" is not a whole number`, { hint: 'Write it like 20.' })
}

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }

/** `5/s`, `300/m` or `1000/h` as steps a second; null for `none`. */
export function parseRate(text: string): number | null {
  if (text === 'none') return null
  const [, count, unit] = /^(\d{1,9}(?:\.\d{1,3})?)\/([smh])$/.exec(text) ?? []
  if (count !== undefined && unit !== undefined && Number(count) > 0)
    return Number(count) / (seconds[unit] as number)
  throw new UsageFailure(`"${text}" is not a rate`, {
    hint: 'Write it like 5/s, 300/m or 1000/h; none removes the limit.',
  })
}

const retriedView: View = {
  columns: [{ field: 'retried', kind: 'count' }],
  fields: () => new Set(['retried']),
}

const limitView: View = {
  columns: [{ field: 'limitPerSecond', label: 'limit per second' }],
  fields: () => new Set(['limitPerSecond']),
}
