import type { ExampleOptions } from '../../../src/sandbox/seed/example-epub/book.ts'
import { makeExampleEpub } from '../../../src/sandbox/seed/example-epub/index.ts'
import { fileOf } from './make-book.ts'

/** The path of a file with an example book, which is gone after the test. */
export const exampleBook = async (options: ExampleOptions = {}): Promise<string> =>
  fileOf(await makeExampleEpub(options))
