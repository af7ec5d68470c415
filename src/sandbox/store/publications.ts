import type { Checked } from '../../service/contract/endpoint.ts'
import { type Edition, EditionMetadata, terminalUploadStatuses } from '../../service/contract/publication.ts'
import type { PublicationType } from '../../service/contract/publication-type.ts'
import type { Database } from '../../system/database.ts'
import { missing, refused } from '../service-error.ts'
import { findOnBacklist } from './backlist.ts'
import { deleteObjects } from './objects.ts'
import { searchText } from './search-text.ts'
import { uploadOfEdition } from './upload-requests.ts'

export type EditionRecord = Checked<typeof Edition> & {
  id: string
  type: PublicationType
  author: string[]
  version: number
  isCurrentVersion: boolean
  uploadStatus: string
  metadata: Record<string, unknown>
}

/** A publication as it is stored, its editions apart. */
export interface PublicationRecord {
  id: string
  language?: string
  description?: string
  sampleItems: string[]
  isForInternalReadingInstance: boolean
  collectionIds: string[]
  createdAtIso: string
}

export interface PublicationRow {
  seq: number
  record: PublicationRecord
}

/** The publication with this id; throws 404, or 400 for one of the backlist, which is only shown. */
export function publicationRow(db: Database, id: string): PublicationRow {
  const row = db.get<{ seq: number; doc: string }>('SELECT seq, doc FROM publications WHERE id = ?', id)
  if (!row && findOnBacklist(id)) {
    throw refused(`The publication ${id} is of the backlist, which the sandbox only shows.`)
  }
  if (!row) throw missing(`publication ${id}`)
  return { seq: row.seq, record: JSON.parse(row.doc) as PublicationRecord }
}

/** The editions of a publication, the oldest first. */
export const editionsOf = (db: Database, publicationId: string): EditionRecord[] =>
  db
    .all<{ doc: string }>('SELECT doc FROM editions WHERE publication_id = ? ORDER BY seq', publicationId)
    .map(({ doc }) => JSON.parse(doc) as EditionRecord)

export function findEdition(
  db: Database,
  id: string,
): { publicationId: string; edition: EditionRecord } | undefined {
  const row = db.get<{ publication_id: string; doc: string }>(
    'SELECT publication_id, doc FROM editions WHERE id = ?',
    id,
  )
  return row && { publicationId: row.publication_id, edition: JSON.parse(row.doc) as EditionRecord }
}

/** Whether an edition has its final upload status. */
export const hasFinalStatus = ({ uploadStatus }: EditionRecord): boolean =>
  (terminalUploadStatuses as readonly string[]).includes(uploadStatus)

/** A publication with its editions, as the service shows it (§2.7). */
export function publicationWithEditions(db: Database, id: string) {
  const { collectionIds, createdAtIso, ...publication } = publicationRow(db, id).record
  return { ...publication, editions: editionsOf(db, id) }
}

export function addPublication(db: Database, record: PublicationRecord, edition: EditionRecord): void {
  const { seq } = db.get<{ seq: number }>('SELECT coalesce(max(seq), 0) + 1 AS seq FROM publications') ?? {
    seq: 1,
  }
  const columns = { seq, id: record.id, doc: JSON.stringify(record), ...columnsOf({ seq, record }, edition) }
  const names = Object.keys(columns)
  db.run(
    `INSERT INTO publications (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    ...Object.values(columns),
  )
  saveCollections(db, record)
  addEdition(db, record.id, edition)
}

export function savePublication(db: Database, record: PublicationRecord): void {
  db.run('UPDATE publications SET doc = ? WHERE id = ?', JSON.stringify(record), record.id)
  db.run('DELETE FROM collected WHERE publication_id = ?', record.id)
  saveCollections(db, record)
  refreshSummary(db, record.id)
}

function saveCollections(db: Database, { id, collectionIds }: PublicationRecord): void {
  for (const collection of new Set(collectionIds)) {
    db.run('INSERT OR IGNORE INTO collected (collection_id, publication_id) VALUES (?, ?)', collection, id)
  }
}

export function addEdition(db: Database, publicationId: string, edition: EditionRecord): void {
  db.run(
    'INSERT INTO editions (id, publication_id, doc) VALUES (?, ?, ?)',
    edition.id,
    publicationId,
    JSON.stringify(edition),
  )
  saveUsedMetadata(db, edition)
}

/** Stores an edition that has changed, and its publication's summary with it. */
export function saveEdition(db: Database, publicationId: string, edition: EditionRecord): void {
  db.run('UPDATE editions SET doc = ? WHERE id = ?', JSON.stringify(edition), edition.id)
  db.run('DELETE FROM used_metadata WHERE edition_id = ?', edition.id)
  saveUsedMetadata(db, edition)
  refreshSummary(db, publicationId)
}

function saveUsedMetadata(db: Database, { id, metadata }: EditionRecord): void {
  for (const key of Object.keys(metadata)) {
    if (Object.hasOwn(EditionMetadata().shape, key)) continue
    // Keys that differ in a zero character or half a surrogate pair alone are kept alike.
    db.run('INSERT OR IGNORE INTO used_metadata (key, edition_id) VALUES (?, ?)', key, id)
  }
}

function refreshSummary(db: Database, publicationId: string): void {
  const current = editionsOf(db, publicationId).find(({ isCurrentVersion }) => isCurrentVersion)
  if (!current) return
  const columns = columnsOf(publicationRow(db, publicationId), current)
  const set = Object.keys(columns).map(name => `${name} = ?`)
  db.run(`UPDATE publications SET ${set.join(', ')} WHERE id = ?`, ...Object.values(columns), publicationId)
}

/** Removes a publication with its editions and uploads; returns the files that are to be deleted. */
export function removePublication(db: Database, id: string): (string | null)[] {
  const uploads = editionsOf(db, id).map(edition => uploadOfEdition(db, edition.id))
  const files = uploads.flatMap(upload => (upload ? deleteObjects(db, upload.request_id) : []))
  db.run('DELETE FROM publications WHERE id = ?', id)
  return files
}

/** The columns that follow from a publication's current edition, by their names. */
function columnsOf({ seq, record }: PublicationRow, edition: EditionRecord) {
  const { title, author, type, isReflowable, uploadStatus } = edition
  const status = edition.status ?? 'draft'
  const summary = {
    publicationId: record.id,
    title,
    author,
    type,
    isReflowable,
    status,
    uploadStatus,
    currentEditionId: edition.id,
    cover: edition.metadata['cover'],
    createdAtIso: record.createdAtIso,
    collectionIds: record.collectionIds,
  }
  const unique = (text: string): string => `${text}\u0001${String(seq).padStart(12, '0')}`
  return {
    summary: JSON.stringify(summary),
    by_created: unique(record.createdAtIso),
    by_title: unique(sortable(title ?? '')),
    by_author: unique(sortable(author[0] ?? '')),
    status,
    format: formatOf(type, isReflowable),
    search: searchText(`${title ?? ''} ${author.join(' ')}`),
  }
}

const sortable = (text: string): string => [...searchText(text)].slice(0, 200).join('')

function formatOf(type: PublicationType, isReflowable: boolean | null | undefined): string {
  if (type === 'PDF') return 'pdf'
  if (type === 'Audio') return 'audio'
  return isReflowable === false ? 'epub-fixed' : 'epub-reflowable'
}
