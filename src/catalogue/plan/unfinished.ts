import type { EarlierUpload, PublicationIndex } from '../../plan/known.ts'
import { creationFor, type UploadPlan } from '../../plan/upload-plan.ts'
import { addTo } from '../../system/add-to.ts'
import { serialise } from '../../system/exact-json.ts'
import { type Caller, ownershipOf } from '../../uploads/journal/caller.ts'
import type { Entry } from '../../uploads/journal/entry.ts'
import type { LocalJournalReader } from '../../uploads/journal/local-reader.ts'
import { begunOf } from '../../uploads/lookup/gather.ts'
import { contentKey } from '../../uploads/lookup/metadata-keys.ts'

/** The unfinished uploads of the journal, by the absolute path of their files. */
export type UnfinishedUploads = ReadonlyMap<string, readonly Entry[]>

/** The caller's unfinished uploads. */
export function unfinishedByFile(journal: LocalJournalReader, caller: Caller): UnfinishedUploads {
  const uploads = new Map<string, Entry[]>()
  for (const entry of journal.list({ all: false, target: caller.target })) {
    const ownership = ownershipOf(entry, caller)
    // The service tells whether an upload belongs to the caller, but only once it exists.
    if (ownership === 'foreign' || (ownership !== 'own' && entry.publicationId === null)) continue
    addTo(uploads, entry.file, entry)
  }
  return uploads
}

/** The unfinished upload that sends a file with the same values. The latest counts. */
export function begunUpload(
  entries: readonly Entry[],
  upload: UploadPlan,
  index: PublicationIndex,
): EarlierUpload | null {
  const entry = entries.findLast(
    ({ creation, cover, editionOf }) =>
      cover === upload.cover && bodyOf(creation) === bodyOf(creationFor(upload, editionOf)),
  )
  if (entry === undefined) return null
  const { publicationId, editionId, bytes, modified } = entry
  const there = publicationId === null ? undefined : index.get(publicationId)
  const edition = there?.editions.find(each => each.editionId === editionId)
  const state = publicationId !== null && there === undefined ? 'gone' : (edition?.uploadStatus ?? null)
  return begunOf(entry, state, bytes !== upload.bytes || modified !== upload.modified)
}

/** A request body as text for comparison, without what differs between two uploads of the same book. */
function bodyOf({ uploadRequestId: _, edition, ...publication }: Entry['creation']): string {
  const { metadata = {}, ...rest } = edition
  const { [contentKey]: _sha256, ...sent } = metadata
  return serialise([publication, rest, sent].map(sorted))
}

const sorted = (fields: object) => Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1))
