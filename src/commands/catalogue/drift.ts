import { type Command, Option } from '@commander-js/extra-typings'
import { about } from '../../cli/about.ts'
import type { Run } from '../../cli/context.ts'
import { parseAge } from '../../cli/option-types.ts'
import { stateMeanings } from '../../plan/state-meanings.ts'
import { matchOption } from '../../uploads/options/sheet-options.ts'
import { acceptedOption, sourceOptions } from './source-options.ts'

export function registerDrift(group: Command, run: Run): void {
  about(
    sourceOptions(
      group
        .command('drift')
        .argument('<source...>', 'sheets or ONIX messages')
        .description('Show what was changed at the service since it was sent, and what in your files'),
    ),
    {
      does: 'reads',
      notForAgents: 'the steps of catalogue plan say the same',
      examples: ['catalogue drift books.csv', 'catalogue drift onix.xml --detailed-exitcode --json'],
      words: Object.entries(stateMeanings),
      ends: ['changesPlanned', 'partFailed'],
    },
  )
    .optionsGroup('Comparing:')
    .addOption(matchOption())
    .addOption(
      new Option('--refresh <age>', 'read the record of a book again if it is older')
        .argParser(parseAge)
        .default(0, '0s'),
    )
    .addOption(acceptedOption())
    .option('--detailed-exitcode', 'end with 14 if anything was changed at the service')
    .action(
      run(async (context, sources, options) => {
        const { match, accepted, detailedExitcode, encoding, column, files, name, refresh } = options
        const { driftOfSources, driftViewOf } = await import('../../catalogue/drift-sources.ts')
        await context.check(driftViewOf(match))
        const { expandPatterns } = await import('../../system/pattern.ts')
        await driftOfSources(context, await expandPatterns(sources), {
          ...{ keyField: match, reissue: false, overwritesDrifted: false, isNew: false, accepted },
          ...{ encoding, columns: column ?? [], folders: files ?? [], name, maxAge: refresh },
          detailedExitCode: detailedExitcode === true,
        })
      }),
    )
}
