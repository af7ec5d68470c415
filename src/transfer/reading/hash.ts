import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { openRegularFile } from '../../books/file.ts'
import { UsageFailure } from '../../errors.ts'
import { readFile } from '../../system/files.ts'
import { sha256 } from '../../system/sha256.ts'
import { workerPath } from '../../system/worker-path.ts'

/** Files up to this many bytes are hashed in this thread: starting another one would take longer. */
export const smallFile = 8 * 1024 * 1024

/** The SHA-256 of a small file in hexadecimal. */
export const hashAtOnce = async (path: string): Promise<string> => sha256(await readFile(path))

/**
 * The SHA-256 of a file in hexadecimal. Large files are hashed in a separate thread, so that sending continues; if that
 * thread fails, they are hashed in this one.
 */
export async function sha256Of(path: string, bytes: number, signal: AbortSignal): Promise<string> {
  if (bytes <= smallFile) return await hashAtOnce(path)
  try {
    return await hashInThread(path, signal)
  } catch (error) {
    if (error instanceof UsageFailure || signal.aborted) throw error
    return await hashInPieces(path, signal)
  }
}

async function hashInPieces(path: string, signal: AbortSignal): Promise<string> {
  const file = await openRegularFile(path)
  try {
    const hash = createHash('sha256')
    const buffer = Buffer.allocUnsafe(1024 * 1024)
    for (let position = 0, length = -1; length !== 0; position += length) {
      signal.throwIfAborted()
      length = await file.read(buffer, position)
      hash.update(buffer.subarray(0, length))
    }
    return hash.digest('hex')
  } finally {
    await file.close()
  }
}

async function hashInThread(path: string, signal: AbortSignal): Promise<string> {
  const worker = new Worker(workerPath('hash-worker'), {
    workerData: path,
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
