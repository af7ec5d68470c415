import { isRefusal } from '../service/client/retryable.ts'
import { isSessionOver, sendFile } from '../service/client/send-file.ts'
import { changedWhileSent, type UploadBody } from '../service/client/upload-body.ts'
import type { PutTarget } from '../service/client/upload-target.ts'
import { uploads } from '../service/contract/uploads.ts'
import { Failure } from '../system/errors.ts'
import { stat } from '../system/files.ts'
import { unreadable } from '../system/unreadable.ts'
import type { Entry, Session } from './journal/entry.ts'
import { coverFor } from './reading/cover.ts'
import type { KeptFiles } from './reading/kept-files.ts'
import { purposeOf, sessionFor, withSession } from './session.ts'
import type { TransferContext } from './transfer-context.ts'

/** How often a refused session is replaced. */
const renewals = 2

/**
 * Sends the cover of an upload, if it has one, and then its file, because processing begins when the file arrives. A session
 * that has expired or is refused with 403 is replaced through an upload intent with the same upload request id. `kept` is
 * what was read when the upload was planned; the rest is read now. Returns the SHA-256 of what was sent.
 */
export async function sendAll(
  entry: Entry,
  context: TransferContext,
  kept: KeptFiles,
): Promise<string | null> {
  const { journal, clock, mayRead, http, signal, baseUrl, userAgent, timeout, waiting, reachability } =
    context
  const { uploadRequestId, creation, file, bytes, modified, sha256 } = entry
  let current = entry
  let { session } = entry
  // The journal stores the end as a time of day. Here the monotonic clock is used, so that setting the clock changes nothing.
  let ends = monotonicOf(entry.sessionEnds, clock)
  let renewed = 0

  const refresh = async (): Promise<Session> => {
    const { publicationFilename, coverFilename, edition } = creation
    const { value } = await context
      .call(uploads.create, {
        uploadRequestId,
        publicationFilename,
        ...(coverFilename === undefined ? {} : { coverFilename }),
        publicationType: edition.type,
      })
      .catch(error => {
        throw isRefusal(error) ? sessionRefused(current, error as Failure) : error
      })
    const fresh = sessionFor(value.result, purposeOf(current))
    current = await journal.change(uploadRequestId, withSession(fresh, clock.now()))
    session = fresh
    ends = monotonicOf(current.sessionEnds, clock)
    return fresh
  }
  const wantsCover = creation.coverFilename !== undefined
  const usable = async (): Promise<Session> =>
    session === null || ends <= clock.monotonic() || (wantsCover && !session.cover)
      ? await refresh()
      : session
  const renew = async (): Promise<boolean> => {
    if (renewed === renewals) return false
    renewed++
    await refresh()
    return true
  }
  const book = kept.book?.sha256 === sha256 ? kept.book : undefined
  const isKept = (source: UploadBody) => 'content' in source && source.content === book?.content
  /** Returns whether the connection has taken all of it, which it may not have where a store answers early. */
  const send = async (
    source: UploadBody,
    targetIn: (session: Session) => PutTarget,
    watch?: (sent: number) => void,
  ): Promise<boolean> => {
    const total = 'path' in source ? source.bytes : source.content.length
    const transfer = context.transferLimit.begin(total)
    let lastSent = 0
    try {
      await sendFile(source, {
        http,
        clock,
        signal,
        mayRead,
        baseUrl,
        userAgent,
        timeout,
        waiting,
        reachability,
        async target() {
          lastSent = 0
          // What is sent from memory is not sent any more either once its file is another.
          if (isKept(source)) await mustBeUnchanged(entry)
          return targetIn(await usable())
        },
        renew,
        onProgress(sent) {
          transfer.sent(sent)
          lastSent = sent
          watch?.(sent)
        },
      })
      return lastSent === total
    } finally {
      transfer.end()
    }
  }

  try {
    if (creation.coverFilename !== undefined) {
      const cover =
        kept.cover ??
        (await coverFor(await context.read(file, mayRead, entry.cover === 'auto'), entry.cover, mayRead))
      if (cover?.filename !== creation.coverFilename)
        throw changedWhileSent(entry.cover === 'auto' ? file : entry.cover)
      await send({ content: cover.content }, ({ cover }) => cover as PutTarget)
    }
    let sent = sha256
    const onHashed = (hashed: string) => {
      sent = hashed
    }
    const isTaken = await send(
      book ? { content: book.content } : { path: file, bytes, modified, sha256, onHashed },
      session => session,
      watchOf(entry, () => session, context),
    )
    if (isTaken) book?.giveBack?.()
    return sent
  } catch (error) {
    // The next attempt requests a new session in place of one that the store refuses.
    if (isSessionOver(error) || isRefusal(error))
      await journal.change(uploadRequestId, { session: null, sessionEnds: null })
    throw error
  }
}

/** Throws if a file has changed since its upload was planned. */
export async function mustBeUnchanged({ file, bytes, modified }: Entry): Promise<void> {
  const now = await stat(file).catch(error => {
    throw unreadable(file, error)
  })
  if (now.size !== bytes || now.mtimeMs !== modified) throw changedWhileSent(file)
}

/** The service made the publication or edition, and does not let its file be sent. */
function sessionRefused(entry: Entry, { message, exitCode }: Failure): Failure {
  const { file, publicationId, editionOf, uploadRequestId } = entry
  const forget = `pubctl uploads forget ${uploadRequestId}`
  return new Failure(`the service gives no upload session for ${file} any more: ${message}`, {
    code: 'session_refused',
    exitCode,
    hint:
      editionOf === null
        ? `${publicationId} has no file. To upload the file anew: pubctl publications delete ${publicationId} && ${forget}, and the upload again.`
        : `The new edition of ${publicationId} has no file. To upload the file anew: ${forget}, and the upload again.`,
  })
}

const monotonicOf = (time: number | null, { now, monotonic }: TransferContext['clock']): number =>
  time === null ? Number.POSITIVE_INFINITY : monotonic() + time - now()

/** Reports progress, and warns once if the session will expire before the file is sent at the current rate. */
function watchOf(
  { file, bytes }: Entry,
  sessionNow: () => Session | null,
  { clock, onStep, onWarning }: TransferContext,
) {
  // The time before the first bytes, for example in a queue, is not part of the rate.
  let first: { readonly at: number; readonly sent: number } | undefined
  let hasWarned = false
  onStep(file, { step: 'sending', sent: 0, total: bytes })
  return (sent: number) => {
    onStep(file, { step: 'sending', sent, total: bytes })
    const now = clock.monotonic()
    if (first === undefined || sent < first.sent) first = { at: now, sent }
    const elapsed = (now - first.at) / 1000
    const expiresIn = sessionNow()?.expiresIn
    // The system accepts bytes in bursts, so the rate is meaningless at the beginning.
    if (hasWarned || expiresIn === undefined || elapsed < 3 || sent - first.sent < bytes / 5) return
    const needed = (bytes / (sent - first.sent)) * elapsed
    if (needed <= expiresIn) return
    hasWarned = true
    onWarning({
      code: 'session_too_short',
      message: `${file} will take about ${Math.round(needed)} s at this rate, and its upload session ends after ${expiresIn} s`,
    })
  }
}
