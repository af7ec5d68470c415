import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { UsageFailure } from '../../system/errors.ts'
import { type OpenFile, openFile } from '../../system/open-file.ts'
import { sha256 } from '../../system/sha256.ts'
import { unreadable } from '../../system/unreadable.ts'
import { workerPath } from '../../system/worker-path.ts'
import type { World } from '../../system/world.ts'

/** Files up to this many bytes are hashed in this thread: starting another one would take longer. */
export const smallFile = 8 * 1024 * 1024

/** What is hashed of an open file. */
export interface HashedFile {
  readonly fd: number
  /** The most that is read. */
  readonly most: number
}

/**
 * The SHA-256 of a file of so many bytes, in hexadecimal. One byte more is read, so that the hash of a longer file is another
 * one. Large files are hashed in a separate thread, so that sending continues; if that thread fails, they are hashed in this
 * one.
 */
export const sha256Of = async (...file: Parameters<typeof hashOfFile>): Promise<string> =>
  (await hashOfFile(...file)).sha256

/** The same, and the very bytes that were hashed if the file is small. */
export async function hashOfFile(
  path: string,
  bytes: number,
  { mayRead, signal }: Pick<World, 'mayRead' | 'signal'>,
): Promise<{ readonly sha256: string; readonly content: Uint8Array | undefined }> {
  const file = await openFile(path, mayRead)
  try {
    const sha256 = await sha256OfOpen(path, file, bytes, signal)
    return { sha256, content: await file.content?.() }
  } finally {
    await file.close()
  }
}

/** The same of a file that is open. */
export async function sha256OfOpen(
  path: string,
  file: OpenFile,
  bytes: number,
  signal: AbortSignal,
): Promise<string> {
  const most = bytes + 1
  try {
    if (file.content) return sha256(await file.content())
    if (bytes <= smallFile) return await hashHere(file, most, signal)
    try {
      return await hashInThread(path, { fd: file.fd, most }, signal)
    } catch (error) {
      if (error instanceof UsageFailure || signal.aborted) throw error
      return await hashHere(file, most, signal)
    }
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall === 'read' ? unreadable(path, error) : error
  }
}

async function hashHere({ read }: OpenFile, most: number, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(Math.min(most, 1024 * 1024))
  for (let position = 0; position < most; ) {
    signal.throwIfAborted()
    const length = await read(buffer.subarray(0, most - position), position)
    if (length === 0) break
    hash.update(buffer.subarray(0, length))
    position += length
  }
  return hash.digest('hex')
}

async function hashInThread(path: string, workerData: HashedFile, signal: AbortSignal): Promise<string> {
  const worker = new Worker(workerPath('hash-worker'), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 8 },
  })
  const stop = () => void worker.terminate()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', ({ sha256, error }) =>
        sha256
          ? resolve(sha256)
          : reject(new UsageFailure(`cannot read ${path}: ${error}`, { code: 'file_unreadable' })),
      )
      worker.once('error', reject)
      worker.once('exit', () => reject(signal.reason ?? new Error('the hashing thread stopped early')))
    })
  } finally {
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}
