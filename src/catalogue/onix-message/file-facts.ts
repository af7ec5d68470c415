import { describeAccessibility } from '../../books/accessibility/index.ts'
import type { Book, Creator } from '../../books/book.ts'
import { given } from '../../system/given.ts'

/** A feature of the form (`ProductFormFeature`), by its type in list 79. */
export interface Feature {
  readonly type: string
  readonly value?: string
  readonly description?: string
}

/** The types of list 79 that are written. */
export const featureTypes = { accessibility: '09', version: '10', hazard: '12', versionCode: '15' } as const

/** What may be done with the content, in codes of lists 145 and 146. */
export interface UsageConstraint {
  readonly type: string
  readonly status: string
}

/** Where the licence stands (`EpubLicense`), by its type in list 218. */
export interface UsageLicense {
  readonly name: string
  readonly expressionType: string
  readonly link: string
}

/** What a record says by the book's file. */
export interface FileFacts {
  readonly isFixed: boolean
  readonly epubVersion?: string
  readonly creators: readonly Creator[]
  readonly pages?: number
  /** In seconds. */
  readonly duration?: number
  /** Codes of lists 196 and 143 that follow from what the book says of its accessibility. */
  readonly accessibility: readonly Feature[]
  readonly usage: readonly UsageConstraint[]
  readonly licenses: readonly UsageLicense[]
}

/** What a book says that was read with its accessibility. */
export function factsOfBook(book: Book): FileFacts {
  const { epubVersion, creators, pageCount, duration } = book
  return {
    isFixed: book.layout === 'fixed',
    creators,
    accessibility: accessibilityOf(book),
    usage: [],
    licenses: [],
    ...given({ epubVersion, pages: pageCount, duration }),
  }
}

/** The codes that follow for certain. Those that follow on conditions are left out, since a book does not tell them. */
function accessibilityOf(book: Book): Feature[] {
  const { list196 = [], list143 = [] } = describeAccessibility(book)?.onix ?? {}
  return [
    ...list196.map(({ code, value }) => featureOf(featureTypes.accessibility, code, value)),
    ...list143.map(({ code }) => featureOf(featureTypes.hazard, code)),
  ]
}

const featureOf = (type: string, value: string, description?: string): Feature => ({
  type,
  value,
  ...(description !== undefined && { description }),
})
