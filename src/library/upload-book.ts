import { homedir } from 'node:os'
import { hideInside } from '../cli/output/secrets.ts'
import { silentWaiting } from '../cli/output/waiting.ts'
import { directoriesOf } from '../config/paths.ts'
import { secretKey } from '../config/secret-key.ts'
import { type IfChanged, ifChangedChoices } from '../plan/wanted.ts'
import type { Call } from '../service/client/call.ts'
import { loadZod } from '../service/contract/load-zod.ts'
import { type PublicationType, publicationTypes } from '../service/contract/publication-type.ts'
import { anyFile } from '../system/may-read.ts'
import { userAgent } from '../system/version.ts'
import type { Warning } from '../system/warning.ts'
import { systemClock } from '../system/world.ts'
import type { FileOptions } from '../uploads/file-options.ts'
import type { LocalJournal } from '../uploads/journal/local-journal.ts'
import type { ForeignRow } from '../uploads/journal/seal.ts'
import type { OpenTransfer } from '../uploads/open.ts'
import type { Receipt } from '../uploads/receipt.ts'
import { withoutRecord } from '../uploads/sent/sent.ts'
import type { TransferContext } from '../uploads/transfer-context.ts'
import { type BookFields, overridesIn } from './book-options.ts'
import { type BookSource, openBookSource } from './book-source.ts'
import type { Client } from './client.ts'
import type { Connection } from './connection.ts'
import { connectionOf } from './connections.ts'
import { withProgramHints } from './program-hints.ts'
import { type CallbackGuard, settled } from './settled.ts'
import { checkTimeout, unfit } from './unfit.ts'
import { UploadFailure } from './upload-failure.ts'

/** How far an upload is. */
export interface UploadProgress {
  /** Whether bytes are sent, or something is waited for. */
  readonly step: 'sending' | 'state'
  /** The bytes of the file that were sent. They begin at 0 again when a request is repeated. */
  readonly sent: number
  /** The bytes of the file. */
  readonly total: number
  /** What is waited for, in words. */
  readonly text?: string
}

/** How a book is uploaded. */
export interface UploadOptions {
  /** The name of the book as a file, where it is neither a path nor a File. */
  readonly filename?: string | undefined
  /** What is said of the book beside what its file says. */
  readonly fields?: BookFields | undefined
  /** The publication to add it to as an edition. By default it becomes a publication of its own. */
  readonly editionOf?: string | undefined
  /** Looks first whether the service has it, and sends nothing then. */
  readonly skipExisting?: boolean | undefined
  /** What to do with a book that is at the service with other content. Looks first, too. */
  readonly ifChanged?: IfChanged | undefined
  /** Uploads it even if it was uploaded before, or was found unfit. */
  readonly again?: boolean | undefined
  /** Problems that stop it: `errors` by default, `strict` for warnings as well, or `off`. */
  readonly check?: 'errors' | 'strict' | 'off' | undefined
  /** Its type, where the name of the file says another than its content. */
  readonly type?: PublicationType | undefined
  /** Whether to wait until the service has processed the file, which is the default. */
  readonly wait?: boolean | undefined
  /** The longest wait for an answer, and for processing, in milliseconds. */
  readonly timeout?: number | undefined
  /**
   * The path of a file that records the upload, so that the same call continues it after the process was ended; several
   * processes may share one. By default the record is in memory, and nothing is written. Only a path can be found again, so
   * it takes one.
   */
  readonly journal?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Called as the upload goes on. What it throws ends the upload. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined
  /** Called with each warning, all of which are in the receipt as well. */
  readonly onWarning?: ((warning: Warning) => void) | undefined
}

/**
 * Uploads a book as `pubctl publications upload` does: reads and checks it, creates the publication, sends the file and its
 * cover, and waits for processing. Rejects with an `UploadFailure`, whose receipt says how far it came; with a `UsageFailure`
 * for a file or an option that cannot be used; and with the signal's reason.
 */
export async function uploadBook(
  client: Client,
  book: BookSource,
  options: UploadOptions = {},
): Promise<Receipt> {
  const connection = connectionOf(client)
  let shown = (text: string) => text
  const hide = (text: string) => connection.hide(shown(text))
  return await settled(
    async (signal, guard) => {
      const checked = checkedOptions(connection, book, options)
      const source = await openBookSource(book, options.filename, signal)
      shown = source.shown
      try {
        return await uploadFile(source.path, options, { connection, checked, signal, guard, hide })
      } finally {
        source.close()
      }
    },
    options.signal,
    hide,
  )
}

interface Upload {
  readonly connection: Connection
  readonly checked: ReturnType<typeof checkedOptions>
  readonly signal: AbortSignal
  readonly guard: CallbackGuard
  readonly hide: (text: string) => string
}

