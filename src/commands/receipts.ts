import { type Command, Option } from '@commander-js/extra-typings'
import { about } from '../cli/about.ts'
import type { Run } from '../cli/context.ts'

export function register(group: Command, run: Run): void {
  about(
    group
      .command('merge')
      .argument('<file...>', 'the .ndjson or .json files that each shard wrote with --report')
      .description('Join the receipts of shards, and show what is not done'),
    {
      does: 'adds',
      writesTo: ['--out'],
      examples: [
        'receipts merge receipts-*.ndjson --out receipts.ndjson',
        'receipts merge receipts-*.ndjson --out receipts.xml --yes',
      ],
      isLocal: true,
      asks: true,
    },
  )
    .addOption(
      new Option(
        '--out <file>',
        'where to write them together: a .ndjson, .json, .csv, .xml (JUnit) or .html file',
      ).makeOptionMandatory(),
    )
    .action(
      run(async (context, files, { out }) => {
        const { mergeReceipts } = await import('../uploads/batch/merge-receipts.ts')
        const { expandPatterns } = await import('../system/pattern.ts')
        await mergeReceipts(context, await expandPatterns(files), out)
      }),
    )
}
