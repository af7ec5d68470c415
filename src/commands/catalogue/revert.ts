import type { Command } from '@commander-js/extra-typings'
import { about } from '../../cli/about.ts'
import type { Run } from '../../cli/context.ts'
import { batchOptions, summaryOption } from '../../uploads/options/book-options.ts'
import { outcomeWords } from './outcome-words.ts'
import { excludeOption, maxChangesOption, onlyOption, selectionOf } from './selection-options.ts'

export function registerRevert(group: Command, run: Run): void {
  about(
    batchOptions(
      group
        .command('revert')
        .argument('<plan>', 'what "catalogue plan" wrote')
        .description('Undo the updates of a plan: fields get their former values'),
    )
      .optionsGroup('The steps:')
      .addOption(onlyOption())
      .addOption(excludeOption())
      .addOption(maxChangesOption())
      .addOption(summaryOption()),
    {
      does: 'changes',
      withheld: ['--summary'],
      writesTo: ['--report'],
      examples: [
        'catalogue revert plan.ndjson --dry-run',
        'catalogue revert plan.ndjson --only 978-3-16-148410-0',
      ],
      words: outcomeWords,
      ends: ['partFailed'],
    },
  ).action(
    run(async (context, plan, { only, exclude, ...options }) => {
      const { revertPlan } = await import('../../catalogue/apply-plan.ts')
      await revertPlan(context, plan, { ...options, wait: false, selection: selectionOf({ only, exclude }) })
    }),
  )
}
