import { parentPort } from 'node:worker_threads'
import { stat } from '../../system/files.ts'
import { sha256Of, smallFile } from './hash.ts'
import { type Reading, readHere } from './reading.ts'
import type { Question, ThreadAnswer } from './thread.ts'

parentPort?.on('message', async (question: Question) => {
  const reading = await readAndHash(question).catch(() => undefined)
  parentPort?.postMessage({ number: question.number, reading } satisfies ThreadAnswer)
})

/** Large files are hashed by the hashing thread while they are sent. */
async function readAndHash({ path, wantsCover }: Question): Promise<Reading> {
  const reading = await readHere(path, wantsCover)
  if (reading.bytes > smallFile) return reading
  const sha256 = await sha256Of(path, reading.bytes, new AbortController().signal)
  const { size, mtimeMs } = await stat(path)
  // If the file has changed, the hash is not that of the book that was read.
  return size === reading.bytes && mtimeMs === reading.modified ? { ...reading, sha256 } : reading
}
