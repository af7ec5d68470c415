import { isbn13 } from '../../plan/match.ts'
import { amended, type BrokenProduct, type Product } from '../../plan/product.ts'
import type { MayRead } from '../../system/may-read.ts'
import { isXml, openInput } from '../../uploads/inputs/source.ts'
import { badMessage } from './bad-message.ts'
import { onixProducts } from './index.ts'

/**
 * The records of some books in ONIX messages, by their ISBNs of thirteen digits: the latest one of each, amended by partial
 * updates, in the order of the messages. Records that cannot be used are passed over, and told to `onBroken`. Throws
 * UsageFailure as the messages themselves do.
 */
export async function feedRecords(
  isbns: ReadonlySet<string>,
  paths: readonly string[],
  mayRead: MayRead,
  onBroken: (why: string) => void,
): Promise<Map<string, Product>> {
  const found = new Map<string, Product>()
  for await (const { path, isbn, product } of productsIn(paths, mayRead)) {
    if (!isbns.has(isbn)) continue
    if ('broken' in product) onBroken(`${path}: ${product.broken}: ISBN ${isbn}`)
    else {
      const earlier = found.get(isbn)
      found.set(isbn, earlier === undefined ? product : amended(earlier, product))
    }
  }
  return found
}

/** The titles of all books in ONIX messages, by their ISBNs of thirteen digits; the later one counts. Throws as `feedRecords`. */
export async function feedTitles(
  paths: readonly string[],
  mayRead: MayRead,
): Promise<Map<string, string | undefined>> {
  const found = new Map<string, string | undefined>()
  for await (const { isbn, product } of productsIn(paths, mayRead)) {
    const title = 'broken' in product ? product.title : product.overrides.title
    found.set(isbn, title ?? found.get(isbn))
  }
  return found
}

async function* productsIn(
  paths: readonly string[],
  mayRead: MayRead,
): AsyncGenerator<{ path: string; isbn: string; product: Product | BrokenProduct }> {
  for (const path of paths) {
    const source = await openInput(path, mayRead)
    try {
      if (!isXml(source)) throw badMessage(path, 'is no ONIX message', 'Name a feed of ONIX 3.0 or 3.1.')
      for await (const product of onixProducts(source)) {
        const isbn = 'broken' in product ? product.isbn : isbn13(product.overrides.isbn)
        if (isbn !== undefined) yield { path, isbn, product }
      }
    } finally {
      await source.close()
    }
  }
}
