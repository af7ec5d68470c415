import { compactIsbn, isIsbn } from '../../books/isbn.ts'
import { isbn13 } from '../../plan/match.ts'
import { BrokenRecord } from './broken.ts'
import { elementsIn, type OnixElement, valueIn } from './element.ts'

/** Product identifier types of list 5, as far as they are used. */
const types = { proprietary: '01', isbn10: '02', gtin13: '03', isbn13: '15' } as const

export interface Identifiers {
  /** Thirteen digits. */
  readonly isbn?: string | undefined
  /** The publisher's own identifier. */
  readonly proprietary?: string | undefined
}

/** The identifiers of a product. Throws BrokenRecord if there is none, or for an ISBN that is none. */
export function identifiersOf(product: OnixElement): Identifiers {
  const identifiers = elementsIn(product, 'ProductIdentifier').map(
    each => [valueIn(each, 'ProductIDType'), valueIn(each, 'IDValue')] as const,
  )
  const valueOfType = (wanted: string): string | undefined =>
    identifiers.find(([type, value]) => type === wanted && value !== '')?.[1]
  if (!identifiers.some(([, value]) => value !== '')) throw new BrokenRecord('it has no identifier')
  return { isbn: isbnOf(valueOfType), proprietary: valueOfType(types.proprietary) }
}

function isbnOf(valueOfType: (type: string) => string | undefined): string | undefined {
  const isbn = valueOfType(types.isbn13)
  if (isbn !== undefined) return checked(isbn)
  // A GTIN-13 is an ISBN by its prefix; 979-0 is that of sheet music.
  const gtin = valueOfType(types.gtin13)
  if (gtin !== undefined && /^97(8|9[1-9])/.test(compactIsbn(gtin))) return checked(gtin)
  const short = valueOfType(types.isbn10)
  return short === undefined ? undefined : checked(short)
}

function checked(written: string): string {
  const isbn = compactIsbn(written)
  if (isIsbn(isbn)) return isbn13(isbn) as string
  const isLong = /^97[89]\d{10}$/.test(isbn) || /^\d{9}[\dX]$/.test(isbn)
  const shown = written.slice(0, 50)
  throw new BrokenRecord(isLong ? `its ISBN ${shown} has a wrong check digit` : `its ISBN "${shown}" is none`)
}
