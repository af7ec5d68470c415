import { actionsWith, isNewUpload, type PlanAction } from '../../plan/actions.ts'
import type { Overrides } from '../../plan/book-fields.ts'
import { carriedOver } from '../../plan/carried-over.ts'
import { decide } from '../../plan/decide.ts'
import { agreedValues } from '../../plan/differences.ts'
import { type Known, nothingKnown } from '../../plan/known.ts'
import { isbn13 } from '../../plan/match.ts'
import { isUnsure, matchProduct, stoodFor } from '../../plan/match-product.ts'
import { warningsOf } from '../../plan/other-book.ts'
import type { PlanStep } from '../../plan/plan-step.ts'
import type { Product } from '../../plan/product.ts'
import { withOptional } from '../../plan/product-key.ts'
import { stepOfProduct } from '../../plan/product-step.ts'
import type { ProductStep } from '../../plan/step.ts'
import { creationFor, type UploadPlan } from '../../plan/upload-plan.ts'
import { uuid5 } from '../../plan/uuid5.ts'
import { placeOf, type WantedProduct } from '../../plan/wanted.ts'
import { type ProductFile, wantedProduct } from '../../plan/wanted-product.ts'
import type { CheckedBy } from '../../system/checked-by.ts'
import { exitCodes, Failure } from '../../system/errors.ts'
import { given } from '../../system/given.ts'
import type { Warning } from '../../system/warning.ts'
import { failedOf } from '../../uploads/lookup/gather.ts'
import { contentKey } from '../../uploads/lookup/metadata-keys.ts'
import { prepareUpload } from '../../uploads/prepare.ts'
import { readOnce, type SentStore } from '../../uploads/sent/sent.ts'
import { contradictedBy } from './contradicted.ts'
import { isDue } from './due.ts'
import { candidatesFor, notReadOf } from './known-product.ts'
import type { Planning } from './planning.ts'
import { clauseOf, productFile } from './product-file.ts'
import type { ProductRow, Rows, UndecidedRow } from './rows.ts'
import { begunUpload } from './unfinished.ts'

/** A row as far as it was looked at. */
interface Look {
  readonly wanted: WantedProduct
  readonly known: Known
  readonly step: ProductStep
  readonly upload: UploadPlan | null
  /** What was sent to the publications when they were looked at. */
  readonly sent: Pick<SentStore, 'get'>
  /** Who else has checked the book, if others were asked to. */
  readonly checkedBy?: readonly CheckedBy[] | undefined
}

/** The step of a row, and the publications that it stands for. */
interface Planned {
  readonly step: PlanStep
  readonly standsFor: readonly string[]
  /** Whether its book cannot be one that is not read yet. */
  readonly isAllRead: boolean
}

/** Decides on a row. */
export async function planProduct(
  read: UndecidedRow,
  rows: Pick<Rows, 'sameKey' | 'isRepeated'>,
  planning: Planning,
): Promise<Planned> {
  const hasKey = (name: string) => planning.metadataKeys?.has(name) ?? false
  const row = { ...read, product: withOptional(read.product, hasKey) }
  const sameKey = (read.isShared ? rows.sameKey(row) : []).map(({ from }) => placeOf(from))
  const { ignored, withdrawn, file } = row.product
  const isUsed = ignored === null && withdrawn === null && sameKey.length === 0
  const found = !isUsed ? [] : file !== null ? [file] : planning.findFiles(row.product)
  const [only] = found.length === 1 ? found : []
  const local = only === undefined ? null : await productFile(only, planning)
  const look = await lookAt(row, { found, local, sameKey }, planning)
  const { wanted, step } = look
  for (const each of step.accepted ?? []) planning.accepted?.found.add(each)
  const contradicted = look.upload?.contradicted ?? []
  for (const warning of [...warningsOf(wanted), ...contradicted]) planning.onWarning(warning)
  const there = step.publicationId === null ? undefined : planning.index.get(step.publicationId)
  keepAgreed(look, planning)
  const planned = stepOfProduct(wanted, step, there, sendingOf(look, rowName(look, row, rows), planning))
  return {
    step: {
      ...{ ...planned, warnings: [...planned.warnings, ...contradicted] },
      ...given({ checkedBy: look.checkedBy }),
    },
    standsFor: stoodFor(wanted, look.known.publications ?? []),
    isAllRead: look.known.isAllRead,
  }
}

interface Files {
  readonly found: readonly string[]
  readonly local: ProductFile | { readonly error: string } | null
  readonly sameKey: readonly string[]
}

