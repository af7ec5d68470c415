import type { ChangeableFields } from './book-fields.ts'
import { changesOf, fixedDifferencesOf } from './differences.ts'
import type { Begun, InBatch, Known, KnownEdition, KnownPublication } from './known.ts'
import { type Comparison, compareContent, isbn13, isNamesake } from './match.ts'
import type { Wanted } from './wanted.ts'

interface StepFacts {
  /** The reason, as a clause without a full stop. */
  readonly why: string
  readonly publicationId: string | null
  readonly editionId: string | null
}

/** What to do with one book. */
export type Step = StepFacts &
  (
    | { readonly action: 'create' }
    | { readonly action: 'edition'; readonly publicationId: string }
    | { readonly action: 'update'; readonly publicationId: string; readonly send: ChangeableFields }
    /** `unproven`: only ISBN and size are known to be the same. */
    | { readonly action: 'skip'; readonly proof: 'proven' | 'unproven'; readonly uploadStatus: string | null }
    | {
        readonly action: 'resume' | 'wait'
        readonly uploadRequestId: string
        readonly editionOf: string | null
      }
    | { readonly action: 'conflict'; readonly hint: string }
    | { readonly action: 'blocked'; readonly fields: readonly string[] }
  )

/**
 * Decides what to do with a book. Pure: no clock, network or disk. A book is skipped only if its content is proven to be at
 * the service, or if ISBN and size are the same; title, authors and type alone are never enough.
 */
export function decide(wanted: Wanted, known: Known): Step {
  const begun = known.begun && decideBegun(known.begun)
  if (begun) return begun
  const { editionOf } = wanted
  if (editionOf !== null)
    return {
      action: 'edition',
      publicationId: editionOf,
      editionId: null,
      why: `it becomes an edition of ${editionOf}`,
    }
  if (known.inBatch) return decideRepeated(wanted, known.inBatch)
  if (known.publications === null) return create('it has not been uploaded from here')
  const matches = known.publications.flatMap(each => matchOf(wanted, each) ?? [])
  const same = matches.filter(({ content }) => content === 'same')
  if (same.length > 0) return decideSame(wanted, same)
  const ofIsbn = matches.filter(({ by }) => by === 'isbn')
  const candidates = ofIsbn.length > 0 ? ofIsbn : matches
  if (candidates.length === 0) return create('nothing at the service has its content, its ISBN or its title')
  return decideOther(wanted, candidates, known.taken)
}

/** What to do with an upload that was begun before; undefined if it cannot be continued. */
export function decideBegun(begun: Begun): Step | undefined {
  const { uploadRequestId, stage, state, isChanged, isContentTold, publicationId, editionId, editionOf } =
    begun
  if (state === 'gone') return undefined
  if (stage === 'finished') {
    if (isChanged || (state !== null && state !== 'available')) return undefined
    const why = 'it was uploaded before'
    return { action: 'skip', proof: 'proven', why, publicationId, editionId, uploadStatus: 'available' }
  }
  const hasArrived = stage === 'sent' || isReceived(state)
  // A file that has arrived, or whose SHA-256 the service was told, cannot be replaced by a changed file.
  if (isChanged && (hasArrived || isContentTold)) return undefined
  const facts = { uploadRequestId, publicationId, editionId, editionOf }
  return hasArrived
    ? { action: 'wait', why: 'it was sent before', ...facts }
    : { action: 'resume', why: 'it was begun before', ...facts }
}

const create = (why: string): Step => ({ action: 'create', why, publicationId: null, editionId: null })

/** A file with the same content as another file of the batch. */
function decideRepeated(
  { given }: Wanted,
  { file, fields, publicationId, editionId, uploadStatus }: InBatch,
): Step {
  const why = `it has the same content as ${file} in this batch`
  const changes = Object.keys(changesOf(given.changeable, fields) ?? {})
  const differing = [...changes, ...fixedDifferencesOf(given.creation, fields)]
  if (differing.length === 0)
    return { action: 'skip', proof: 'proven', why, publicationId, editionId, uploadStatus }
  return {
    action: 'conflict',
    why: `${why}, and is given another ${differing.join(', ')}`,
    hint: 'Leave one of the two out, or upload them one after the other without --skip-existing.',
    publicationId,
    editionId,
  }
}

interface Match {
  readonly publication: KnownPublication
  readonly edition: KnownEdition
  readonly content: Comparison
  readonly by: 'content' | 'isbn' | 'title'
}

/** How a publication matches the book; undefined if it does not, or if all its uploads failed. */
function matchOf(wanted: Wanted, publication: KnownPublication): Match | undefined {
  const editions = publication.editions.filter(({ uploadStatus }) => !hasFailed(uploadStatus))
  const newest = editions[0]
  if (newest === undefined) return undefined
  const current = editions.find(({ isCurrent }) => isCurrent) ?? newest
  const edition = [current, newest].find(each => compareContent(wanted, each) === 'same') ?? current
  const content = compareContent(wanted, edition)
  if (content === 'same') return { publication, edition, content, by: 'content' }
  const [isbn, other] = [isbn13(wanted.isbn), isbn13(edition.fields.metadata?.['isbn'])]
  if (isbn !== undefined && isbn === other) return { publication, edition, content, by: 'isbn' }
  if (isbn !== undefined && other !== undefined) return undefined
  const { title, author } = edition.fields
  const isTitled = isNamesake(wanted, { title, authors: author, type: edition.type })
  return isTitled ? { publication, edition, content, by: 'title' } : undefined
}

