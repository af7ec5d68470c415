/** A program besides pubctl that has checked a book. */
export interface CheckedBy {
  /** As people know it: `EPUBCheck`. */
  readonly name: string
  /** Its version, if it says it. */
  readonly version?: string
  /** What ran: the path of a program, or a package with its version. */
  readonly engine: string
}

/** Such a program in words: `EPUBCheck 5.4.0 (epubcheck-standalone 5.4.0-build3)`. */
export const checkedByText = ({ name, version, engine }: CheckedBy): string =>
  `${name}${version === undefined ? '' : ` ${version}`} (${engine})`

/** The version from which on EPUBCheck knows EPUB 3.3. */
const leastVersion = 5

/** Whether a program is too old for its word to count. */
export const isOutdated = ({ name, version }: CheckedBy): boolean =>
  name === 'EPUBCheck' && version !== undefined && Number.parseInt(version, 10) < leastVersion

/** Books, each with who else has checked it. */
type Checked = readonly { readonly checkedBy?: readonly CheckedBy[] | undefined }[]

/** Who else has checked some books, in words, each once. */
export const checkersOf = (books: Checked): string[] => [
  ...new Set(books.flatMap(({ checkedBy = [] }) => checkedBy.map(checkedByText))),
]

/** The same as a sentence; none if nobody has. */
export function checkersSentence(books: Checked): string[] {
  const checkers = checkersOf(books)
  return checkers.length === 0 ? [] : [`Checked by ${checkers.join(' and ')}.`]
}
