import type { Command } from '@commander-js/extra-typings'
import { about } from '../cli/about.ts'
import type { Run } from '../cli/context.ts'
import { deleteEach } from '../cli/delete-each.ts'
import { changeItem, showItem } from '../cli/item.ts'
import { list, paginatedListing } from '../cli/listing.ts'
import type { View } from '../cli/output/view.ts'
import { fieldsOf } from '../service/contract/fields.ts'
import {
  ReaderInstance,
  ReaderInstanceSummary,
  readerInstances,
} from '../service/contract/reader-instances.ts'

const summaries: View = {
  columns: [
    { field: 'id', isCutLast: true },
    { field: 'name', isMain: true },
    { field: 'description' },
    { field: 'isDefault' },
    { field: 'isSampleOnly', isMinor: true },
    { field: 'securityLevel', isMinor: true },
    { field: 'updatedAtIso', kind: 'date', isCutLast: true, isMinor: true },
  ],
  fields: () => fieldsOf(ReaderInstanceSummary),
  empty: 'There are no reader instances.',
}

const view: View = {
  columns: [
    ...summaries.columns,
    { field: 'permittedDomains', isDetail: true },
    { field: 'configuration.plan', isDetail: true },
    { field: 'configuration.version', isDetail: true },
    { field: 'configuration.private.authentication.authType', isDetail: true },
    { field: 'createdAtIso', kind: 'date', isDetail: true },
  ],
  fields: () => fieldsOf(ReaderInstance),
  empty: summaries.empty,
}

export function register(group: Command, run: Run): void {
  about(paginatedListing(group.command('list').description(readerInstances.list.summary)), {
    does: 'reads',
    examples: ['reader-instances list', 'reader-instances list --all -o csv'],
  }).action(run(async (context, paging) => await list(context, summaries, readerInstances.list, {}, paging)))

  about(group.command('get <id>').description(readerInstances.get.summary), {
    does: 'reads',
    examples: ['reader-instances get ri_123', 'reader-instances get ri_123 --json --fields configuration'],
  }).action(run(async (context, id) => await showItem(context, view, readerInstances.get, { id })))

  about(group.command('copy <id>').description(readerInstances.copy.summary), {
    does: 'adds',
    examples: ['reader-instances copy ri_123'],
  }).action(run(async (context, id) => await changeItem(context, view, readerInstances.copy, { id })))

  about(group.command('delete <id...>').description(readerInstances.delete.summary), {
    does: 'deletes',
    examples: ['reader-instances delete ri_123 --yes'],
  }).action(
    run(async (context, ids) => {
      const instanceNameOf = async (id: string) =>
        (await context.call(readerInstances.get, { id })).value.item?.name
      await deleteEach(context, ids, {
        noun: 'reader instance',
        endpoint: readerInstances.delete,
        view,
        nameOf: instanceNameOf,
      })
    }),
  )
}