async function uploadFile(
  file: string,
  options: UploadOptions,
  { connection, checked, signal, guard, hide }: Upload,
): Promise<Receipt> {
  const warn = guard(options.onWarning)
  const onWarning = (warning: Warning) => warn(hideInside(withProgramHints(warning), hide))
  const onProgress = guard(options.onProgress)
  const { fileOptions, overrides } = checked
  const { checkOf, noTitle, prepareUpload } = await import('../uploads/prepare.ts')
  const { readHere } = await import('../uploads/reading/reading.ts')
  const prepared = await prepareUpload(file, overrides, {
    ...{ ...checkOf(fileOptions), read: readHere, mayRead: anyFile, onWarning },
    askTitle: async () => {
      throw noTitle(file, 'Give it in fields.title.')
    },
  })
  signal.throwIfAborted()
  const total = prepared.plan.bytes
  let sent = 0
  const onStep: TransferContext['onStep'] = (_, step) => {
    if (step.step === 'sending') sent = step.sent
    onProgress({ sent, total, ...step })
  }
  const { transfer, close } = await open(connection, checked, { signal, onWarning, onStep })
  try {
    const { uploadTasks } = await import('../uploads/upload-files.ts')
    const rows = [{ file, overrides }]
    const { editionOf = null } = options
    const [task] = uploadTasks({ rows, options: fileOptions, editionOf, prepared }, transfer)
    const { receipt, failure } = await (task as NonNullable<typeof task>).run()
    const fitting = withProgramHints(receipt)
    if (failure !== undefined) throw new UploadFailure(failure, fitting)
    return hideInside(fitting, hide)
  } finally {
    await close()
  }
}

/** The options as everything below takes them. Throws UsageFailure. */
function checkedOptions(connection: Connection, book: BookSource, options: UploadOptions) {
  const { fields = {}, editionOf, skipExisting, ifChanged, again, check = 'errors', type } = options
  const { wait = true, timeout = connection.timeout, journal } = options
  if (editionOf !== undefined) mustBeText('editionOf', editionOf)
  if (journal !== undefined) mustBeText('journal', journal)
  if (journal !== undefined && typeof book !== 'string')
    throw unfit('file', 'a path where a journal is named')
  mustBeOneOf('check', check, ['errors', 'strict', 'off'])
  mustBeOneOf('ifChanged', ifChanged, ifChangedChoices)
  mustBeOneOf('type', type, publicationTypes)
  checkTimeout(timeout)
  const fileOptions: FileOptions = {
    ...{ check: check !== 'off', ifChanged, type },
    ...(check === 'strict' && { strict: true }),
    ...(skipExisting && { skipExisting: true }),
    ...(again && { again: true }),
  }
  return { overrides: overridesIn(fields), fileOptions, wait, timeout, journal }
}

function mustBeText(name: string, value: unknown): void {
  if (typeof value !== 'string' || value === '') throw unfit(name, 'a text that is not empty')
}

function mustBeOneOf(name: string, value: unknown, choices: readonly string[]): void {
  if (value !== undefined && !choices.includes(value as string))
    throw unfit(name, `one of ${choices.join(', ')}`)
}

/** Opens everything that the upload needs; closing it closes the journal, too. */
async function open(
  { baseUrl, key, hide, caller, http }: Connection,
  { wait, timeout, journal: path }: ReturnType<typeof checkedOptions>,
  given: Pick<TransferContext, 'signal' | 'onWarning' | 'onStep'>,
): Promise<OpenTransfer<LocalJournal>> {
  const { openTransfer } = await import('../uploads/open.ts')
  const { findCaller } = await import('../uploads/find-caller.ts')
  const { defaultProcessingTimeout } = await import('../uploads/outcome.ts')
  // The client may be of the other build of the library, which has loaded its own.
  await loadZod()
  const { call, scopeId } = noticingScope((await caller(given.signal)).call)
  const journal = await openJournal(path, hide, given)
  try {
    const account = {
      isSandbox: false,
      isDryRun: false,
      target: baseUrl,
      key: async () => key,
      scopeId,
      call,
    }
    return await openTransfer({
      sent: withoutRecord,
      openChecks: async () => ({}),
      ...{
        ...given,
        baseUrl,
        call,
        journal,
        timeout,
        userAgent,
        clock: systemClock,
        mayRead: anyFile,
        concurrency: 1,
        files: 1,
      },
      caller: await findCaller(account, journal),
      http: await http(),
      waiting: silentWaiting,
      processingTimeout: wait ? (timeout ?? defaultProcessingTimeout) : 0,
    })
  } catch (error) {
    journal.close()
    throw error
  }
}

/** What the rows of journals are sealed with, which is the same for the commands of this user. */
const journalKey = (): Buffer =>
  secretKey(
    directoriesOf({ env: process.env, home: homedir(), platform: process.platform }).configDir,
    'journal',
  )

const warnOfForeign =
  ({ onWarning }: Pick<TransferContext, 'onWarning'>) =>
  ({ file, uploadRequestId }: ForeignRow) =>
    onWarning({
      code: 'not_own_upload',
      message: `the upload ${uploadRequestId} of ${file} is left alone, not recorded in the journal by this user`,
      hint: 'It may come from a restored journal or from an older version.',
    })

/** The journal at a path; without one, in memory, for which no database is loaded. */
async function openJournal(
  path: string | undefined,
  hide: Connection['hide'],
  given: Pick<TransferContext, 'onWarning'>,
): Promise<LocalJournal> {
  if (path === undefined)
    return (await import('../uploads/journal/memory-journal.ts')).openMemoryJournal(systemClock)
  const { openLocalJournal } = await import('../uploads/journal/local-journal.ts')
  const key = journalKey()
  return openLocalJournal(path, { clock: systemClock, key, hide, onForeign: warnOfForeign(given) })
}

/** The same calls, and the scope that the latest answer named. */
function noticingScope(call: Call): { call: Call; scopeId: () => string | null } {
  let scopeId: string | null = null
  return {
    scopeId: () => scopeId,
    call: async (endpoint, input, options) => {
      const answer = await call(endpoint, input, options)
      scopeId = answer.value.context?.authentication?.scopeId ?? scopeId
      return answer
    },
  }
}
