import { parentPort } from 'node:worker_threads'
import { anyFile } from '../../system/may-read.ts'
import { smallFile } from './hash.ts'
import { type Reading, readHere } from './reading.ts'
import type { Question, ThreadAnswer } from './thread.ts'

parentPort?.on('message', async (question: Question) => {
  const reading = await readAndHash(question).catch(() => undefined)
  const answer: ThreadAnswer = { number: question.number, reading }
  // The file is handed over, not copied.
  const { buffer } = reading?.content ?? {}
  parentPort?.postMessage(answer, buffer instanceof ArrayBuffer ? [buffer] : [])
})

/** Large files are hashed by the hashing thread while they are sent. */
const readAndHash = async ({ path, wantsCover, options }: Question): Promise<Reading> =>
  await readHere(
    path,
    anyFile,
    wantsCover,
    async ({ bytes }, compute) => (bytes > smallFile ? null : await compute(new AbortController().signal)),
    options,
  )
