import type { Command } from '@commander-js/extra-typings'
import { about } from '../../cli/about.ts'
import type { Run } from '../../cli/context.ts'
import { parseCount, parseMonth } from '../../cli/option-types.ts'
import { repeated } from '../../cli/repeatable.ts'

export function registerReport(group: Command, run: Run): void {
  about(group.command('report').description('Write a page about what is read, to pass on'), {
    does: 'adds',
    changes: false,
    writesTo: ['--out'],
    examples: [
      'analytics report --out report.html',
      'analytics report --from 2026-01 --to 2026-10 --top 20 --out report.html',
      'analytics report --readers --out report.html --json',
    ],
    ends: ['partFailed'],
  })
    .option('--from <month>', 'the first month, YYYY-MM (default: eleven months before the last)', parseMonth)
    .option('--to <month>', 'the last month, YYYY-MM (default: the last one that has ended)', parseMonth)
    .option('--top <count>', 'how many of the most viewed titles', parseCount, 20)
    .addOption(
      repeated('--calendar <id>', 'a publication whose days are shown (default: the one that is read most)'),
    )
    .option('--readers', 'show how far readers have come, in groups of at least five; asks for each reader')
    .option('--out <file>', 'the .html file to write; not needed for JSON or CSV')
    .action(
      run(async (context, options) => {
        const { makeReport } = await import('./make.ts')
        await makeReport(context, options)
      }),
    )
}
