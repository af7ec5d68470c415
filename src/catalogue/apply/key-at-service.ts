import type { KnownPublication } from '../../plan/known.ts'
import { isbn13, isSameText } from '../../plan/match.ts'
import type { Resource } from '../../service/client/read.ts'
import type { Publication } from '../../service/contract/publication.ts'
import { asText } from '../../system/exact-json.ts'
import type { Entry } from '../../uploads/journal/entry.ts'
import { knownPublication } from '../../uploads/lookup/known-publication.ts'
import { openLookup } from '../../uploads/lookup/lookup.ts'
import { failureOfStatus } from '../../uploads/outcome.ts'
import type { CreatedSince } from './created-since.ts'
import type { ExamineContext } from './examine-context.ts'
import type { UploadStep } from './upload-of-step.ts'

/** A publication as the service has it, and what a decision needs of it. */
export interface FoundPublication {
  readonly item: Resource<typeof Publication>
  readonly known: KnownPublication
}

/** More results than these mean that the service does not search for the key. */
const mostOfKey = 20

/**
 * The publication that has the key of a step, though there was none when the plan was made: among those that were created
 * between the plan and the first step, those that the service finds by the key, and new ones of the same title.
 */
export async function keyAtService(
  step: UploadStep,
  { createdSince, match }: { readonly createdSince: CreatedSince; readonly match: string },
  context: ExamineContext,
): Promise<FoundPublication | undefined> {
  const { key, send, uploadRequestId } = step
  const { call, limits, journal } = context
  // Each step asks anew, since what other steps create must be seen.
  const lookup = openLookup(call, limits.ask)
  const search = async (text: string | undefined | null) => (text ? (await lookup.search(text)).items : [])
  const { title } = send.edition
  const isContent = key === null || key.startsWith('sha256:')
  const [created, byKey, byTitle] = await Promise.all([
    isContent ? [] : createdSince.withValue(key),
    search(isContent ? null : key),
    search(title),
  ])
  const isNamesake = (each: { title: string | null; createdAt: number | null }) =>
    (each.title === null || isSameText(each.title, title ?? '')) && createdSince.includes(each.createdAt)
  const found = [...(byKey.length > mostOfKey ? [] : byKey), ...byTitle.filter(isNamesake)]
  const ids = [...created, ...found.map(({ publicationId }) => publicationId)]
  for (const id of new Set(ids)) {
    const entries = await journal.findPublication(context.caller, id)
    // A plan can have many books of one title, and the journal knows the keys of those that it has made.
    const isOther = (each: Entry) =>
      each.uploadRequestId !== uploadRequestId &&
      !hasKey(each.creation.edition.metadata, each.sha256, step, match)
    if (entries.length > 0 && entries.every(isOther)) continue
    const item = await lookup.publication(id)
    if (!item) continue
    const known = knownPublication(id, item, entries)
    if (hasEditionOfKey(known, step, match)) return { item, known }
  }
  return undefined
}

const hasEditionOfKey = ({ editions }: KnownPublication, step: UploadStep, match: string): boolean =>
  editions
    .filter(({ uploadStatus }) => failureOfStatus(uploadStatus, '') === undefined)
    .some(({ fields, sha256 }) => hasKey(fields.metadata, sha256, step, match))

/** Whether an edition has the step's key, or its content if that is the key. `match` is the metadata key of keys. */
function hasKey(
  metadata: Readonly<Record<string, unknown>> | undefined,
  content: string | null,
  { key, sha256 }: UploadStep,
  match: string,
): boolean {
  if (key === null || key.startsWith('sha256:')) return content === sha256
  const value = metadata?.[match]
  if (value === undefined || value === null) return false
  return (match === 'isbn' ? isbn13(value) : asText(value)) === key
}
