import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

// Hashing keeps a processor busy, so it has a thread of its own and does not slow the one that sends.
const hash = createHash('sha256')
createReadStream(String(workerData), { highWaterMark: 1024 * 1024 })
  .on('data', chunk => hash.update(chunk))
  .on('error', error => parentPort?.postMessage({ error: error.message }))
  .on('end', () => parentPort?.postMessage({ sha256: hash.digest('hex') }))
