import { type Command, Option } from '@commander-js/extra-typings'
import { about } from '../cli/about.ts'
import type { Run } from '../cli/context.ts'
import { deleteEach } from '../cli/delete-each.ts'
import { forEach } from '../cli/for-each.ts'
import { showItem } from '../cli/item.ts'
import { list, paginatedListing } from '../cli/listing.ts'
import type { View } from '../cli/output/view.ts'
import { repeated, repeatedChoice } from '../cli/repeatable.ts'
import { ifChangedChoices } from '../plan/wanted.ts'
import type { RequestOptions } from '../service/client/call.ts'
import { fieldsOf } from '../service/contract/fields.ts'
import { languageName } from '../service/contract/language.ts'
import { Publication, PublicationSummary, publicationStatuses } from '../service/contract/publication.ts'
import {
  PublicationStats,
  publicationFormats,
  publicationSorts,
  publications,
} from '../service/contract/publications.ts'
import { UsageFailure } from '../system/errors.ts'
import {
  againOption,
  batchOptions,
  bookOptions,
  creationOptions,
  summaryOption,
} from '../uploads/options/book-options.ts'
import { shardOption } from '../uploads/options/shard-option.ts'
import { bookFiles, namingOptions } from '../uploads/options/sheet-options.ts'
import { newestEdition } from '../uploads/outcome.ts'
import { waitFor } from './wait.ts'

const summaries: View = {
  columns: [
    { field: 'publicationId', isCutLast: true },
    { field: 'title', isMain: true },
    { field: 'author', isMinor: true },
    { field: 'type' },
    { field: 'status', isMinor: true },
    { field: 'uploadStatus', isCutLast: true },
    { field: 'createdAtIso', kind: 'date', isCutLast: true, isMinor: true },
  ],
  fields: () => fieldsOf(PublicationSummary),
  empty: 'There are no publications. Upload one: pubctl publications upload book.epub',
}

const view: View = {
  columns: [
    { field: 'id', isCutLast: true },
    { field: 'editions.title' },
    { field: 'editions.author' },
    { field: 'editions.type' },
    { field: 'editions.uploadStatus' },
    { field: 'language' },
    { field: 'description', isDetail: true },
    { field: 'sampleItems', isDetail: true },
    { field: 'isForInternalReadingInstance', isDetail: true },
    { field: 'editions.id', label: 'edition id', isDetail: true },
    { field: 'editions.status', isDetail: true },
    { field: 'editions.editionCreated', kind: 'date', isDetail: true },
    { field: 'editions.isReflowable', isDetail: true },
    { field: 'editions.metadata.isbn', isDetail: true },
    { field: 'editions.metadata.publisher', isDetail: true },
    { field: 'editions.metadata.layoutType', isDetail: true },
    { field: 'editions.metadata.fileSize', kind: 'bytes', isDetail: true },
  ],
  fields: () => fieldsOf(Publication),
  empty: 'There are no publications.',
}

const statsView: View = {
  columns: [
    { field: 'defaultPublicationId' },
    { field: 'stats.publicationCount', label: 'publications', kind: 'count' },
    { field: 'stats.publicationEditionCount', label: 'editions', kind: 'count' },
    { field: 'stats.months' },
  ],
  fields: () => fieldsOf(PublicationStats),
}

