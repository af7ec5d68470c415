import { parseIsbn } from '../books/isbn.ts'
import { type BookField, bookFieldEntries, type Overrides } from '../plan/book-fields.ts'
import { UsageFailure } from '../system/errors.ts'
import { unfit } from './unfit.ts'

/** What is said of a book beside what its file says. What is given here wins. */
export interface BookFields {
  readonly title?: string | undefined
  readonly author?: readonly string[] | undefined
  /** A tag such as `en-GB`, or a name such as `English`. */
  readonly language?: string | undefined
  readonly description?: string | undefined
  /** 13 or 10 digits, with or without hyphens. */
  readonly isbn?: string | undefined
  readonly publisher?: string | undefined
  /** Metadata values by their keys at the service. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** The path of an image, `auto` for the cover in the book, which is the default, or `none`. */
  readonly cover?: string | undefined
  /** The ids of collections to put the book in. */
  readonly collection?: readonly string[] | undefined
  /** Items of the book that anybody may read. */
  readonly sampleItem?: readonly string[] | undefined
  /** Only for the internal reading instance. */
  readonly internal?: true | undefined
}

const kinds: Readonly<Record<BookField['kind'], [what: string, is: (value: unknown) => boolean]>> = {
  text: ['a text', isText],
  language: ['a text', isText],
  isbn: ['a text', isText],
  cover: ['a text', isText],
  list: ['a list of texts', value => Array.isArray(value) && value.every(isText)],
  pairs: ['an object', value => typeof value === 'object' && value !== null && !Array.isArray(value)],
  boolean: ['true', value => value === true],
}

/** The fields as the upload takes them. Throws UsageFailure for one that there is not, or that is of another type. */
export function overridesIn(fields: BookFields): Overrides {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  const checked = given.map(([name, value]) => {
    const field = bookFieldEntries.find(([known]) => known === name)?.[1]
    if (field === undefined) {
      throw new UsageFailure(`there is no field "${name}"`, {
        hint: `The fields are ${bookFieldEntries.map(([known]) => known).join(', ')}.`,
      })
    }
    const [what, is] = kinds[field.kind]
    if (!is(value)) throw unfit(`the field ${name}`, what)
    return [name, field.kind === 'isbn' ? parseIsbn(String(value)) : value]
  })
  return Object.fromEntries(checked)
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}