/** Decides on a row, reading its book and the records of the service only as far as the decision depends on them. */
async function lookAt(row: ProductRow, files: Files, planning: Planning): Promise<Look> {
  const local = files.local && 'file' in files.local ? files.local : null
  const begun = local === null ? [] : (planning.unfinished.get(local.file) ?? [])
  // Without a key, the book itself says what it is.
  const isRead =
    local !== null && (begun.length > 0 || (row.key === null && row.product.publicationId === null))
  const look = isRead ? await withBook(row, files, null, planning) : await decided(row, files, null, planning)
  if (local === null || look.upload !== null || !isNewUpload(look.step)) return look
  return await withBook(row, files, look.step.publicationId, planning)
}

async function withBook(
  row: ProductRow,
  files: Files,
  publicationId: string | null,
  planning: Planning,
): Promise<Look> {
  const { local } = files
  if (local === null || 'error' in local) return await decided(row, files, null, planning)
  const there = publicationId === null ? undefined : planning.index.get(publicationId)
  const kept = row.product.isPartial && there ? carriedOver(there) : {}
  let upload: UploadPlan
  try {
    upload = await planning.reading(() => prepared(local, row.product, kept, planning))
  } catch (error) {
    const broken = { ...files, local: { error: clauseOf(error, local.file) } }
    const { checkedBy } = error as Failure
    return { ...(await decided(row, broken, null, planning)), checkedBy }
  }
  // A failure of the service is none of the book.
  return await decided(keyedByBook(row, upload, planning), files, upload, planning)
}

/** Reads a book. `kept` are values of the publication that a partial record leaves as they are. */
async function prepared(
  local: ProductFile,
  product: Product,
  kept: Overrides,
  planning: Planning,
): Promise<UploadPlan> {
  const { overrides, isReflowable, declared } = product
  let contradicted: readonly Warning[] = []
  const { plan } = await prepareUpload(local.file, merged(kept, overrides), {
    mayRead: planning.mayRead,
    rules: planning.rules,
    epubCheck: planning.epubCheck,
    read: async (path, mayRead, wantsCover, _, reads) => {
      const also = declared === undefined ? reads : { ...reads, rights: true, accessibility: true }
      const reading = await planning.read(path, mayRead, wantsCover, undefined, also)
      contradicted = contradictedBy(product, path, reading.book)
      if (isReflowable !== null && reading.book.type === 'EPUB' && reading.book.isReflowable !== isReflowable)
        planning.onWarning(otherLayout(path, isReflowable))
      return reading
    },
    check: 'errors',
    onWarning: planning.onWarning,
    askTitle: async path => {
      throw new Failure(`${path} has no title, and the sheet or message gives none`, {
        code: 'no_title',
        exitCode: exitCodes.usage,
      })
    },
  })
  return { ...plan, sha256: local.sha256, contradicted }
}

const merged = (kept: Overrides, given: Overrides): Overrides => {
  const metadata = { ...kept.metadata, ...given.metadata }
  return { ...kept, ...given, ...(Object.keys(metadata).length > 0 && { metadata }) }
}

const otherLayout = (path: string, isReflowable: boolean) => ({
  code: 'other_layout',
  message: `the sheet or message says that ${path} is ${isReflowable ? 'reflowable' : 'of fixed layout'}, and it is not`,
})

/** A row without a key has the ISBN of its book. */
function keyedByBook(row: ProductRow, { creation }: UploadPlan, { options }: Planning): ProductRow {
  if (row.key !== null || options.keyField !== 'isbn') return row
  const isbn = isbn13(creation.edition.metadata?.['isbn'])
  return isbn === undefined ? row : { ...row, key: isbn }
}

async function decided(
  row: ProductRow,
  files: Files,
  upload: UploadPlan | null,
  planning: Planning,
): Promise<Look> {
  const { index, unfinished, journal, caller, began } = planning
  const wanted = wantedProduct(row, { ...files, upload }, planning.options)
  const entries = upload === null ? [] : (unfinished.get(upload.file) ?? [])
  let isAllRead = true
  const look = (): Look => {
    const begun = upload === null ? null : begunUpload(entries, upload, index)
    const sent = readOnce(planning.sent)
    const publications = candidatesFor(wanted, { index, journal, caller, began, sent })
    const { sha256, bytes } = wanted
    const failed =
      sha256 === null || bytes === null
        ? null
        : failedOf(
            journal.findSent(caller, { file: null, sha256 }),
            { bytes, modified: 0, sha256 },
            publications,
          )
    const accepted = publications.flatMap(each => planning.accepted?.of(each.publicationId) ?? [])
    const known = {
      ...nothingKnown,
      begun,
      failed,
      publications,
      accepted,
      isAllRead,
      sameKey: files.sameKey,
    }
    return { wanted, known, step: decide(wanted, known), upload, sent, checkedBy: upload?.checkedBy }
  }
  if (index.notReadYet() > 0) {
    const begunTo = entries.map(({ publicationId }) => publicationId)
    await refreshAny(notReadOf(wanted, begunTo, planning), planning)
    isAllRead = await isIdentityKnown(look(), planning)
  }
  const first = look()
  const outdated = outdatedIn(first, planning)
  if (outdated.length === 0) return first
  await planning.refresh(outdated)
  return look()
}

