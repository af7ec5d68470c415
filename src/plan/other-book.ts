import type { Warning } from '../system/warning.ts'
import { folded } from './name-pattern.ts'
import { placeOf, type Wanted } from './wanted.ts'

/** What is said of a book, and what its file says. */
type Compared = Pick<Wanted, 'title' | 'isbn' | 'own' | 'otherIsbn' | 'from'> & {
  readonly file: string | null
}

/** The ISBN in a file, if another one is given. A file can have several, such as that of the printed book beside its own. */
export const otherIsbnIn = (own: readonly string[], isbn: string | undefined): string | undefined =>
  isbn === undefined || own.includes(isbn) ? undefined : own[0]

/** Whether both the ISBN and the title in a file are others than those that are given. */
export const isOtherBook = ({ title, own, otherIsbn }: Compared): boolean =>
  otherIsbn !== undefined && title !== undefined && own.title !== undefined && !isLikeTitle(title, own.title)

/** Whether one title is the other, or a part of it, as that without its subtitle is. */
function isLikeTitle(one: string, other: string): boolean {
  const [long, short] = [folded(one), folded(other)].sort((a, b) => b.length - a.length) as [string, string]
  return ` ${long} `.includes(` ${short} `)
}

/** The step of a file that is another book. `flag` is the option with which it is sent as it is. */
export const otherBook = (
  { file, own, otherIsbn }: Compared,
  flag: '--new' | '--again',
  there: { readonly publicationId: string | null; readonly editionId: string | null },
) => ({
  action: 'conflict' as const,
  why: `${file} says that it is "${own.title}" with the ISBN ${otherIsbn}`,
  hint: `Give the book the right file, or correct its ISBN or title; with ${flag} it is uploaded as it is.`,
  ...{ publicationId: there.publicationId, editionId: there.editionId },
})

/** What a file says otherwise than what is given, and is taken all the same. */
export function warningsOf({ file, isbn, own, otherIsbn, from }: Compared): Warning[] {
  if (otherIsbn === undefined) return []
  const title = own.title === undefined ? '' : ` and the title "${own.title}"`
  const given = 'file' in from ? `it is given the ISBN ${isbn}` : `${placeOf(from)} has the ISBN ${isbn}`
  return [
    {
      code: 'other_isbn',
      message: `${file} has the ISBN ${otherIsbn}${title}, and ${given}`,
      hint: `It is sent with the ISBN ${isbn}. Check that it is the right file.`,
    },
  ]
}
