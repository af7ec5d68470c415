import type { Command } from '@commander-js/extra-typings'
import { planReceiptView } from '../../batch/receipt-view.ts'
import { about } from '../../cli/about.ts'
import { batchOptions, summaryOption } from '../../cli/book-options.ts'
import { resolveShard, shardOption } from '../../cli/shard-option.ts'
import type { Run } from '../../context.ts'
import { stepView } from '../../output/dry-run-views.ts'

export function registerApply(group: Command, run: Run): void {
  about(
    batchOptions(
      group
        .command('apply <plan>')
        .description('Carry out a plan: upload what is new or changed, and change what differs')
        .optionsGroup('The upload:')
        .option('--no-wait', 'do not wait until the service has processed the files'),
    )
      .addOption(shardOption())
      .addOption(summaryOption()),
    {
      does: 'changes',
      withheld: ['--summary'],
      writesTo: ['--report'],
      examples: [
        'catalogue apply plan.ndjson',
        'catalogue apply plan.ndjson --report receipts.xml',
        'catalogue apply plan.ndjson --shard 3/7 --report receipts-3.ndjson',
      ],
      changes: true,
      waits: true,
      ends: ['partFailed'],
    },
  ).action(
    run(async (context, plan, { shard, summary, ...options }) => {
      await context.check(context.options.dryRun ? stepView : planReceiptView)
      const { applyPlan } = await import('../../batch/apply-plan.ts')
      const { summaryFile } = await import('../../batch/job-summary.ts')
      const { checkReport } = await import('../../transfer/report/index.ts')
      if (options.report !== undefined) checkReport(options.report)
      await applyPlan(context, plan, {
        ...options,
        summary: summaryFile(context, summary),
        shard: shard && resolveShard(shard, context.world.env),
      })
    }),
  )
}
