import { basename, extname, parse } from 'node:path'
import { type Book, readBook, readCover } from '../../books/index.ts'
import { languageName } from '../../service/contract/language.ts'
import type { PublicationType } from '../../service/contract/publication-type.ts'
import type { Database } from '../../system/database.ts'
import { anyFile } from '../../system/may-read.ts'
import type { Clock } from '../../system/world.ts'
import { findObject, newObjectKey, type Objects } from '../store/objects.ts'
import {
  type EditionRecord,
  editionsOf,
  findEdition,
  hasFinalStatus,
  type PublicationRecord,
  publicationRow,
  saveEdition,
  savePublication,
} from '../store/publications.ts'
import { type UploadRow, uploadOfEdition } from '../store/upload-requests.ts'
import { finish, leaseMilliseconds, release, renew } from './jobs.ts'
import { holdsEicar } from './scan.ts'

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
    const examined = await examineFile(objects.pathOf(file), upload.type, upload.filename)
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

type Examined =
  | { uploadStatus: 'upload_quarantine' | 'upload_failed' }
  | { uploadStatus: 'available'; book: Book; cover: Buffer | undefined }

/** File names, without extension, that ask for an outcome, so that clients can be tested with it. */
const outcomeNames = ['upload_quarantine', 'upload_failed'] as const

/**
 * Examines an uploaded file: scans it, and reads it as a book of the declared type. A book of another type, an unreadable book,
 * and a book with errors have failed. `filename` is the name that it was sent under.
 */
async function examineFile(path: string, type: PublicationType, filename: string): Promise<Examined> {
  const outcome = outcomeNames.find(status => status === parse(filename).name)
  if (outcome) return { uploadStatus: outcome }
  try {
    if (await holdsEicar(path)) return { uploadStatus: 'upload_quarantine' }
    const book = await readBook(path, anyFile, { outline: true })
    if (book.type !== type || book.problems.some(({ severity }) => severity === 'error')) {
      return { uploadStatus: 'upload_failed' }
    }
    const cover = await readCover(path, anyFile, book)
    return { uploadStatus: 'available', book, cover: cover?.bytes }
  } catch {
    return { uploadStatus: 'upload_failed' }
  }
}

/** An edition that has become available, with the file's metadata in the fields that its creator did not set. */
function withBook(
  edition: EditionRecord,
  book: Book,
  file: { name: string; bytes: number; cover: string | undefined },
): EditionRecord {
  const { title, titleSource } = titleOf(edition, book, file.name)
  const found = {
    pageCount: book.pageCount?.toString(),
    fileSize: String(file.bytes),
    epubVersion: book.epubVersion,
    ...(book.type === 'EPUB' && { spreadBehaviour: (book.spread ?? 'auto').toUpperCase() }),
    layoutType: book.layout?.toUpperCase(),
    cover: file.cover,
    coverImageAlt: book.cover?.alt,
    isbn: book.isbn,
    publisher: book.publisher,
  }
  const said = Object.entries(edition.metadata).filter(([, value]) => value !== null)
  return {
    ...edition,
    title,
    titleSource,
    author: edition.author.length > 0 ? edition.author : book.authors,
    isReflowable: book.isReflowable,
    status: 'live',
    uploadStatus: 'available',
    // The size is a fact of the file, whatever the creator said.
    metadata: { ...found, ...Object.fromEntries(said), fileSize: found.fileSize },
    navigationData: book.navigation.map((entry, navigationItemId) => ({
      collectionType: 'TOC',
      collectionIndex: 0,
      navigationItemId,
      ...entry,
      pathKey: entry.path.join('.'),
    })),
  }
}

function titleOf({ title, titleSource }: EditionRecord, book: Book, filename: string) {
  if (title) return { title, titleSource }
  if (book.title) return { title: book.title, titleSource: 'file' }
  return { title: basename(filename, extname(filename)), titleSource: 'filename' }
}

/** A publication, with the file's metadata in the fields that nobody has set. */
const publicationWithBook = (record: PublicationRecord, book: Book): PublicationRecord => ({
  ...record,
  ...(record.language === undefined &&
    book.language !== undefined && { language: languageName(book.language) }),
  ...(record.description === undefined &&
    book.description !== undefined && { description: book.description }),
})
