import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { late } from '../service/contract/endpoint.ts'
import { type creation, EditionMetadata } from '../service/contract/publication.ts'
import { isObject } from '../system/is-object.ts'
import type { RequestContext } from './call.ts'
import { enqueue } from './processing/jobs.ts'
import { refused, ServiceError } from './service-error.ts'
import { findObject } from './store/objects.ts'
import {
  addEdition,
  addPublication,
  type EditionRecord,
  editionsOf,
  findEdition,
  type PublicationRecord,
  publicationRow,
  publicationWithEditions,
  saveEdition,
  savePublication,
} from './store/publications.ts'
import { newId } from './store/records.ts'
import { claimUpload, contentConflict, storedSession, type UploadRow } from './store/upload-requests.ts'
import { parseAs } from './validate.ts'

export type CreationInput = z.output<z.ZodMiniObject<ReturnType<typeof creation>>>

// Fields of an edition that the document has and its creation body does not name; they are taken, and checked.
const MoreOfEdition = late(() =>
  z.looseObject({ editionNotes: z.optional(z.string()), metadata: z.optional(EditionMetadata()) }),
)

/**
 * Creates an edition, and its publication when none is given; the same `uploadRequestId` again gives what it gave
 * before, with a new session. Throws 404 for an unknown publication, and 400 INVALID_REQUEST when the identifier is
 * that of another publication's edition, or comes with other content than the first time. Throws 403 for one publication
 * more than the caller may have.
 */
export function createEdition(call: RequestContext, input: CreationInput, publicationId?: string) {
  const { db, objects } = call
  const { editionNotes, metadata = {} } = parseAs(MoreOfEdition(), input.edition, ['edition'])
  const made = db.write(() => {
    if (publicationId !== undefined) publicationRow(db, publicationId)
    const upload = claimUpload(db, input, input.edition.type, ['edition', 'type'])
    const known = upload.edition_id === null ? undefined : findEdition(db, upload.edition_id)
    if (known) {
      if (publicationId !== undefined && publicationId !== known.publicationId) {
        throw refused(
          `The uploadRequestId ${input.uploadRequestId} is that of another publication's edition.`,
          [{ message: 'In use by another publication', path: ['uploadRequestId'], code: 'custom' }],
        )
      }
      const conflicts =
        upload.creation === null ? [] : differences(JSON.parse(upload.creation), contentOf(input))
      if (conflicts.length > 0) throw contentConflict(input.uploadRequestId, conflicts)
      return { upload, id: known.publicationId }
    }
    if (publicationId === undefined) checkLimit(call)
    const edition = newEdition(call, input, upload, { ...metadata }, editionNotes)
    const id = addToPublication(call, input, edition, publicationId)
    db.run(
      'UPDATE uploads SET edition_id = ?, creation = ? WHERE request_id = ?',
      edition.id,
      JSON.stringify(contentOf(input)),
      upload.request_id,
    )
    if (findObject(db, upload.object_key)?.file) enqueue(call, edition.id)
    return { upload, id }
  })
  return { item: publicationWithEditions(db, made.id), result: storedSession(objects, made.upload, input) }
}

/** Throws 403 ACCOUNT_RESTRICTED if there are as many publications as the caller's `publicationLimit` allows. */
function checkLimit({ db, caller }: RequestContext): void {
  const limit = caller.user.billing?.publicationLimit
  if (limit === null || limit === undefined) return
  const count = db.get<{ n: number }>("SELECT n FROM counts WHERE name = 'publications'")?.n ?? 0
  if (count < limit) return
  throw new ServiceError(403, 'ACCOUNT_RESTRICTED', `The limit of ${limit} publications is reached.`)
}

/** The content of a creation, as it is stored in JSON. A cover may be asked for later, so that it does not count. */
function contentOf({ uploadRequestId, coverFilename, ...content }: CreationInput): unknown {
  return JSON.parse(JSON.stringify(content))
}

function newEdition(
  { now }: RequestContext,
  { edition: { title, author, type } }: CreationInput,
  upload: UploadRow,
  metadata: Record<string, unknown>,
  editionNotes: string | undefined,
): EditionRecord {
  const isTitled = title !== undefined && title.trim() !== ''
  return {
    id: newId('ed'),
    type,
    ...(type !== 'EPUB' && { isReflowable: false }),
    editionCreated: now,
    ...(isTitled && { title, titleSource: 'user' }),
    author: author ?? [],
    version: 1,
    isCurrentVersion: true,
    status: 'draft',
    ...(editionNotes !== undefined && { editionNotes }),
    key: upload.object_key,
    uploadStatus: 'upload_pending',
    metadata,
    navigationData: [],
  }
}

/** Adds an edition to its publication, or to a new one; returns the publication's id. */
function addToPublication(
  { db, now, variants }: RequestContext,
  input: CreationInput,
  edition: EditionRecord,
  publicationId?: string,
): string {
  if (publicationId === undefined) {
    const record: PublicationRecord = {
      ...withFields(
        {
          id: newId('pub'),
          sampleItems: [],
          isForInternalReadingInstance: false,
          collectionIds: [],
          createdAtIso: now,
        },
        input,
      ),
    }
    addPublication(db, record, edition)
    return record.id
  }
  const editions = editionsOf(db, publicationId)
  const version = Math.max(0, ...editions.map(({ version }) => version)) + 1
  const isCurrentVersion = variants.includes('current-at-creation')
  const former = isCurrentVersion && editions.find(each => each.isCurrentVersion)
  if (former) saveEdition(db, publicationId, { ...former, isCurrentVersion: false })
  addEdition(db, publicationId, { ...edition, version, isCurrentVersion })
  savePublication(db, withFields(publicationRow(db, publicationId).record, input))
  return publicationId
}

/** The fields of a publication in the bodies that create and change it. */
interface PublicationFields {
  language?: string | undefined
  description?: string | undefined
  sampleItems?: string[] | undefined
  isForInternalReadingInstance?: boolean | undefined
  collectionIds?: string[] | undefined
}

/** A publication with the fields of a body; fields that are not given stay as they are. */
export function withFields(record: PublicationRecord, fields: PublicationFields): PublicationRecord {
  const { language, description, sampleItems, isForInternalReadingInstance, collectionIds } = fields
  return {
    ...record,
    ...(language !== undefined && { language }),
    ...(description !== undefined && { description }),
    ...(sampleItems && { sampleItems }),
    ...(isForInternalReadingInstance !== undefined && { isForInternalReadingInstance }),
    ...(collectionIds && { collectionIds }),
  }
}

/** The paths at which two JSON values differ, from the outermost name inwards; arrays are compared as one value. */
function differences(one: unknown, other: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (isDeepStrictEqual(one, other)) return []
  if (!isObject(one) || !isObject(other)) return [at]
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap(name =>
    differences(own(one, name), own(other, name), [...at, name]),
  )
}

const own = (object: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined
