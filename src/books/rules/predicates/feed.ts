import { quotedText } from '../../book.ts'
import { comparable } from '../comparable.ts'
import { flag } from '../parameters.ts'
import { predicate, type RuleFault } from '../predicate.ts'

export const feed = predicate({
  says: 'The record of the book: its row in the sheet, or its product in the ONIX message, from which it is uploaded, planned or inspected.',
  needs: 'metadata',
  parameters: {
    listed: flag('whether there has to be one'),
    isbn: flag('whether its ISBN has to be that of the book'),
    title: flag(
      'whether its title has to be that of the book, whatever its accents, spaces and signs; one of them may leave out the subtitle',
    ),
  },
  hint: 'Correct the book or its record, so that both say the same.',
  faults({ book, record }, { listed, isbn, title }) {
    if (record === undefined) return undefined
    if (record === null) return listed ? [{ message: 'The feed has no record of the book.' }] : undefined
    const found: RuleFault[] = []
    const isKnown = (isbn ? record.isbn : '') !== undefined && (title ? record.title : '') !== undefined
    if (isbn && record.isbn !== undefined && !isSameIsbn(record.isbn, book.isbn ?? ''))
      found.push({
        message: `The ISBN of the record is ${record.isbn}, and the book has ${book.isbn ?? 'none'}.`,
      })
    if (title && record.title !== undefined && !isSameTitle(record.title, book.title ?? ''))
      found.push({
        message: `The title of the record is ${quotedText(record.title)}, and the book has ${book.title === undefined ? 'none' : quotedText(book.title)}.`,
      })
    return isKnown || found.length > 0 ? found : undefined
  },
})

/** Whether two titles are the same, or one of them and its beginning: the subtitle of the other. */
function isSameTitle(one: string, other: string): boolean {
  const [shorter = '', longer = ''] = [comparable(one), comparable(other)].sort((a, b) => a.length - b.length)
  return shorter === longer || (shorter !== '' && longer.startsWith(shorter))
}

/** Whether two ISBNs, of 13 or 10 digits, are the same one. */
const isSameIsbn = (one: string, other: string): boolean => digitsOf(one) === digitsOf(other)

/** Without the check digit, and with the prefix that those of 10 digits have all. */
const digitsOf = (isbn: string): string => (isbn.length === 10 ? `978${isbn}` : isbn).slice(0, 12)
