import { basename } from 'node:path'
import type { Command } from '@commander-js/extra-typings'
import { about } from '../cli/about.ts'
import { batchOptions } from '../cli/book-options.ts'
import { forEach } from '../cli/for-each.ts'
import { listing, warnOfCut } from '../cli/listing.ts'
import { parseUuid } from '../cli/option-types.ts'
import { readText } from '../cli/read-text.ts'
import type { Context, Run } from '../context.ts'
import { fieldsOf } from '../contract/fields.ts'
import { UploadSession, uploads } from '../contract/uploads.ts'
import { UsageFailure } from '../errors.ts'
import type { Entry } from '../journal/entry.ts'
import type { Queued } from '../journal/queue.ts'
import { stepView } from '../output/dry-run-views.ts'
import type { View } from '../output/view.ts'
import { brokenOffUploads, type Found, namedUploads } from './broken-off.ts'
import { receiptView } from './receipt-view.ts'
import { sizeOf } from './size-of.ts'
import { callerOf, openJournal, readJournal } from './upload-tools.ts'

const sessionView: View = {
  columns: [
    { field: 'uploadRequestId', isWhole: true },
    { field: 'objectKey' },
    { field: 'expiresIn' },
    { field: 'uploadUrl', isWhole: true },
    { field: 'requiredHeaders' },
  ],
  fields: () => fieldsOf(UploadSession),
  empty: '',
}

const journalView: View = {
  columns: [
    { field: 'uploadRequestId', isWhole: true },
    { field: 'file', isPath: true },
    { field: 'bytes', kind: 'bytes', isMinor: true },
    { field: 'stage' },
    { field: 'uploadStatus', isMinor: true },
    { field: 'changedAtIso', kind: 'date', isMinor: true },
    { field: 'errorMessage', label: 'error' },
  ],
  fields: () =>
    new Set(
      `uploadRequestId target scopeId file bytes modified sha256 coverWish editionOf stage publicationId editionId uploadStatus
       errorCode errorMessage title startedAtIso changedAtIso`.split(/\s+/),
    ),
  empty: 'No upload was broken off.',
}

const putView: View = {
  columns: [{ field: 'file' }, { field: 'bytes', kind: 'bytes' }, { field: 'outcome' }, { field: 'cover' }],
  fields: () => new Set(['file', 'bytes', 'cover', 'outcome']),
  empty: '',
}

export function register(group: Command, run: Run): void {
  about(group.command('create <file>').description(uploads.create.summary), {
    examples: [
      'uploads create book.epub --json > session.json',
      'uploads create book.epub --cover cover.jpg',
    ],
    changes: true,
  })
    .option('--cover <file>', 'ask for a session for this cover image as well')
    .option(
      '--request-id <uuid>',
      'the upload request to get a fresh session for; a new one without it',
      parseUuid,
    )
    .action(
      run(async (context, file, { cover, requestId }) => {
        await context.check(sessionView)
        const { readBook } = await import('../books/index.ts')
        const book = await readBook(file)
        if (cover !== undefined) await sizeOf(cover)
        const reply = await context.change(uploads.create, {
          uploadRequestId: requestId ?? crypto.randomUUID(),
          publicationFilename: basename(file),
          publicationType: book.type,
          ...(cover === undefined ? {} : { coverFilename: basename(cover) }),
        })
        if (reply) await context.item(sessionView, reply.result)
      }),
    )

  about(group.command('put <file>').description('Send a file to an upload session that a "create" printed'), {
    examples: [
      'uploads put book.epub --session session.json',
      'uploads put book.epub --session created.json --cover cover.jpg',
      'uploads create b.epub --json | pubctl uploads put b.epub --session -',
    ],
    changes: true,
  })
    .requiredOption(
      '--session <file>',
      'what "uploads create", "publications create" or "editions create" printed as JSON, or - for standard input',
    )
    .option('--cover <file>', 'the image to send as well; "auto" for the cover in the book', 'none')
    .action(
      run(async (context, file, { session, cover }) => {
        await context.check(putView)
        const { putFiles } = await import('./put.ts')
        const sent = await putFiles(context, file, {
          session: await readSessionFile(context, session),
          cover,
        })
        if (sent) await context.item(putView, sent)
      }),
    )

  about(listing(group.command('list').description('List the uploads that were not finished')), {
    examples: ['uploads list', 'uploads list --finished --json'],
    isLocal: true,
  })
    .option('--finished', 'those that were finished as well')
    .action(
      run(async (context, { finished, limit, all }) => {
        await context.check(journalView)
        const journal = await readJournal(context)
        try {
          const entries = [
            ...journal.list({ all: finished === true }).map(shown),
            ...journal.queue.list({}).map(shownQueued),
          ].reverse()
          const most = all || limit === undefined ? entries.length : limit
          await context.list(journalView, [entries.slice(0, most)])
          if (entries.length > most) await warnOfCut(context, most, 'latest')
        } finally {
          journal.close()
        }
      }),
    )

  about(
    batchOptions(group.command('resume [id...]').description('Go on with uploads that were broken off')),
    {
      examples: ['uploads resume', 'uploads resume 4b6aa668-6336-4631-b0cc-77d59186b759 --no-wait'],
      changes: true,
      waits: true,
    },
  )
    .option('--no-wait', 'do not wait until the service has processed the files')
    .action(
      run(async (context, ids, options) => {
        await context.check(context.options.dryRun ? stepView : receiptView)
        const journal = await readJournal(context)
        let found: Found
        try {
          const caller = await callerOf(context, journal)
          found =
            ids.length > 0
              ? namedUploads(journal, ids, caller)
              : await brokenOffUploads(context, journal, caller)
        } finally {
          journal.close()
        }
        const { entries, queued } = found
        if (context.options.dryRun) return await planResumed(context, entries, queued)
        if (entries.length + queued.length === 0)
          return await context.list({ ...receiptView, empty: journalView.empty }, [[]])
        await (await import('./upload.ts')).resumeUploads(context, options, {
          entries,
          queued,
          isList: ids.length !== 1,
        })
      }),
    )

  about(
    group.command('forget <id...>').description('Strike uploads from the journal; the service is not asked'),
    {
      examples: ['uploads forget 4b6aa668-6336-4631-b0cc-77d59186b759'],
      isLocal: true,
    },
  ).action(
    run(async (context, ids) => {
      await context.check(journalView)
      const journal = await openJournal(context)
      try {
        await forEach(context, journalView, ids, async id => {
          const { entries, queued } = namedUploads(journal, [id])
          if (!context.options.dryRun) journal.forget(id)
          return [...entries.map(shown), ...queued.map(shownQueued)][0]
        })
      } finally {
        journal.close()
      }
    }),
  )
}

