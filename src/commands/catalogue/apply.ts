import type { Command } from '@commander-js/extra-typings'
import { about } from '../../cli/about.ts'
import type { Run } from '../../cli/context.ts'
import { batchOptions, summaryOption } from '../../uploads/options/book-options.ts'
import { epubcheckOptions } from '../../uploads/options/check-options.ts'
import { resolveShard, shardOption } from '../../uploads/options/shard-option.ts'
import { outcomeWords } from './outcome-words.ts'
import {
  actionOption,
  excludeOption,
  maxChangesOption,
  onlyOption,
  selectionOf,
} from './selection-options.ts'

export function registerApply(group: Command, run: Run): void {
  about(
    batchOptions(
      epubcheckOptions(
        group
          .command('apply')
          .argument('<plan>', 'what "catalogue plan" wrote')
          .description('Carry out a plan: upload what is new or changed, and change what differs')
          .optionsGroup('The upload:')
          .option('--no-wait', 'do not wait until the service has processed the files'),
      ),
    )
      .optionsGroup('The steps:')
      .addOption(onlyOption())
      .addOption(excludeOption())
      .addOption(actionOption())
      .addOption(maxChangesOption())
      .addOption(shardOption())
      .addOption(summaryOption()),
    {
      does: 'changes',
      withheld: ['--summary', '--epubcheck'],
      writesTo: ['--report'],
      examples: [
        'catalogue apply plan.ndjson',
        'catalogue apply plan.ndjson --report receipts.xml',
        'catalogue apply plan.ndjson --action update --max-changes 10%',
        'catalogue apply plan.ndjson --epubcheck',
        'catalogue apply plan.ndjson --shard 3/7 --report receipts-3.ndjson',
      ],
      words: outcomeWords,
      waits: true,
      ends: ['partFailed'],
    },
  ).action(
    run(async (context, plan, { shard, only, exclude, action, epubcheck, ...options }) => {
      const { applyPlan } = await import('../../catalogue/apply-plan.ts')
      const { askedOfPlan } = await import('../../uploads/asked-checks.ts')
      await applyPlan(context, plan, {
        ...options,
        asked: await askedOfPlan(context, epubcheck),
        selection: selectionOf({ only, exclude, action }),
        shard: shard && resolveShard(shard, context.world.env),
      })
    }),
  )
}
