import { resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ReadOptions } from '../../books/book.ts'
import { optimiseLater } from '../../system/optimise-later.ts'
import { workerPath } from '../../system/worker-path.ts'
import { sha256Of } from './hash.ts'
import { type Read, type Reading, readHere } from './reading.ts'

/** Asks the thread to end. */
export const end = 'end'

/** A request to the thread. */
export interface Question {
  readonly number: number
  readonly path: string
  readonly wantsCover: boolean
  readonly wantsHash: boolean
  readonly options: ReadOptions | undefined
  /** The memory of books that were sent since the last one. */
  readonly spare: readonly SharedArrayBuffer[]
}

/** Its answer; undefined if the book cannot be read. */
export interface ThreadAnswer {
  readonly number: number
  readonly reading: Reading | undefined
}

/**
 * Reads and hashes so many books in a separate thread, so that sending continues. A book that cannot be read there is read again
 * in this thread, which reports what is wrong with it.
 */
export function openReadingThread(books: number): { read: Read; close(): Promise<void> } {
  const waiting = new Map<number, (reading: Reading | undefined) => void>()
  let asked = 0
  let spare: SharedArrayBuffer[] = []
  let [isClosing, isGone] = [false, false]
  let optimiseAsUsual: (() => void) | undefined
  const worker = new Worker(workerPath('reading-worker'), {
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 24 },
    // The thread does not inherit Node's flags.
    execArgv: [],
  })
  worker.unref()
  const answer = (number: number, reading: Reading | undefined) => {
    waiting.get(number)?.(reading)
    waiting.delete(number)
    // Not where its end is waited for, or the program would end before.
    if (waiting.size === 0 && !isClosing) worker.unref()
  }
  worker.on('message', ({ number, reading }: ThreadAnswer) => {
    // Not before the thread has loaded its compiled code, which is valid for the usual flags alone.
    if (!isClosing) optimiseAsUsual ??= optimiseLater(books)
    answer(number, reading)
  })
  worker.on('error', () => undefined)
  const gone = new Promise<void>(resolve => {
    worker.on('exit', () => {
      isGone = true
      for (const number of waiting.keys()) answer(number, undefined)
      resolve()
    })
  })
  const ask = (asks: Omit<Question, 'number' | 'spare'>) =>
    new Promise<Reading | undefined>(resolve => {
      if (isGone) return resolve(undefined)
      const question: Question = { number: asked++, ...asks, spare }
      spare = []
      waiting.set(question.number, resolve)
      // Otherwise the program would end while it waits, also for a thread that the system could not start.
      worker.ref()
      worker.postMessage(question)
    })
  /** What gives the memory of a book back to the thread, once. */
  const givingBack = ({ content }: Reading): Reading['giveBack'] => {
    const memory = content?.buffer
    if (!(memory instanceof SharedArrayBuffer)) return undefined
    let isLent = true
    return () => {
      if (isLent) spare.push(memory)
      isLent = false
    }
  }
  return {
    // This thread says why something may not be read.
    async read(path, mayRead, wantsCover, hash, options) {
      const asks = { path, wantsCover, wantsHash: hash !== undefined, options }
      const reading = mayRead(path) ? await ask(asks) : undefined
      if (reading === undefined) return await readHere(path, mayRead, wantsCover, hash, options)
      if (reading.sha256 !== null || hash === undefined) return { ...reading, giveBack: givingBack(reading) }
      const { bytes, modified } = reading
      const compute = (signal: AbortSignal) => sha256Of(path, bytes, { mayRead, signal })
      return { ...reading, sha256: await hash({ file: resolve(path), bytes, modified }, compute) }
    },
    async close() {
      isClosing = true
      optimiseAsUsual?.()
      if (isGone) return
      // It ends between two books, or where something is waited for: Node may abort the whole process when it stops a thread that is
      // about to unpack something.
      worker.ref()
      worker.postMessage(end)
      await gone
    },
  }
}
