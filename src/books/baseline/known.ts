import { basename } from 'node:path'
import type { Book, Problem } from '../book.ts'

/** How many faults of a kind a book is known to have at a place. */
export interface KnownFault {
  readonly code: string
  /** The entry of the zip, without lines, which change with every correction above them. */
  readonly place?: string | undefined
  /** Whether they were too many to be listed, so that their places are not known. */
  readonly isUnlisted?: boolean | undefined
  readonly count: number
}

/** The faults that a book is known to have. */
export interface KnownBook {
  /** The name of its file, without folders. */
  readonly file: string
  readonly isbn?: string | undefined
  readonly faults: readonly KnownFault[]
}

/** Codes that say that something was not read or not asked: what is in it is not known. */
export const unseenCodes: readonly string[] = [
  ...['not_examined', 'encryption_unknown', 'pdf_unexamined', 'checker_failed'],
  ...['rule_stopped', 'rules_partial', 'rule_not_applied'],
]

/** Whether a problem is a fault that can be known: information stops nothing anyway. */
export const isFault = ({ severity, code }: Problem): boolean =>
  severity !== 'information' && !unseenCodes.includes(code)

/** The fault that a problem is. One that stands for others that are not listed is as many of their kind. */
export function faultOf({ code, place, unlisted }: Problem): KnownFault {
  if (unlisted) return { code: unlisted.code ?? code, isUnlisted: true, count: unlisted.count }
  const path = place?.replace(/(?::\d+){1,2}$/, '')
  return { code, ...(path && { place: path }), count: 1 }
}

/** How many problems a baseline knows, those that are not listed among them. */
export const knownCount = (problems: readonly Problem[]): number =>
  problems.filter(({ known }) => known).reduce((sum, problem) => sum + faultOf(problem).count, 0)

/** The faults of a book as a baseline has them: each kind at each place once, in the order of their codes. */
export function knownBook(file: string, { isbn, problems }: Pick<Book, 'isbn' | 'problems'>): KnownBook {
  const faults = new Map<string, KnownFault>()
  for (const fault of problems.filter(isFault).map(faultOf)) {
    const key = JSON.stringify([fault.code, fault.place ?? '', fault.isUnlisted ?? false])
    faults.set(key, { ...fault, count: fault.count + (faults.get(key)?.count ?? 0) })
  }
  const sorted = [...faults].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, fault]) => fault)
  return { file: basename(file), ...(isbn && { isbn }), faults: sorted }
}

/**
 * Finds what is known of a book: by its ISBN, whatever its file is called, else by the name of its file, in whatever folder.
 * Two ISBNs that differ are two books. Its content does not matter, since every correction changes it.
 */
export function findKnown(
  books: readonly KnownBook[],
): (file: string, book: Pick<Book, 'isbn'>) => KnownBook | undefined {
  const byIsbn = new Map<string | undefined, KnownBook[]>()
  const byName = new Map<string, KnownBook[]>()
  for (const known of books) {
    byIsbn.set(known.isbn, [...(byIsbn.get(known.isbn) ?? []), known])
    byName.set(known.file, [...(byName.get(known.file) ?? []), known])
  }
  return (file, { isbn }) => {
    const same = isbn === undefined ? [] : (byIsbn.get(isbn) ?? [])
    const named = byName.get(basename(file)) ?? []
    return (
      same.find(known => named.includes(known)) ??
      same[0] ??
      named.find(known => known.isbn === undefined || isbn === undefined)
    )
  }
}
