import type { AcceptedDifference, Difference } from './difference.ts'
import {
  changeableDifferencesOf,
  changesIn,
  comparableFields,
  fixedDifferencesOf,
  namesOf,
  withoutAccepted,
} from './differences.ts'
import type { KnownEdition } from './known.ts'
import { awaitedHint, isOtherType, isSent } from './match.ts'
import type { MatchedBy, ProductMatch } from './match-product.ts'
import type { ProductStep, Proof } from './step.ts'
import type { WantedProduct } from './wanted.ts'

/** Compares a product with the publication that it is: first the type, then the content, then the fields. */
export function decideContent(
  wanted: WantedProduct,
  match: ProductMatch,
  by: MatchedBy,
  accepted: readonly AcceptedDifference[],
): ProductStep {
  const { file, type, row } = wanted
  const { publication, edition, content } = match
  const { publicationId } = publication
  const named = by === 'key' ? `${publicationId}, which has the key ${row.key},` : publicationId
  if (edition === undefined) return decideFailed(wanted, publicationId)
  const facts = { publicationId, editionId: edition.editionId }
  const claimed = type ?? row.type
  if (claimed !== null && isOtherType(edition, claimed)) {
    return {
      action: 'conflict',
      why: `${named} is of type ${edition.type}, and the book is of type ${claimed}`,
      hint: 'An edition cannot have another type: give the book a key of its own.',
      ...facts,
    }
  }
  const settle = (proof: Proof | null) => settleProduct(wanted, match, edition, proof, accepted)
  if (file === null) return settle(null)
  if (isAwaited(edition)) {
    return {
      action: 'conflict',
      why: `${named} was begun, and its file has not arrived`,
      hint: awaitedHint(publicationId, file),
      ...facts,
    }
  }
  if (content === 'same') return settle('proven')
  if (content === 'same size') return settle('unproven')
  if (content === 'different') {
    return { action: 'edition', why: `${named} has other content`, ...facts }
  }
  return {
    action: 'conflict',
    why: `whether ${named} has the same content cannot be proven`,
    hint: 'Compare them, and if they differ, upload it with "pubctl editions upload". A metadata key "sha256" lets pubctl prove content.',
    proof: 'unproven',
    ...facts,
  }
}

/** All uploads of the publication that the sheet names have failed. */
const decideFailed = ({ file }: WantedProduct, publicationId: string): ProductStep =>
  file === null
    ? {
        action: 'conflict',
        why: `all uploads to ${publicationId} have failed`,
        hint: 'Give the book a file.',
        publicationId,
        editionId: null,
      }
    : {
        action: 'edition',
        why: `all uploads to ${publicationId} have failed`,
        publicationId,
        editionId: null,
      }

/** Whether the service waits for the file, and the journal does not know that it was sent. */
const isAwaited = (edition: KnownEdition): boolean => edition.uploadStatus !== null && !isSent(edition)

/** The content is the same, or there is no file; only fields can differ. */
function settleProduct(
  { given, row, file }: WantedProduct,
  { publication }: ProductMatch,
  edition: KnownEdition,
  proof: Proof | null,
  accepted: readonly AcceptedDifference[],
): ProductStep {
  const { publicationId } = publication
  const has = {
    proven: `${publicationId} has the same content`,
    unproven: `${publicationId} has the same key and size`,
  }
  const there = proof === null ? `it is ${publicationId}` : has[proof]
  const { comparable, unknown } = comparableFields(given.creation, edition.fields)
  const kept = (all: readonly Difference[]) => withoutAccepted(all, publicationId, accepted)
  const { open: fixed, known: knownFixed } = kept(fixedDifferencesOf(comparable, edition.fields))
  const { open: differences, known: knownOthers } = kept(
    changeableDifferencesOf(given.changeable, publication.fields),
  )
  const known = [...knownFixed, ...knownOthers]
  const facts = {
    ...{ publicationId, editionId: edition.editionId },
    ...(known.length > 0 && { accepted: known }),
  }
  if (fixed.length > 0) {
    const fields = namesOf(fixed)
    const why = `${there} and another ${fields.join(', ')}, which the service cannot change`
    const action = row.reissue && file !== null ? 'edition' : 'blocked'
    return { action, fields, differences: fixed, why, ...facts }
  }
  const send = changesIn(differences)
  if (send !== undefined) {
    const why = `${there} and another ${namesOf(differences).join(', ')}`
    return { action: 'update', send, differences, why, ...facts }
  }
  const untold = unknown.length === 0 ? '' : `; the service does not say its ${unknown.join(', ')}`
  const other = known.length === 0 ? '' : ` and another ${namesOf(known).join(', ')}, which is accepted`
  return {
    action: 'skip',
    proof,
    why: `${there}${other}${untold}`,
    uploadStatus: edition.uploadStatus,
    ...facts,
  }
}
