import type { Command } from '@commander-js/extra-typings'
import { about } from '../../cli/about.ts'
import type { Run } from '../../cli/context.ts'
import { stepView } from '../../cli/output/dry-run-views.ts'
import { planReceiptView } from '../../uploads/batch/receipt-view.ts'
import { batchOptions, summaryOption } from '../../uploads/options/book-options.ts'
import { outcomeWords } from './outcome-words.ts'
import { excludeOption, maxChangesOption, onlyOption, selectionOf } from './selection-options.ts'

export function registerRevert(group: Command, run: Run): void {
  about(
    batchOptions(
      group
        .command('revert <plan>')
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
      changes: true,
      ends: ['partFailed'],
    },
  ).action(
    run(async (context, plan, { summary, only, exclude, ...options }) => {
      await context.check(context.options.dryRun ? stepView : planReceiptView)
      const { revertPlan } = await import('../../catalogue/apply-plan.ts')
      const { summaryFile } = await import('../../uploads/batch/job-summary.ts')
      const { checkReport } = await import('../../uploads/report/index.ts')
      if (options.report !== undefined) checkReport(options.report)
      await revertPlan(context, plan, {
        ...options,
        wait: false,
        selection: selectionOf({ only, exclude }),
        summary: summaryFile(context, summary),
      })
    }),
  )
}
