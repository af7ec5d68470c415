import { randomUUID } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { Command } from '@commander-js/extra-typings'
import { type Book, isIsbn, readBook, readCover } from '../books/index.ts'
import type { Context } from '../context.ts'
import { exitCodes, Failure, UsageFailure } from '../errors.ts'
import type { View } from '../output/view.ts'
import { type Cover, creationOf, type UploadPlan, type Wishes } from '../uploads/plan.ts'
import { type Receipt, runUpload, type Tools } from '../uploads/run.ts'
import { userAgent } from '../version.ts'
import { isFatal, partFailed } from './batch.ts'
import { pairs, repeated } from './repeated.ts'
import { processingTimeout } from './wait.ts'

interface UploadOptions extends Wishes {
  cover?: string
  wait: boolean
  check: boolean
  strict?: true | undefined
}

const receiptView: View = {
  columns: [
    { field: 'file' },
    { field: 'type' },
    { field: 'bytes', kind: 'bytes' },
    { field: 'publicationId', isWhole: true },
    { field: 'editionId', isWhole: true, isDetail: true },
    { field: 'uploadStatus' },
    { field: 'outcome' },
    { field: 'error.message' },
    { field: 'sha256', isDetail: true },
    { field: 'uploadRequestId', isDetail: true },
  ],
  fields: () =>
    new Set(
      'file sha256 bytes type publicationId editionId uploadRequestId uploadStatus outcome error error.code error.message'.split(
        ' ',
      ),
    ),
  empty: 'There was nothing to upload.',
}

/** Gives a command the options of an upload. */
export const uploadOptions = <A extends unknown[], O extends Record<string, unknown>>(
  command: Command<A, O>,
) =>
  command
    .optionsGroup('The book:')
    .option('--title <text>', "the title, in place of the file's own")
    .addOption(repeated('--author <name>', "an author, in place of the file's own"))
    .option('--language <language>', 'a tag such as en-GB, or a name such as English')
    .option('--description <text>', 'what the book is about')
    .option('--isbn <isbn>', 'its ISBN, with or without hyphens', parseIsbn)
    .option('--publisher <name>', 'who publishes it')
    .addOption(pairs('--metadata <key=value>', 'a metadata value'))
    .option('--cover <file>', 'an image file; "auto" for the cover in the book, "none" for none', 'auto')
    .addOption(repeated('--collection <id>', 'a collection to put it in'))
    .addOption(repeated('--sample-item <item>', 'an item of the book that anybody may read'))
    .option('--internal', 'only for the internal reading instance')
    .optionsGroup('The upload:')
    .option('--no-wait', 'do not wait until the service has processed the file')
    .option('--no-check', 'send the file whatever its problems are')
    .option('--strict', 'stop on warnings as well as on errors')

/** Uploads each file in turn and shows a receipt for each. */
export async function uploadFiles(
  context: Context,
  files: readonly string[],
  options: UploadOptions,
  publicationId?: string,
): Promise<void> {
  await context.check(receiptView)
  if (files.length > 1 && (options.title !== undefined || options.isbn !== undefined)) {
    throw new UsageFailure('--title and --isbn belong to one book, and several files were given')
  }
  const plans: UploadPlan[] = []
  for (const file of files) plans.push(await planFor(context, file, options))
  if (context.options.dryRun) return await planRequests(context, plans, publicationId)

  const receipts: Receipt[] = []
  const failures: { id: string; failure: Failure }[] = []
  for (const plan of plans) {
    const { receipt, failure } = await uploadOne(context, plan, options, publicationId)
    receipts.push(withoutSecrets(context, receipt))
    if (failure) failures.push({ id: plan.path, failure })
    if (failure && isFatal(failure)) break
  }
  await (files.length === 1 ? context.item(receiptView, receipts[0]) : context.list(receiptView, [receipts]))
  const [first] = failures
  if (first && (files.length === 1 || isFatal(first.failure))) throw first.failure
  if (first) throw partFailed(failures, files.length)
}

/** The receipt as it may be shown: a service may repeat the key in its error messages. */
const withoutSecrets = ({ err }: Context, receipt: Receipt): Receipt =>
  receipt.error
    ? { ...receipt, error: { ...receipt.error, message: err.hide(receipt.error.message) } }
    : receipt

