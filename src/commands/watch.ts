import { type Command, Option } from '@commander-js/extra-typings'
import { about } from '../cli/about.ts'
import type { Run } from '../cli/context.ts'
import { parseAge, parseDuration } from '../cli/option-types.ts'
import { stepView } from '../cli/output/dry-run-views.ts'
import { defaultName, parseNamePattern } from '../plan/name-pattern.ts'
import { ifChangedChoices } from '../plan/wanted.ts'
import { UsageFailure } from '../system/errors.ts'
import { concurrencyOption } from '../uploads/options/book-options.ts'
import { checkOptions } from '../uploads/options/check-options.ts'
import { encodingOption, matchOption } from '../uploads/options/sheet-options.ts'
import { parseTrigger } from '../watch/folder/names.ts'

export function register(group: Command, run: Run): void {
  checkOptions(
    about(group.argument('<folder>', 'where books are put').description('Upload what is put into a folder'), {
      does: 'changes',
      notForAgents: 'it runs until it is stopped',
      examples: [
        'watch /srv/incoming',
        "watch /srv/incoming --trigger '*.ready' --recursive",
        'watch /srv/incoming --once -o ndjson',
      ],
      waits: true,
      ends: ['partFailed'],
    })
      .optionsGroup('The folder:')
      .addOption(
        new Option('--quiet-period <duration>', 'how long a file must not have changed before it is read')
          .argParser(parseAge)
          .default(10_000, '10s'),
      )
      .addOption(
        new Option('--scan <duration>', 'how often the folder is looked through')
          .argParser(parseDuration)
          .default(5_000, '5s'),
      )
      .option('--recursive', 'look into its folders as well')
      .addOption(
        new Option(
          '--trigger <pattern>',
          "wait for a file that says that another one is complete, such as '*.ready'",
        ).argParser(pattern => parseTrigger(pattern)),
      )
      .option('--done <folder>', 'where uploaded files are moved (default: done within the folder)')
      .option('--failed <folder>', 'where the others are moved (default: failed within the folder)')
      .option('--once', 'deal with the files that are there, and end')
      .optionsGroup('Sheets and ONIX messages:')
      .addOption(encodingOption())
      .addOption(
        new Option(
          '--name <pattern>',
          'how the files of books are named that the sheet names no file of, with {isbn}, {key} or {title}',
        )
          .argParser(parseNamePattern)
          .default(parseNamePattern(defaultName), `"${defaultName}"`),
      )
      .addOption(matchOption())
      .option('--reissue', 'make a new edition where a field differs that the service cannot change')
      .option('--new', 'create books although a publication without an ISBN has their title')
      .optionsGroup('The upload:')
      .addOption(
        new Option('--if-changed <what>', 'what to do with a book that is at the service with another file')
          .choices(ifChangedChoices)
          .default('fail' as const),
      )
      .option('--no-wait', 'do not wait until the service has processed the files')
      .option('--no-check', 'send files even if they have problems')
      .option('--strict', 'stop on warnings as well as on errors'),
  )
    .addOption(concurrencyOption())
    .action(
      run(async (context, folder, options) => {
        const { eventView } = await import('../watch/events.ts')
        await context.check(context.options.dryRun ? stepView : eventView)
        const { format } = context
        if (!options.once && !context.options.dryRun && (format === 'json' || format === 'csv')) {
          throw new UsageFailure(`-o ${format} is printed at the end, and a watcher has none`, {
            hint: 'Use -o ndjson, which prints a line an event, or add --once.',
          })
        }
        const { askedChecks } = await import('../uploads/asked-checks.ts')
        const { watchFolder } = await import('../watch/watch-folder.ts')
        await watchFolder(context, folder, {
          ...options,
          ...(await askedChecks(context, options)),
          once: options.once === true,
          recursive: options.recursive === true,
          rows: {
            keyField: options.match,
            reissue: options.reissue === true,
            isNew: options.new === true,
            encoding: options.encoding,
            name: options.name,
          },
        })
      }),
    )
}
