import type { Command } from '@commander-js/extra-typings'
import { about } from '../../cli/about.ts'
import type { Run } from '../../cli/context.ts'
import { actionOption, excludeOption, onlyOption, selectionOf } from './selection-options.ts'

export function registerAccept(group: Command, run: Run): void {
  about(
    group
      .command('accept')
      .argument('<plan>', 'what "catalogue plan" wrote')
      .description('Keep differences of a plan as known, so that later plans leave them out')
      .addOption(onlyOption())
      .addOption(excludeOption())
      .addOption(actionOption())
      .option('--accepted <file>', 'the file to write them to, beside those that it has', 'accepted.ndjson'),
    {
      does: 'changes',
      isLocal: true,
      writesTo: ['--accepted'],
      examples: [
        'catalogue accept plan.ndjson --only 978-3-16-148410-0',
        'catalogue accept plan.ndjson --action blocked --accepted accepted.ndjson',
      ],
    },
  ).action(
    run(async (context, plan, { accepted, ...chosen }) => {
      const { acceptDifferences } = await import('../../catalogue/accept-plan.ts')
      await acceptDifferences(context, plan, { accepted, selection: selectionOf(chosen) })
    }),
  )
}
