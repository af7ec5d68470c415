import { terminalUploadStatuses } from '../../service/contract/publication.ts'
import type { Database } from '../../system/database.ts'
import { readingAnything } from '../../system/may-read.ts'
import type { Clock } from '../../system/world.ts'
import { findObject, newObjectKey, type Objects } from '../store/objects.ts'
import {
  type EditionRecord,
  editionsOf,
  findEdition,
  publicationRow,
  saveEdition,
  savePublication,
} from '../store/publications.ts'
import { type UploadRow, uploadOfEdition } from '../store/upload-requests.ts'
import { type Examined, examineFile, publicationWithBook, withBook } from './examine.ts'
import { finish, leaseMilliseconds, release, renew } from './jobs.ts'

/** Whether an edition has its final upload status. */
export const hasFinalStatus = ({ uploadStatus }: EditionRecord): boolean =>
  (terminalUploadStatuses as readonly string[]).includes(uploadStatus)

/** Examines a leased edition's file and gives the edition its terminal state. */
export async function processEdition(
  { db, clock, objects }: { db: Database; clock: Clock; objects: Objects },
  id: string,
): Promise<void> {
  const upload = uploadOfEdition(db, id)
  const object = upload && findObject(db, upload.object_key)
  if (!upload || !object?.file) return void finish(db, id)
  const renewing = setInterval(() => {
    try {
      renew(db, id, clock.now())
    } catch {
      // The store is busy; there are more chances before the lease ends.
    }
  }, leaseMilliseconds / 4)
  try {
    const { file } = object
    const examined = await readingAnything(() =>
      examineFile(objects.pathOf(file), upload.type, upload.filename),
    )
    const cover = examined.uploadStatus === 'available' && examined.cover
    const coverFile = cover ? await objects.write(cover) : undefined
    const usesExtractedCover = db.write(() => {
      if (findObject(db, upload.object_key)?.file !== object.file) {
        // A file that was sent again meanwhile is examined instead.
        release(db, id)
        return false
      }
      const found = findEdition(db, id)
      if (!finish(db, id) || !found || hasFinalStatus(found.edition)) return false
      return saveOutcome(db, found, upload, examined, { bytes: object.bytes ?? 0, coverFile })
    })
    if (!usesExtractedCover && coverFile !== undefined) objects.deleteFiles([coverFile])
  } finally {
    clearInterval(renewing)
  }
}

/** Stores the outcome of an edition; returns whether the cover taken out of its file is used. */
function saveOutcome(
  db: Database,
  { publicationId, edition }: { publicationId: string; edition: EditionRecord },
  upload: UploadRow,
  examined: Examined,
  { bytes, coverFile }: { bytes: number; coverFile: string | undefined },
): boolean {
  if (examined.uploadStatus !== 'available') {
    saveEdition(db, publicationId, { ...edition, uploadStatus: examined.uploadStatus })
    return false
  }
  const { book } = examined
  const current = editionsOf(db, publicationId).find(({ isCurrentVersion }) => isCurrentVersion)
  // An older edition may be ready after a newer one.
  const isCurrentVersion = !current || edition.version >= current.version
  if (isCurrentVersion && current && current.id !== edition.id) {
    saveEdition(db, publicationId, { ...current, isCurrentVersion: false })
  }
  const sent = uploadedCover(db, upload)
  const cover = sent ?? (coverFile && addExtractedCover(db, upload, coverFile))
  const file = { name: upload.filename, bytes, cover }
  saveEdition(db, publicationId, { ...withBook(edition, book, file), isCurrentVersion })
  savePublication(db, publicationWithBook(publicationRow(db, publicationId).record, book))
  return sent === undefined
}

/** The key of the cover that was sent along with the book. */
const uploadedCover = (db: Database, { cover_key }: UploadRow): string | undefined =>
  cover_key !== null && findObject(db, cover_key)?.file ? cover_key : undefined

/** Gives the cover that was in the book a key. */
function addExtractedCover(db: Database, { request_id }: UploadRow, file: string): string {
  const key = newObjectKey('covers')
  db.run(`INSERT INTO objects (key, kind, owner, file) VALUES (?, 'cover', ?, ?)`, key, request_id, file)
  return key
}
