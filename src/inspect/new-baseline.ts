import { basename } from 'node:path'
import { withBaseline } from '../books/baseline/judge.ts'
import { findKnown, type KnownBook, type KnownFault, knownBook } from '../books/baseline/known.ts'
import { readBaseline } from '../books/baseline/read.ts'
import type { ExaminedBook } from '../books/examine.ts'
import { neutraliseJson } from '../cli/output/neutralise.ts'
import { existsAt } from '../system/free-names.ts'
import type { MayRead } from '../system/may-read.ts'
import { checkWritable, writeLines } from '../system/write-file.ts'

/** A baseline that is written of the books that are inspected. */
export interface NewBaseline {
  /** Takes the faults of a book for known. Returns the book as it is judged from now on. */
  add<T extends ExaminedBook>(book: T): T
  /** Writes all that was added. Returns how many faults there are in how many books. */
  write(): { readonly faults: number; readonly books: number }
}

/**
 * Begins a baseline. What a file of that name knows of books that are not inspected now stays in it. Throws UsageFailure if
 * the file is something else, or cannot be written.
 */
export async function beginBaseline(path: string, mayRead: MayRead): Promise<NewBaseline> {
  const earlier = existsAt(path) ? await readBaseline(path, mayRead) : []
  checkWritable(path)
  const find = findKnown(earlier)
  const replaced = new Set<KnownBook>()
  const added = new Map<string, KnownBook>()
  return {
    add(book) {
      const known = knownBook(book.file, book)
      const before = find(book.file, book)
      if (before) replaced.add(before)
      const key = JSON.stringify([known.file, known.isbn])
      const alike = added.get(key)
      added.set(key, alike ? { ...known, faults: mostOf([...alike.faults, ...known.faults]) } : known)
      return { ...book, problems: withBaseline(book.problems, known.faults, basename(path), () => true) }
    },
    write() {
      const books = [...earlier.filter(known => !replaced.has(known)), ...added.values()]
        .filter(({ faults }) => faults.length > 0)
        .sort((one, other) => (one.file < other.file ? -1 : 1))
      writeLines(path, lines(books), { isPrivate: false, isDurable: true })
      const all = books.flatMap(({ faults }) => faults)
      return { faults: all.reduce((sum, { count }) => sum + count, 0), books: books.length }
    },
  }
}

/** The faults of books that nobody can tell apart: of each as many as the one that has most. */
function mostOf(faults: readonly KnownFault[]): KnownFault[] {
  const most = new Map<string, KnownFault>()
  for (const fault of faults) {
    const { count, ...kind } = fault
    const key = JSON.stringify(kind)
    if (count > (most.get(key)?.count ?? 0)) most.set(key, fault)
  }
  return [...most.values()]
}

/** A line for each fault, so that what changes can be seen in a review. */
function* lines(books: readonly KnownBook[]): Generator<string> {
  yield '{\n  "books": ['
  for (const [index, { faults, ...book }] of books.entries()) {
    yield `${index === 0 ? '' : ','}\n    {\n`
    for (const [name, value] of Object.entries(book)) yield `      "${name}": ${written(value)},\n`
    yield `      "faults": [\n        ${faults.map(written).join(',\n        ')}\n      ]\n    }`
  }
  yield '\n  ]\n}\n'
}

const written = (value: unknown): string => neutraliseJson(JSON.stringify(value))
