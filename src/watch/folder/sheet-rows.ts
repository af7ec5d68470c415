import type { Named } from '../../catalogue/sources/book-folders.ts'
import { readProducts, type SourceOptions } from '../../catalogue/sources/products.ts'
import { isImagePath } from '../../plan/book-fields.ts'
import type { BrokenProduct, Product } from '../../plan/product.ts'
import { withKey } from '../../plan/product-key.ts'
import type { Origin } from '../../plan/wanted.ts'
import { ownPath } from '../../system/own-path.ts'
import { isBelow } from '../../system/within.ts'

/** A row of a sheet, or a record of an ONIX message, as far as it says which files it is about. */
export interface FileRow {
  /** What tells it from other rows, also in another run. */
  readonly id: string
  readonly from: Origin
  /** The absolute path that it names. */
  readonly file: string | null
  /** The absolute path of the cover that it names. */
  readonly cover: string | null
  /** What the name of its file may say, where it names none; null for a row that needs no file. */
  readonly named: Named | null
  /** Why it must not be carried out, as a clause. */
  readonly refused: string | null
}

export const rowId = (from: Origin): string => JSON.stringify(from)

/** Reads the rows of a sheet or a message. Throws its failure if it cannot be used as a whole. */
export async function readSheetRows(
  path: string,
  folder: string,
  {
    keyField,
    ...options
  }: Pick<SourceOptions, 'encoding' | 'signal' | 'mayRead'> & { readonly keyField: string },
): Promise<{ rows: FileRow[]; sha256: string }> {
  const rows: FileRow[] = []
  let read = ''
  const onRead = ({ sha256 }: { sha256: string }) => {
    read = sha256
  }
  for await (const product of readProducts([path], { ...options, onRead, mayLackFiles: true }))
    rows.push(rowOf(product, folder, keyField))
  return { rows, sha256: read }
}

function rowOf(read: Product | BrokenProduct, folder: string, keyField: string): FileRow {
  const { from } = read
  const id = rowId(from)
  const keyed = 'broken' in read ? read : withKey(read, keyField)
  if ('broken' in keyed) return { id, from, file: null, cover: null, named: null, refused: null }
  const { file, key, proprietaryId, overrides, ignored, withdrawn } = keyed.product
  const isOfBook = ignored === null && withdrawn === null
  const cover = isImagePath(overrides.cover) ? ownPath(overrides.cover) : null
  // Whoever may put a sheet into the folder must not be able to publish other files of this machine.
  const outside = [file, cover].find(each => each !== null && !isBelow(folder, each))
  return {
    ...{ id, from, file, cover },
    named:
      isOfBook && file === null
        ? { key, overrides, ...(proprietaryId !== undefined && { proprietaryId }) }
        : null,
    refused: outside ? `it names ${outside}, which is not in the watched folder` : null,
  }
}
