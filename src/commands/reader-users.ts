import type { Command } from '@commander-js/extra-typings'
import { about } from '../cli/about.ts'
import type { Run } from '../cli/context.ts'
import { showItem } from '../cli/item.ts'
import { list, listing } from '../cli/listing.ts'
import type { View } from '../cli/output/view.ts'
import { fieldsOf } from '../service/contract/fields.ts'
import { ReaderUser, ReaderUserSummary, readerUsers } from '../service/contract/reader-users.ts'

const summaries: View = {
  columns: [
    { field: 'id', isCutLast: true },
    { field: 'userId' },
    { field: 'deviceId', isMinor: true },
    { field: 'lastOrigin' },
    { field: 'lastSessionStartedAt', label: 'last session', kind: 'date', isCutLast: true },
    { field: 'numberOfBooksRead', label: 'books read', kind: 'count' },
    { field: 'currentPublicationId', isDetail: true },
  ],
  fields: () => fieldsOf(ReaderUserSummary),
  empty: 'Nobody has read anything yet.',
}

const view: View = {
  columns: [
    ...summaries.columns,
    { field: 'origins', isDetail: true },
    { field: 'currentPublication.title', label: 'now reading', isDetail: true },
    { field: 'currentReadingState.progression', kind: 'part', isDetail: true },
    { field: 'currentReadingState.chapterTitle', isDetail: true },
    { field: 'readingHistory.title', label: 'has read', isDetail: true },
  ],
  fields: () => fieldsOf(ReaderUser),
  empty: summaries.empty,
}

export function register(group: Command, run: Run): void {
  about(listing(group.command('list').description(readerUsers.list.summary)), {
    does: 'reads',
    examples: ['reader-users list', 'reader-users list --all -o ndjson'],
  }).action(run(async (context, paging) => await list(context, summaries, readerUsers.list, {}, paging)))

  about(group.command('get <id>').description(readerUsers.get.summary), {
    does: 'reads',
    examples: ['reader-users get ru_123', 'reader-users get ru_123 --json --query "readingHistory[].title"'],
  }).action(run(async (context, id) => await showItem(context, view, readerUsers.get, { id })))
}
