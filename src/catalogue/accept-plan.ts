import { existsSync } from 'node:fs'
import type { Context } from '../cli/context.ts'
import { differencesColumn } from '../cli/output/difference-text.ts'
import { requestView } from '../cli/output/dry-run-views.ts'
import type { View } from '../cli/output/view.ts'
import { withoutAccepted } from '../plan/differences.ts'
import type { Selection } from '../plan/selection.ts'
import { counted } from '../system/counted.ts'
import { UsageFailure } from '../system/errors.ts'
import { shellWord } from '../system/shell-word.ts'
import { checkWritable } from '../system/write-file.ts'
import { type AcceptedLine, openAccepted, writeAccepted } from './accepted.ts'
import { isWhole, selectSteps } from './select.ts'
import { openPlan } from './sources/read-plan.ts'

/** How accepted differences are shown. `match` is what books are matched by. */
const acceptedViewOf = (match: string): View => ({
  columns: [
    { field: 'key', label: match },
    { field: 'title', isMain: true },
    { field: 'publicationId', isCutLast: true },
    { field: 'field' },
    { ...differencesColumn, field: 'difference' },
  ],
  fields: () => new Set('key title publicationId field there wanted difference difference.*'.split(' ')),
  empty: 'No difference was accepted that was not known.',
})

/** Adds the differences of the selected steps of a plan to a file of those that are known, and shows them. */
export async function acceptDifferences(
  context: Context,
  path: string,
  { accepted: file, selection }: { readonly accepted: string; readonly selection: Selection },
): Promise<void> {
  await context.check(context.options.dryRun ? requestView : acceptedViewOf('isbn'))
  if (isWhole(selection)) {
    throw new UsageFailure('nothing says which differences are accepted', {
      hint: 'Name the books with --only, or accept all of an action, such as --action blocked.',
    })
  }
  checkWritable(file)
  const before = existsSync(file) ? (await openAccepted(file, context.world.mayRead)).lines : []
  const { match, added } = await differencesIn(context, path, selection)
  const ids = new Set(added.map(({ publicationId, field }) => `${field} ${publicationId}`))
  // What was accepted of the same field before does not hold any more.
  const kept = before.filter(({ publicationId, field }) => !ids.has(`${field} ${publicationId}`))
  const isNew = (line: AcceptedLine) => withoutAccepted([line], line.publicationId, before).open.length > 0
  const news = added.filter(isNew)
  if (context.options.dryRun)
    return await context.list(requestView, [[{ method: 'WRITE', url: `file:${file}`, body: news }]])
  writeAccepted(file, [...kept, ...added])
  await context.list(acceptedViewOf(match), [
    news.map(line => ({
      ...line,
      difference: { field: line.field, there: line.there, wanted: line.wanted },
    })),
  ])
  await context.note(`${file} keeps ${counted(kept.length + added.length, 'difference')} as known.`)
  await context.note(
    `To leave them out of a plan, add to "pubctl catalogue plan": --accepted ${shellWord(file)}`,
  )
}

async function differencesIn(
  context: Context,
  path: string,
  selection: Selection,
): Promise<{ readonly match: string; readonly added: readonly AcceptedLine[] }> {
  const plan = await openPlan(path, context.world.mayRead)
  try {
    const lines: AcceptedLine[] = []
    for (const place of await selectSteps(context, plan.steps, selection)) {
      const { action, key, title, publicationId, differences } = await place.read()
      if (differences === null || publicationId === null) {
        if (selection.only.length === 0) continue
        throw new UsageFailure(
          `the step of ${key ?? title ?? publicationId} (${action}) has no differences to accept`,
          {
            code: 'no_differences',
            hint: 'Nothing was accepted. Only values of fields can be: of "update", "drifted" and "blocked", and of "edition" with --reissue.',
          },
        )
      }
      for (const { field, there, wanted } of differences)
        lines.push({ key, title, publicationId, field, there, wanted })
    }
    return { match: plan.header.match, added: lines }
  } finally {
    await plan.close()
  }
}
