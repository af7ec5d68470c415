import type { Command } from '@commander-js/extra-typings'
import { addable } from '../../catalogue/onix-message/addable.ts'
import { about } from '../../cli/about.ts'
import type { Run } from '../../cli/context.ts'
import { repeated, repeatedChoice } from '../../cli/repeatable.ts'
import { UsageFailure } from '../../system/errors.ts'
import { sourceOptions } from './source-options.ts'

export function registerExport(group: Command, run: Run): void {
  about(
    sourceOptions(
      group
        .command('export')
        .description('Write the publications as a sheet for "catalogue plan", or ONIX')
        .option(
          '--out <file>',
          'the file to write: CSV, or YAML or JSON by its name; standard output without it',
        )
        .optionsGroup('ONIX:')
        .option('--onix <file>', 'write ONIX 3.1 for the trade to a file, or with - to standard output')
        .addOption(
          repeated(
            '--from <source>',
            'a sheet or ONIX message that says more of the books, such as subjects',
          ),
        )
        .addOption(
          repeatedChoice(
            '--only-missing <what>',
            'only updates of what the messages of --from lack',
            addable,
          ),
        )
        .option('--receiver <name>', 'general, vlb, cb, overdrive, or a file that says which codes it takes')
        .option('--sender <name>', 'who sends the message'),
    ),
    {
      does: 'reads',
      withheld: [
        '--onix',
        '--from',
        '--only-missing',
        '--receiver',
        '--sender',
        '--files',
        '--name',
        '--column',
        '--encoding',
      ],
      writesTo: ['--out', '--onix'],
      examples: [
        'catalogue export --out books.csv',
        'catalogue export --out books.yaml',
        'catalogue export',
        'catalogue export --onix feed.xml --files books/ --sender "A Press"',
        'catalogue export --onix feed.xml --from old-feed.xml --files books/',
        'catalogue export --onix update.xml --from feed.xml --files books/ --only-missing accessibility,rights',
      ],
      ends: ['partFailed'],
    },
  ).action(
    run(async (context, { out, onix, from, sender, column, files, ...options }) => {
      if (onix === undefined) {
        mustBeOfOnix({ from, sender, column, files, ...options })
        const { exportSheet } = await import('./export.ts')
        return await exportSheet(context, out)
      }
      if (out !== undefined)
        throw new UsageFailure('--out writes a sheet and --onix a message; give one of them', {
          hint: 'Run the command twice to have both.',
        })
      const { expandPatterns } = await import('../../system/pattern.ts')
      const { exportOnix } = await import('../../catalogue/export-onix.ts')
      const sources = await expandPatterns(from ?? [])
      await exportOnix(context, {
        onix,
        sources,
        sender,
        columns: column ?? [],
        folders: files ?? [],
        ...options,
      })
    }),
  )
}

/** A sheet has what the service says and nothing else, so options about other sources would be passed over. */
function mustBeOfOnix(options: Readonly<Record<string, unknown>>): void {
  const [name] = Object.keys(options).filter(each => options[each] !== undefined)
  if (name === undefined) return
  const flag = `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
  throw new UsageFailure(`${flag} is about ONIX, and --onix is not given`, {
    hint: 'Name the file of the message: --onix feed.xml',
  })
}
