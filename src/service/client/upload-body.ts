import { UsageFailure } from '../../system/errors.ts'
import { close, fstat, read } from '../../system/files.ts'
import type { MayRead } from '../../system/may-read.ts'
import { openFile } from '../../system/open-file.ts'
import { unreadable } from '../../system/unreadable.ts'
import type { Clock } from '../../system/world.ts'
import { isOutOfHandles } from './network-errors.ts'

/** The bytes that are read at a time. They stay in the processor's cache until they are sent. */
const readSize = 512 * 1024

/**
 * The bytes that are read at a time at first, and while the connection is slow: progress is only noticed when a piece has
 * been taken, and a large piece could take a slow connection longer than a transfer may stall. Not less, because a
 * connection queues smaller pieces without saying when they were sent.
 */
const slowSize = 64 * 1024

/**
 * The most bytes in memory that are handed over at a time. Linux takes them at once and says what is unsent of them; elsewhere,
 * a larger piece could take a slow connection longer than a transfer may stall.
 */
const sliceSize = process.platform === 'linux' ? 256 * 1024 : slowSize

/** A connection that needs more milliseconds for a piece is slow. */
const quickSend = 500

/**
 * A file of a known size. With its modification time (milliseconds since 1970) or its SHA-256 (hexadecimal), nothing else is
 * sent as a whole.
 */
export interface FileSource {
  path: string
  bytes: number
  modified?: number
  sha256?: string | null
  /** Called with the SHA-256 of what was sent each time that it was sent to its end. */
  onHashed?: (sha256: string) => void
}

/** What is sent: a file, or bytes in memory. */
export type UploadBody = FileSource | { content: Uint8Array }

/** A piece that was read already, and then the others. */
export async function* startingWith(
  first: IteratorResult<Uint8Array>,
  others: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first.done) return
  yield first.value
  yield* others
}

/** The shortest piece that a connection is sure to have taken when it asks for the next one: twice what Node would queue. */
const neverQueued = 128 * 1024

/**
 * Bytes in memory, in pieces, so that progress is noticed on a slow connection. Once `onProgress` says that all are sent, they are not
 * read any more: a piece that the connection may queue is a copy.
 */
export async function* slicesOf(
  content: Uint8Array,
  onProgress: (sent: number) => void,
): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < content.length; ) {
    const slice = content.subarray(position, position + sliceSize)
    yield slice.length < neverQueued ? new Uint8Array(slice) : slice
    position += slice.length
    onProgress(position)
  }
}

/** The same bytes, with a pause after the first one: undici sends the request's headers together with it. */
export async function* pausingBeforeBody(
  chunks: AsyncIterable<Uint8Array>,
  clock: Pick<Clock, 'sleep'>,
): AsyncGenerator<Uint8Array> {
  let isFirst = true
  for await (const chunk of chunks) {
    if (isFirst) {
      yield chunk.subarray(0, 1)
      await clock.sleep(1000)
    }
    yield isFirst ? chunk.subarray(1) : chunk
    isFirst = false
  }
}

/**
 * A file's bytes. Two buffers are used in turn: one is sent while the other is filled. This is safe because the next piece
 * is requested only when the connection has taken the previous one. That holds for full buffers only, as shorter pieces are
 * queued, so smaller pieces get a buffer each.
 */
export async function* readInPieces(
  { path, bytes: length, modified, sha256 = null, onHashed }: FileSource,
  mayRead: MayRead,
  onProgress: (sent: number) => void,
): AsyncGenerator<Uint8Array> {
  const isHashed = sha256 !== null || onHashed !== undefined
  // Loaded only for a file that is hashed, because loading it takes a tenth of a short command.
  const hash = isHashed ? (await import('node:crypto')).createHash('sha256') : undefined
  const refuse = (error: unknown): never => {
    // With too many open files, a later attempt may succeed.
    const cause = error instanceof UsageFailure ? error.cause : error
    throw isOutOfHandles(cause) ? cause : error instanceof UsageFailure ? error : unreadable(path, error)
  }
  const { fd: file } = await openFile(path, mayRead).catch(refuse)
  const fill = async (into: Buffer, position: number): Promise<void> => {
    for (let filled = 0; filled < into.length; ) {
      const bytesRead = await read(file, into, filled, into.length - filled, position + filled)
      if (bytesRead === 0) throw changedWhileSent(path)
      filled += bytesRead
    }
  }
  try {
    const buffers: Buffer[] = []
    const { size, mtimeMs } = await fstat(file)
    if (size !== length || (modified !== undefined && modified !== mtimeMs)) throw changedWhileSent(path)
    for (let position = 0, turn = 0, size = slowSize; position < length; turn++) {
      if (size === readSize) buffers[turn % 2] ??= Buffer.allocUnsafeSlow(readSize)
      const full = size < readSize ? Buffer.allocUnsafeSlow(size) : (buffers[turn % 2] as Buffer)
      const buffer = full.subarray(0, length - position)
      await fill(buffer, position).catch(refuse)
      position += buffer.length
      hash?.update(buffer)
      // Until the last piece is sent, the upload can be stopped: a store drops an incomplete body.
      if (position === length) {
        const sent = hash?.digest('hex')
        if ((await fstat(file)).mtimeMs !== mtimeMs || (sha256 !== null && sent !== sha256))
          throw changedWhileSent(path)
        if (sent !== undefined) onHashed?.(sent)
      }
      const handedOver = performance.now()
      yield buffer
      onProgress(position)
      size = performance.now() - handedOver < quickSend ? Math.min(size * 2, readSize) : slowSize
    }
  } finally {
    await close(file)
  }
}

export const changedWhileSent = (path: string) =>
  new UsageFailure(`${path} changed while it was sent`, {
    code: 'file_changed',
    hint: 'Run the upload again once nothing writes to the file.',
  })
