import type { Book } from './book.ts'
import type { Problems } from './problems.ts'

/** Longer than the titles of books, the subtitles of old ones included. */
const longTitle = 1000

/** Adds what is wrong with a title that has been read. */
export function checkTitle({ title = '' }: Book, problems: Problems): void {
  const warn = (code: 'title_long' | 'title_control_characters', message: string) =>
    problems.push({ severity: 'warning', code, message })
  if (title.length > longTitle) {
    const count = title.length.toLocaleString('en')
    warn('title_long', `The title has ${title.length >= textLimit ? 'more than ' : ''}${count} characters.`)
  }
  if (/[\p{Cc}\u202A-\u202E\u2066-\u2069\uFFFD]/u.test(title)) {
    warn(
      'title_control_characters',
      'The title has characters that nobody sees, or that show a fault of its encoding.',
    )
  }
}

/** What is read of a text at most. */
const textLimit = 100_000
