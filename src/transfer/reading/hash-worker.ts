import { createHash } from 'node:crypto'
import { openSync, readSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

// Hashing is CPU-bound, so it runs in a separate thread and does not slow down sending. Nothing else runs in this thread,
// so it can use blocking reads into one buffer.
try {
  const file = openSync(String(workerData), 'r')
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafeSlow(1024 * 1024)
  for (let bytes = readSync(file, buffer); bytes > 0; bytes = readSync(file, buffer)) {
    hash.update(buffer.subarray(0, bytes))
  }
  parentPort?.postMessage({ sha256: hash.digest('hex') })
} catch (error) {
  parentPort?.postMessage({ error: (error as Error).message })
}
