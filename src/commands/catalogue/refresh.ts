import { knownPublications } from '../../catalogue/known-publications.ts'
import type { Context } from '../../cli/context.ts'
import { partFailed } from '../../cli/for-each.ts'
import type { View } from '../../cli/output/view.ts'

const view: View = {
  columns: [
    { field: 'target', label: 'address' },
    { field: 'scopeId' },
    { field: 'listed', kind: 'count' },
    { field: 'outdated', kind: 'count' },
    { field: 'read', kind: 'count' },
    { field: 'removed', kind: 'count' },
    { field: 'unread', kind: 'count' },
  ],
  fields: () => new Set(['target', 'scopeId', 'listed', 'outdated', 'read', 'removed', 'unread']),
}

/** Reads all publications again and shows how many; fails with each one that could not be read. */
export async function refreshAll(context: Context): Promise<void> {
  await context.check(view)
  const isDryRun = context.options.dryRun === true
  const { refreshed, caller, close } = await knownPublications(context, { reads: 'all', isDryRun })
  close()
  const { listed, counts, read, removed, unread } = refreshed
  await context.item(view, {
    target: caller.target,
    scopeId: caller.scopeId,
    listed,
    outdated: counts.new + counts.changed + counts.missing,
    ...{ read, removed, unread: unread.length },
  })
  if (unread.length > 0) {
    const failures = unread.map(({ publicationId, failure }) => ({ id: publicationId, failure }))
    throw partFailed(failures, listed)
  }
}
