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
  /** The publication at the service, which \`catalogue export\` names. */
  readonly publicationId?: string | undefined
}

/** The name of the identifier of type 01 that a message has of the publication at the service. */
export const ownIdentifier = 'pubctl:publicationId'

/** The identifiers of a product. Throws BrokenRecord if there is none, or for an ISBN that is none. */
export function identifiersOf(product: OnixElement): Identifiers {
  const { isbn, ...others } = writtenIn(product)
  if (valuesOf(product).size === 0 && others.publicationId === undefined)
    throw new BrokenRecord('it has no identifier')
  return { isbn: isbn === undefined ? undefined : checked(isbn), ...others }
}

/** The same of a product that is not used, as far as they can be told. The check digit of the ISBN may be wrong. */
export function tellableIdentifiersOf(product: OnixElement): Identifiers {
  const { isbn, ...others } = writtenIn(product)
  const compact = compactIsbn(isbn ?? '')
  const known = isIsbn(compact) ? isbn13(compact) : hasLength(compact) ? compact : undefined
  return { isbn: known, ...others }
}

const isOwn = (identifier: OnixElement): boolean =>
  valueIn(identifier, 'ProductIDType') === types.proprietary &&
  valueIn(identifier, 'IDTypeName') === ownIdentifier

/** The values of the identifiers by their types, without that of the publication. */
function valuesOf(product: OnixElement): Map<string, string> {
  const values = new Map<string, string>()
  for (const each of elementsIn(product, 'ProductIdentifier')) {
    if (isOwn(each)) continue
    const [type, value] = [valueIn(each, 'ProductIDType'), valueIn(each, 'IDValue')]
    if (value !== '' && !values.has(type)) values.set(type, value)
  }
  return values
}

function writtenIn(product: OnixElement): Identifiers {
  const values = valuesOf(product)
  // A GTIN-13 is an ISBN by its prefix; 979-0 is that of sheet music.
  const gtin = values.get(types.gtin13)
  const isIsbn = gtin !== undefined && /^97(8|9[1-9])/.test(compactIsbn(gtin))
  return {
    isbn: values.get(types.isbn13) ?? (isIsbn ? gtin : values.get(types.isbn10)),
    proprietary: values.get(types.proprietary),
    publicationId: elementsIn(product, 'ProductIdentifier')
      .filter(isOwn)
      .map(each => valueIn(each, 'IDValue'))
      .find(Boolean),
  }
}

const hasLength = (isbn: string): boolean => /^97[89]\d{10}$/.test(isbn) || /^\d{9}[\dX]$/.test(isbn)

function checked(written: string): string {
  const isbn = compactIsbn(written)
  if (isIsbn(isbn)) return isbn13(isbn) as string
  const shown = written.slice(0, 50)
  throw new BrokenRecord(
    hasLength(isbn) ? `its ISBN ${shown} has a wrong check digit` : `its ISBN "${shown}" is none`,
  )
}
