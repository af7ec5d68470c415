import type { Command } from '@commander-js/extra-typings'
import { about } from '../../cli/about.ts'
import type { Run } from '../../cli/context.ts'

export function registerExport(group: Command, run: Run): void {
  about(
    group.command('export').description('Write the publications as a sheet that "catalogue plan" reads'),
    {
      does: 'reads',
      writesTo: ['--out'],
      examples: ['catalogue export --out books.csv', 'catalogue export --out books.yaml', 'catalogue export'],
      ends: ['partFailed'],
    },
  )
    .option('--out <file>', 'the file to write: CSV, or YAML or JSON by its name; standard output without it')
    .action(
      run(async (context, { out }) => {
        const { exportSheet } = await import('./export.ts')
        await exportSheet(context, out)
      }),
    )
}
