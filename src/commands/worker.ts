import type { Command } from '@commander-js/extra-typings'
import { about } from '../cli/about.ts'
import type { Run } from '../cli/context.ts'
import { UsageFailure } from '../system/errors.ts'
import { planReceiptView } from '../uploads/batch/receipt-view.ts'
import { concurrencyOption } from '../uploads/options/book-options.ts'
import { epubcheckOptions } from '../uploads/options/check-options.ts'
import { databaseOption } from './queue/database-option.ts'

export function register(worker: Command, run: Run): void {
  about(
    epubcheckOptions(
      databaseOption(worker)
        .option('--root <folder>', "the folder on this machine that has the plan's files")
        .option('--once', 'end when there is nothing left to do')
        .optionsGroup('Many files:')
        .addOption(concurrencyOption())
        .optionsGroup('The upload:')
        .option('--no-wait', 'do not wait until the service has processed the files'),
    ),
    {
      does: 'changes',
      notForAgents: 'it runs until it is stopped',
      examples: [
        'worker',
        'worker --concurrency 16 --root /mnt/books',
        'worker --epubcheck',
        'worker --once -o ndjson --database postgres://pubctl@db.example.org/pubctl',
      ],
      waits: true,
      ends: ['partFailed'],
    },
  ).action(
    run(async (context, options) => {
      await context.check(planReceiptView)
      if (context.options.dryRun) {
        // The steps of a queue are taken by whoever is there first, so there is nothing to foretell.
        throw new UsageFailure('--dry-run does not work with a worker, which carries out steps', {
          hint: 'pubctl queue status counts the steps; pubctl catalogue apply --dry-run prints those of a plan.',
        })
      }
      const { askedOfPlan } = await import('../uploads/asked-checks.ts')
      const asked = await askedOfPlan(context, options.epubcheck)
      await (await import('../queue/run-worker.ts')).runWorker(context, { ...options, asked })
    }),
  )
}