export function register(group: Command, run: Run): void {
  about(paginatedListing(group.command('list').description(publications.list.summary)), {
    does: 'reads',
    examples: ['publications list --status live --sort title', 'publications list --all --json'],
  })
    .optionsGroup('Filters:')
    .option('--search <text>', 'only those that match a text')
    .addOption(repeatedChoice('--status <status>', 'only those of a status', publicationStatuses))
    .addOption(repeatedChoice('--format <format>', 'only those of a format', publicationFormats))
    .option('--collection <id>', 'only those of a collection')
    .addOption(new Option('--sort <field>', 'what to sort by').choices(publicationSorts))
    .addOption(new Option('--asc', 'ascending: A to Z, the oldest first').conflicts('desc'))
    .option('--desc', 'descending: Z to A, the newest first')
    .action(
      run(async (context, { search, status, format, collection, sort, asc, desc, ...paging }) => {
        const filters = {
          search,
          statuses: status,
          formats: format,
          collectionId: collection,
          sortBy: sort,
          sortDirection: asc ? 'asc' : desc ? 'desc' : undefined,
        }
        await list(context, summaries, publications.list, filters, paging)
      }),
    )

  about(group.command('stats').description('Show how many publications and editions there are'), {
    does: 'reads',
    examples: ['publications stats', 'publications stats --query stats.publicationCount'],
  }).action(
    run(async context => {
      await context.check(statsView)
      // The counts come with a list, of which as little as possible is asked for.
      const { raw } = await context.call(publications.list, { limit: 1 })
      const { defaultPublicationId, stats } = raw
      await context.item(statsView, { defaultPublicationId, stats })
    }),
  )

  about(group.command('get <id>').description(publications.get.summary), {
    does: 'reads',
    examples: ['publications get pub_123', 'publications get pub_123 --json --fields id,editions.title'],
  }).action(run(async (context, id) => await showItem(context, view, publications.get, { id })))

  about(
    namingOptions(
      batchOptions(
        bookOptions(
          group
            .command('upload')
            .argument('[file...]', bookFiles)
            .description('Upload books, each as a new publication, and wait for them'),
        ),
      ),
    ),
    {
      does: 'adds',
      withheld: ['--summary', '--rules', '--epubcheck'],
      writesTo: ['--report'],
      examples: [
        'publications upload book.epub',
        'publications upload book.epub --title "My Book" --cover cover.jpg',
        'publications upload books/ --recursive --report receipt.html',
        'publications upload --manifest books.csv --concurrency 8',
        'publications upload books/ --recursive --shard 3/7 --report receipts-3.ndjson',
        'publications upload book.pdf --no-wait --json',
      ],
      waits: true,
    },
  )
    .addOption(shardOption())
    .addOption(summaryOption())
    .option(
      '--skip-existing',
      'leave out files that are there already; a book there with another file is a conflict',
    )
    .addOption(
      new Option(
        '--if-changed <action>',
        'what to do with a book that is there with another file; looks for it as --skip-existing does',
      ).choices(ifChangedChoices),
    )
    .addOption(againOption().conflicts(['skipExisting', 'ifChanged']))
    .action(
      run(async (context, files, options) => {
        const { uploadFiles } = await import('../uploads/upload-command.ts')
        await uploadFiles(context, files, options)
      }),
    )

  about(creationOptions(group.command('create <file>').description(publications.create.summary)), {
    does: 'adds',
    notForAgents:
      'it prints addresses that anybody can upload to; publications upload and editions upload do without',
    examples: [
      'publications create book.epub --json > created.json',
      'publications create book.epub --cover cover.jpg',
    ],
  }).action(
    run(async (context, file, options) => {
      const { createOnly } = await import('../uploads/create-only.ts')
      await createOnly(context, null, file, options)
    }),
  )

  about(group.command('update <id>').description(publications.update.summary), {
    does: 'changes',
    examples: ['publications update pub_123 --language French', 'publications update pub_123 --no-internal'],
  })
    .option('--language <language>', 'a tag such as en-GB, or a name such as English')
    .option('--description <text>', 'what it is about')
    .addOption(repeated('--sample-item <item>', 'an item that anybody may read').conflicts('sampleItems'))
    .option('--no-sample-items', 'no items that anybody may read')
    .option('--internal', 'only for the internal reading instance')
    .option('--no-internal', 'for every reading instance')
    .action(
      run(async (context, id, { language, description, sampleItem, sampleItems, internal }) => {
        await context.check(view)
        const changes = {
          language: language === undefined ? undefined : languageName(language),
          description,
          sampleItems: sampleItems ? sampleItem : [],
          isForInternalReadingInstance: internal,
        }
        if (Object.values(changes).every(value => value === undefined)) {
          throw new UsageFailure('there is nothing to change', {
            hint: 'Name what to change, such as --description.',
          })
        }
        const reply = await context.change(publications.update, { id, ...changes })
        if (reply) await context.item(view, reply.raw.item)
      }),
    )

  about(group.command('delete <id...>').description(publications.delete.summary), {
    does: 'deletes',
    examples: ['publications delete pub_123', 'publications delete pub_123 pub_456 --yes'],
  }).action(
    run(async (context, ids) => {
      const titleOf = async (id: string) =>
        newestEdition((await context.call(publications.get, { id })).value.item)?.title
      await deleteEach(context, ids, {
        noun: 'publication',
        endpoint: publications.delete,
        view,
        nameOf: titleOf,
        isTyped: true,
      })
    }),
  )

  about(group.command('wait <id...>').description('Wait until publications are processed'), {
    does: 'reads',
    examples: ['publications wait pub_123 --timeout 10m'],
    waits: true,
  }).action(
    run(async (context, ids) => {
      await context.check(view)
      await forEach(context, view, ids, async id => {
        const ask = (options: RequestOptions) => context.call(publications.get, { id }, options)
        const { raw } = await waitFor(
          context,
          id,
          ask,
          ({ value }) => newestEdition(value.item)?.uploadStatus,
        )
        return raw.item
      })
    }),
  )
}
