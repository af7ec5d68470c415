import type { AcceptedDifference, Difference } from './difference.ts'
import {
  changeableDifferencesOf,
  changesIn,
  comparableFields,
  driftedIn,
  fixedDifferencesOf,
  namesOf,
  withoutAccepted,
} from './differences.ts'
import type { KnownEdition, KnownPublication } from './known.ts'
import { awaitedHint, isOtherType, isSent } from './match.ts'
import type { MatchedBy, ProductMatch } from './match-product.ts'
import type { ProductStep, Proof } from './step.ts'
import { keyName, type WantedProduct } from './wanted.ts'

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
  const named =
    by === 'key' ? `${publicationId}, which has the ${keyName(row.keyField)} ${row.key},` : publicationId
  if (edition === undefined) return decideFailed(wanted, publicationId)
  const facts = { publicationId, editionId: edition.editionId }
  const claimed = type ?? row.type
  if (claimed !== null && isOtherType(edition, claimed)) {
    return {
      action: 'conflict',
      why: `${named} is of type ${edition.type}, and the book is of type ${claimed}`,
      hint: `A file of another type is another publication: give the book ${row.keyField === 'isbn' ? 'an ISBN' : `a ${row.keyField}`} of its own.`,
      ...facts,
    }
  }
  const settle = (proof: Proof | null) => settleProduct(wanted, { ...match, by }, edition, proof, accepted)
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
    const why = `${named} has a different file`
    const drifted = decideReplaced(why, wanted, publication, edition)
    return drifted ? { ...drifted, ...facts } : { action: 'edition', why, ...facts }
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
  wanted: WantedProduct,
  { publication, by }: ProductMatch & { readonly by: MatchedBy },
  edition: KnownEdition,
  proof: Proof | null,
  accepted: readonly AcceptedDifference[],
): ProductStep {
  const { row, file } = wanted
  const { publicationId } = publication
  const has = {
    proven: `${publicationId} has the same content`,
    unproven: `${publicationId} has ${by === 'key' ? `the same ${keyName(row.keyField)} and size` : 'a file of the same size'}`,
  }
  const there = proof === null ? `it is ${publicationId}` : has[proof]
  const { fixed, changeable, known, unknown } = differencesOf(wanted, publication, edition, accepted)
  const drifted = decideDrifted(there, wanted, [...fixed, ...changeable])
  const facts = {
    ...{ publicationId, editionId: edition.editionId },
    ...(known.length > 0 && { accepted: known }),
  }
  if (drifted) return { ...drifted, ...facts }
  if (fixed.length > 0) {
    const fields = namesOf(fixed)
    const why = `${there} and another ${fields.join(', ')}, which the service cannot change`
    if (!row.reissue || file === null) return { action: 'blocked', fields, differences: fixed, why, ...facts }
    const replaced = decideReplaced(there, wanted, publication, edition)
    return { ...(replaced ?? { action: 'edition', fields, differences: fixed, why }), ...facts }
  }
  const send = changesIn(changeable)
  if (send !== undefined) {
    const why = `${there} and another ${namesOf(changeable).join(', ')}`
    return { action: 'update', send, differences: changeable, why, ...facts }
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

/** The fields of a product that differ at the service, but for those that are accepted, which are `known`. */
function differencesOf(
  { given }: WantedProduct,
  { publicationId, fields, sent }: KnownPublication,
  edition: KnownEdition,
  accepted: readonly AcceptedDifference[],
) {
  const { comparable, unknown } = comparableFields(given.creation, edition.fields)
  const kept = (all: readonly Difference[]) => withoutAccepted(all, publicationId, accepted)
  const fixed = kept(fixedDifferencesOf(comparable, edition.fields, sent))
  const changeable = kept(changeableDifferencesOf(given.changeable, fields, sent))
  return {
    ...{ fixed: fixed.open, changeable: changeable.open },
    ...{ known: [...fixed.known, ...changeable.known], unknown },
  }
}

/** A new edition would replace all fields, also those whose differences are accepted because they are to stay. */
function decideReplaced(
  reason: string,
  wanted: WantedProduct,
  publication: KnownPublication,
  edition: KnownEdition,
) {
  const { fixed, changeable } = differencesOf(wanted, publication, edition, [])
  return decideDrifted(reason, wanted, [...fixed, ...changeable])
}

/** What was changed at the service is not replaced, be it by an update or by a new edition, until somebody says so. */
function decideDrifted(reason: string, { row }: WantedProduct, differences: readonly Difference[]) {
  const fields = row.overwritesDrifted ? [] : namesOf(driftedIn(differences))
  if (fields.length === 0) return undefined
  const why = `${reason}, and its ${fields.join(', ')} ${fields.length === 1 ? 'was' : 'were'} changed there by others`
  return { action: 'drifted', fields, differences, why } as const
}
