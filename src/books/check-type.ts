import { extname } from 'node:path'
import type { PublicationType } from '../service/contract/publication-type.ts'
import { typeByName } from '../system/book-extensions.ts'
import type { Book, Problem } from './book.ts'
import { hintOf, type ProblemCode } from './hints.ts'

/**
 * What is wrong with the name of a book's file, which the service gets with the type. `said` is the type that the user gives,
 * which counts for more than the name, and never for more than the content.
 */
export function checkType(path: string, { type }: Book, said: PublicationType | undefined): Problem[] {
  if (said !== undefined) {
    return said === type
      ? []
      : [
          error(
            'type_wrong',
            `The content is ${typeNames[type]}, and not ${typeNames[said]} as the type given says.`,
          ),
        ]
  }
  const named = typeByName(path)
  if (named === undefined || named === type) return []
  return [
    error(
      'extension_wrong',
      `The name ends in ${extname(path).toLowerCase()}, but the content is ${typeNames[type]}.`,
    ),
  ]
}

const typeNames: Readonly<Record<PublicationType, string>> = {
  EPUB: 'an EPUB',
  PDF: 'a PDF',
  Audio: 'an audiobook',
}

const error = (code: ProblemCode, message: string): Problem => ({
  severity: 'error',
  code,
  message,
  hint: hintOf(code),
})
