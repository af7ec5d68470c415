import type { Book, ReadOptions } from '../../../src/books/book.ts'
import * as books from '../../../src/books/index.ts'
import { anyFile } from '../../../src/system/may-read.ts'

/** Reads a book, wherever it is. */
export const readBook = (path: string, options?: ReadOptions) => books.readBook(path, anyFile, options)

/** Its cover. */
export const readCover = (path: string, book: Pick<Book, 'cover'>) => books.readCover(path, anyFile, book)
