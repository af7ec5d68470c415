import { Readable } from 'node:stream'
import { Interrupted } from '../errors.ts'
import type { World } from '../world.ts'
import type { Http } from './http.ts'
import { refused } from './store-refusal.ts'
import { asNetworkFailure, wasCut } from './trouble.ts'
import { carefully, following, readFile, type Source, slicesOf } from './upload-body.ts'
import { checkTarget, headersFor, type PutTarget } from './upload-target.ts'
import { type StallOptions, watchForStall } from './watch-for-stall.ts'

export interface PutOptions extends StallOptions, Pick<World, 'signal'> {
  /** The address of the service that gave the session, which settles where a session may lead. */
  baseUrl: string
  userAgent: string
  /** Whether the session is a fresh one, in place of one that the store refused. */
  wasRenewed?: boolean | undefined
  /** Told the bytes handed to the connection so far. */
  onProgress?: ((sent: number) => void) | undefined
}

/** A store that refuses a file before it has taken it in can have taken no more than the buffers between it and here. */
const early = 16 * 1024 * 1024

/**
 * Sends a file, or bytes at hand, to a presigned URL by PUT: the required headers, an explicit length, and no key. The
 * file is streamed and must keep the size it has at the start. Throws the store's own error code on a refusal.
 *
 * A store that answers at once and hangs up can cut the connection before its answer is read. So when it is cut early,
 * the request is made once more, and this time the file waits for a moment, as `Expect: 100-continue` would have it,
 * which undici cannot send.
 */
export async function put(http: Http, target: PutTarget, source: Source, options: PutOptions): Promise<void> {
  let most = 0
  const onProgress = (sent: number) => {
    most = Math.max(most, sent)
    options.onProgress?.(sent)
  }
  try {
    await putOnce(http, target, source, { ...options, onProgress }, false)
  } catch (error) {
    if (!wasCut(error) || most > early) throw error
    await putOnce(http, target, source, options, true)
  }
}

async function putOnce(
  http: Http,
  target: PutTarget,
  source: Source,
  options: PutOptions,
  isCareful: boolean,
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
    'content' in source ? slicesOf(source.content, onProgress) : readFile(source.path, length, onProgress)
  let body: Readable | undefined
  try {
    // The file is opened before the connection: files that wait for connections to close would wait for themselves.
    const opened = following(await chunks.next(), chunks)
    body = Readable.from(isCareful ? carefully(opened) : opened, { objectMode: false, highWaterMark: 1 })
    const response = await http.send({
      method: 'PUT',
      url: target.uploadUrl,
      isPresigned: true,
      headers,
      body,
      // What moves in the system's buffers is not seen by the client, so the watch alone decides.
      timeout: 0,
      signal: AbortSignal.any([options.signal, stall.signal]),
      onSocket: stall.watch,
    })
    const text = await response.text(64 * 1024).catch(() => '')
    if (response.refusal) throw response.refusal
    if (response.status < 200 || response.status > 299)
      throw refused(response, text, name, options.wasRenewed === true)
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason
    if (stall.signal.aborted) throw stall.signal.reason
    if (error instanceof Interrupted) throw error
    throw asNetworkFailure(error, name)
  } finally {
    stall.stop()
    body?.destroy()
    chunks.return(undefined).catch(() => undefined)
  }
}
