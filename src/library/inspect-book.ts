import type { Book } from '../books/book.ts'
import { type PublicationType, publicationTypes } from '../service/contract/publication-type.ts'
import { anyFile } from '../system/may-read.ts'
import { withProgramHints } from './program-hints.ts'
import { settled } from './settled.ts'
import { unfit } from './unfit.ts'

/** What a file is read as. */
export interface InspectOptions {
  /** Its type, where the name of the file says another than its content. */
  readonly type?: PublicationType | undefined
  readonly signal?: AbortSignal | undefined
}

/** The metadata of a book, and its problems, the gravest first. */
export type InspectedBook = Book & { readonly file: string }

/**
 * Reads the metadata and the problems of an EPUB, PDF or LPF, as `pubctl inspect` does; no network is used. Rejects with a
 * `UsageFailure` for a file that cannot be read, or is none of these.
 */
export async function inspectBook(file: string, options: InspectOptions = {}): Promise<InspectedBook> {
  const { type, signal } = options
  return await settled(
    async stop => {
      if (typeof file !== 'string' || file === '') throw unfit('file', 'the path of a file')
      if (type !== undefined && !publicationTypes.includes(type))
        throw unfit('type', `one of ${publicationTypes.join(', ')}`)
      const { examineBook } = await import('../books/examine.ts')
      const book = await examineBook(file, anyFile, { type })
      stop.throwIfAborted()
      return { ...book, problems: withProgramHints(book.problems) }
    },
    signal,
    text => text,
  )
}
