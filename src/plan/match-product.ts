import type { KnownEdition, KnownPublication } from './known.ts'
import { type Comparison, compareContent, hasFailed, isbn13, isNamesake, isSameText } from './match.ts'
import type { WantedProduct } from './wanted.ts'

/** A publication that is, or may be, the product. */
export interface ProductMatch {
  readonly publication: KnownPublication
  /** The current edition, or the newest if that has the product's content; undefined if all uploads failed. */
  readonly edition: KnownEdition | undefined
  readonly content: Comparison
}

/** How a product was recognised. By its title alone, it may be another book. */
export type MatchedBy = 'publicationId' | 'key' | 'content' | 'title'

/** The publications that match a product, by the strongest evidence that there is. */
export function matchProduct(
  wanted: WantedProduct,
  publications: readonly KnownPublication[],
): { readonly by: MatchedBy; readonly matches: readonly ProductMatch[] } {
  const { row } = wanted
  const all = publications.map(publication => productMatch(wanted, publication))
  if (row.publicationId !== null) {
    const matches = all.filter(({ publication }) => publication.publicationId === row.publicationId)
    return { by: 'publicationId', matches }
  }
  // A publication whose uploads have all failed is not the book.
  const usable = all.filter(({ edition }) => edition !== undefined)
  const ofKey = usable.filter(
    each => row.key !== null && isSameKey(row.keyField, row.key, keyAt(wanted, each)),
  )
  if (ofKey.length > 0) return { by: 'key', matches: ofKey }
  const others = usable.filter(each => row.key === null || keyAt(wanted, each) === undefined)
  const ofContent = others.filter(({ content }) => content === 'same')
  if (ofContent.length > 0) return { by: 'content', matches: ofContent }
  const matches = others.filter(({ edition }) => {
    const { fields, type = null } = edition ?? {}
    const named = { title: fields?.title, authors: fields?.author, type }
    return isNamesake(wanted, named) || isNamesake({ ...wanted, ...wanted.own }, named)
  })
  return { by: 'title', matches }
}

function productMatch(wanted: WantedProduct, publication: KnownPublication): ProductMatch {
  const editions = publication.editions.filter(({ uploadStatus }) => !hasFailed(uploadStatus))
  const [newest] = editions
  const current = editions.find(({ isCurrent }) => isCurrent) ?? newest
  const edition = [current, newest].find(each => each && compareContent(wanted, each) === 'same') ?? current
  return { publication, edition, content: edition ? compareContent(wanted, edition) : 'not known' }
}

/** The key of a publication: that of its edition, or else of an older one. */
function keyAt({ row }: WantedProduct, { edition, publication }: ProductMatch): string | undefined {
  const keys = [edition, ...publication.editions].map(each => keyText(each?.fields.metadata?.[row.keyField]))
  return keys.find(key => key !== undefined)
}

const keyText = (value: unknown): string | undefined =>
  value === undefined || value === null || value === '' ? undefined : String(value)

const isSameKey = (field: string, one: string, other: string | undefined): boolean =>
  other !== undefined && (field === 'isbn' ? isbn13(one) === isbn13(other) : isSameText(one, other))
