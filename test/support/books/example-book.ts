import type { ExampleOptions } from '../../../src/sandbox/seed/example-epub/book.ts'
import { makeExampleEpub } from '../../../src/sandbox/seed/example-epub/index.ts'
import { fileOf } from './make-book.ts'

/** Small books that were made before, by their options, since most tests take the same few. */
const made = new Map<string, Promise<Buffer>>()

/** The path of a file with an example book, which is gone after the test. */
export const exampleBook = async (options: ExampleOptions = {}): Promise<string> =>
  fileOf(await exampleEpub(options))

/** The bytes of an example book, which nobody may change. */
export function exampleEpub(options: ExampleOptions = {}): Promise<Buffer> {
  if (options.paddingBytes || options.extraEntries) return makeExampleEpub(options)
  const key = JSON.stringify(options)
  const book = made.get(key) ?? makeExampleEpub(options)
  made.set(key, book)
  return book
}
