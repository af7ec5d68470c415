import type { Context } from '../../cli/context.ts'
import type { Warning } from '../../system/warning.ts'
import { columnHint, columnsNamed, mustBeFound } from '../../uploads/inputs/sheet/columns.ts'
import { counting } from '../counting.ts'
import { type Catalogue, readCatalogue } from '../plan/plan-catalogue.ts'
import { readProducts } from './products.ts'

interface SourcesOptions {
  /** `isbn`, or the metadata key that products are matched by. */
  readonly keyField: string
  readonly encoding?: string | undefined
  /** What columns of sheets mean, as in `Titel=title`. */
  readonly columns: readonly string[]
}

/** The products of sources, with the sources and their SHA-256. */
interface ReadSources {
  readonly catalogue: Catalogue
  readonly sources: readonly { readonly path: string; readonly sha256: string }[]
}

/** Reads sheets and messages with progress, and warns of columns that are left out. The rows must be closed. */
export async function readSources(
  context: Context,
  paths: readonly string[],
  { keyField, encoding, columns: named }: SourcesOptions,
): Promise<ReadSources> {
  const { signal, mayRead } = context.world
  const columns = columnsNamed(named)
  const leftOut: Warning[] = []
  const sources: { path: string; sha256: string }[] = []
  const products = readProducts(paths, {
    ...{ encoding, columns, signal, mayRead },
    onRead: source => void sources.push(source),
    onLeftOut: (sheet, names) =>
      void leftOut.push({
        code: 'columns_left_out',
        message: `${sheet} has columns that are not known, and they are left out: ${names.join(', ')}`,
        hint: columnHint(names[0] as string),
      }),
  })
  const count = await counting(context)
  const catalogue = await readCatalogue(products, {
    ...{ keyField, isFeed: true, signal },
    onProgress: rows => count.show('reading the sheets and messages, books', rows),
  }).finally(count.stop)
  try {
    mustBeFound(columns)
    for (const warning of leftOut) await context.warn(warning)
    if (catalogue.replaced > 0)
      await context.note(`${catalogue.replaced} records are replaced or amended by later ones.`)
    await warnOfLeftOut(context, catalogue.leftOut)
    return { catalogue, sources }
  } catch (error) {
    catalogue.rows.close()
    throw error
  }
}

/** A book is not refused for a value that it can do without. */
async function warnOfLeftOut(context: Context, { first, count }: Catalogue['leftOut']): Promise<void> {
  if (count === 0) return
  const more = count > first.length ? `, and ${count - first.length} more` : ''
  await context.warn({
    code: 'values_left_out',
    message: `values of the sheets and messages cannot be used and are left out: ${first.join('; ')}${more}`,
    hint: 'Correct them there.',
  })
}
