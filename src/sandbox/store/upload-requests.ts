import type { PublicationType } from '../../service/contract/publication-type.ts'
import type { Database } from '../../system/database.ts'
import { refused, type ServiceError } from '../service-error.ts'
import { bookContentType, contentTypeOf } from './content-types.ts'
import { addObject, newObjectKey, type Objects } from './objects.ts'

/** What an `uploadRequestId` stands for: the object of one edition, which may not have been created yet. */
export interface UploadRow {
  request_id: string
  type: PublicationType
  object_key: string
  cover_key: string | null
  /** The name of the book's file. */
  filename: string
  edition_id: string | null
  /** What the edition was created with, as JSON. */
  creation: string | null
}

export interface RequestedUpload {
  uploadRequestId: string
  publicationFilename: string
  coverFilename?: string | undefined
}

const columns = 'request_id, type, object_key, cover_key, filename, edition_id, creation'

export const uploadOfEdition = (db: Database, editionId: string): UploadRow | undefined =>
  db.get<UploadRow>(`SELECT ${columns} FROM uploads WHERE edition_id = ?`, editionId)

export const uploadOfRequest = (db: Database, requestId: string): UploadRow | undefined =>
  db.get<UploadRow>(`SELECT ${columns} FROM uploads WHERE request_id = ?`, requestId)

/**
 * The upload of an `uploadRequestId`, made when it is new; a cover is asked for once and kept. Throws 400
 * INVALID_REQUEST when the identifier is that of another file: of another name, or another type of publication.
 */
export function claimUpload(
  db: Database,
  { uploadRequestId, publicationFilename, coverFilename }: RequestedUpload,
  type: PublicationType,
  typeField: readonly string[],
): UploadRow {
  const id = uploadRequestId.toLowerCase()
  const known = uploadOfRequest(db, id)
  if (known && known.type !== type) throw contentConflict(uploadRequestId, [typeField])
  if (known && known.filename !== publicationFilename) {
    throw contentConflict(uploadRequestId, [['publicationFilename']])
  }
  const upload = known ?? {
    request_id: id,
    type,
    object_key: newObjectKey('quarantine'),
    cover_key: null,
    filename: publicationFilename,
    edition_id: null,
    creation: null,
  }
  if (!known) {
    db.run(
      'INSERT INTO uploads (request_id, type, object_key, filename) VALUES (?, ?, ?, ?)',
      id,
      type,
      upload.object_key,
      publicationFilename,
    )
    addObject(db, { key: upload.object_key, kind: 'book', owner: id })
  }
  if (coverFilename === undefined || upload.cover_key !== null) return upload
  const cover_key = newObjectKey('covers')
  db.run('UPDATE uploads SET cover_key = ? WHERE request_id = ?', cover_key, id)
  addObject(db, { key: cover_key, kind: 'cover', owner: id })
  return { ...upload, cover_key }
}

/** An upload with one more object, which its file may be sent to as well. */
export function withNewObject(db: Database, upload: UploadRow): UploadRow {
  const object_key = newObjectKey('quarantine')
  addObject(db, { key: object_key, kind: 'book', owner: upload.request_id })
  return { ...upload, object_key }
}

/** The object that an upload's file was sent to is the one that is examined. */
export const useObject = (db: Database, { request_id }: UploadRow, key: string): void =>
  void db.run('UPDATE uploads SET object_key = ? WHERE request_id = ?', key, request_id)

/** 400: an `uploadRequestId` was used before, with other values in these fields. */
export function contentConflict(
  uploadRequestId: string,
  fields: readonly (readonly string[])[],
): ServiceError {
  const names = fields.map(field => field.join('.')).join(', ')
  return refused(
    `The uploadRequestId ${uploadRequestId} was used before with other content (${names}). Repeat a request unchanged, or use a new uploadRequestId.`,
    fields.map(path => ({ message: 'Not what it was the first time', path: [...path], code: 'custom' })),
  )
}

/** A new session for an upload; with one for its cover when this request asks for it. */
export function storedSession(
  objects: Objects,
  upload: UploadRow,
  { publicationFilename, coverFilename }: RequestedUpload,
) {
  return {
    uploadMode: 'single',
    ...objects.uploadSession(upload.object_key, bookContentType(upload.type, publicationFilename)),
    ...(coverFilename !== undefined &&
      upload.cover_key !== null && {
        cover: objects.uploadSession(upload.cover_key, contentTypeOf('image', coverFilename)),
      }),
  }
}