const refreshAny = async (ids: readonly string[], { refresh }: Planning) =>
  ids.length > 0 ? await refresh(ids) : undefined

/**
 * Finds out whether what is not read yet may be a product that was recognised by its title at most, and reads it. A product is
 * created only once that is known. Of other steps, false means that it is not.
 */
async function isIdentityKnown(
  { wanted, known, step }: Look,
  { keys, metadataKeys }: Planning,
): Promise<boolean> {
  const { row, sha256 } = wanted
  if (row.ignored !== null || row.publicationId !== null || known.sameKey.length > 0) return true
  if (!isUnsure(matchProduct(wanted, known.publications ?? []).by)) return true
  const mustBeKnown = isNewUpload(step)
  // Without that metadata key, the service knows no content, and the journal has been asked.
  const content = metadataKeys?.has(contentKey) === false ? null : sha256
  if (row.key === null) return content === null || (await keys.settle('sha256', content, mustBeKnown))
  const field = row.keyField === 'isbn' ? 'isbn' : (`metadata:${row.keyField}` as const)
  const isKnown = await keys.settle(field, row.key, mustBeKnown)
  if (mustBeKnown && content !== null) await keys.settle('sha256', content, false)
  return isKnown
}

/** Of so many candidates the records are read again, where it is not clear which one is the book. */
const mostReadAgain = 20

/** The publications on which a decision depends, and whose records are too old for that. */
function outdatedIn({ known, step, sent }: Look, planning: Planning): string[] {
  const { index, began, maxAge, isEditionListed } = planning
  const { action, publicationId } = step
  const isAmbiguous = action === 'conflict' && publicationId !== null
  const candidates = (known.publications ?? []).map(each => each.publicationId)
  const ids = isAmbiguous ? candidates.slice(0, mostReadAgain) : candidates.filter(id => id === publicationId)
  return ids.filter(id => {
    const readAt = index.get(id)?.readAt ?? began
    if ([...sent.get(id).values()].some(({ at }) => at > readAt)) return true
    if (readAt >= began) return false
    if (changing.includes(action) || (waiting.includes(action) && !isEditionListed(id))) return true
    return isDue(id, readAt, began, maxAge)
  })
}

/**
 * The actions that depend on what a publication is like now, since they change it, or since it was changed. What else waits for
 * people depends on its editions alone, which never change: the listing says whether there is another one.
 */
const changing = [
  ...actionsWith(({ writes, line }) => writes && line !== 'begun'),
  'drifted',
] as readonly PlanAction[]
const waiting = actionsWith(({ exit, carriedOutBy }) => exit === 'different' && carriedOutBy === 'people')

/** Keeps what the book has as the source says, so that a later change at the service can be told from one of the source. */
function keepAgreed({ wanted, known, step }: Look, { index, onAgreed }: Planning): void {
  if (!comparing.includes(step.action)) return
  const publication = known.publications?.find(each => each.publicationId === step.publicationId)
  const edition = publication?.editions.find(each => each.editionId === step.editionId)
  if (publication === undefined || edition === undefined) return
  const { publicationId, fields, sent = new Map() } = publication
  const values = agreedValues(wanted.given, { ...fields, ...edition.fields }, sent)
  const { readAt: at = 0 } = index.get(publicationId) ?? {}
  if (values.length > 0) onAgreed({ publicationId, values, at })
}

/** The actions whose steps are about one publication with certainty. */
const comparing = actionsWith(({ isExclusive, line }) => isExclusive && line !== 'begun')

/** Names an upload within its plan. Rows of one key that are about several publications are told apart by these. */
function rowName({ wanted }: Look, row: ProductRow, rows: Pick<Rows, 'isRepeated'>): string {
  const { publicationId } = row.product
  const isAmbiguous = publicationId !== null && (row.key === null || rows.isRepeated(row))
  return isAmbiguous ? `${wanted.key} ${publicationId}` : `${wanted.key}`
}

/**
 * What is sent for a creation. Its upload request follows from the plan and the key, so that it is the same everywhere. An
 * upload that was begun is sent as it was, so that machines with another journal can continue it.
 */
function sendingOf(
  { wanted, step, upload }: Look,
  name: string,
  { planId, metadataKeys, journal }: Planning,
) {
  if ('uploadRequestId' in step) return journal.get(step.uploadRequestId) ?? null
  if (upload === null || !isNewUpload(step)) return null
  const editionOf = step.publicationId
  const key = metadataKeys?.has(contentKey) ? contentKey : undefined
  const creation = creationFor(upload, editionOf, { key, sha256: wanted.sha256 })
  return { creation: { ...creation, uploadRequestId: uuid5(planId, name) }, cover: upload.cover, editionOf }
}
