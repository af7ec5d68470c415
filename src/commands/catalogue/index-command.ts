import type { Command } from '@commander-js/extra-typings'
import type { IndexSummary } from '../../catalogue/index/index-summary.ts'
import { about } from '../../cli/about.ts'
import type { Run } from '../../cli/context.ts'
import type { View } from '../../cli/output/view.ts'

const view: View = {
  columns: [
    { field: 'target', label: 'address' },
    { field: 'scopeId', isCutLast: true },
    { field: 'publications', kind: 'count' },
    { field: 'unread', kind: 'count', isMinor: true },
    { field: 'notReadYet', label: 'not read yet', kind: 'count', isMinor: true },
    { field: 'comparedAtIso', label: 'listed', kind: 'date' },
    { field: 'oldestAtIso', label: 'oldest record', kind: 'date', isMinor: true },
  ],
  fields: () =>
    new Set('target scopeId file publications unread notReadYet comparedAtIso oldestAtIso'.split(' ')),
  empty: 'Nothing is kept of any service.',
}

export function registerIndex(group: Command, run: Run): void {
  about(
    group
      .command('index')
      .description('Show what is kept on this machine of the publications at each service'),
    { does: 'reads', examples: ['catalogue index', 'catalogue index --refresh'], ends: ['partFailed'] },
  )
    .option('--refresh', 'read all publications from the service again')
    .action(
      run(async (context, { refresh }) => {
        if (refresh) return await (await import('./refresh.ts')).refreshAll(context)
        await context.check(view)
        const { indexFiles, isWorthless } = await import('../../catalogue/index/index-file.ts')
        const { summaryOf } = await import('../../catalogue/index/index-summary.ts')
        const kept: IndexSummary[] = []
        for (const file of indexFiles(context.directories.dataDir)) {
          try {
            const summary = summaryOf(file)
            if (summary) kept.push(summary)
          } catch (error) {
            if (!isWorthless(error)) throw error
            const { code, message, hint } = error
            await context.warn({ code, message, ...(hint && { hint }) })
          }
        }
        await context.list(view, [kept.map(shown)])
      }),
    )
}

const shown = ({ comparedAt, oldestAt, ...summary }: IndexSummary) => ({
  ...summary,
  comparedAtIso: isoOf(comparedAt),
  oldestAtIso: isoOf(oldestAt),
})

const isoOf = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())
