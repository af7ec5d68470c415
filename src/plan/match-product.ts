import { asText } from '../system/exact-json.ts'
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

/**
 * How a product was recognised. By its title alone, it may be another book, and so it may where its file is there with
 * another key.
 */
export type MatchedBy = 'publicationId' | 'key' | 'content' | 'other key' | 'title'

/** Whether a product that was recognised by this may be another book. */
export const isUnsure = (by: MatchedBy): boolean => by === 'other key' || by === 'title'

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
  const elsewhere = usable.filter(each => !others.includes(each))
  const sameFile = elsewhere.filter(({ content }) => content === 'same')
  if (sameFile.length > 0) return { by: 'other key', matches: sameFile }
  const likeFile = elsewhere.filter(each => each.content === 'same size' && hasTitle(wanted, each))
  if (likeFile.length > 0) return { by: 'other key', matches: likeFile }
  return { by: 'title', matches: others.filter(each => hasTitle(wanted, each)) }
}

function hasTitle(wanted: WantedProduct, { edition }: ProductMatch): boolean {
  const { fields, type = null } = edition ?? {}
  const named = { title: fields?.title, authors: fields?.author, type }
  return isNamesake(wanted, named) || isNamesake({ ...wanted, ...wanted.own }, named)
}

/**
 * The publications that a product stands for, so that a source has them: the one that it names, those of its key, and those
 * that it was taken for. A publication whose uploads have all failed is of its key, too.
 */
export function stoodFor(wanted: WantedProduct, publications: readonly KnownPublication[]): string[] {
  const { row } = wanted
  const { by, matches } = matchProduct(wanted, publications)
  const isOther = by === 'other key' || (by === 'title' && row.isNew)
  const taken = isOther ? [] : matches.map(({ publication }) => publication)
  const ofKey = publications.filter(
    publication =>
      row.publicationId === null &&
      row.key !== null &&
      isSameKey(row.keyField, row.key, keyAt(wanted, { edition: undefined, publication })),
  )
  return [...new Set([...taken, ...ofKey].map(({ publicationId }) => publicationId))]
}

function productMatch(wanted: WantedProduct, publication: KnownPublication): ProductMatch {
  const editions = publication.editions.filter(({ uploadStatus }) => !hasFailed(uploadStatus))
  const [newest] = editions
  const current = editions.find(({ isCurrent }) => isCurrent) ?? newest
  const edition = [current, newest].find(each => each && compareContent(wanted, each) === 'same') ?? current
  return { publication, edition, content: edition ? compareContent(wanted, edition) : 'not known' }
}

/** The key of a publication: that of its edition, or else of an older one. */
export function keyAt(
  { row }: Pick<WantedProduct, 'row'>,
  { edition, publication }: Pick<ProductMatch, 'edition' | 'publication'>,
): string | undefined {
  const keys = [edition, ...publication.editions].map(each => keyText(each?.fields.metadata?.[row.keyField]))
  return keys.find(key => key !== undefined)
}

const keyText = (value: unknown): string | undefined =>
  value === undefined || value === null || value === '' ? undefined : asText(value)

const isSameKey = (field: string, one: string, other: string | undefined): boolean =>
  other !== undefined && (field === 'isbn' ? isbn13(one) === isbn13(other) : isSameText(one, other))
