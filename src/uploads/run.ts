import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Call } from '../client/call.ts'
import type { Http } from '../client/http.ts'
import { poll } from '../client/poll.ts'
import { changed, type PutTarget, put } from '../client/put.ts'
import { attempts, backoff } from '../client/retry.ts'
import { editions } from '../contract/editions.ts'
import type { PublicationType } from '../contract/publication.ts'
import { publications } from '../contract/publications.ts'
import { uploads } from '../contract/uploads.ts'
import { Failure, NetworkFailure, ServiceFailure } from '../errors.ts'
import type { World } from '../world.ts'
import { sha256Of } from './hash.ts'
import { failureOfStatus, isTerminal, newestEdition, textOf } from './outcome.ts'
import type { UploadPlan } from './plan.ts'
import { readSession, type Session } from './session.ts'

/** What came of one file. */
export interface Receipt {
  file: string
  sha256: string | null
  bytes: number
  type: PublicationType
  publicationId: string | null
  editionId: string | null
  uploadRequestId: string
  uploadStatus: string | null
  outcome: 'uploaded' | 'skipped' | 'failed'
  error: { code: string; message: string } | null
}

/** What an upload needs of the world around it. */
export interface Tools extends Pick<World, 'clock' | 'signal'> {
  readonly call: Call
  readonly http: Http
  readonly userAgent: string
  readonly allowHttp: boolean
  /** Milliseconds to wait for processing; 0 means not to wait. */
  readonly timeout: number
  readonly onProgress: (progress: { sent: number } | { state: string }) => void
}

/** Milliseconds without any movement before a transfer counts as stalled. */
const idleTimeout = 60_000

/**
 * Uploads one file: creates the publication, or an edition of `publicationId`, sends the file and its cover to the
 * session's addresses, and waits until the service is done with it. The receipt is always complete as far as the upload
 * came; `failure` says what stopped it.
 */
export async function runUpload(
  plan: UploadPlan,
  tools: Tools,
  publicationId?: string,
): Promise<{ receipt: Receipt; failure: Failure | undefined }> {
  const receipt: Receipt = {
    file: plan.path,
    sha256: null,
    bytes: plan.bytes,
    type: plan.creation.edition.type,
    publicationId: publicationId ?? null,
    editionId: null,
    uploadRequestId: plan.creation.uploadRequestId,
    uploadStatus: null,
    outcome: 'failed',
    error: null,
  }
  try {
    await carryOut(plan, tools, receipt, publicationId)
    return { receipt, failure: undefined }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    receipt.error = { code: error.code, message: error.message }
    return { receipt, failure: error }
  }
}

async function carryOut(plan: UploadPlan, tools: Tools, receipt: Receipt, publicationId: string | undefined) {
  const { call, onProgress } = tools
  const reply =
    publicationId === undefined
      ? await call(publications.create, plan.creation)
      : await call(editions.create, { id: publicationId, ...plan.creation })
  receipt.publicationId = textOf(reply.item?.id) ?? publicationId ?? null
  receipt.editionId = textOf(newestEdition(reply.item)?.id)
  receipt.uploadStatus = textOf(newestEdition(reply.item)?.uploadStatus)

  const stop = new AbortController()
  const hashing = sha256Of(plan.path, plan.bytes, AbortSignal.any([tools.signal, stop.signal]))
  hashing.catch(() => undefined)
  try {
    await sendAll(plan, tools, readSession(reply.result))
    receipt.sha256 = await hashing
  } catch (error) {
    stop.abort(error)
    throw error
  }
  const now = await stat(plan.path).catch(() => undefined)
  if (now?.size !== plan.bytes || now.mtimeMs !== plan.modified) throw changed(plan.path)
  receipt.outcome = 'uploaded'
  if (tools.timeout > 0) await waitUntilProcessed(plan, tools, receipt, onProgress)
}

/** Sends the file, then the cover; a session that is refused with 403 is replaced by a fresh one, at most twice. */
async function sendAll(plan: UploadPlan, tools: Tools, first: Session): Promise<void> {
  let session = first
  const refresh = async () => {
    const { uploadRequestId, publicationFilename, coverFilename, edition } = plan.creation
    const { result } = await tools.call(uploads.create, {
      uploadRequestId,
      publicationFilename,
      ...(coverFilename === undefined ? {} : { coverFilename }),
      publicationType: edition.type,
    })
    session = readSession(result)
  }
  const send = async (
    target: () => PutTarget | undefined,
    source: Parameters<typeof put>[2],
    isBook: boolean,
  ) => {
    for (let attempt = 1, refreshed = 0; ; attempt++) {
      const to = target()
      if (!to) return
      try {
        return await put(tools.http, to, source, {
          signal: tools.signal,
          userAgent: tools.userAgent,
          allowHttp: tools.allowHttp,
          idleTimeout,
          ...(isBook ? { onProgress: sent => tools.onProgress({ sent }) } : {}),
        })
      } catch (error) {
        const isRefused = error instanceof ServiceFailure && error.status === 403
        if (isRefused && refreshed < 2) {
          refreshed++
          await refresh()
        } else if (attempt < attempts && isPassing(error)) {
          await tools.clock.sleep(backoff(attempt + 1, undefined, tools.clock), tools.signal)
        } else throw error
      }
    }
  }
  await send(() => session, { path: plan.path, bytes: plan.bytes }, true)
  const { cover } = plan
  if (cover) await send(() => session.cover, { content: cover.content }, false)
}

/** Whether the same transfer may well succeed when it is made again. */
const isPassing = (error: unknown): boolean =>
  (error instanceof NetworkFailure && (error.code === 'network' || error.code === 'timeout')) ||
  (error instanceof ServiceFailure && ((error.status ?? 0) >= 500 || error.status === 429))

async function waitUntilProcessed(
  plan: UploadPlan,
  tools: Tools,
  receipt: Receipt,
  onProgress: Tools['onProgress'],
) {
  const { publicationId, editionId } = receipt
  if (publicationId === null) {
    throw new NetworkFailure(
      "the service's answer has no publication id, so its processing cannot be followed",
      {
        code: 'bad_reply',
      },
    )
  }
  const ask = async () => {
    const edition =
      editionId === null
        ? newestEdition((await tools.call(publications.get, { id: publicationId })).item)
        : (await tools.call(editions.get, { id: publicationId, editionid: editionId })).item
    receipt.uploadStatus = textOf(edition?.uploadStatus)
    onProgress({ state: receipt.uploadStatus ?? 'waiting' })
    return receipt.uploadStatus
  }
  const status = await poll(ask, isTerminal, tools)
  const failure = failureOfStatus(status, basename(plan.path))
  if (failure) {
    receipt.outcome = 'failed'
    throw failure
  }
}