/** The service has the content; only the fields can differ. */
function decideSame(wanted: Wanted, same: readonly Match[]): Step {
  const match = same.find(({ edition }) => edition.wasSent || isReceived(edition.uploadStatus))
  if (match) return settleFields(wanted, match, same, 'proven')
  const [{ publication, edition }] = same as [Match]
  return {
    action: 'conflict',
    why: `${publication.publicationId} was begun with the same content, and its file has not arrived`,
    hint: 'Wait for whoever uploads it, or delete that publication.',
    publicationId: publication.publicationId,
    editionId: edition.editionId,
  }
}

function settleFields(
  wanted: Wanted,
  match: Match,
  all: readonly Match[],
  proof: 'proven' | 'unproven',
): Step {
  const { publication, edition } = match
  const { publicationId } = publication
  const facts = { publicationId, editionId: edition.editionId }
  const there = proof === 'proven' ? 'has the same content' : 'has the same ISBN and size'
  const fields = fixedDifferencesOf(wanted.given.creation, edition.fields)
  if (fields.length > 0) {
    const why = `${publicationId} ${there} and another ${fields.join(', ')}, which the service cannot change`
    return { action: 'blocked', fields, why, ...facts }
  }
  const send = changesOf(wanted.given.changeable, publication.fields)
  if (send === undefined) {
    return {
      action: 'skip',
      proof,
      why: `${publicationId} ${there}`,
      uploadStatus: edition.uploadStatus,
      ...facts,
    }
  }
  if (all.length > 1) return ambiguous(all, 'the same content')
  const why = `${publicationId} ${there} and another ${Object.keys(send).join(', ')}`
  return { action: 'update', send, why, ...facts, publicationId }
}

/** Publications match by ISBN or title, but none by content. */
function decideOther(wanted: Wanted, candidates: readonly Match[], taken: ReadonlyMap<string, string>): Step {
  const { ifChanged, file, type } = wanted
  const [match] = candidates as [Match]
  const { publication, edition, content, by } = match
  const { publicationId } = publication
  const facts = { publicationId, editionId: edition.editionId }
  const shared = by === 'isbn' ? `its ISBN` : 'its title'
  if (candidates.length === 1 && by === 'isbn' && content === 'same size' && !isOtherType(edition, type))
    return settleFields(wanted, match, candidates, 'unproven')
  const notKnown = candidates.find(each => each.content !== 'different')
  if (notKnown) {
    return {
      action: 'conflict',
      why: `${notKnown.publication.publicationId} has ${shared}, and whether it has the same content cannot be proven`,
      hint: 'Compare them; without --skip-existing and --if-changed it is uploaded. A metadata key "sha256" lets pubctl prove content.',
      publicationId: notKnown.publication.publicationId,
      editionId: notKnown.edition.editionId,
    }
  }
  if (ifChanged === 'new') return create(`${publicationId} has ${shared} and other content`)
  if (candidates.length > 1) return ambiguous(candidates, shared)
  if (isOtherType(edition, type)) {
    const why = `${publicationId} has ${shared} and is of type ${edition.type}, while ${file} is of type ${type}`
    return {
      action: 'conflict',
      why,
      hint: 'With --if-changed new it becomes a publication of its own.',
      ...facts,
    }
  }
  const why = `${publicationId} has ${shared} and other content`
  if (ifChanged === 'fail') return { action: 'conflict', why, hint: remedies, ...facts }
  const other = taken.get(publicationId)
  if (other === undefined || other === file) return { action: 'edition', why, ...facts, publicationId }
  return {
    action: 'conflict',
    why: `${why}, and ${other} in this batch becomes its new edition`,
    hint: 'Leave one of the two out.',
    ...facts,
  }
}

const remedies =
  'With --if-changed edition it becomes a new edition of that publication, with --if-changed new one of its own.'

function ambiguous(matches: readonly Match[], shared: string): Step {
  const [{ publication, edition }] = matches as [Match]
  const ids = matches.map(each => each.publication.publicationId)
  return {
    action: 'conflict',
    why: `${ids.slice(0, -1).join(', ')} and ${ids.at(-1)} have ${shared}`,
    hint: 'Say which one is meant with "pubctl editions upload", or upload it with --if-changed new.',
    publicationId: publication.publicationId,
    editionId: edition.editionId,
  }
}

const isOtherType = ({ type }: KnownEdition, wanted: string): boolean => type !== null && type !== wanted

const hasFailed = (status: string | null): boolean =>
  status === 'upload_failed' || status === 'upload_quarantine'

/** Whether the service has received the file, whatever processing says of it (§3.1). */
const isReceived = (status: string | null): boolean =>
  status === 'uploaded' || status === 'available' || hasFailed(status)