/** Notes for `--dry-run` what would be gone on with, and what of a batch would be begun. */
async function planResumed(
  context: Context,
  entries: readonly Entry[],
  queued: readonly Queued[],
): Promise<void> {
  const { decideBegun } = await import('../plan/decide.ts')
  const { begunOf } = await import('../transfer/gather.ts')
  for (const entry of entries) {
    const { file, bytes, sha256, stage, creation } = entry
    const before = context.planned.length
    context.plan({
      method: stage === 'sent' ? 'GET' : 'PUT',
      url: `(where ${file} goes)`,
      body: { file, bytes, stage },
    })
    const step = decideBegun(begunOf(entry, null, false))
    context.planStep({ file, bytes, sha256, type: creation.edition.type, stage, ...step }, before)
  }
  for (const { file, uploadRequestId, editionOf } of queued) {
    const before = context.planned.length
    context.plan({ method: 'PUT', url: `(where ${file} goes)`, body: { file, bytes: null, stage: 'queued' } })
    const why = 'its batch was broken off before it was begun'
    const action = editionOf === null ? 'create' : 'edition'
    const step = { action, file, stage: 'queued', why, uploadRequestId, publicationId: editionOf }
    context.planStep(step, before)
  }
}

/** An upload as the journal's commands show it: without its session, which is a key to it. */
const shown = ({
  session: _,
  sessionEnds: __,
  objectKey: ____,
  coverObjectKey: _____,
  fingerprint: ___,
  keyDigest: ______,
  startedAt,
  changedAt,
  creation,
  ...entry
}: Entry) => ({
  ...entry,
  title: creation.edition.title ?? null,
  startedAtIso: new Date(startedAt).toISOString(),
  changedAtIso: new Date(changedAt).toISOString(),
})

/** A file that a batch had not come to, in the same form. */
const shownQueued = ({ uploadRequestId, target, scopeId, file, editionOf, request, queuedAt }: Queued) => ({
  uploadRequestId,
  target,
  scopeId,
  file,
  editionOf,
  stage: 'queued',
  ...{ bytes: null, modified: null, sha256: null, publicationId: null, editionId: null, uploadStatus: null },
  ...{ errorCode: null, errorMessage: null, coverWish: null },
  title: JSON.parse(request).wishes.title ?? null,
  startedAtIso: new Date(queuedAt).toISOString(),
  changedAtIso: new Date(queuedAt).toISOString(),
})

/** The session in a file: what `uploads create` printed, or the service's whole answer around it. */
export async function readSessionFile({ world }: Context, path: string): Promise<unknown> {
  const text = await readText(path, world)
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && 'result' in value ? value.result : value
  } catch {
    throw new UsageFailure(`${path === '-' ? 'standard input' : path} does not hold a session as JSON`, {
      hint: 'Make one: pubctl uploads create book.epub --json > session.json',
    })
  }
}
