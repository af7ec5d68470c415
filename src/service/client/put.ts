import { Interrupted } from '../../system/errors.ts'
import type { Http } from '../../system/http.ts'
import type { World } from '../../system/world.ts'
import { asNetworkFailure, wasCut } from './network-errors.ts'
import { refusedByStore } from './store-refusal.ts'
import { pausingBeforeBody, readInPieces, slicesOf, startingWith, type UploadBody } from './upload-body.ts'
import { checkTarget, headersFor, type PutTarget } from './upload-target.ts'
import { type StallOptions, watchForStall } from './watch-for-stall.ts'

export interface PutOptions extends StallOptions, Pick<World, 'signal' | 'mayRead'> {
  /** The address of the service that gave the session, which settles where a session may lead. */
  baseUrl: string
  userAgent: string
  /** Whether the session is a new one, after the store refused an earlier one. */
  wasRenewed?: boolean | undefined
  /** Called with the number of bytes handed to the connection so far. */
  onProgress?: ((sent: number) => void) | undefined
}

/** The most bytes that buffers on the way can hold, so that a store that refused the file may have read fewer. */
const bufferedAtMost = 16 * 1024 * 1024

/**
 * Sends a file, or bytes in memory, to a presigned URL by PUT: with the required headers and an explicit length, without
 * the key. The file is streamed and must not change its size. If the store refuses, throws its error code.
 *
 * A store that refuses at once and closes the connection can do so before its answer is read. If the connection is cut
 * early, the request is therefore made once more, and pauses before the body so that the answer can arrive. undici cannot
 * send `Expect: 100-continue`.
 */
export async function put(
  http: Http,
  target: PutTarget,
  source: UploadBody,
  options: PutOptions,
): Promise<void> {
  let mostSent = 0
  const onProgress = (sent: number) => {
    mostSent = Math.max(mostSent, sent)
    options.onProgress?.(sent)
  }
  try {
    await putOnce(http, target, source, { ...options, onProgress }, false)
  } catch (error) {
    if (!wasCut(error) || mostSent > bufferedAtMost) throw error
    await putOnce(http, target, source, options, true)
  }
}

async function putOnce(
  http: Http,
  target: PutTarget,
  source: UploadBody,
  options: PutOptions,
  pausesBeforeBody: boolean,
): Promise<void> {
  const name = checkTarget(target.uploadUrl, options.baseUrl)
  const length = 'content' in source ? source.content.length : source.bytes
  const headers = headersFor(target, length, options.userAgent)
  const stall = watchForStall(options)
  const onProgress = (sent: number) => {
    stall.moved()
    options.onProgress?.(sent)
  }
  const chunks =
    'content' in source
      ? slicesOf(source.content, onProgress)
      : readInPieces(source, options.mayRead, onProgress)
  try {
    // Opened before connecting: with too many open files, it would otherwise wait for its own connection to close.
    const opened = 'content' in source ? chunks : startingWith(await chunks.next(), chunks)
    const response = await http.send({
      method: 'PUT',
      url: target.uploadUrl,
      isPresigned: true,
      headers,
      body: pausesBeforeBody ? pausingBeforeBody(opened, options.clock) : opened,
      // The client does not notice bytes that leave the system's buffers, so only the watch for stalls decides.
      timeout: 0,
      signal: options.signal,
      limit: stall.begin,
      onSocket: stall.watch,
    })
    const text = await response.text(64 * 1024).catch(() => '')
    if (response.refusal) throw response.refusal
    if (response.status < 200 || response.status > 299)
      throw refusedByStore(response, text, name, options.wasRenewed === true)
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason
    if (error instanceof Interrupted) throw error
    throw asNetworkFailure(error, name)
  } finally {
    chunks.return(undefined).catch(() => undefined)
  }
}
