import { changed, put } from '../client/put.ts'
import { persist } from '../client/retry.ts'
import type { PutTarget } from '../client/upload-target.ts'
import { uploads } from '../contract/uploads.ts'
import { ServiceFailure } from '../errors.ts'
import { coverFor } from './cover.ts'
import type { Entry } from './entry.ts'
import { isPassing, isRefusal, isUnclear } from './passing.ts'
import { readSession, type Session } from './session.ts'
import type { Tools } from './tools.ts'

/** Milliseconds without any movement before a transfer counts as stalled. */
const idleTimeout = 60_000

/** How often a session that is refused is replaced by a fresh one. */
const refreshes = 2

/**
 * Sends the cover of an upload, if it has one, and then its file, with whose arrival processing may begin. Passing
 * troubles are tried again from the start of the file; a session that has ended, or is refused with 403, is replaced
 * through an upload intent with the same upload request id.
 */
export async function sendAll(entry: Entry, tools: Tools): Promise<void> {
  const { journal, clock } = tools
  const { uploadRequestId, creation, file, bytes } = entry
  let { session, sessionEnds } = entry
  let refreshed = 0

  const refresh = async (): Promise<Session> => {
    const { publicationFilename, coverFilename, edition } = creation
    // The same id stands for the same upload, so that an intent may be repeated whatever became of it.
    const { result } = await persist(
      () =>
        tools.call(uploads.create, {
          uploadRequestId,
          publicationFilename,
          ...(coverFilename === undefined ? {} : { coverFilename }),
          publicationType: edition.type,
        }),
      isUnclear,
      tools,
    )
    session = readSession(result)
    sessionEnds = endOf(session, clock.now())
    journal.change(uploadRequestId, { session, sessionEnds })
    return session
  }
  const usable = async (): Promise<Session> =>
    session === null || (sessionEnds !== null && sessionEnds <= clock.now()) ? await refresh() : session

  const send = async (
    target: (session: Session) => PutTarget | undefined,
    source: Parameters<typeof put>[2],
  ) => {
    const isBook = 'path' in source
    const once = async (): Promise<void> => {
      const to = target(await usable())
      if (!to) return
      try {
        await put(tools.http, to, source, {
          signal: tools.signal,
          userAgent: tools.userAgent,
          baseUrl: tools.baseUrl,
          idleTimeout,
          ...(isBook ? { onProgress: watchOf(entry, session, tools) } : {}),
        })
      } catch (error) {
        if (!isSessionOver(error)) throw error
        if (refreshed === refreshes) throw error
        refreshed++
        await refresh()
        await once()
      }
    }
    await persist(once, isPassing, tools)
  }

  try {
    if (creation.coverFilename !== undefined) {
      const cover = await coverFor(await tools.read(file, entry.coverWish === 'auto'), entry.coverWish)
      if (cover?.filename !== creation.coverFilename)
        throw changed(entry.coverWish === 'auto' ? file : entry.coverWish)
      await send(({ cover }) => cover, { content: cover.content })
    }
    await send(({ uploadUrl, requiredHeaders }) => ({ uploadUrl, requiredHeaders }), { path: file, bytes })
  } catch (error) {
    // An address that the store refuses is of no use to the next attempt, which asks for another.
    if (isSessionOver(error) || isRefusal(error))
      journal.change(uploadRequestId, { session: null, sessionEnds: null })
    throw error
  }
}

/** Whether the store does not accept the session, or no longer. */
const isSessionOver = (error: unknown): boolean =>
  error instanceof ServiceFailure && (error.status === 403 || error.code === 'ExpiredToken')

/** When a session ends, in milliseconds since 1970. One that does not say is kept for no longer than usual. */
export const endOf = ({ expiresIn = 900 }: Session, now: number): number => now + expiresIn * 1000

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
    onWarning({
      code: 'session_too_short',
      message: `${file} will take about ${Math.round(needed)} s at this rate, and its upload session ends after ${expiresIn} s`,
    })
  }
}
