import { changed, type PutTarget, put } from '../client/put.ts'
import { attempts, backoff } from '../client/retry.ts'
import { uploads } from '../contract/uploads.ts'
import { NetworkFailure, ServiceFailure } from '../errors.ts'
import { coverFor } from './cover.ts'
import type { Entry } from './journal.ts'
import { readSession, type Session } from './session.ts'
import type { Tools } from './tools.ts'

/** Milliseconds without any movement before a transfer counts as stalled. */
const idleTimeout = 60_000

/** How often a session that is refused is replaced by a fresh one. */
const refreshes = 2

/**
 * Sends the file of an upload, then its cover. Passing troubles are tried again from the start of the file; a session
 * that has ended, or is refused with 403, is replaced through an upload intent with the same upload request id.
 */
export async function sendAll(entry: Entry, tools: Tools): Promise<void> {
  const { journal, clock } = tools
  const { uploadRequestId, creation, file, bytes } = entry
  let session = entry.session
  let refreshed = 0

  const refresh = async (): Promise<Session> => {
    const { publicationFilename, coverFilename, edition } = creation
    const { result } = await tools.call(uploads.create, {
      uploadRequestId,
      publicationFilename,
      ...(coverFilename === undefined ? {} : { coverFilename }),
      publicationType: edition.type,
    })
    session = readSession(result)
    journal.change(uploadRequestId, { session, sessionEnds: endOf(session, clock.now()) })
    return session
  }

  const send = async (
    target: (session: Session) => PutTarget | undefined,
    source: Parameters<typeof put>[2],
  ) => {
    const isBook = 'path' in source
    for (let attempt = 1; ; attempt++) {
      const to = target(session ?? (await refresh()))
      if (!to) return
      try {
        return await put(tools.http, to, source, {
          signal: tools.signal,
          userAgent: tools.userAgent,
          allowHttp: tools.allowHttp,
          idleTimeout,
          ...(isBook ? { onProgress: watchOf(entry, session, tools) } : {}),
        })
      } catch (error) {
        if (error instanceof ServiceFailure && error.status === 403 && refreshed < refreshes) {
          refreshed++
          await refresh()
        } else if (attempt < attempts && isPassing(error)) {
          await clock.sleep(backoff(attempt + 1, undefined, clock), tools.signal)
        } else throw error
      }
    }
  }

  await send(({ uploadUrl, requiredHeaders }) => ({ uploadUrl, requiredHeaders }), { path: file, bytes })
  if (creation.coverFilename === undefined) return
  const { readBook } = await import('../books/index.ts')
  const cover = await coverFor(file, await readBook(file), entry.coverWish)
  if (cover?.filename !== creation.coverFilename)
    throw changed(entry.coverWish === 'auto' ? file : entry.coverWish)
  await send(({ cover }) => cover, { content: cover.content })
}

/** When a session ends, in milliseconds since 1970; null when the service does not say. */
export const endOf = ({ expiresIn }: Session, now: number): number | null =>
  expiresIn === undefined ? null : now + expiresIn * 1000

/** Tells of bytes that went out, and warns once when the rate will not bring the file there before its session ends. */
function watchOf({ file, bytes }: Entry, session: Session | null, { clock, onStep, onWarning }: Tools) {
  const started = clock.now()
  let hasWarned = false
  onStep(file, { step: 'sending', sent: 0, total: bytes })
  return (sent: number) => {
    onStep(file, { step: 'sending', sent, total: bytes })
    const elapsed = (clock.now() - started) / 1000
    const expiresIn = session?.expiresIn
    if (hasWarned || expiresIn === undefined || elapsed < 3 || sent === 0) return
    const needed = (bytes / sent) * elapsed
    if (needed <= expiresIn) return
    hasWarned = true
    onWarning(
      `${file} will take about ${Math.round(needed)} s at this rate, and its upload session ends after ${expiresIn} s`,
    )
  }
}

/** Whether the same transfer may well succeed when it is made again. */
const isPassing = (error: unknown): boolean =>
  (error instanceof NetworkFailure && (error.code === 'network' || error.code === 'timeout')) ||
  (error instanceof ServiceFailure &&
    ((error.status ?? 0) >= 500 ||
      error.status === 429 ||
      error.status === 408 ||
      error.code === 'IncompleteBody'))
