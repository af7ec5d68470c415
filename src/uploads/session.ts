import type { PutTarget } from '../service/client/upload-target.ts'
import { NetworkFailure } from '../system/errors.ts'
import { isObject } from '../system/is-object.ts'
import type { Entry, Session, SessionPart } from './journal/entry.ts'
import { nonEmptyText } from './outcome.ts'

/** What a session must be for, so that no file overwrites another. Null if it is not known. */
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
 * Reads the `result` of a creation or an upload intent (§2.9); throws `bad_session` if it has no
 * upload URL, an unknown upload mode, or belongs to another upload. No schema is used, because loading zod takes longer than
 * sending a small file.
 */
export function readSession(result: unknown, purpose: Purpose): Session {
  const file = partIn(result)
  const { uploadRequestId, expiresIn, cover } = result as Readonly<Record<string, unknown>>
  const session = {
    ...file,
    expiresIn: typeof expiresIn === 'number' ? expiresIn : undefined,
    cover: cover === undefined || cover === null ? undefined : partIn(cover, 'cover'),
  }
  mustBeFor('upload request', nonEmptyText(uploadRequestId), purpose.uploadRequestId)
  mustBeFor('object', session.objectKey, purpose.objectKey)
  if (purpose.wantsCover && !session.cover)
    throw badSession('a cover was asked for, and the upload session has no place for it')
  mustBeFor('object for the cover', session.cover?.objectKey ?? null, purpose.coverObjectKey)
  return session
}

/** Reads one place to send a file to, such as an asset's upload descriptor (§2.5); throws `bad_session` as well. */
export const readTarget = (descriptor: unknown, ...place: readonly string[]): PutTarget =>
  partIn(descriptor, ...place)

function partIn(value: unknown, ...place: readonly string[]): SessionPart {
  if (!isObject(value)) throw unusable(...place)
  const { uploadMode, uploadUrl, requiredHeaders, objectKey } = value
  const mode = nonEmptyText(uploadMode)
  if (mode !== null && mode !== 'single')
    throw badSession(
      `the upload session wants the file to be sent in a way that pubctl does not know ("${mode}")`,
    )
  if (typeof uploadUrl !== 'string') throw unusable(...place, 'uploadUrl')
  const headers = requiredHeaders ?? {}
  if (!isObject(headers)) throw unusable(...place, 'requiredHeaders')
  for (const [name, text] of Object.entries(headers))
    if (typeof text !== 'string') throw unusable(...place, 'requiredHeaders', name)
  return {
    uploadUrl,
    requiredHeaders: headers as Readonly<Record<string, string>>,
    objectKey: nonEmptyText(objectKey),
  }
}

function mustBeFor(what: string, given: string | null, wanted: string | null): void {
  if (given !== null && wanted !== null && given !== wanted)
    throw badSession(
      `the upload session is for the ${what} "${given}", and the upload began with "${wanted}"`,
    )
}

const unusable = (...place: readonly string[]): NetworkFailure =>
  badSession(`the upload session is not usable: see its ${place.join('.') || 'result'}`)

const badSession = (message: string): NetworkFailure =>
  new NetworkFailure(message, {
    code: 'bad_session',
    hint: 'Nothing was sent. Report it to the service; -v shows the request id.',
  })
