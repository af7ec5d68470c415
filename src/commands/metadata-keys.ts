import type { Command } from '@commander-js/extra-typings'
import { about } from '../cli/about.ts'
import type { Context, Run } from '../cli/context.ts'
import { deleteEach } from '../cli/delete-each.ts'
import { forEach } from '../cli/for-each.ts'
import { changeItem } from '../cli/item.ts'
import { list, listing } from '../cli/listing.ts'
import type { View } from '../cli/output/view.ts'
import type { Resource } from '../service/client/read.ts'
import { fieldsOf } from '../service/contract/fields.ts'
import { MetadataKey, metadataKeys } from '../service/contract/metadata-keys.ts'
import { exitCodes, Failure, ServiceFailure, withHint } from '../system/errors.ts'

const view: View = {
  columns: [
    { field: 'id', isCutLast: true },
    { field: 'key' },
    { field: 'label' },
    { field: 'status' },
    { field: 'isInUse' },
    { field: 'origin', isDetail: true },
    { field: 'mutability', isDetail: true },
    { field: 'createdAtIso', kind: 'date', isCutLast: true, isMinor: true },
    { field: 'archivedAtIso', kind: 'date', isDetail: true },
  ],
  fields: () => fieldsOf(MetadataKey),
  empty: 'There are no metadata keys. Create one: pubctl metadata-keys create series',
}

/** What the arguments are of commands for keys, which people tend to name by their key. */
const keyIds = 'the ids that "metadata-keys list" shows'

export function register(group: Command, run: Run): void {
  about(listing(group.command('list').description(metadataKeys.list.summary)), {
    does: 'reads',
    examples: ['metadata-keys list', `metadata-keys list --query "[?status=='archived'].key"`],
  }).action(run(async (context, paging) => await list(context, view, metadataKeys.list, {}, paging)))

  about(
    group
      .command('create')
      .argument('<key>', 'the name by which values are sent, such as series')
      .description(metadataKeys.create.summary),
    {
      does: 'adds',
      examples: ['metadata-keys create series --label "Series"'],
    },
  )
    .option('--label <text>', 'the name that people see')
    .action(
      run(
        async (context, key, { label }) =>
          await changeItem(context, view, metadataKeys.create, { key, label }),
      ),
    )

  const setStatus = async (context: Context, ids: readonly string[], status: 'active' | 'archived') => {
    await context.check(view)
    await forEach(
      context,
      view,
      ids,
      async id => (await context.change(metadataKeys.update, { id, status }))?.raw.item,
    )
  }
  about(
    group
      .command('archive')
      .argument('<id...>', keyIds)
      .description('Archive metadata keys, so that they can be deleted or restored'),
    {
      does: 'changes',
      examples: ['metadata-keys archive key_123'],
    },
  ).action(run(async (context, ids) => await setStatus(context, ids, 'archived')))

  about(
    group
      .command('restore')
      .argument('<id...>', keyIds)
      .description('Make archived metadata keys active again'),
    {
      does: 'changes',
      examples: ['metadata-keys restore key_123'],
    },
  ).action(run(async (context, ids) => await setStatus(context, ids, 'active')))

  about(group.command('delete').argument('<id...>', keyIds).description(metadataKeys.delete.summary), {
    does: 'deletes',
    examples: ['metadata-keys delete key_123', 'metadata-keys delete key_123 --archive --yes'],
  })
    .option('--archive', 'archive them first, since an active key cannot be deleted')
    .action(
      run(async (context, ids, { archive }) => {
        const keyOf = async (id: string) =>
          (await context.call(metadataKeys.list, {})).value.items.find(key => key.id === id)
        const { archiveFirst, explain } = archiver(context, keyOf)
        await deleteEach(context, ids, {
          noun: 'metadata key',
          endpoint: metadataKeys.delete,
          view,
          nameOf: async id => (await keyOf(id))?.key,
          ...(archive ? { before: archiveFirst } : {}),
          explain,
        })
      }),
    )
}

type KeyRecord = Resource<typeof MetadataKey>

/** Archives keys before they are deleted, and restores those that the service then refuses to delete. */
function archiver(context: Context, keyOf: (id: string) => Promise<KeyRecord | undefined>) {
  const archived = new Set<string>()

  async function archiveFirst(id: string): Promise<void> {
    const key = await keyOf(id)
    if (key?.isInUse) {
      throw new Failure(
        `the metadata key ${key.key ?? id} is in use, so it was neither archived nor deleted`,
        {
          code: 'key_in_use',
          exitCode: exitCodes.refused,
          hint: 'Editions have values for it. To archive it all the same: pubctl metadata-keys archive',
        },
      )
    }
    if (key?.status === 'archived') return
    if (await context.change(metadataKeys.update, { id, status: 'archived' })) archived.add(id)
  }

  async function explain(id: string, failure: Failure): Promise<Failure> {
    if (archived.has(id)) {
      const isRestored =
        failure instanceof ServiceFailure && (failure.status ?? 500) < 500 && (await restore(id))
      return withHint(
        failure,
        isRestored
          ? 'It was archived for this, and is active again.'
          : `It is archived now. To make it active again: pubctl metadata-keys restore ${id}`,
      )
    }
    const isActive =
      failure instanceof ServiceFailure && failure.status === 400 && (await keyOf(id))?.status === 'active'
    return isActive
      ? withHint(
          failure,
          'An active key must be archived first: add --archive, or run "pubctl metadata-keys archive".',
        )
      : failure
  }

  async function restore(id: string): Promise<boolean> {
    try {
      await context.change(metadataKeys.update, { id, status: 'active' })
      return true
    } catch (error) {
      if (error instanceof Failure) return false
      throw error
    }
  }

  return { archiveFirst, explain }
}
