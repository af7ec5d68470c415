import { isNewUpload } from './actions.ts'
import { decideOther, decideSame } from './decide-matched.ts'
import { decideProduct } from './decide-product.ts'
import { changeableDifferencesOf, fixedDifferencesOf, namesOf } from './differences.ts'
import { failedBefore } from './failed-before.ts'
import type { EarlierUpload, InBatch, Known } from './known.ts'
import { isReceived, matchOf } from './match.ts'
import { isOtherBook, otherBook } from './other-book.ts'
import { createStep, type ProductStep, type Step } from './step.ts'
import { isProduct, type Wanted, type WantedProduct } from './wanted.ts'

/**
 * Decides what to do with a book. Pure: no clock, network or disk. A book is skipped only if its content is proven to be at
 * the service, or if ISBN and size are the same; title, authors and type alone are never enough. A product of a catalogue is
 * identified by its key, and its file may be missing.
 */
export function decide(wanted: Wanted, known: Known): Step
export function decide(wanted: WantedProduct, known: Known): ProductStep
export function decide(wanted: Wanted | WantedProduct, known: Known): Step | ProductStep {
  const begun = known.begun && decideBegun(known.begun)
  if (isProduct(wanted)) return decideProduct(wanted, known, begun ?? null)
  const step = begun ?? decideFile(wanted, known)
  // Whoever names a file and its ISBN on the command line means this file.
  const isOfSheet = 'sheet' in wanted.from && !wanted.again
  return isNewUpload(step) && isOfSheet && isOtherBook(wanted) ? otherBook(wanted, '--again', step) : step
}

function decideFile(wanted: Wanted, known: Known): Step {
  if (wanted.editionOf !== null) return decideEdition(wanted, wanted.editionOf, known)
  if (wanted.again) return createStep('it is uploaded again')
  if (known.inBatch) return decideRepeated(wanted, known.inBatch)
  const matches = (known.publications ?? []).flatMap(each => matchOf(wanted, each) ?? [])
  const same = matches.filter(({ content }) => content === 'same')
  if (same.length > 0) return decideSame(wanted, same)
  if (known.failed) return failedBefore(known.failed)
  if (known.publications === null) return createStep('it has not been uploaded from here')
  const ofIsbn = matches.filter(({ by }) => by === 'isbn')
  const candidates = ofIsbn.length > 0 ? ofIsbn : matches
  if (candidates.length === 0)
    return createStep('nothing at the service has its content, its ISBN or its title')
  return decideOther(wanted, candidates, known.taken)
}

/** A file for a publication that the user names. The same content with another title is a new edition as well. */
function decideEdition(wanted: Wanted, publicationId: string, { publications, failed }: Known): Step {
  const edition: Step = {
    action: 'edition',
    publicationId,
    editionId: null,
    why: `it becomes an edition of ${publicationId}`,
  }
  if (wanted.again) return edition
  const there = publications?.find(each => each.publicationId === publicationId)
  const match = there && matchOf(wanted, there)
  if (match?.content === 'same') {
    const step = decideSame(wanted, [match])
    return step.action === 'skip' ? step : edition
  }
  return failed ? failedBefore(failed) : edition
}

/** What to do with an upload that was begun before; undefined if it cannot be continued. */
export function decideBegun(begun: EarlierUpload): Step | undefined {
  const { stage, state, isChanged, isContentTold, publicationId, editionId } = begun
  if (state === 'gone') return undefined
  if (stage === 'finished') {
    if (isChanged || (state !== null && state !== 'available')) return undefined
    const why = 'it was uploaded before'
    return { action: 'skip', proof: 'proven', why, publicationId, editionId, uploadStatus: 'available' }
  }
  const hasArrived = stage === 'sent' || isReceived(state)
  // A file that has arrived, or whose SHA-256 the service was told, cannot be replaced by a changed file.
  if (isChanged && (hasArrived || isContentTold)) return undefined
  return continuing(begun, hasArrived)
}

/** The step that goes on with an upload. */
export function continuing(
  { uploadRequestId, publicationId, editionId, editionOf }: EarlierUpload,
  hasArrived: boolean,
): Extract<Step, { readonly uploadRequestId: string }> {
  const facts = { uploadRequestId, publicationId, editionId, editionOf }
  return hasArrived
    ? { action: 'wait', why: 'it was sent before', ...facts }
    : { action: 'resume', why: 'it was begun before', ...facts }
}

/** A file with the same content as another file of the batch. */
function decideRepeated(
  { given, ifChanged }: Wanted,
  { file, fields, publicationId, editionId, uploadStatus }: InBatch,
): Step {
  const why = `it has the same content as ${file} in this batch`
  if (ifChanged === 'new') return createStep(why)
  const differing = namesOf([
    ...changeableDifferencesOf(given.changeable, fields),
    ...fixedDifferencesOf(given.creation, fields),
  ])
  if (differing.length === 0)
    return { action: 'skip', proof: 'proven', why, publicationId, editionId, uploadStatus, copyOf: file }
  return {
    action: 'conflict',
    why: `${why}, and is given another ${differing.join(', ')}`,
    hint: 'Leave one of the two out, or upload each as a publication of its own with --again.',
    publicationId,
    editionId,
  }
}
