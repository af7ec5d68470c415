import type { Context } from '../cli/context.ts'
import { checkedByColumn } from '../cli/output/checked-by-column.ts'
import type { View } from '../cli/output/view.ts'
import type { Overrides } from '../plan/book-fields.ts'
import { creationFor } from '../plan/upload-plan.ts'
import { editions } from '../service/contract/editions.ts'
import { fieldsOf } from '../service/contract/fields.ts'
import { Publication } from '../service/contract/publication.ts'
import { publications } from '../service/contract/publications.ts'
import { UploadSession } from '../service/contract/uploads.ts'
import { exitCodes, Failure, withHint } from '../system/errors.ts'
import { given } from '../system/given.ts'
import { askedChecks } from './asked-checks.ts'
import { prepareOne } from './batch/prepare-one.ts'
import type { FileOptions } from './file-options.ts'
import { overridesOf } from './options/book-options.ts'
import { tellCheckers } from './tell-checkers.ts'

interface CreateOptions extends Overrides, FileOptions {
  readonly requestId?: string | undefined
}

const view: View = {
  columns: [
    { field: 'item.id', label: 'publication id' },
    { field: 'item.editions.id', label: 'edition id' },
    { field: 'item.editions.uploadStatus' },
    { field: 'result.objectKey' },
    { field: 'result.expiresIn' },
    { field: 'result.uploadUrl' },
    { field: 'result.requiredHeaders' },
    { field: 'result.cover.uploadUrl', label: 'cover upload url' },
    { field: 'result.cover.requiredHeaders', label: 'cover required headers' },
    checkedByColumn,
  ],
  fields: () =>
    new Set([
      ...['item', 'result', 'checkedBy', 'checkedBy.*'],
      ...[...fieldsOf(Publication)].map(field => `item.${field}`),
      ...[...fieldsOf(UploadSession)].map(field => `result.${field}`),
    ]),
}

/**
 * Creates a publication or an edition, and prints it with its upload session. No file is sent and nothing is stored in the
 * journal; the files are sent with "uploads put".
 */
export async function createOnly(
  context: Context,
  editionOf: string | null,
  file: string,
  options: CreateOptions,
): Promise<void> {
  await context.check(view)
  const asked = { ...options, ...(await askedChecks(context, options)) }
  const { plan } = await prepareOne(context, { file, overrides: overridesOf(options) }, asked)
  await tellCheckers(context, [plan])
  const uploadRequestId = options.requestId ?? plan.creation.uploadRequestId
  const body = { ...creationFor(plan, editionOf), uploadRequestId }
  const checked = given({ checkedBy: plan.checkedBy })
  try {
    const reply =
      editionOf === null
        ? await context.change(publications.create, body, checked)
        : await context.change(editions.create, { id: editionOf, ...body }, checked)
    if (!reply) return
    const { raw, value } = reply
    await context.item(view, { item: raw.item, result: raw.result, ...checked })
    const isCoverMissing = body.coverFilename !== undefined && !value.result?.cover
    await tellOfSession(context, uploadRequestId, isCoverMissing)
  } catch (error) {
    // It may have been created, and only the same id finds it again.
    const isUnclear = error instanceof Failure && error.exitCode === exitCodes.network
    if (!isUnclear) throw error
    throw withHint(error, `Run it again with --request-id ${uploadRequestId}, so that nothing is made twice.`)
  }
}

async function tellOfSession(
  context: Context,
  uploadRequestId: string,
  isCoverMissing: boolean,
): Promise<void> {
  if (isCoverMissing) {
    await context.warn({
      code: 'no_place_for_cover',
      message: 'the session has no place for the cover',
    })
  }
  await context.note(
    `The upload request is ${uploadRequestId}; "uploads create --request-id" gets a fresh session for it.`,
  )
}
