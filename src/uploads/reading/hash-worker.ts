import { createHash } from 'node:crypto'
import { readSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { HashedFile } from './hash.ts'

// Hashing is CPU-bound, so it runs in a separate thread and does not slow down sending. Nothing else runs in this thread,
// so it can use blocking reads into one buffer.
try {
  const { fd, most } = workerData as HashedFile
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafeSlow(1024 * 1024)
  for (let position = 0; position < most; ) {
    const bytes = readSync(fd, buffer, 0, Math.min(buffer.length, most - position), position)
    if (bytes === 0) break
    hash.update(buffer.subarray(0, bytes))
    position += bytes
  }
  parentPort?.postMessage({ sha256: hash.digest('hex') })
} catch (error) {
  parentPort?.postMessage({ error: (error as Error).message })
}
