import { basename } from 'node:path'
import { publicationTypes } from '../../../service/contract/publication-type.ts'
import { comparable } from '../comparable.ts'
import { matches } from '../expression.ts'
import { bytesInWords, flag, inBytes, missed, pattern, range, sizes, someOf, texts } from '../parameters.ts'
import { predicate, type RuleFault } from '../predicate.ts'

export const book = predicate({
  says: 'The book as a whole.',
  needs: 'metadata',
  parameters: {
    types: someOf('the types that it may have', publicationTypes, 'types'),
    layouts: someOf('the layouts that it may have', ['reflowable', 'fixed'], 'layouts'),
    versions: texts('the versions of EPUB that it may have, such as "3.0", or "3" for all of them'),
    bytes: sizes('the size of its file'),
    protected: flag('whether it has to be protected, or must not be'),
  },
  hint: 'Export the book as the rule says.',
  faults({ book, bytes }, asked) {
    const found: RuleFault[] = []
    if (asked.types && !asked.types.includes(book.type))
      found.push({ message: `The book is ${book.type}, not ${asked.types.join(' or ')}.` })
    if (asked.layouts && book.layout && !asked.layouts.includes(book.layout))
      found.push({ message: `Its layout is ${book.layout}, not ${asked.layouts.join(' or ')}.` })
    const { epubVersion = '' } = book
    const fits = (version: string | number) =>
      `${epubVersion}.`.startsWith(`${version}.`) || epubVersion === `${version}`
    if (asked.versions && book.type === 'EPUB' && !asked.versions.some(fits))
      found.push({
        message: `It is EPUB ${epubVersion || 'without a version'}, not ${asked.versions.join(' or ')}.`,
      })
    const size = asked.bytes && missed(inBytes(asked.bytes), bytes, bytesInWords)
    if (size) found.push({ message: `The file has ${bytesInWords(bytes)}, not ${size}.` })
    if (asked.protected !== undefined && asked.protected !== (book.drm !== undefined))
      found.push({ message: book.drm ? `The book is protected: ${book.drm}.` : 'The book is not protected.' })
    return found
  },
})

export const name = predicate({
  says: 'The name of the file, without its folders.',
  needs: 'metadata',
  parameters: {
    pattern: pattern('what it has to match'),
    not: pattern('what it must not match'),
    length: range('how many characters it has'),
    isbn: flag('whether it has to have the ISBN of the book'),
    title: flag('whether it has to have the title of the book, whatever its accents, spaces and signs'),
  },
  hint: 'Rename the file.',
  faults({ file, book }, asked) {
    const found: RuleFault[] = []
    const own = basename(file).normalize('NFC')
    const says = (message: string) => void found.push({ message })
    if (asked.pattern && !matches(asked.pattern, own))
      says(`The name of the file does not match ${asked.pattern}.`)
    if (asked.not && matches(asked.not, own)) says(`The name of the file matches ${asked.not}.`)
    const { length } = [...own]
    const should = asked.length && missed(asked.length, length)
    if (should) says(`The name of the file has ${length} characters, not ${should}.`)
    if (asked.isbn && book.isbn === undefined)
      says('The book has no ISBN that the name of its file could have.')
    else if (asked.isbn && !own.replace(/[- ]/g, '').includes(book.isbn ?? ''))
      says(`The name of the file does not have the ISBN of the book, ${book.isbn}.`)
    if (asked.title && !comparable(own).includes(comparable(book.title ?? '\0')))
      says(
        `The name of the file does not have the title of the book${book.title ? `, "${book.title.slice(0, 100)}"` : ''}.`,
      )
    return found
  },
})

export const sound = predicate({
  says: 'The tracks of an audiobook.',
  needs: 'metadata',
  parameters: { tracks: range('how many there are'), duration: range('all of them in seconds') },
  hint: 'Check the tracks.',
  faults({ book }, { tracks, duration }) {
    if (book.type !== 'Audio') return undefined
    const found: RuleFault[] = []
    const number = tracks && missed(tracks, book.trackCount ?? 0)
    if (number) found.push({ message: `There are ${book.trackCount ?? 0} tracks, not ${number}.` })
    if (duration && book.duration === undefined) return undefined
    const length = duration && missed(duration, book.duration ?? 0)
    if (length) found.push({ message: `It takes ${book.duration} seconds, not ${length}.` })
    return found
  },
})
