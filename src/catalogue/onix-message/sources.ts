import type { Product } from '../../plan/product.ts'
import type { Rows } from '../plan/rows.ts'
import type { ServiceFacts } from './service-facts.ts'

/** What the sources say of a publication. */
interface SourceWords {
  readonly product: Product | undefined
  /** How many of their rows are about it. */
  readonly rows: number
}

export type SaidOf = (there: ServiceFacts) => SourceWords

/** Finds what sources say: the rows that name the publication come first, and then those of its ISBN. */
export const saidIn =
  (rows: Pick<Rows, 'ofKey' | 'ofPublication'>): SaidOf =>
  ({ publicationId, values: { isbn } }) => {
    const ofIsbn = isbn === undefined ? [] : rows.ofKey(isbn)
    const named = rows
      .ofPublication(publicationId)
      .filter(row => !ofIsbn.some(each => each.number === row.number))
    const all = [...named, ...ofIsbn].map(({ product }) => product)
    const products = all.filter(
      product => product.ignored === null && [null, publicationId].includes(product.publicationId),
    )
    return { product: joined(products), rows: all.length }
  }

/** Several products as one: the values of the first that has them. */
function joined([first, ...more]: readonly Product[]): Product | undefined {
  if (first === undefined) return undefined
  const [last, ...rest] = [first, ...more].reverse() as [Product, ...Product[]]
  let one = last
  for (const each of rest) {
    const record = each.record ?? one.record
    one = {
      ...each,
      overrides: { ...one.overrides, ...each.overrides },
      optional: { ...one.optional, ...each.optional },
      file: each.file ?? one.file,
      ...(record && { record }),
    }
  }
  return one
}

/** Without sources. */
export const nothingSaid: SaidOf = () => ({ product: undefined, rows: 0 })
