import type { Product } from '../../plan/product.ts'
import { placeOf } from '../../plan/wanted.ts'
import { UsageFailure } from '../../system/errors.ts'
import type { Rows } from './rows.ts'

/** Whether a row only says which publication has a key: it has nothing but these. */
export const isMap = (
  key: string | null,
  { publicationId, file, overrides }: Product,
  keyField: string,
): boolean =>
  key !== null &&
  publicationId !== null &&
  file === null &&
  Object.entries(overrides).every(
    ([name, value]) =>
      name === 'isbn' || (name === 'metadata' && Object.keys(value).every(each => each === keyField)),
  )

/**
 * Gives the rows of other sources the publications that maps name for their keys. A map's row that no other row has the key of
 * is ignored. Throws UsageFailure `bad_map` if two rows name several publications for a key.
 */
export async function joinMaps(rows: Rows, rest: () => Promise<void>): Promise<void> {
  for (const map of rows.maps()) {
    await rest()
    const { publicationId } = map.product
    const others = rows.ofKey(map.key).filter(({ number }) => number !== map.number)
    const other = others.find(
      ({ product }) => product.publicationId !== null && product.publicationId !== publicationId,
    )
    if (other) throw badMap(map.key, map.product, other.product)
    const [last] = others.slice(-1)
    if (last === undefined) {
      const ignored = 'it only says which publication a book is that is in no other sheet or message'
      rows.replace({ ...map, product: { ...map.product, ignored } }, [])
      continue
    }
    for (const { number, key, product } of others)
      rows.replace(
        { number, key, product: { ...product, publicationId } },
        number === last.number ? [map.number] : [],
      )
  }
}

const badMap = (key: string, ...products: readonly [Product, Product]): UsageFailure => {
  const [one, other] = products.map(({ from, publicationId }) => `${placeOf(from)} names ${publicationId}`)
  return new UsageFailure(`two publications are named for ${key}: ${one}, and ${other}`, {
    code: 'bad_map',
    hint: 'Leave one of them.',
  })
}
