import { parentPort } from 'node:worker_threads'
import { anyFile } from '../../system/may-read.ts'
import { smallFile } from './hash.ts'
import { type Hash, type Reading, readForAnother } from './reading.ts'
import { openSharedMemory } from './shared-memory.ts'
import { end, type Question, type ThreadAnswer } from './thread.ts'

const memory = openSharedMemory()

parentPort?.on('message', async (question: Question | typeof end) => {
  if (question === end) process.exit()
  memory.takeBack(question.spare)
  const reading = await readAndHash(question).catch(() => undefined)
  const answer: ThreadAnswer = { number: question.number, reading }
  // The file is handed over, or shared, not copied.
  const { buffer } = reading?.content ?? {}
  parentPort?.postMessage(answer, buffer instanceof ArrayBuffer ? [buffer] : [])
})

async function readAndHash({ path, wantsCover, wantsHash, options }: Question): Promise<Reading> {
  // What is hashed is what is sent, and comes back.
  const [hash, allocate] = wantsHash ? [hashOfSmall, memory.take] : []
  return await readForAnother(path, anyFile, wantsCover, hash, options, allocate)
}

/** Large files are hashed by the hashing thread while they are sent. */
const hashOfSmall: Hash = async ({ bytes }, compute) =>
  bytes > smallFile ? null : await compute(neverAborted)

/** One for all books, since making it takes longer than much of what is read of them. */
const neverAborted = new AbortController().signal
