import { given } from '../../../system/given.ts'
import { quotedText, type ReadBook } from '../../book.ts'
import type { WrittenValue } from '../../rights-facts.ts'
import { matches } from '../expression.ts'
import { flag, missed, pattern, range, texts, word } from '../parameters.ts'
import { type JudgedBook, predicate, type RuleFault } from '../predicate.ts'

export const metadata = predicate({
  says: 'One property of the metadata, such as dc:publisher, dcterms:modified or schema:accessMode.',
  needs: 'content',
  parameters: {
    name: word('its name, as the book writes it'),
    count: range('how many there are; at least 1 without it'),
    length: range('how many characters each has'),
    pattern: pattern('what each has to match'),
    not: pattern('what none may match'),
    values: texts('the values that there may be'),
  },
  required: ['name'],
  hint: 'Correct the metadata.',
  faults({ book }, { name = '', count = { min: 1 }, length, pattern, not, values: known }) {
    const values = valuesOf(book, name)
    if (values === undefined) return undefined
    const found: RuleFault[] = []
    const number = missed(count, values.length)
    const [first] = values
    if (number)
      found.push({
        message:
          values.length === 0
            ? `The metadata has no ${name}.`
            : `There are ${values.length} ${name}, not ${number}.`,
        ...placeOf(first),
      })
    for (const each of values) {
      const { value } = each
      const says = (message: string) => void found.push({ message, ...placeOf(each) })
      const should = length && missed(length, [...value].length)
      if (should) says(`${name} has ${[...value].length} characters, not ${should}.`)
      if (pattern && !matches(pattern, value))
        says(`${name} is ${quotedText(value)}, which does not match ${pattern}.`)
      if (not && matches(not, value)) says(`${name} is ${quotedText(value)}, which matches ${not}.`)
      if (known && !known.map(String).includes(value))
        says(`${name} is ${quotedText(value)}, not ${known.join(' or ')}.`)
    }
    return found
  },
})

const placeOf = ({ place, column }: Partial<WrittenValue> = {}) =>
  given({ place, column }) as Pick<RuleFault, 'place' | 'column'>

/** The values of a property; undefined if they are not known of a type of books. */
function valuesOf(book: ReadBook, name: string): readonly WrittenValue[] | undefined {
  if (book.content) return book.content.metadata.get(name) ?? []
  const { title, authors, language, publisher, description, identifier } = book
  const known: Readonly<Record<string, readonly (string | undefined)[]>> = {
    ...{ 'dc:title': [title], 'dc:creator': authors, 'dc:language': [language], 'dc:publisher': [publisher] },
    ...{ 'dc:description': [description], 'dc:identifier': [identifier] },
  }
  return known[name]?.flatMap(value => (value ? [{ value }] : []))
}

export const isbn = predicate({
  says: 'The ISBN of the book.',
  needs: 'content',
  parameters: {
    required: flag('whether there has to be one; true without it'),
    prefixes: texts('what it begins with, one of them'),
    inText: flag('whether a page has to name an ISBN of 13 digits'),
  },
  hint: 'Correct the ISBN.',
  faults({ book }, { required = true, prefixes, inText }) {
    const found: RuleFault[] = []
    const { isbn: own } = book
    if (required && own === undefined) found.push({ message: 'The metadata has no ISBN.' })
    if (own !== undefined && prefixes && !prefixes.some(prefix => own.startsWith(`${prefix}`)))
      found.push({ message: `The ISBN ${own} does not begin with ${prefixes.join(' or ')}.` })
    if (!inText) return found
    if (book.content === undefined) return found.length > 0 ? found : undefined
    if (!book.content.files.some(({ marks }) => marks?.has('isbn')))
      found.push({ message: 'No page names an ISBN of 13 digits.' })
    return found
  },
})

export const title = predicate({
  says: 'The title of the book.',
  needs: 'metadata',
  parameters: {
    required: flag('whether there has to be one; true without it'),
    length: range('how many characters it has'),
    pattern: pattern('what it has to match'),
    not: pattern('what it must not match'),
  },
  hint: 'Correct the title in the metadata.',
  faults({ book }, { required = true, length, pattern, not }) {
    const { title: own } = book
    if (own === undefined) return required ? [{ message: 'The book has no title.' }] : []
    const found: RuleFault[] = []
    const should = length && missed(length, [...own].length)
    if (should) found.push({ message: `The title has ${[...own].length} characters, not ${should}.` })
    if (pattern && !matches(pattern, own))
      found.push({ message: `The title is ${quotedText(own)}, which does not match ${pattern}.` })
    if (not && matches(not, own))
      found.push({ message: `The title is ${quotedText(own)}, which matches ${not}.` })
    return found
  },
})

export const problems = predicate({
  says: 'What the preflight finds without any rules.',
  needs: 'metadata',
  parameters: { none: texts('the codes of problems that there must not be; * stands for any letters') },
  required: ['none'],
  hint: 'Repair what the problem of that code says.',
  faults({ problems: found }: JudgedBook, { none = [] }) {
    const isMeant = (code: string) =>
      none
        .map(String)
        .some(each => each === code || (each.endsWith('*') && code.startsWith(each.slice(0, -1))))
    return found
      .filter(({ code }) => isMeant(code))
      .map(({ code, message, place }) => ({
        message: `${message} (${code})`,
        ...(place !== undefined && { place }),
      }))
  },
})
