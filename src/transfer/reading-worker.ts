import { parentPort } from 'node:worker_threads'
import { stat } from '../system/files.ts'
import { hashAtOnce, smallFile } from './hash.ts'
import { type Reading, readHere } from './reading.ts'
import type { Answer, Question } from './reading-thread.ts'

parentPort?.on('message', async (question: Question) => {
  const reading = await readAndHash(question).catch(() => undefined)
  parentPort?.postMessage({ number: question.number, reading } satisfies Answer)
})

/** Larger files are hashed by a thread that does nothing else, while they are sent. */
async function readAndHash({ path, wantsCover }: Question): Promise<Reading> {
  const reading = await readHere(path, wantsCover)
  if (reading.bytes > smallFile) return reading
  const sha256 = await hashAtOnce(path)
  const { size, mtimeMs } = await stat(path)
  // A hash of what the file has become since would pass for that of the book that was read.
  return size === reading.bytes && mtimeMs === reading.modified ? { ...reading, sha256 } : reading
}
