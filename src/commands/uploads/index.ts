import { basename } from 'node:path'
import type { Command } from '@commander-js/extra-typings'
import type { Problem } from '../../books/index.ts'
import { about } from '../../cli/about.ts'
import type { Run } from '../../cli/context.ts'
import { parseUuid } from '../../cli/option-types.ts'
import type { View } from '../../cli/output/view.ts'
import { fieldsOf } from '../../service/contract/fields.ts'
import { UploadSession, uploads } from '../../service/contract/uploads.ts'
import { UsageFailure } from '../../system/errors.ts'
import { typeOption } from '../../uploads/options/type-option.ts'
import { registerJournal } from '../../uploads/unfinished/journal.ts'

const sessionView: View = {
  columns: [
    { field: 'uploadRequestId' },
    { field: 'objectKey' },
    { field: 'expiresIn' },
    { field: 'uploadUrl' },
    { field: 'requiredHeaders' },
  ],
  fields: () => fieldsOf(UploadSession),
}

const putView: View = {
  columns: [{ field: 'file' }, { field: 'bytes', kind: 'bytes' }, { field: 'outcome' }, { field: 'cover' }],
  fields: () => new Set(['file', 'bytes', 'cover', 'outcome']),
}

export function register(group: Command, run: Run): void {
  about(group.command('create <file>').description(uploads.create.summary), {
    does: 'adds',
    notForAgents:
      'it prints addresses that anybody can upload to; publications upload and editions upload do without',
    examples: [
      'uploads create book.epub --json > session.json',
      'uploads create book.epub --cover cover.jpg',
    ],
  })
    .option('--cover <file>', 'ask for a session for this cover image as well')
    .addOption(typeOption())
    .option(
      '--request-id <uuid>',
      'the upload request to get a new session for; a new one if it is not given',
      parseUuid,
    )
    .action(
      run(async (context, file, { cover, requestId, type }) => {
        await context.check(sessionView)
        const { checkType, readBook } = await import('../../books/index.ts')
        const { readSoundCover } = await import('../../books/cover-file.ts')
        const book = await readBook(file, context.world.mayRead)
        mustBeOfType(file, checkType(file, book, type))
        if (cover !== undefined) await readSoundCover(cover, context.world.mayRead)
        const reply = await context.change(uploads.create, {
          uploadRequestId: requestId ?? crypto.randomUUID(),
          publicationFilename: basename(file),
          publicationType: book.type,
          ...(cover === undefined ? {} : { coverFilename: basename(cover) }),
        })
        if (reply) await context.item(sessionView, reply.raw.result)
      }),
    )

  about(group.command('put <file>').description('Send a file to an upload session'), {
    does: 'adds',
    notForAgents: 'its session says to which address a file is sent',
    examples: [
      'uploads put book.epub --session session.json',
      'uploads put book.epub --session created.json --cover cover.jpg',
      'uploads create b.epub --json | pubctl uploads put b.epub --session -',
    ],
  })
    .requiredOption(
      '--session <file>',
      'what "uploads create", "publications create" or "editions create" printed as JSON, or - for standard input',
    )
    .option('--cover <file>', 'the image to send as well; "auto" for the cover in the book', 'none')
    .action(
      run(async (context, file, { session, cover }) => {
        await context.check(putView)
        const { putFiles } = await import('../../uploads/unfinished/put.ts')
        const sent = await putFiles(context, file, { session, cover })
        if (sent) await context.item(putView, sent)
      }),
    )

  registerJournal(group, run)
}

/** Throws UsageFailure `book_unfit` for the first problem. */
function mustBeOfType(file: string, [problem]: readonly Problem[]): void {
  if (problem === undefined) return
  const { message, hint } = problem
  throw new UsageFailure(`${file}: ${message.replace(/\.$/, '')}`, {
    code: 'book_unfit',
    ...(hint && { hint }),
  })
}
