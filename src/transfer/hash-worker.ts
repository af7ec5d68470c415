import { createHash } from 'node:crypto'
import { openSync, readSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

// Hashing keeps a processor busy, so it has a thread of its own and does not slow the one that sends. Nothing else runs
// in this thread, so that it may block, and one buffer is enough for a file of any size.
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
