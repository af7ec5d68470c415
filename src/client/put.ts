import { closeSync, fstatSync, readSync } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { Interrupted, NetworkFailure, ServiceFailure, UsageFailure } from '../errors.ts'
import { fstat, open, read } from '../system/files.ts'
import type { World } from '../world.ts'
import type { Http, Response } from './http.ts'
import { asNetworkFailure, wasCut } from './trouble.ts'
import { checkTarget, headersFor, type PutTarget } from './upload-target.ts'

export interface PutOptions extends Pick<World, 'signal'> {
  /** Milliseconds without any progress or answer before the transfer is given up. */
  idleTimeout: number
  /** The address of the service that gave the session, which settles where a session may lead. */
  baseUrl: string
  userAgent: string
  /** Told the bytes handed to the connection so far. */
  onProgress?: (sent: number) => void
}

/** How much of a file is read at a time, in bytes: as much as stays in the processor's cache until it is sent. */
const readSize = 512 * 1024

/** A disk that takes longer than so many milliseconds for a read is not waited for. */
const quickRead = 5

type Source = { path: string; bytes: number } | { content: Uint8Array }

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
  const stall = watchForStall(options.idleTimeout)
  const onProgress = (sent: number) => {
    stall.moved()
    options.onProgress?.(sent)
  }
  const chunks = 'content' in source ? [source.content] : readFile(source.path, length, onProgress)
  const body = Readable.from(isCareful ? carefully(chunks) : chunks, { objectMode: false, highWaterMark: 1 })
  try {
    const response = await http.send({
      method: 'PUT',
      url: target.uploadUrl,
      isPresigned: true,
      headers,
      body,
      timeout: options.idleTimeout,
      signal: AbortSignal.any([options.signal, stall.signal]),
    })
    const text = await response.text(64 * 1024).catch(() => '')
    if (response.status < 200 || response.status > 299) throw refused(response, text, name)
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason
    if (stall.signal.aborted) throw stall.signal.reason
    if (error instanceof Interrupted) throw error
    throw asNetworkFailure(error, name)
  } finally {
    stall.stop()
    body.destroy()
  }
}

/** The same bytes, with a pause after the first one, with which the request's head goes out. */
async function* carefully(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let isFirst = true
  for await (const chunk of chunks) {
    if (isFirst) {
      yield chunk.subarray(0, 1)
      await pause(1000, undefined, { ref: false })
    }
    yield isFirst ? chunk.subarray(1) : chunk
    isFirst = false
  }
}

/**
 * A file's bytes in turns. Two buffers are used over and over: one is on its way while the other is filled. That is safe
 * because a chunk is asked for only once the connection has taken the one before, which it makes known for full buffers
 * alone: a short one it would merely queue.
 *
 * As long as the disk is quick, as it is with what lies in memory, a read is waited for: to hand it to a thread would take
 * as long again, and the bytes would be in another processor's cache.
 */
async function* readFile(
  path: string,
  length: number,
  onProgress: (sent: number) => void,
): AsyncGenerator<Buffer> {
  let started = performance.now()
  const file = await open(path, 'r')
  let isQuick = performance.now() - started < quickRead
  const state = async () => (isQuick ? fstatSync(file) : await fstat(file))
  const fill = async (into: Buffer, position: number): Promise<void> => {
    for (let filled = 0; filled < into.length; ) {
      const where = [into, filled, into.length - filled, position + filled] as const
      started = performance.now()
      const bytesRead = isQuick ? readSync(file, ...where) : (await read(file, ...where)).bytesRead
      isQuick = performance.now() - started < quickRead
      if (bytesRead === 0) throw changed(path)
      filled += bytesRead
    }
  }
  try {
    const buffers: Buffer[] = []
    const { size, mtimeMs } = await state()
    if (size !== length) throw changed(path)
    for (let position = 0, turn = 0; position < length; turn++) {
      buffers[turn % 2] ??= Buffer.allocUnsafeSlow(Math.min(readSize, length))
      const buffer = (buffers[turn % 2] as Buffer).subarray(0, length - position)
      await fill(buffer, position)
      position += buffer.length
      // Before its end a file can still be taken back: a store drops a body that is not whole.
      if (position === length && (await state()).mtimeMs !== mtimeMs) throw changed(path)
      yield buffer
      onProgress(position)
    }
  } finally {
    closeSync(file)
  }
}

export const changed = (path: string) =>
  new UsageFailure(`${path} changed while it was sent`, {
    code: 'file_changed',
    hint: 'Run the upload again once nothing writes to the file.',
  })

/** A refusal in the store's own words: S3 answers with XML that holds a code and a message. */
function refused(response: Response, text: string, name: string): ServiceFailure {
  const part = (tag: string) => new RegExp(`<${tag}>([^<]{1,300})</${tag}>`).exec(text)?.[1]
  const code = part('Code')
  const message = part('Message')
  return new ServiceFailure(
    `${name} refused the file: ${message ?? `status ${response.status}`}${code ? ` (${code})` : ''}`,
    {
      status: response.status,
      retryAfter: [response.headers['retry-after']].flat()[0],
      code: code ?? `http_${response.status}`,
      requestId: part('RequestId'),
      hint: 'Run the upload again; it asks for a fresh upload session.',
    },
  )
}

function watchForStall(idleTimeout: number) {
  const controller = new AbortController()
  const stalled = () =>
    controller.abort(
      new NetworkFailure(`the transfer stalled: nothing moved for ${idleTimeout / 1000} s`, {
        code: 'timeout',
        hint: 'Run the upload again when the network is better.',
      }),
    )
  const timer = setTimeout(stalled, idleTimeout)
  timer.unref()
  return { signal: controller.signal, moved: () => timer.refresh(), stop: () => clearTimeout(timer) }
}
