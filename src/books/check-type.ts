import { extname } from 'node:path'
import type { Book, BookType, Problem } from './book.ts'
import { hintOf, type ProblemCode } from './hints.ts'

/** The types that the extensions of file names stand for. */
const typesByExtension: Readonly<Record<string, BookType>> = {
  '.epub': 'EPUB',
  '.pdf': 'PDF',
  '.lpf': 'Audio',
  '.audiobook': 'Audio',
}

/**
 * What is wrong with the name of a book's file, which the service gets with the type. `said` is the type that the user gives,
 * which counts for more than the name, and never for more than the content.
 */
export function checkType(path: string, { type }: Book, said: BookType | undefined): Problem[] {
  if (said !== undefined) {
    return said === type
      ? []
      : [
          error(
            'type_wrong',
            `The content is ${nameOf[type]}, and not ${nameOf[said]} as the type given says.`,
          ),
        ]
  }
  const extension = extname(path).toLowerCase()
  const named = typesByExtension[extension]
  if (named === undefined || named === type) return []
  return [error('extension_wrong', `The name ends in ${extension}, but the content is ${nameOf[type]}.`)]
}

const nameOf: Readonly<Record<BookType, string>> = { EPUB: 'an EPUB', PDF: 'a PDF', Audio: 'an audiobook' }

const error = (code: ProblemCode, message: string): Problem => ({
  severity: 'error',
  code,
  message,
  hint: hintOf(code),
})
