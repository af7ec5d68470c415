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
  if (named === type || (named === undefined && !foreign.test(path))) return []
  return [
    error(
      'extension_wrong',
      `The name ends in ${extname(path).toLowerCase()}, but the content is ${typeNames[type]}.`,
    ),
  ]
}

/** How the names of other files end; what else follows a full stop may belong to the title. */
const foreign =
  /\.(?:azw3?|kfx|kpf|mobi|prc|ibooks|zip|rar|7z|gz|docx?|odt|rtf|txt|md|html?|xhtml|xml|opf|json|csv|xlsx?|mp3|m4[ab]|mp4|jpe?g|png|gif|webp|svg|indd|idml)$/i

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