async function uploadOne(context: Context, plan: UploadPlan, options: UploadOptions, publicationId?: string) {
  const progress = context.progress()
  const { baseUrl } = await context.target()
  try {
    let isSending = true
    progress.sending(basename(plan.path), plan.bytes)
    const tools: Tools = {
      call: context.call,
      http: await context.http(),
      clock: context.world.clock,
      signal: context.world.signal,
      userAgent,
      allowHttp: new URL(baseUrl).protocol === 'http:',
      timeout: options.wait ? (context.options.timeout ?? processingTimeout) : 0,
      onProgress(now) {
        if ('state' in now) progress.state(`${basename(plan.path)}: ${now.state}`)
        else if (isSending) progress.sent(now.sent)
        if ('state' in now) isSending = false
      },
    }
    return await runUpload(plan, tools, publicationId)
  } finally {
    progress.stop()
  }
}

/** Reads a file and settles everything that is to be sent of it, before anything is sent. */
async function planFor(context: Context, path: string, options: UploadOptions): Promise<UploadPlan> {
  const book = await readBook(path)
  if (options.check) await checkBook(context, path, book, options.strict === true)
  const { size, mtimeMs } = await stat(path)
  const cover = await coverFor(path, book, options.cover ?? 'auto')
  const title = options.title ?? book.title ?? (await askForTitle(context, path))
  const creation = creationOf(path, book, { ...options, title }, cover, randomUUID())
  return { path, bytes: size, modified: mtimeMs, creation, cover }
}

/** Stops on a book that cannot be read as it is meant; tells a person of lesser problems. */
async function checkBook(
  { warn }: Context,
  path: string,
  { problems }: Book,
  isStrict: boolean,
): Promise<void> {
  const grave = problems.filter(({ severity }) => isStrict || severity === 'error')
  if (grave.length > 0) {
    throw new Failure(
      `${path} has ${grave.length === 1 ? 'a problem' : `${grave.length} problems`}, so it was not sent`,
      {
        code: 'book_unfit',
        exitCode: exitCodes.usage,
        hint: `Mend it, or send it as it is with ${isStrict ? '--no-check or without --strict' : '--no-check'}.`,
        details: grave.map(({ message, place, code }) => ({
          message,
          code,
          ...(place === undefined ? {} : { path: [place] }),
        })),
      },
    )
  }
  for (const { message, place } of problems) await warn(`${path}: ${place ? `${place}: ` : ''}${message}`)
}

async function askForTitle({ ask }: Context, path: string): Promise<string> {
  if (!ask.isPossible) {
    throw new UsageFailure(`${path} does not say what its title is`, {
      code: 'no_title',
      hint: 'Pass --title.',
    })
  }
  return (await ask.text(`${basename(path)} has no title. What is it called?`, '--title')).trim()
}

async function coverFor(path: string, book: Book, wish: string): Promise<Cover | undefined> {
  if (wish === 'none') return undefined
  if (wish === 'auto') {
    const found = await readCover(path, book)
    // The service reads the book's own cover as well; only pictures that any service can show are worth sending apart.
    return found && /^image\/(jpeg|png|gif|webp)$/.test(found.mediaType)
      ? { filename: found.filename, content: found.bytes }
      : undefined
  }
  if (!/^\.(jpe?g|png|gif|webp|svg)$/i.test(extname(wish))) {
    throw new UsageFailure(`${wish} is not an image file by its name`, {
      hint: 'A cover is a JPEG, PNG, GIF, WebP or SVG file.',
    })
  }
  const content = await readFile(wish).catch((error: NodeJS.ErrnoException) => {
    throw new UsageFailure(`cannot read the cover ${wish}: ${error.code ?? error.message}`, {
      code: 'file_unreadable',
    })
  })
  return { filename: basename(wish), content }
}

/** What `--dry-run` prints of an upload. */
async function planRequests(
  context: Context,
  plans: readonly UploadPlan[],
  publicationId?: string,
): Promise<void> {
  const { publications } = await import('../contract/publications.ts')
  const { editions } = await import('../contract/editions.ts')
  for (const { path, bytes, creation, cover } of plans) {
    await (publicationId === undefined
      ? context.change(publications.create, creation)
      : context.change(editions.create, { id: publicationId, ...creation }))
    context.plan({ method: 'PUT', url: '(the upload URL in the answer)', body: { file: path, bytes } })
    if (cover) {
      context.plan({
        method: 'PUT',
        url: '(the cover upload URL in the answer)',
        body: { file: cover.filename, bytes: cover.content.length },
      })
    }
  }
}

function parseIsbn(text: string): string {
  const isbn = text.replace(/[\s-]/g, '').toUpperCase()
  if (isIsbn(isbn)) return isbn
  throw new UsageFailure(`"${text}" is not an ISBN`, {
    code: 'bad_isbn',
    hint: 'An ISBN has 13 or 10 digits, of which the last checks the others.',
  })
}
