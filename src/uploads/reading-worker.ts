import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { type Reading, readHere } from './reading.ts'
import type { Answer, Question } from './reading-thread.ts'

/** Larger files are hashed by a thread that does nothing else, while they are sent. */
const smallFile = 8 * 1024 * 1024

parentPort?.on('message', async ({ number, path, wantsCover }: Question) => {
  const reading = await readHere(path, wantsCover)
    .then(withHash)
    .catch(() => undefined)
  parentPort?.postMessage({ number, reading } satisfies Answer)

  function withHash(reading: Reading): Reading {
    if (reading.bytes > smallFile) return reading
    const content = readFileSync(path)
    const { size, mtimeMs } = statSync(path)
    const isSame = size === reading.bytes && mtimeMs === reading.modified && content.length === size
    return isSame ? { ...reading, sha256: createHash('sha256').update(content).digest('hex') } : reading
  }
})
