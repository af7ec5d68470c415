import type { PublicationIndex } from '../../plan/known.ts'
import { rest } from '../../system/rest.ts'
import { keyQuery } from './known-product.ts'
import type { Planning } from './planning.ts'
import { namedIn, type Rows } from './rows.ts'

interface NeededOptions extends Pick<Planning, 'index' | 'refresh' | 'signal'> {
  readonly keyField: string
  /** How many requests the listing took. */
  readonly pages: number
  /** The time since the plan before in parts of the time in which everything is read again. */
  readonly elapsed: number
  readonly onProgress: (read: number, all: number) => void
}

/** So few publications are read at once, whether a row means them or not. */
const fewAtOnce = 1000

/** The fewest of the rest that are read with a plan, so that plans one after the other get somewhere. */
const leastOfRest = 50

/** How many publications are read before they are kept. */
const chunk = 200

/**
 * Reads those publications that rows can mean: by the id, the key or the title that they have. Of the rest, a part is read
 * with each plan, for which no more is asked than for the listing.
 */
export async function readNeeded(rows: Rows, options: NeededOptions): Promise<void> {
  const { index, pages, elapsed } = options
  if (index.notReadYet() === 0) return
  if (index.notReadYet() > fewAtOnce) await readAll(await meant(rows, options), options)
  const rest = index.notReadYet()
  const part = Math.min(pages, Math.ceil(rest * elapsed))
  const count = rest <= fewAtOnce ? rest : Math.max(leastOfRest, part)
  await readAll(index.nextNotRead(count), options)
}

/** Reads everything that is not read yet. */
export async function readRest(
  options: Omit<NeededOptions, 'keyField' | 'pages' | 'elapsed'>,
): Promise<void> {
  const { index } = options
  await readAll(index.nextNotRead(index.notReadYet()), options)
}

async function readAll(
  ids: readonly string[],
  { refresh, signal, onProgress }: Pick<NeededOptions, 'refresh' | 'signal' | 'onProgress'>,
): Promise<void> {
  let done = 0
  for (let from = 0; from < ids.length; from += chunk) {
    signal.throwIfAborted()
    await refresh(ids.slice(from, from + chunk), () => onProgress(++done, ids.length))
  }
}

/** The publications that are not read yet and that rows mean by what they say themselves. */
async function meant(rows: Rows, { index, keyField, signal }: NeededOptions): Promise<string[]> {
  const found = new Set<string>()
  for (const page of rows.undecided()) {
    await rest(signal)
    index.readAhead(namedIn(page))
    for (const { key, product } of page) {
      if (product.ignored !== null) continue
      for (const id of meantBy(index, { ...product, keyField, key, title: product.overrides.title }))
        found.add(id)
    }
  }
  return [...found]
}

interface Meaning {
  readonly publicationId: string | null
  readonly keyField: string
  readonly key: string | null
  readonly title: string | undefined
}

const meantBy = (index: PublicationIndex, { publicationId, keyField, key, title }: Meaning): string[] =>
  publicationId !== null
    ? index.mayMean({ publicationId })
    : index.mayMean({ title: title ?? null, ...(key !== null && keyQuery(keyField, key)) })
