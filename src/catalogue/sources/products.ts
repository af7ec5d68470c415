import { dirname, resolve } from 'node:path'
import { isbn13 } from '../../plan/match.ts'
import type { BrokenProduct, Product } from '../../plan/product.ts'
import { ownPath } from '../../system/own-path.ts'
import type { World } from '../../system/world.ts'
import type { NamedColumns } from '../../uploads/inputs/sheet/columns.ts'
import { readSheet, type SheetRow } from '../../uploads/inputs/sheet/index.ts'
import { isXml, openInput, type Source } from '../../uploads/inputs/source.ts'

/** How sources are read. */
export interface SourceOptions extends Pick<World, 'mayRead'> {
  /** The encoding of sheets that are neither UTF-8 nor UTF-16 with a byte order mark. */
  readonly encoding?: string | undefined
  /** What columns of sheets mean. */
  readonly columns?: NamedColumns | undefined
  /** Called with the columns of a sheet that are not known and were left out; without it, they are faults. */
  readonly onLeftOut?: ((sheet: string, columns: readonly string[]) => void) | undefined
  /** Whether the files that rows name may come later. */
  readonly mayLackFiles?: boolean
  /** Ends the reading. */
  readonly signal?: AbortSignal | undefined
  /** Called with each source and its SHA-256 once it was read. */
  readonly onRead?: (source: { readonly path: string; readonly sha256: string }) => void
}

/**
 * The products of sheets and ONIX messages, in their order. A source that cannot be used as a whole throws a failure, at the
 * latest after its last product: what was given before must then not be used.
 */
export async function* readProducts(
  paths: readonly string[],
  { mayRead, onRead, ...options }: SourceOptions,
): AsyncGenerator<Product | BrokenProduct> {
  for (const path of paths) {
    const source = await openInput(path, mayRead)
    try {
      if (isXml(source)) yield* (await import('../onix/index.ts')).onixProducts(source)
      else yield* sheetProducts(source, options)
    } finally {
      await source.close()
    }
    onRead?.({ path, sha256: source.sha256() })
  }
}

async function* sheetProducts(
  source: Source,
  { onLeftOut, ...options }: Omit<SourceOptions, 'mayRead' | 'onRead'>,
): AsyncGenerator<Product> {
  const leftOut = onLeftOut && ((columns: readonly string[]) => onLeftOut(source.path, columns))
  for await (const row of readSheet(source, { ...options, isCatalogue: true, onLeftOut: leftOut }))
    yield productOf(source.path, row)
}

const productOf = (sheet: string, { line, file, key, publicationId, overrides }: SheetRow): Product => {
  const isbn = isbn13(overrides.isbn)
  return {
    from: { sheet, row: line },
    publicationId: publicationId ?? null,
    key: key ?? null,
    file: file === undefined ? null : ownPath(resolve(dirname(sheet), file)),
    overrides: { ...overrides, ...(isbn !== undefined && { isbn }) },
    optional: {},
    ...{ type: null, isReflowable: null, ignored: null, withdrawn: null, isPartial: false },
    dropped: { prices: 0, rights: 0 },
  }
}
