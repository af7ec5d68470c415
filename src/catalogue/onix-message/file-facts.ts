import { describeAccessibility } from '../../books/accessibility/index.ts'
import type { Book, Creator } from '../../books/book.ts'
import type { RightsFacts } from '../../books/rights-facts.ts'
import type { UsageConstraint } from '../../plan/declared.ts'
import { given } from '../../system/given.ts'

/** A feature of the form (`ProductFormFeature`), by its type in list 79. */
export interface Feature {
  readonly type: string
  readonly value?: string
  readonly description?: string
}

/** The types of list 79 that are written. */
export const featureTypes = { accessibility: '09', version: '10', hazard: '12', versionCode: '15' } as const

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

/** What a book says that was read with its accessibility and rights. */
export function factsOfBook(book: Book): FileFacts {
  const { epubVersion, pageCount, duration } = book
  const narrators = book.rights?.narrators ?? []
  return {
    isFixed: book.layout === 'fixed',
    creators: [...book.creators, ...narrators.map(name => ({ name, roles: ['nrt'] }))],
    accessibility: accessibilityOf(book),
    ...rightsOf(book.rights),
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

/** Codes of list 145: text and data mining; and of list 146. */
const mining = '11'
const statusOf: Readonly<Record<string, string>> = { '0': '01', '1': '03' }

/**
 * The reservation of text and data mining by TDMRep (https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/), and
 * where the policy stands by which a licence can be had. A file that says both 0 and 1 says nothing.
 */
function rightsOf(rights: RightsFacts | undefined): Pick<FileFacts, 'usage' | 'licenses'> {
  const values = new Set(rights?.reservations.map(({ value }) => value.trim()))
  const [value = ''] = values
  const status = values.size === 1 ? statusOf[value] : undefined
  if (status === undefined) return { usage: [], licenses: [] }
  const policies = (rights?.policies ?? [])
    .map(each => each.value.trim())
    .filter(link => /^https?:\/\/\S+$/i.test(link))
  return {
    usage: [{ type: mining, status }],
    // 21 of list 218: a further licence, in ODRL.
    licenses:
      value === '1'
        ? [...new Set(policies)].map(link => ({ name: 'tdm-policy', expressionType: '21', link }))
        : [],
  }
}
