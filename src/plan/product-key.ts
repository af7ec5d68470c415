import { asText } from '../system/exact-json.ts'
import { isbn13, isSameText } from './match.ts'
import type { BrokenProduct, Product } from './product.ts'

/** The key of a product, with the product whose metadata has that key; or why it has none that can be used. */
export type KeyedProduct = { readonly product: Product; readonly key: string | null } | BrokenProduct

/**
 * Finds the key of a product. `keyField` is `isbn`, or the metadata key of `--match metadata:<key>`. The key is written into
 * the product's metadata, so that it is found again once it is at the service.
 */
export function withKey(product: Product, keyField: string): KeyedProduct {
  return keyField === 'isbn' ? withIsbn(product) : withMetadataKey(product, keyField)
}

function withIsbn(product: Product): KeyedProduct {
  const { key, overrides } = product
  const isbn = isbn13(overrides.isbn ?? overrides.metadata?.['isbn'])
  if (key === null) return { product, key: isbn ?? null }
  const named = isbn13(key)
  if (named === undefined) {
    return broken(
      product,
      `its key "${key}" is not an ISBN; --match metadata:<key> names the metadata key that has it`,
    )
  }
  if (isbn !== undefined && isbn !== named)
    return broken(product, `its key is ${key}, and its ISBN is ${overrides.isbn}`)
  return { product: { ...product, overrides: { ...overrides, isbn: named } }, key: named }
}

function withMetadataKey(product: Product, keyField: string): KeyedProduct {
  const { overrides } = product
  const value = overrides.metadata?.[keyField]
  const written = value === undefined || value === null || value === '' ? null : asText(value)
  const key = product.key ?? written ?? product.proprietaryId ?? null
  if (key === null) return { product, key }
  if (written !== null && !isSameText(key, written))
    return broken(product, `its key is ${key}, and its metadata ${keyField} is ${written}`)
  const metadata = { ...overrides.metadata, [keyField]: value ?? key }
  return { product: { ...product, key, overrides: { ...overrides, metadata } }, key }
}

/** A product that cannot be used, with what it is called. */
function broken({ from, record, key, proprietaryId, publicationId, overrides }: Product, why: string) {
  const { isbn, title } = overrides
  const names = { isbn, key, proprietaryId, title, publicationId }
  const known = Object.entries(names).filter(([, value]) => value !== null && value !== undefined)
  return { from, broken: why, ...Object.fromEntries(known), ...(record && { record }) }
}

/** A product with the optional values for which there are metadata keys. */
export function withOptional(product: Product, hasKey: (name: string) => boolean): Product {
  const { overrides } = product
  const optional = Object.entries(product.optional).filter(([name]) => hasKey(name))
  if (optional.length === 0) return product
  const metadata = { ...Object.fromEntries(optional), ...overrides.metadata }
  return { ...product, overrides: { ...overrides, metadata } }
}
