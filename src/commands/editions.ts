import type { Command } from '@commander-js/extra-typings'
import { about } from '../cli/about.ts'
import type { Run } from '../cli/context.ts'
import { showItem } from '../cli/item.ts'
import { list, listing } from '../cli/listing.ts'
import type { View } from '../cli/output/view.ts'
import type { RequestOptions } from '../service/client/call.ts'
import { editions } from '../service/contract/editions.ts'
import { fieldsOf } from '../service/contract/fields.ts'
import { Edition } from '../service/contract/publication.ts'
import { againOption, bookOptions, creationOptions } from '../uploads/options/book-options.ts'
import { waitFor } from './wait.ts'

const view: View = {
  columns: [
    { field: 'id', isCutLast: true },
    { field: 'version' },
    { field: 'isCurrentVersion', label: 'current' },
    { field: 'title', isMain: true },
    { field: 'type' },
    { field: 'status', isMinor: true },
    { field: 'uploadStatus', isCutLast: true },
    { field: 'editionCreated', kind: 'date', isCutLast: true, isMinor: true },
    { field: 'author', isDetail: true },
    { field: 'isReflowable', isDetail: true },
    { field: 'titleSource', isDetail: true },
    { field: 'editionNotes', isDetail: true },
    { field: 'metadata.isbn', isDetail: true },
    { field: 'metadata.publisher', isDetail: true },
    { field: 'metadata.pageCount', kind: 'count', isDetail: true },
    { field: 'metadata.fileSize', kind: 'bytes', isDetail: true },
    { field: 'metadata.epubVersion', isDetail: true },
    { field: 'metadata.layoutType', isDetail: true },
    { field: 'navigationData.title', label: 'contents', isDetail: true },
  ],
  fields: () => fieldsOf(Edition),
  empty: 'There are no editions.',
}

const [publicationId, editionId] = ['the id of a publication', 'the id of one of its editions']

export function register(group: Command, run: Run): void {
  about(
    listing(
      group.command('list').argument('<publication>', publicationId).description(editions.list.summary),
    ),
    {
      does: 'reads',
      examples: ['editions list pub_123'],
    },
  ).action(run(async (context, id, paging) => await list(context, view, editions.list, { id }, paging)))

  about(
    group
      .command('get')
      .argument('<publication>', publicationId)
      .argument('<edition>', editionId)
      .description(editions.get.summary),
    {
      does: 'reads',
      examples: ['editions get pub_123 ed_456', 'editions get pub_123 ed_456 --json --fields metadata'],
    },
  ).action(
    run(async (context, id, editionid) => await showItem(context, view, editions.get, { id, editionid })),
  )

  about(
    bookOptions(
      group
        .command('upload')
        .argument('<publication>', publicationId)
        .argument('<file>')
        .description('Upload a file as a new edition of a publication, and wait for it'),
    ),
    {
      does: 'adds',
      withheld: ['--rules', '--epubcheck'],
      examples: ['editions upload pub_123 second-edition.epub'],
      waits: true,
    },
  )
    .addOption(againOption())
    .action(
      run(async (context, id, file, options) => {
        const { uploadEdition } = await import('../uploads/upload-command.ts')
        await uploadEdition(context, id, file, options)
      }),
    )

  about(
    creationOptions(
      group
        .command('create')
        .argument('<publication>', publicationId)
        .argument('<file>')
        .description(editions.create.summary),
    ),
    {
      does: 'adds',
      notForAgents:
        'it prints addresses that anybody can upload to; publications upload and editions upload do without',
      examples: ['editions create pub_123 second-edition.epub --json > created.json'],
    },
  ).action(
    run(async (context, id, file, options) => {
      const { createOnly } = await import('../uploads/create-only.ts')
      await createOnly(context, id, file, options)
    }),
  )

  about(
    group
      .command('wait')
      .argument('<publication>', publicationId)
      .argument('<edition>', editionId)
      .description('Wait until an edition is processed'),
    {
      does: 'reads',
      examples: ['editions wait pub_123 ed_456 --timeout 10m'],
      waits: true,
    },
  ).action(
    run(async (context, id, editionid) => {
      await context.check(view)
      const ask = (options: RequestOptions) => context.call(editions.get, { id, editionid }, options)
      const { raw } = await waitFor(context, editionid, ask, ({ value }) => value.item?.uploadStatus)
      await context.item(view, raw.item)
    }),
  )
}
