import { closeSync, fstatSync, readSync } from 'node:fs'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { Interrupted, NetworkFailure, ServiceFailure, UsageFailure } from '../errors.ts'
import { fstat, open, read } from '../system/files.ts'
import { unsentBytes } from '../system/unsent-bytes.ts'
import type { World } from '../world.ts'
import type { Http } from './http.ts'
import type { Response } from './response.ts'
import { hintForRefusal } from './store-hints.ts'
import { asNetworkFailure, wasCut } from './trouble.ts'
import { checkTarget, headersFor, type PutTarget } from './upload-target.ts'

export interface PutOptions extends Pick<World, 'signal'> {
  /** Gives the milliseconds without any movement or answer after which the transfer is given up. */
  idleTimeout: () => number
  /** The address of the service that gave the session, which settles where a session may lead. */
  baseUrl: string
  userAgent: string
  /** Whether the session is a fresh one, in place of one that the store refused. */
  wasRenewed?: boolean | undefined
  /** Told the bytes handed to the connection so far. */
  onProgress?: ((sent: number) => void) | undefined
  /** Told each time that bytes were seen to move, be it only from the system's buffers to the other side. */
  onMoved?: (() => void) | undefined
}

/** How much of a file is read at a time, in bytes: as much as stays in the processor's cache until it is sent. */
const readSize = 512 * 1024

/**
 * How much is read at a time at first, and for as long as the connection is slow: bytes count as moving when a piece has
 * been taken, and one of the full size would take a slow line longer than a transfer may seem to stand still. No less,
 * since a connection queues what is shorter, and does not say when it has gone.
 */
const slowSize = 64 * 1024

/** A connection that takes longer than so many milliseconds for a piece of a file is slow. */
const quickTake = 500

/** A disk that takes longer than so many milliseconds for a read is not waited for. */
const quickRead = 5

/** What is sent: a file of a known size, or bytes at hand. */
export type Source = { path: string; bytes: number } | { content: Uint8Array }

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

/** The first of some pieces, which is there already, and the others. */
async function* following(
  first: IteratorResult<Uint8Array>,
  others: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first.done) return
  yield first.value
  yield* others
}

/** Bytes at hand in pieces, so that a slow line shows that they move. */
async function* slicesOf(
  content: Uint8Array,
  onProgress: (sent: number) => void,
): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < content.length; ) {
    const slice = content.subarray(position, position + slowSize)
    yield slice
    position += slice.length
    onProgress(position)
  }
}

/** The same bytes, with a pause after the first one, with which the request's head goes out. */
async function* carefully(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
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
 * alone: a short one it would merely queue. As long as pieces are smaller, each has a buffer of its own.
 *
 * As long as the disk is quick, as it is with what lies in memory, a read is waited for: to hand it to a thread would take
 * as long again, and the bytes would be in another processor's cache.
 */
async function* readFile(
  path: string,
  length: number,
  onProgress: (sent: number) => void,
): AsyncGenerator<Uint8Array> {
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
      if (bytesRead === 0) throw changedWhileSent(path)
      filled += bytesRead
    }
  }
  try {
    const buffers: Buffer[] = []
    const { size, mtimeMs } = await state()
    if (size !== length) throw changedWhileSent(path)
    for (let position = 0, turn = 0, size = slowSize; position < length; turn++) {
      if (size === readSize) buffers[turn % 2] ??= Buffer.allocUnsafeSlow(readSize)
      const whole = size < readSize ? Buffer.allocUnsafeSlow(size) : (buffers[turn % 2] as Buffer)
      const buffer = whole.subarray(0, length - position)
      await fill(buffer, position)
      position += buffer.length
      // Before its end a file can still be taken back: a store drops a body that is not whole.
      if (position === length && (await state()).mtimeMs !== mtimeMs) throw changedWhileSent(path)
      const handedOver = performance.now()
      yield buffer
      onProgress(position)
      size = performance.now() - handedOver < quickTake ? Math.min(size * 2, readSize) : slowSize
    }
  } finally {
    closeSync(file)
  }
}

export const changedWhileSent = (path: string) =>
  new UsageFailure(`${path} changed while it was sent`, {
    code: 'file_changed',
    hint: 'Run the upload again once nothing writes to the file.',
  })

/** A refusal in the store's own words: S3 answers with XML that holds a code and a message. */
function refused(response: Response, text: string, name: string, wasRenewed: boolean): ServiceFailure {
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
      hint: hintForRefusal(response.status, code, wasRenewed),
    },
  )
}

/** How often a transfer is looked at, and after how long without movement the system is asked, in milliseconds. */
const [lookEvery, quiet] = [1000, 5000]

/** Ends a transfer in which nothing has moved for too long, neither into the system's buffers nor out of them. */
function watchForStall({ idleTimeout, onMoved }: Pick<PutOptions, 'idleTimeout' | 'onMoved'>) {
  const controller = new AbortController()
  let last = performance.now()
  let socket: Socket | undefined
  let unsent: number | undefined
  const moved = () => {
    last = performance.now()
    onMoved?.()
  }
  const look = () => {
    const idle = performance.now() - last
    const longest = idleTimeout()
    if (socket && idle > Math.min(quiet, longest / 2)) {
      const now = unsentBytes(socket)
      const isMoving = now !== unsent && unsent !== undefined
      unsent = now
      if (isMoving) return moved()
    }
    if (idle > longest) controller.abort(stalled(idle))
  }
  const timer = setInterval(look, Math.min(lookEvery, idleTimeout() / 8))
  timer.unref()
  return {
    signal: controller.signal,
    moved,
    watch(used: Socket) {
      socket = used
      unsent = undefined
    },
    stop: () => clearInterval(timer),
  }
}

const stalled = (idle: number) =>
  new NetworkFailure(`the transfer stalled: nothing moved for ${Math.round(idle / 1000)} s`, {
    code: 'timeout',
    hint: 'Run the upload again when the network is better.',
  })
