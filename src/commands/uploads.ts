import { randomUUID } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Command } from '@commander-js/extra-typings'
import { readBook } from '../books/index.ts'
import type { Context } from '../context.ts'
import { fieldsOf } from '../contract/fields.ts'
import { UploadSession, uploads } from '../contract/uploads.ts'
import { UsageFailure } from '../errors.ts'
import type { View } from '../output/view.ts'
import type { Run } from '../program.ts'
import { readTarget } from '../uploads/session.ts'
import { about } from './about.ts'
import { sendFile } from './send.ts'

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

const putView: View = {
  columns: [{ field: 'file' }, { field: 'bytes', kind: 'bytes' }, { field: 'outcome' }],
  fields: () => new Set(['file', 'bytes', 'outcome']),
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
        const book = await readBook(file)
        const reply = await context.change(uploads.create, {
          uploadRequestId: requestId ?? randomUUID(),
          publicationFilename: basename(file),
          publicationType: book.type,
          ...(cover === undefined ? {} : { coverFilename: basename(cover) }),
        })
        if (reply) await context.item(sessionView, reply.result)
      }),
    )

  about(
    group.command('put <file>').description('Send a file to an upload session that "uploads create" printed'),
    {
      examples: [
        'uploads put book.epub --session session.json',
        'uploads create book.epub --json | pubctl uploads put book.epub --session -',
      ],
      changes: true,
    },
  )
    .requiredOption('--session <file>', 'the session as JSON, or - for standard input')
    .action(
      run(async (context, file, { session }) => {
        await context.check(putView)
        const { size } = await stat(file).catch((error: NodeJS.ErrnoException) => {
          throw new UsageFailure(`cannot read ${file}: ${error.code ?? error.message}`, {
            code: 'file_unreadable',
          })
        })
        const target = readTarget(await readSessionFile(context, session))
        if (context.options.dryRun) {
          return context.plan({
            method: 'PUT',
            url: "(the session's upload URL)",
            body: { file, bytes: size },
          })
        }
        await sendFile(context, target, file, size)
        await context.item(putView, { file, bytes: size, outcome: 'uploaded' })
      }),
    )
}

/** The session in a file: what `uploads create` printed, or the service's whole answer around it. */
export async function readSessionFile({ world }: Context, path: string): Promise<unknown> {
  let text = ''
  if (path === '-') for await (const chunk of world.stdin) text += chunk
  else
    text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new UsageFailure(`cannot read ${path}: ${error.code ?? error.message}`, {
        code: 'file_unreadable',
      })
    })
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && 'result' in value ? value.result : value
  } catch {
    throw new UsageFailure(`${path === '-' ? 'standard input' : path} does not hold a session as JSON`, {
      hint: 'Make one: pubctl uploads create book.epub --json > session.json',
    })
  }
}

function parseUuid(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text
  throw new UsageFailure(`"${text}" is not a UUID`)
}
