import type { Command } from '@commander-js/extra-typings'
import { about } from '../../cli/about.ts'
import type { Run } from '../../cli/context.ts'
import { checkedByColumn } from '../../cli/output/checked-by-column.ts'
import type { View } from '../../cli/output/view.ts'
import { repeated } from '../../cli/repeatable.ts'
import { UsageFailure } from '../../system/errors.ts'
import { checkOptions } from '../../uploads/options/check-options.ts'
import { bookFiles, namingOptions } from '../../uploads/options/sheet-options.ts'
import { typeOption } from '../../uploads/options/type-option.ts'
import { inventoryColumns } from './inventory-columns.ts'

const view: View = {
  columns: [
    { field: 'file', isPath: true },
    { field: 'type' },
    { field: 'title' },
    { field: 'authors' },
    { field: 'language' },
    { field: 'isbn', isCutLast: true },
    { field: 'publisher', isDetail: true },
    { field: 'description', isDetail: true },
    { field: 'epubVersion', isDetail: true },
    { field: 'layout', isMinor: true },
    { field: 'spread', isDetail: true },
    { field: 'pageCount', isDetail: true },
    { field: 'cover.path', label: 'cover', isDetail: true },
    { field: 'cover.mediaType', label: 'cover type', isDetail: true },
    { field: 'cover.width', label: 'cover width', isDetail: true },
    { field: 'cover.height', label: 'cover height', isDetail: true },
    { field: 'trackCount', isDetail: true },
    { field: 'duration', isDetail: true },
    { field: 'playingTime', isDetail: true },
    { field: 'drm', isDetail: true },
    ...inventoryColumns,
    { field: 'problems.message', label: 'problems' },
    { field: 'problems.severity', label: 'severity' },
    { field: 'problems.place', label: 'place' },
    { field: 'problems.code', label: 'code' },
    { field: 'problems.hint', label: 'hint' },
    { field: 'problems.known', label: 'known' },
    { field: 'problems.column', label: 'column' },
    checkedByColumn,
  ],
  fields: () =>
    new Set([
      ...'file type mediaType title titles titles.* authors creators creators.* language isbn publisher'.split(
        ' ',
      ),
      ...'description identifier epubVersion isReflowable layout spread cover cover.* navigation'.split(' '),
      ...'navigation.* pageCount duration playingTime trackCount drm inventory inventory.* checkedBy checkedBy.*'.split(
        ' ',
      ),
      ...'problems problems.*'.split(' '),
    ]),
}

/** What a terminal leaves out of its table where it is narrow. */
const minor = ['authors', 'language', 'isbn', 'layout']

/** At a terminal a verdict stands in the table, and the problems below it, because they are too long for a cell. */
const terminalView: View = {
  ...view,
  columns: [
    ...view.columns
      .filter(({ field }) => !field.startsWith('problems.'))
      .map(column => ({
        ...column,
        ...(column.field === 'file' && { isMain: true }),
        ...(minor.includes(column.field) && { isMinor: true }),
      })),
    { field: 'verdict', isCutLast: true },
  ],
}

export function register(group: Command, run: Run): void {
  about(
    namingOptions(
      checkOptions(
        group
          .argument('[file...]', bookFiles)
          .option('--strict', 'end with exit code 2 for warnings as well as for errors')
          .addOption(typeOption())
          .option('--accessibility', 'show what books say of their accessibility, the worst first')
          .option('--rights', 'show what books say of their rights, makers and access, the worst first')
          .addOption(repeated('--feed <file>', 'with --rights, --rules: compare with an ONIX message'))
          .addOption(
            repeated('--tdm-site <address>', 'with --rights: compare with the tdmrep.json of a site'),
          )
          .option('--report <file>', 'write .html, .csv, .json; of problems also .xml, .sarif')
          .option('--write-baseline <file>', 'write what is found as known problems')
          .option('--only-problems', 'leave out the books without problems'),
      ).option('--ace', 'run Ace as well, which must be installed'),
    ),
    {
      does: 'reads',
      writesTo: ['--report', '--write-baseline'],
      // The first asks whatever address it is given.
      withheld: ['--tdm-site', '--only-problems', '--rules', '--write-baseline'],
      ends: ['network'],
      examples: [
        'inspect book.epub',
        'inspect books/ --recursive -o csv',
        'inspect book.epub --json --query "problems[].message"',
        'inspect books/ --report problems.sarif --only-problems',
        'inspect books/ --accessibility --report catalogue.html',
        'inspect books/ --rights --feed feed.xml --tdm-site https://press.example',
      ],
      isLocal: true,
    },
  ).action(
    run(async (context, inputs, { strict, type, epubcheck, ace, ...options }) => {
      const { accessibility, rights, report, feed, tdmSite, rules, writeBaseline, ...naming } = options
      const checkers = { epubcheck, ace }
      mustGoTogether({ ...options, ...checkers })
      const described = { ...naming, report, type, isStrict: strict === true }
      if (accessibility) {
        const { inspectAccessibility } = await import('./accessibility.ts')
        return await inspectAccessibility(context, inputs, described, view)
      }
      if (rights) {
        const { inspectRights } = await import('./rights.ts')
        return await inspectRights(context, inputs, { ...described, feed, tdmSite }, view)
      }
      const { inspectProblems } = await import('./problems.ts')
      const { onlyProblems, ...named } = naming
      await inspectProblems(
        context,
        inputs,
        {
          ...{ ...named, ...checkers, report, rules, feed, type, onlyProblems, writeBaseline },
          isStrict: strict === true,
        },
        { view, terminalView },
      )
    }),
  )
}

/** Throws UsageFailure for options that mean nothing together. */
function mustGoTogether(given: {
  readonly accessibility?: true | undefined
  readonly rights?: true | undefined
  readonly onlyProblems?: true | undefined
  readonly feed?: readonly string[] | undefined
  readonly tdmSite?: readonly string[] | undefined
  readonly epubcheck?: boolean | undefined
  readonly ace?: true | undefined
  readonly rules?: readonly string[] | undefined
  readonly writeBaseline?: string | undefined
}): void {
  const subject = given.accessibility ? '--accessibility' : given.rights ? '--rights' : undefined
  const apart = given.rights && given.accessibility ? '--rights' : given.epubcheck ? '--epubcheck' : '--ace'
  if (subject !== undefined && given[apart.slice(2) as 'rights'] && apart !== subject) {
    throw new UsageFailure(`${apart} cannot be used with ${subject}`, {
      hint: 'Run the two one after the other.',
    })
  }
  for (const [name, value, worksWith] of [
    ['--feed', given.feed, '--rights or --rules'],
    ['--tdm-site', given.tdmSite, '--rights'],
  ] as const) {
    if (value !== undefined && !given.rights && !(name === '--feed' && given.rules))
      throw new UsageFailure(`${name} works with ${worksWith} only`, { hint: `Add ${worksWith}.` })
  }
  for (const [name, value] of [
    ['--only-problems', given.onlyProblems],
    ['--rules', given.rules],
    ['--write-baseline', given.writeBaseline],
  ] as const) {
    if (value !== undefined && subject !== undefined)
      throw new UsageFailure(`${name} cannot be used with ${subject}`, { hint: 'Leave one of them out.' })
  }
}
