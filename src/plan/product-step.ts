import type { ChangeableFields } from './book-fields.ts'
import type { Creation } from './creation.ts'
import type { PlanStep } from './plan-step.ts'
import type { BrokenProduct } from './product.ts'
import type { IndexedPublication } from './publication-index.ts'
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
  },
  ...{ publicationId: null, editionId: null, proof: null, fields: null, before: null, send: null },
  ...{ cover: null, uploadRequestId: null, from: null },
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

type BookFacts = Pick<PlanStep, 'key' | 'file' | 'sha256' | 'bytes' | 'type' | 'title' | 'from'>

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
    ...emptyStep,
    ...{ key, action, why, ...book, publicationId, editionId },
    hint: action === 'conflict' ? step.hint : null,
    proof: action === 'skip' || action === 'conflict' ? (step.proof ?? null) : null,
    fields: fieldsOf(step),
    before: there && (isEdition || action === 'update') ? beforeOf(there) : null,
    ...(action === 'update' && { send: step.send }),
    ...(sending && { send: sending.creation, cover: sending.cover }),
    uploadRequestId: requestOf(step, sending),
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
  }
  const planned = planStepOf(book, step, there, sending)
  return { ...planned, hint: planned.hint ?? hints[step.action] ?? null }
}

const hints: { readonly [action in ProductStep['action']]?: string } = {
  blocked: 'Correct the source; with --reissue, what has a file becomes a new edition.',
  'no-file': 'Name its file in the source, or the folder that has it with --files.',
  withdrawn:
    'Unpublish it on the pages of the service, as no command can. "pubctl publications delete" deletes it with all its editions.',
  broken: 'Mend the file; "pubctl inspect" says what is wrong with it.',
}

function fieldsOf(step: ProductStep): readonly string[] | null {
  if (step.action === 'blocked') return step.fields
  if (step.action === 'edition') return step.fields ?? null
  return step.action === 'update' ? Object.keys(step.send) : null
}

function requestOf(step: ProductStep, sending: Sending | null): string | null {
  if (step.action === 'resume' || step.action === 'wait') return step.uploadRequestId
  const isUpload = step.action === 'create' || step.action === 'edition'
  return isUpload ? (sending?.creation.uploadRequestId ?? null) : null
}

const beforeOf = ({ currentEditionId, fields }: There) => {
  const { language, description, sampleItems, isForInternalReadingInstance } = fields
  const values: ChangeableFields = { language, description, sampleItems, isForInternalReadingInstance }
  return { currentEditionId, ...values }
}

/** The step of a product that cannot be used. It has no key, so that `why` names its place. */
export const brokenStep = ({ from, broken }: BrokenProduct): PlanStep => ({
  ...emptyStep,
  ...{ action: 'broken', why: `${rowPlaceOf(from)}: ${broken}`, from },
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
    ...{ action: 'orphan', why: 'it is in no source', publicationId, editionId: currentEditionId },
    key: key === undefined || key === null ? null : String(key),
    title: titleOf(publication),
  }
}

const titleOf = (publication: IndexedPublication | undefined): string | null =>
  publication?.editions.find(({ fields }) => fields.title !== undefined)?.fields.title ?? null
