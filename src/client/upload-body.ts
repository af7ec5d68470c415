import { closeSync, fstatSync, readSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { UsageFailure } from '../errors.ts'
import { fstat, open, read } from '../system/files.ts'

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

/** The first of some pieces, which is there already, and the others. */
export async function* following(
  first: IteratorResult<Uint8Array>,
  others: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first.done) return
  yield first.value
  yield* others
}

/** Bytes at hand in pieces, so that a slow line shows that they move. */
export async function* slicesOf(
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
export async function* carefully(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
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
export async function* readFile(
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
