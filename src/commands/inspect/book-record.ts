import { basename } from 'node:path'
import type { Book } from '../../books/index.ts'
import { compactIsbn } from '../../books/isbn.ts'
import type { RecordOfBook } from '../../books/rules/predicate.ts'
import { isbn13 } from '../../plan/match.ts'
import type { MayRead } from '../../system/may-read.ts'

/** The ISBN that a book has in its metadata, as thirteen digits. */
export const isbnOf = ({ isbn, identifier = '' }: Pick<Book, 'isbn' | 'identifier'>): string | undefined =>
  isbn13(isbn) ?? isbn13(compactIsbn(identifier))

/**
 * Reads ONIX messages, and gives the record of a book: by the ISBN in the name of its file, which the book itself may
 * contradict, else by its own; null if there is none. Throws UsageFailure as the messages themselves do.
 */
export async function readFeedTitles(
  paths: readonly string[],
  mayRead: MayRead,
): Promise<(file: string, book: Pick<Book, 'isbn' | 'identifier'>) => RecordOfBook | null> {
  const { feedTitles } = await import('../../catalogue/onix/feed-records.ts')
  const titles = await feedTitles(paths, mayRead)
  return (file, book) => {
    const isbn = [isbnInName(file), isbnOf(book)].find(each => each !== undefined && titles.has(each))
    return isbn === undefined ? null : { isbn, title: titles.get(isbn) }
  }
}

/** The first ISBN in the name of a file, with or without hyphens. */
const isbnInName = (file: string): string | undefined =>
  isbn13(/97[89](?:[- ]?\d){10}(?!\d)/.exec(basename(file))?.[0])
