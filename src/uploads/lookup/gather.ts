import { decide } from '../../plan/decide.ts'
import {
  type EarlierUpload,
  type FailedUpload,
  type Known,
  type KnownPublication,
  nothingKnown,
} from '../../plan/known.ts'
import { hasFailed, isbn13, isNamesake } from '../../plan/match.ts'
import type { UploadPlan } from '../../plan/upload-plan.ts'
import type { Wanted } from '../../plan/wanted.ts'
import type { Warning } from '../../system/warning.ts'
import type { Caller } from '../journal/caller.ts'
import { type Entry, isSameContent } from '../journal/entry.ts'
import type { LocalJournalReader } from '../journal/local-reader.ts'
import { fingerprintOf } from './fingerprint.ts'
import { knownPublication } from './known-publication.ts'
import type { ServiceLookup } from './lookup.ts'
import { contentKey } from './metadata-keys.ts'

export interface GatherOptions {
  readonly journal: LocalJournalReader
  readonly caller: Caller
  readonly lookup: ServiceLookup
  /** Whether the service is searched for what the journal does not know. */
  readonly isSearched: boolean
  readonly onWarning: (warning: Warning) => void
}

/**
 * Gathers what the journal knows of a file, what the service says of that and, if it is searched, what else it has. Of each kind of
 * upload of the file, the latest that was finished before is added to `considered`.
 */
export async function gather(
  plan: UploadPlan,
  wanted: Wanted,
  { journal, caller, lookup, isSearched, onWarning }: GatherOptions,
  batchBegan: number,
  considered: Set<string>,
): Promise<Known> {
  const { editionOf, sha256 } = wanted
  const { file, bytes, modified } = plan
  const begunTo = (editionOf: string | null): EarlierUpload | null => {
    const fingerprint = fingerprintOf(plan, editionOf)
    const { target, scopeId, keyDigest } = caller
    const same = { target, scopeId, keyDigest, fingerprint, file, bytes, modified, sha256 }
    const unfinished = new Set<string>()
    let begun: EarlierUpload | null = null
    for (let entry = journal.findSame(same, unfinished); entry; entry = journal.findSame(same, unfinished)) {
      // What is finished is compared with what the service says of it now.
      if (entry.stage === 'finished') {
        considered.add(entry.uploadRequestId)
        break
      }
      begun ??= begunOf(entry, null, !isSameContent(entry, same))
      unfinished.add(entry.uploadRequestId)
    }
    return begun
  }
  const begun = begunTo(editionOf)
  if (begun !== null || wanted.again) return { ...nothingKnown, begun }

  const known = async (ids: Iterable<string>): Promise<KnownPublication[]> =>
    (
      await Promise.all(
        [...new Set(ids)].map(async id => {
          const item = await lookup.publication(id)
          return item && knownPublication(id, item, journal.findPublication(caller, id))
        }),
      )
    ).filter(each => each !== undefined)

  const sent = journal.findSent(caller, { file, sha256 })
  if (editionOf !== null) {
    const publications = sent.length > 0 ? await known([editionOf]) : null
    return {
      ...nothingKnown,
      publications,
      failed: failedOf(sent, { bytes, modified, sha256 }, publications),
    }
  }
  const uploaded = sent.flatMap(({ publicationId }) => publicationId ?? [])
  const fromHere = await known(uploaded)
  const failed = failedOf(sent, { bytes, modified, sha256 }, fromHere)
  if (isSettledBy(wanted, fromHere, failed)) return { ...nothingKnown, publications: fromHere, failed }
  if (!isSearched) return { ...nothingKnown, publications: sent.length > 0 ? fromHere : null, failed }

  const listed = await candidatesOf(wanted, lookup, onWarning)
  const isOfThisBatch = (id: string) =>
    journal
      .findPublication(caller, id)
      .some(({ editionOf, startedAt }) => editionOf === null && startedAt >= batchBegan)
  const further = listed.filter(id => !uploaded.includes(id) && !isOfThisBatch(id))
  const publications = [...fromHere, ...(await known(further))]
  const [first = null] = publications
    .map(({ publicationId }) => begunTo(publicationId))
    .filter(each => each !== null)
  return { ...nothingKnown, begun: first, publications, failed }
}

/** The latest upload of the same content, if it failed. */
export function failedOf(
  sent: readonly Entry[],
  content: Parameters<typeof isSameContent>[1],
  publications: readonly KnownPublication[] | null,
): FailedUpload | null {
  const latest = sent.find(entry => isSameContent(entry, content))
  if (latest === undefined || latest.uploadStatus === null || !hasFailed(latest.uploadStatus)) return null
  const { uploadStatus, file, publicationId, editionId } = latest
  const there = publications?.find(each => each.publicationId === publicationId)
  const isLeft = there?.editions.every(each => hasFailed(each.uploadStatus)) ?? false
  return { uploadStatus, file, publicationId, editionId, isLeft }
}

/** Whether the content is there, or has failed before, so that nothing else has to be looked at. */
function isSettledBy(
  wanted: Wanted,
  publications: readonly KnownPublication[],
  failed: FailedUpload | null,
): boolean {
  const step = decide(wanted, { ...nothingKnown, publications, failed })
  if (step.action === 'conflict') return step.failedWith !== undefined
  return ['skip', 'update', 'blocked'].includes(step.action)
}

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
