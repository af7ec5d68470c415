import type { Resource } from '../service/client/read.ts'
import type { PutTarget } from '../service/client/upload-target.ts'
import type { UploadSession } from '../service/contract/uploads.ts'
import { NetworkFailure } from '../system/errors.ts'
import type { Entry, Session, SessionPart } from './journal/entry.ts'

/** What a session must be for, so that no file overwrites another. Objects that are not known are null. */
interface Purpose {
  readonly uploadRequestId: string
  readonly wantsCover: boolean
  readonly objectKey: string | null
  readonly coverObjectKey: string | null
}

/** The purpose of every session of an upload. */
export const purposeOf = ({ uploadRequestId, creation, objectKey, coverObjectKey }: Entry): Purpose => ({
  uploadRequestId,
  wantsCover: creation.coverFilename !== undefined,
  objectKey,
  coverObjectKey,
})

/** The change of an upload that gets a session; `now` in milliseconds since 1970. */
export const withSession = (session: Session, now: number) => ({
  session,
  // The usual validity, if the session does not state one.
  sessionEnds: now + (session.expiresIn ?? 900) * 1000,
  // A session without an object key keeps the known one.
  ...(session.objectKey ? { objectKey: session.objectKey } : {}),
  ...(session.cover?.objectKey ? { coverObjectKey: session.cover.objectKey } : {}),
})

/**
 * The session in the answer to a creation or an upload intent (§2.9). Throws `bad_session` if it has no upload URL, has an
 * unknown upload mode, or belongs to another upload.
 */
export function sessionFor(result: Resource<typeof UploadSession> | null, purpose: Purpose): Session {
  if (result === null) throw unusable('result')
  const { uploadRequestId, expiresIn, cover } = result
  const session = {
    ...partOf(result),
    expiresIn: expiresIn ?? undefined,
    cover: cover === null ? undefined : partOf(cover, 'cover'),
  }
  mustBeFor('upload request', uploadRequestId, purpose.uploadRequestId)
  // A service may give each session an object of its own. Only where the session does not say whose it is, the object does.
  const isNamed = uploadRequestId !== null
  if (!isNamed) mustBeFor('object', session.objectKey, purpose.objectKey)
  if (purpose.wantsCover && !session.cover)
    throw badSession('a cover was asked for, and the upload session has no place for it')
  if (!isNamed) mustBeFor('object for the cover', session.cover?.objectKey ?? null, purpose.coverObjectKey)
  return session
}

/** A place to send a file to, as the service describes it. */
interface Place {
  readonly uploadUrl: string | null
  readonly requiredHeaders: Readonly<Record<string, string>> | null
  readonly uploadMode?: string | null
}

const partOf = (part: Place & { readonly objectKey: string | null }, name?: string): SessionPart => ({
  ...targetOf(part, name),
  objectKey: part.objectKey,
})

/** Where one file is sent, such as that of an asset (§2.5). Throws `bad_session` as well. */
export function targetOf({ uploadMode = null, uploadUrl, requiredHeaders }: Place, name?: string): PutTarget {
  if (uploadMode !== null && uploadMode !== 'single')
    throw badSession(
      `the upload session asks for a way of sending that pubctl does not know ("${uploadMode}")`,
    )
  if (uploadUrl === null) throw unusable(name === undefined ? 'uploadUrl' : `${name}.uploadUrl`)
  return { uploadUrl, requiredHeaders: requiredHeaders ?? {} }
}

function mustBeFor(what: string, given: string | null, wanted: string | null): void {
  if (given !== null && wanted !== null && given !== wanted)
    throw badSession(
      `the upload session is for the ${what} "${given}", and the upload began with "${wanted}"`,
    )
}

/** The failure of a session that lacks what sending needs. */
export const unusable = (place: string): NetworkFailure =>
  badSession(`the upload session is not usable: see its ${place}`)

const badSession = (message: string): NetworkFailure =>
  new NetworkFailure(message, {
    code: 'bad_session',
    hint: 'Nothing was sent. Report it to the service; -v shows the request id.',
  })
