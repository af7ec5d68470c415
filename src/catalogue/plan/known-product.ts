import { fieldsOfCreation } from '../../plan/creation.ts'
import { namedValues } from '../../plan/differences.ts'
import type { SentValues } from '../../plan/drift.ts'
import type { IndexedPublication, IndexQuery, KnownPublication } from '../../plan/known.ts'
import { hasFailed } from '../../plan/match.ts'
import { matchProduct } from '../../plan/match-product.ts'
import type { WantedProduct } from '../../plan/wanted.ts'
import type { Entry } from '../../uploads/journal/entry.ts'
import { withJournal } from '../../uploads/lookup/known-publication.ts'
import type { Sent, SentStore } from '../../uploads/sent/sent.ts'
import type { Planning } from './planning.ts'

interface Sources extends Pick<Planning, 'index' | 'journal' | 'caller' | 'began'> {
  readonly sent: Pick<SentStore, 'get'>
}

/**
 * The publications that may be a product, according to the index and the journal. The title is only looked up if nothing
 * stronger finds any.
 */
export function candidatesFor(wanted: WantedProduct, sources: Sources): KnownPublication[] {
  const { row, sha256, title, own } = wanted
  const { index } = sources
  const named = row.publicationId
  if (named !== null) return known([index.get(named)], sources)
  const byKey = row.key === null ? [] : index.find(keyQuery(row.keyField, row.key))
  const byContent = sha256 === null ? [] : [...index.find({ sha256 }), ...uploadedContent(sha256, sources)]
  const found = known([...byKey, ...byContent], sources)
  if (matchProduct(wanted, found).by !== 'title') return found
  const titles = new Set([title, own.title].filter(each => each !== undefined))
  const byTitle = [...titles].flatMap(each => index.find({ title: each }))
  return known([...byKey, ...byContent, ...byTitle], sources)
}

/** By what a key is looked up. */
export const keyQuery = (field: string, key: string): IndexQuery =>
  field === 'isbn' ? { isbn: key } : { metadata: [field, key] }

/** The publications that may be a product, as far as they are not read yet. `ids` are those that other things name. */
export function notReadOf(
  { row, sha256, title, own }: WantedProduct,
  ids: readonly (string | null)[],
  { index, journal, caller }: Sources,
): string[] {
  const named = row.publicationId === null ? ids : [...ids, row.publicationId]
  const found = named.flatMap(publicationId => index.mayMean({ publicationId }))
  if (row.publicationId !== null) return found
  const sent = sha256 === null ? [] : journal.findSent(caller, { file: null, sha256 })
  const uploaded = sent.flatMap(({ publicationId }) => index.mayMean({ publicationId }))
  const byKey = row.key === null ? [] : index.mayMean(keyQuery(row.keyField, row.key))
  const byContent = index.mayMean({ sha256, title: title ?? null })
  const byOwnTitle = own.title === undefined ? [] : index.mayMean({ title: own.title })
  return [...new Set([...found, ...uploaded, ...byKey, ...byContent, ...byOwnTitle])]
}

/** The publications to which the journal knows the same content to have been uploaded. */
const uploadedContent = (
  sha256: string,
  { journal, caller, index }: Sources,
): (IndexedPublication | undefined)[] =>
  journal
    .findSent(caller, { file: null, sha256 })
    .filter(({ uploadStatus }) => !hasFailed(uploadStatus))
    .map(({ publicationId }) => (publicationId === null ? undefined : index.get(publicationId)))

function known(
  found: readonly (IndexedPublication | undefined)[],
  { journal, caller, sent, began }: Sources,
): KnownPublication[] {
  const byId = new Map(
    found.filter(each => each !== undefined).map(each => [each.publicationId, each] as const),
  )
  return [...byId.values()].map(each => {
    const entries = journal.findPublication(caller, each.publicationId)
    const values = sentValues(entries, sent.get(each.publicationId), began)
    return { ...withJournal(withCollections(each), entries), sent: values }
  })
}

/** The latest value of each field that was sent, be it with an upload of the journal or later. */
function sentValues(entries: readonly Entry[], sent: ReadonlyMap<string, Sent>, now: number): SentValues {
  const uploaded = entries
    // An upload of a time to come was begun before the clock was set back.
    .map(({ creation, startedAt }) => ({ creation, at: startedAt > now ? 0 : startedAt }))
    .flatMap(({ creation, at }) =>
      namedValues(fieldsOfCreation(creation)).map(([name, value]) => [name, { value, at }] as const),
    )
    .reverse()
  const latest = new Map<string, Sent>(uploaded)
  for (const [name, each] of sent) if (each.at >= (latest.get(name)?.at ?? 0)) latest.set(name, each)
  return new Map([...latest].map(([name, { value }]) => [name, value]))
}

/** The listing tells the collections of a publication, which are given with an edition. */
function withCollections(publication: IndexedPublication): KnownPublication {
  const { collectionIds, editions } = publication
  if (collectionIds === null) return publication
  return {
    ...publication,
    editions: editions.map(edition => ({ ...edition, fields: { ...edition.fields, collectionIds } })),
  }
}
