import { typeByName } from '../system/book-extensions.ts'
import { givenFields } from './creation.ts'
import { otherIsbnIn } from './other-book.ts'
import type { Product } from './product.ts'
import type { UploadPlan } from './upload-plan.ts'
import type { CatalogueRow, WantedProduct } from './wanted.ts'

/** The options of a plan that change what is done with a product. */
export interface ProductOptions {
  /** The metadata key by which products are recognised: `isbn`, or another. */
  readonly keyField: string
  readonly reissue: boolean
  /** Whether what was changed at the service is replaced as well. */
  readonly overwritesDrifted: boolean
  /** Whether a product is another book than a publication of its title without a key. */
  readonly isNew: boolean
}

/** What is known of a product's file. */
export interface ProductFile {
  readonly file: string
  readonly bytes: number
  /** In milliseconds since 1970. */
  readonly modified: number
  readonly sha256: string
}

interface Files {
  readonly found: readonly string[]
  /** The one file of the product, or why it cannot be used; null if there is none or more than one. */
  readonly local: ProductFile | { readonly error: string } | null
  /** What was read from it, if it was read. */
  readonly upload: UploadPlan | null
}

/** The input of `decide`. Only what the source gives is compared; the file's metadata identifies the book. */
export function wantedProduct(
  { product, key }: { readonly product: Product; readonly key: string | null },
  { found, local, upload }: Files,
  options: ProductOptions,
): WantedProduct {
  const { overrides, from, publicationId, type, ignored, withdrawn, isPartial } = product
  const file = local && 'file' in local ? local : null
  const row: CatalogueRow = {
    ...{ key, keyField: options.keyField, publicationId, type, ignored, withdrawn, isPartial },
    ...{ files: found, reissue: options.reissue, isNew: options.isNew },
    overwritesDrifted: options.overwritesDrifted,
    fileError: local && 'error' in local ? local.error : null,
  }
  const own = upload?.own ?? { title: undefined, authors: [] }
  return {
    key: key ?? (file === null ? null : `sha256:${file.sha256}`),
    file: file?.file ?? null,
    bytes: file?.bytes ?? null,
    sha256: file?.sha256 ?? null,
    type: upload?.creation.edition.type ?? (file === null ? null : (typeByName(file.file) ?? null)),
    title: overrides.title ?? own.title,
    authors: overrides.author ?? own.authors,
    isbn: overrides.isbn,
    own,
    otherIsbn: otherIsbnIn(upload?.ownIsbns ?? [], overrides.isbn),
    given: givenFields(overrides),
    from,
    row,
  }
}
