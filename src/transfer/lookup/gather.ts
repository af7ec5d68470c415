import type { Caller } from '../../journal/caller.ts'
import type { Entry } from '../../journal/entry.ts'
import type { LocalJournalReader } from '../../journal/local-reader.ts'
import { decide } from '../../plan/decide.ts'
import type { EarlierUpload, Known, KnownPublication } from '../../plan/known.ts'
import { nothingKnown } from '../../plan/known.ts'
import { isbn13, isNamesake } from '../../plan/match.ts'
import type { UploadPlan } from '../../plan/upload-plan.ts'
import type { Wanted } from '../../plan/wanted.ts'
import type { Warning } from '../../warning.ts'
import { fingerprintOf } from './fingerprint.ts'
import { knownPublication } from './known-publication.ts'
import { contentKey, type ServiceLookup } from './lookup.ts'

export interface GatherOptions {
  readonly journal: LocalJournalReader
  readonly caller: Caller
  /** Undefined if the service is not asked. */
  readonly lookup: ServiceLookup | undefined
  readonly onWarning: (warning: Warning) => void
}

/** Gathers what the journal knows of a file and, with `lookup`, what the service knows. */
export async function gather(
  plan: UploadPlan,
  wanted: Wanted,
  { journal, caller, lookup, onWarning }: GatherOptions,
  batchBegan: number,
): Promise<Known> {
  const begunTo = (editionOf: string | null): EarlierUpload | null => {
    const { bytes, modified } = plan
    const fingerprint = fingerprintOf(plan, editionOf)
    const { target, scopeId, keyDigest } = caller
    const same = { target, scopeId, keyDigest, fingerprint, bytes, modified }
    const entry = journal.findSame(same, new Set())
    if (entry === undefined) return null
    // If the service is asked, its current state counts, not an earlier upload.
    if (entry.stage === 'finished' && lookup) return null
    return begunOf(entry, null, entry.bytes !== bytes || entry.modified !== modified)
  }
  const begun = begunTo(wanted.editionOf)
  if (begun !== null || lookup === undefined || wanted.editionOf !== null) return { ...nothingKnown, begun }

  const known = async (ids: Iterable<string>): Promise<KnownPublication[]> =>
    (
      await Promise.all(
        [...new Set(ids)].map(async id => {
          const item = await lookup.publication(id)
          return item && knownPublication(id, item, journal.findPublication(caller, id))
        }),
      )
    ).filter(each => each !== undefined)

  const uploaded = journal.findContent(caller, wanted.sha256 ?? '').map(({ publicationId }) => publicationId)
  const ofContent = await known(uploaded.filter(id => id !== null))
  if (isSettledBy(wanted, ofContent)) return { ...nothingKnown, publications: ofContent }

  const listed = await candidatesOf(wanted, lookup, onWarning)
  const isOfThisBatch = (id: string) =>
    journal
      .findPublication(caller, id)
      .some(({ editionOf, startedAt }) => editionOf === null && startedAt >= batchBegan)
  const further = listed.filter(id => !uploaded.includes(id) && !isOfThisBatch(id))
  const publications = [...ofContent, ...(await known(further))]
  const [first = null] = publications
    .map(({ publicationId }) => begunTo(publicationId))
    .filter(each => each !== null)
  return { ...nothingKnown, begun: first, publications }
}

const isSettledBy = (wanted: Wanted, publications: readonly KnownPublication[]): boolean =>
  ['skip', 'update', 'blocked'].includes(decide(wanted, { ...nothingKnown, publications }).action)

const mostOfIsbn = 20

/** The ids of the publications that the service lists under the book's title and ISBN. */
async function candidatesOf(
  wanted: Wanted,
  lookup: ServiceLookup,
  onWarning: GatherOptions['onWarning'],
): Promise<string[]> {
  const isbn = isbn13(wanted.isbn)
  const search = async (text: string | undefined) => {
    if (!text) return []
    const { items, isCut } = await lookup.search(text)
    if (isCut) {
      onWarning({
        code: 'lookup_incomplete',
        message: `the service lists more than ${items.length} publications for "${text}", and only those were compared with ${wanted.file}`,
      })
    }
    return items
  }
  const hasOwnTitle = wanted.own.title !== wanted.title
  const [byTitle, byIsbn, further] = await Promise.all([
    search(wanted.title),
    search(isbn),
    search(hasOwnTitle ? wanted.own.title : undefined),
  ])
  const byOwnTitle = hasOwnTitle ? further : byTitle
  const own = { ...wanted, ...wanted.own }
  // A search that honours the ISBN finds a few publications; more means that it was ignored.
  const ofIsbn = byIsbn.length > mostOfIsbn ? [] : byIsbn
  const found = [
    ...byTitle.filter(each => isNamesake(wanted, each)),
    ...byOwnTitle.filter(each => isNamesake(own, each)),
    // Finds a book whose authors were corrected, or whose ISBN the search ignores.
    ...(isbn === undefined ? [] : byTitle.filter(({ title }) => isNamesake(wanted, { ...unknown, title }))),
    ...(isbn === undefined ? [] : ofIsbn),
  ]
  return [...new Set(found.map(({ publicationId }) => publicationId))]
}

const unknown = { authors: null, type: null }

/** An upload of the journal, as far as a decision needs it. */
export const begunOf = (
  { uploadRequestId, stage, publicationId, editionId, editionOf, creation }: Entry,
  state: string | null,
  isChanged: boolean,
): EarlierUpload => ({
  ...{ uploadRequestId, stage, publicationId, editionId, editionOf, state, isChanged },
  isContentTold: creation.edition.metadata?.[contentKey] !== undefined,
})
