import type { Command } from '@commander-js/extra-typings'
import { about } from '../../cli/about.ts'
import type { Run } from '../../cli/context.ts'
import { deleteEach } from '../../cli/delete-each.ts'
import { changeItem } from '../../cli/item.ts'
import { list, listing } from '../../cli/listing.ts'
import type { View } from '../../cli/output/view.ts'
import { Asset, assets } from '../../service/contract/assets.ts'
import { fieldsOf } from '../../service/contract/fields.ts'

const view: View = {
  columns: [
    { field: 'id', isCutLast: true },
    { field: 'filename' },
    { field: 'type' },
    { field: 'filetype', isDetail: true },
    { field: 'filesize', kind: 'bytes' },
    { field: 'status' },
    { field: 'usedByReaderInstances.name', label: 'used by' },
    { field: 'createdAtIso', kind: 'date', isCutLast: true, isMinor: true },
  ],
  fields: () => fieldsOf(Asset),
  empty: 'There are no assets. Upload a font: pubctl assets upload font.woff2',
}

const uploadView: View = {
  columns: [
    { field: 'file' },
    { field: 'type' },
    { field: 'bytes', kind: 'bytes' },
    { field: 'id', isCutLast: true },
    { field: 'outcome' },
    { field: 'error.message', label: 'error' },
  ],
  fields: () => new Set('file type bytes id outcome error error.code error.message error.hint'.split(' ')),
}

export function register(group: Command, run: Run): void {
  about(listing(group.command('list').description(assets.list.summary)), {
    does: 'reads',
    examples: ['assets list'],
  }).action(run(async (context, paging) => await list(context, view, assets.list, {}, paging)))

  about(group.command('upload').argument('<file...>').description(assets.create.summary), {
    does: 'adds',
    examples: ['assets upload Lora-Regular.woff2 Lora-Bold.woff2'],
  })
    .option('--type <type>', "what the files are, in the service's words", 'font')
    .action(
      run(async (context, files, { type }) => {
        const { expandPatterns } = await import('../../system/pattern.ts')
        const { uploadAssets } = await import('./upload.ts')
        await context.check(uploadView)
        await uploadAssets(context, uploadView, await expandPatterns(files), type)
      }),
    )

  about(
    group
      .command('rename')
      .argument('<id>', 'the id of an asset')
      .argument('<filename>', 'its new name')
      .description(assets.rename.summary),
    {
      does: 'changes',
      examples: ['assets rename as_123 Lora-Italic.woff2'],
    },
  ).action(
    run(async (context, id, filename) => await changeItem(context, view, assets.rename, { id, filename })),
  )

  about(group.command('delete <id...>').description(assets.delete.summary), {
    does: 'deletes',
    examples: ['assets delete as_123 --yes'],
  }).action(
    run(async (context, ids) => {
      const assetNameOf = async (id: string) =>
        (await context.call(assets.list, {})).value.items.find(asset => asset.id === id)?.filename
      await deleteEach(context, ids, { noun: 'asset', endpoint: assets.delete, view, nameOf: assetNameOf })
    }),
  )
}
