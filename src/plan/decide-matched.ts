import { changeableDifferencesOf, changesIn, fixedDifferencesOf, namesOf } from './differences.ts'
import { awaitedHint, isOtherType, isSent, type Match } from './match.ts'
import { createStep, type Proof, type Step } from './step.ts'
import type { Wanted } from './wanted.ts'

/** The service has the content; only the fields can differ. */
export function decideSame(wanted: Wanted, same: readonly Match[]): Step {
  const arrived = same.filter(({ edition }) => isSent(edition))
  const match = arrived.find(({ edition }) => edition.file === wanted.path) ?? arrived[0]
  const isCopy = arrived.every(({ edition: { file } }) => file !== null && file !== wanted.path)
  if (match && isCopy && wanted.ifChanged === 'new')
    return createStep(`it is a copy of ${match.edition.file}, which is ${match.publication.publicationId}`)
  if (match) return settleFields(wanted, match, same, 'proven', isCopy ? match.edition.file : null)
  const [{ publication, edition }] = same as [Match]
  return {
    action: 'conflict',
    why: `${publication.publicationId} was begun with the same content, and its file has not arrived`,
    hint: awaitedHint(publication.publicationId, wanted.file),
    publicationId: publication.publicationId,
    editionId: edition.editionId,
  }
}

function settleFields(
  wanted: Wanted,
  match: Match,
  all: readonly Match[],
  proof: Proof,
  copyOf: string | null = null,
): Step {
  const { publication, edition } = match
  const { publicationId } = publication
  const facts = { publicationId, editionId: edition.editionId }
  const there = proof === 'proven' ? 'has the same content' : 'has the same ISBN and size'
  const fixed = fixedDifferencesOf(wanted.given.creation, edition.fields)
  if (fixed.length > 0) {
    const fields = namesOf(fixed)
    const why = `${publicationId} ${there} and another ${fields.join(', ')}, which the service cannot change`
    return { action: 'blocked', fields, differences: fixed, why, ...facts }
  }
  const differences = changeableDifferencesOf(wanted.given.changeable, publication.fields)
  const send = changesIn(differences)
  if (send === undefined) {
    return {
      action: 'skip',
      proof,
      why: `${publicationId} ${there}${copyOf === null ? '' : `, uploaded from ${copyOf}`}`,
      uploadStatus: edition.uploadStatus,
      ...facts,
      ...(copyOf !== null && { copyOf }),
    }
  }
  if (all.length > 1) return ambiguous(all, 'the same content')
  const why = `${publicationId} ${there} and another ${namesOf(differences).join(', ')}`
  return { action: 'update', send, differences, why, ...facts, publicationId }
}

/** Publications match by ISBN or title, but none by content. */
export function decideOther(
  wanted: Wanted,
  candidates: readonly Match[],
  taken: ReadonlyMap<string, string>,
): Step {
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
      hint: 'Compare them; with --again it is uploaded. A metadata key "sha256" lets pubctl prove content.',
      publicationId: notKnown.publication.publicationId,
      editionId: notKnown.edition.editionId,
    }
  }
  if (ifChanged === 'new') return createStep(`${publicationId} has ${shared} and a different file`)
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
  const why = `${publicationId} has ${shared} and a different file`
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
