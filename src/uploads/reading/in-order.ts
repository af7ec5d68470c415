import { availableParallelism } from 'node:os'
import type { ReadBook, ReadOptions } from '../../books/book.ts'
import type { MayRead } from '../../system/may-read.ts'
import { optimiseLater } from '../../system/optimise-later.ts'
import { rest } from '../../system/rest.ts'
import { type Read, readHere } from './reading.ts'

/**
 * How many books of a list are worth a thread, which takes as long to start as a few dozen take to read. There is never more than
 * one, since each takes 25 MiB, and for PDFs a process of 60 MiB.
 */
const worthAThread = 32

/** How many books are read at most before they are asked for. */
const ahead = 16

/** The books of a list, to be asked for in its order. */
export interface BooksInOrder {
  /** Reads the next one. Throws as `readBook` does. */
  read(file: string): Promise<ReadBook>
  close(): Promise<void>
}

/** A book that is read before it is asked for. */
interface Begun {
  readonly reading: Promise<ReadBook>
  isOver: boolean
}

/**
 * Reads the books of a list, each of them once. If they are many, a thread meanwhile reads those that follow. Once the signal is
 * aborted, its reason is thrown before a book is read ahead.
 */
export async function openInOrder(
  files: readonly string[],
  mayRead: MayRead,
  options: ReadOptions,
  signal: AbortSignal,
): Promise<BooksInOrder> {
  const thread = await openThread(files.length)
  const optimiseAsUsual = thread ? undefined : optimiseLater(files.length)
  const begun = new Map<string, Begun>()
  let next = 0
  let asked = 0
  /** How many books the thread has to read. */
  let given = 0

  /** The next book that nobody reads yet, unless others have to be asked for first. */
  const following = (): string | undefined => (next < asked + ahead ? files[next] : undefined)

  function begin(file: string, read: Read): Begun {
    next++
    const reading = read(file, mayRead, false, undefined, options).then(({ book }) => book)
    const one: Begun = { reading, isOver: false }
    whenOver(reading, () => {
      one.isOver = true
    })
    begun.set(file, one)
    return one
  }

  /** Gives the thread a book, and one to go on with. */
  function keepThreadBusy(): void {
    while (thread && given < 2) {
      const file = following()
      if (file === undefined) return
      given++
      whenOver(begin(file, thread.read).reading, () => {
        given--
        keepThreadBusy()
      })
    }
  }

  return {
    async read(file) {
      asked++
      const early = begun.get(file)
      const one = early ?? begin(file, readHere)
      keepThreadBusy()
      // While the thread is at it, this one reads what follows.
      while (early && !early.isOver) {
        const other = following()
        if (other === undefined) break
        await begin(other, readHere).reading.catch(() => undefined)
        // Otherwise neither a signal nor what the thread answers would be seen.
        await rest(signal)
      }
      begun.delete(file)
      return await one.reading
    },
    async close() {
      next = files.length
      optimiseAsUsual?.()
      await thread?.close()
    },
  }
}

const whenOver = (reading: Promise<unknown>, then: () => void): void => void reading.then(then, then)

async function openThread(books: number) {
  if (books < worthAThread || availableParallelism() < 2) return undefined
  const { openReadingThread } = await import('./thread.ts')
  try {
    return openReadingThread(books)
  } catch {
    // The system gives no more threads.
    return undefined
  }
}
