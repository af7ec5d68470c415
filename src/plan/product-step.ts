import { actions } from './actions.ts'
import type { ChangeableFields } from './book-fields.ts'
import type { Creation } from './creation.ts'
import type { IndexedPublication } from './known.ts'
import { warningsOf } from './other-book.ts'
import type { PlanStep } from './plan-step.ts'
import type { BrokenProduct } from './product.ts'
import type { ProductStep } from './step.ts'
import type { Origin, WantedProduct } from './wanted.ts'

/** A step of which nothing is known yet; every step has its fields in this order. */
const emptyStep = {
  ...{
    key: null,
    action: 'broken',
    why: '',
    hint: null,
    file: null,
    sha256: null,
    bytes: null,
    type: null,
    title: null,
    author: null,
  },
  ...{ publicationId: null, editionId: null, proof: null, fields: null, differences: null },
  ...{ before: null, send: null, cover: null, uploadRequestId: null, warnings: [], from: null },
} as const satisfies PlanStep

interface Sending {
  /** The body of a creation. */
  readonly creation: Creation
  readonly cover: string
  /** The publication that it becomes an edition of. */
  readonly editionOf: string | null
}

/** What the service says of the publication of a step. */
type There = Pick<IndexedPublication, 'currentEditionId' | 'fields'>

type BookFacts = Pick<PlanStep, 'key' | 'file' | 'sha256' | 'bytes' | 'type' | 'title' | 'author' | 'from'>

/** A step as a line of a plan. `there` is the publication that it is about, as the service says it. */
export function planStepOf(
  { key, ...book }: BookFacts,
  step: ProductStep,
  there: There | undefined,
  sending: Sending | null,
): PlanStep {
  const { action, why, publicationId, editionId } = step
  const isEdition = sending !== null && sending.editionOf !== null
  return {
    key,
    action,
    why,
    hint: 'hint' in step ? step.hint : null,
    file: book.file,
    sha256: book.sha256,
    bytes: book.bytes,
    type: book.type,
    title: book.title,
    author: book.author ?? null,
    publicationId,
    editionId,
    proof: 'proof' in step ? step.proof : null,
    fields: 'fields' in step ? step.fields : 'send' in step ? Object.keys(step.send) : null,
    differences: 'differences' in step ? step.differences : null,
    before: there && (isEdition || 'send' in step) ? beforeOf(there) : null,
    send: sending ? sending.creation : 'send' in step ? step.send : null,
    cover: sending ? sending.cover : null,
    uploadRequestId:
      'uploadRequestId' in step ? step.uploadRequestId : (sending?.creation.uploadRequestId ?? null),
    warnings: [],
    from: book.from,
    ...(isInProcessing(step) && { uploadStatus: step.uploadStatus }),
  }
}

/** The step of a product as a line of a plan. */
export function stepOfProduct(
  wanted: WantedProduct,
  step: ProductStep,
  there: IndexedPublication | undefined,
  sending: Sending | null,
): PlanStep {
  const { key, sha256, bytes, from, row } = wanted
  const book = {
    ...{ key, sha256, bytes, from },
    file: wanted.file ?? (row.files.length === 1 ? (row.files[0] ?? null) : null),
    type: wanted.type ?? row.type,
    title: wanted.title ?? titleOf(there),
    author: wanted.authors.length > 0 ? wanted.authors : authorOf(there),
  }
  const planned = planStepOf(book, step, there, sending)
  return { ...planned, hint: planned.hint ?? actions[step.action].hint, warnings: warningsOf(wanted) }
}

/** Whether a file is skipped whose content may still turn out to be unfit. */
const isInProcessing = (step: ProductStep): step is Extract<ProductStep, { action: 'skip' }> =>
  step.action === 'skip' &&
  step.proof !== null &&
  step.uploadStatus !== null &&
  step.uploadStatus !== 'available'

const beforeOf = ({ currentEditionId, fields }: There) => {
  const { language, description, sampleItems, isForInternalReadingInstance } = fields
  const values: ChangeableFields = { language, description, sampleItems, isForInternalReadingInstance }
  return { currentEditionId, ...values }
}

/** The step of a product that cannot be used. It may have no key, so that `why` names its place. */
export const brokenStep = (
  { from, broken, isbn, key, proprietaryId, title, publicationId }: BrokenProduct,
  keyField: string,
): PlanStep => ({
  ...emptyStep,
  ...{ action: 'broken', why: `${rowPlaceOf(from)}: ${broken}`, from },
  key: (keyField === 'isbn' ? (isbn ?? key) : (key ?? proprietaryId)) ?? null,
  title: title ?? null,
  publicationId: publicationId ?? null,
})

function rowPlaceOf(from: Origin): string {
  if ('record' in from) return `record ${from.record}, line ${from.line}`
  return 'row' in from ? from.row : from.file
}

/** The step of a publication that is in no row. */
export function orphanStep(publication: IndexedPublication, keyField: string): PlanStep {
  const { publicationId, editions, currentEditionId } = publication
  const edition = editions.find(({ isCurrent }) => isCurrent) ?? editions[0]
  const key = edition?.fields.metadata?.[keyField]
  return {
    ...emptyStep,
    ...{ action: 'orphan', why: 'it is in no sheet or message', publicationId, editionId: currentEditionId },
    key: key === undefined || key === null ? null : String(key),
    title: titleOf(publication),
    author: authorOf(publication),
  }
}

const titleOf = (publication: IndexedPublication | undefined): string | null =>
  publication?.editions.find(({ fields }) => fields.title !== undefined)?.fields.title ?? null

const authorOf = (publication: IndexedPublication | undefined): readonly string[] | null =>
  publication?.editions.find(({ fields }) => fields.author !== undefined)?.fields.author ?? null
