import { type Command, Option } from '@commander-js/extra-typings'
import { about } from '../../cli/about.ts'
import type { Run } from '../../cli/context.ts'
import { parseAge } from '../../cli/option-types.ts'
import { actions } from '../../plan/actions.ts'
import { summaryOption } from '../../uploads/options/book-options.ts'
import { checkOptions } from '../../uploads/options/check-options.ts'
import { matchOption } from '../../uploads/options/sheet-options.ts'
import {
  actionOption,
  excludeOption,
  maxChangesOption,
  onlyOption,
  selectionOf,
} from './selection-options.ts'
import { acceptedOption, sourceOptions } from './source-options.ts'

export function registerPlan(group: Command, run: Run): void {
  checkOptions(
    about(
      sourceOptions(
        group
          .command('plan')
          .argument('<source...>', 'sheets or ONIX messages')
          .description('Show what would make the service equal to spreadsheets and ONIX messages'),
      ),
      {
        does: 'reads',
        withheld: ['--summary', '--rules', '--epubcheck'],
        writesTo: ['--out', '--report'],
        examples: [
          'catalogue plan books.csv',
          'catalogue plan books.csv --out plan.ndjson --report plan.html',
          'catalogue plan onix.xml --files books/ --out plan.ndjson',
          'catalogue plan onix.xml --files books/ --out plan.ndjson --max-changes 10%',
          'catalogue plan books.csv --only 978-3-16-148410-0 --only sea.epub',
          'catalogue plan books.csv --detailed-exitcode --accepted accepted.ndjson',
        ],
        words: Object.entries(actions).map(([action, { meaning }]) => [action, meaning]),
        ends: ['changesPlanned'],
      },
    )
      .optionsGroup('Comparing:')
      .addOption(matchOption())
      .option(
        '--reissue',
        'upload the file again, as a new edition, where a field differs that the service cannot change',
      )
      .option('--overwrite-drifted', 'replace what was changed at the service, too')
      .option(
        '--new',
        'upload books although their title is there without an ISBN, their file is there with another, or is that of another book',
      )
      .addOption(
        new Option('--refresh <age>', 'read the record of each planned book again within this time')
          .argParser(parseAge)
          .default(28 * 86_400_000, '28d'),
      )
      .addOption(acceptedOption()),
  )
    .optionsGroup('The plan:')
    .addOption(onlyOption())
    .addOption(excludeOption())
    .addOption(actionOption())
    .addOption(maxChangesOption())
    .option('--orphans', 'also show and write what the service has and no sheet or message does (orphans)')
    .option('--out <file>', 'write the plan to a file, which "catalogue apply" carries out')
    .option('--report <file>', 'write the steps as a page to a .html file')
    .addOption(summaryOption())
    .option('--detailed-exitcode', 'end with 14 if the service is not equal to the sheets and messages')
    .action(
      run(async (context, sources, options) => {
        const { planViewOf } = await import('../../catalogue/report-plan.ts')
        await context.check(planViewOf(options.match))
        const { summaryFile } = await import('../../uploads/batch/job-summary.ts')
        const { planSources } = await import('../../catalogue/plan-sources.ts')
        const { askedChecks } = await import('../../uploads/asked-checks.ts')
        const { openedChecks } = await import('../../uploads/opened-checks.ts')
        const { expandPatterns } = await import('../../system/pattern.ts')
        await planSources(context, await expandPatterns(sources), {
          ...options,
          keyField: options.match,
          reissue: options.reissue === true,
          overwritesDrifted: options.overwriteDrifted === true,
          isNew: options.new === true,
          showsOrphans: options.orphans === true,
          summary: summaryFile(context, options.summary),
          selection: selectionOf(options),
          detailedExitCode: options.detailedExitcode === true,
          columns: options.column ?? [],
          folders: options.files ?? [],
          maxAge: options.refresh,
          ...(await openedChecks(context, await askedChecks(context, options))),
        })
      }),
    )
}
