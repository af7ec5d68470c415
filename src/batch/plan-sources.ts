import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { UsageFailure } from '../errors.ts'
import { planLines } from '../plan/plan-file.ts'
import type { PlanHeader } from '../plan/plan-step.ts'
import { type BookFolders, openBookFolders } from '../sources/book-folders.ts'
import { readProducts } from '../sources/products.ts'
import { stat } from '../system/files.ts'
import { checkWritable, writeLines } from '../system/write-file.ts'
import { type Catalogue, planCatalogue, readCatalogue } from '../transfer/catalogue/plan-catalogue.ts'
import { unfinishedUploads } from '../transfer/catalogue/unfinished.ts'
import { activeMetadataKeys } from '../transfer/lookup/metadata-keys.ts'
import { sha256Of } from '../transfer/reading/hash.ts'
import { readHere } from '../transfer/reading/reading.ts'
import { version } from '../version.ts'
import { targetOf } from './caller.ts'
import { knownPublications } from './known-publications.ts'
import type { PlanOptions } from './plan-options.ts'
import { reportPlan } from './report-plan.ts'

/** Plans what is to be done so that the service equals some sources: shows the steps, and writes them with `--out`. */
export async function planSources(
  context: Context,
  paths: readonly string[],
  options: PlanOptions,
): Promise<void> {
  if (options.out !== undefined) checkWritable(options.out)
  const books = await openBooks(options)
  const progress = await context.progress()
  const show = everySoOften(context, text => progress.state(text))
  const { keyField, encoding } = options
  const sources = await Promise.all(paths.map(path => sourceOf(path, context.world.signal)))
  const catalogue = await readCatalogue(readProducts(paths, { encoding }), keyField, rows =>
    show(`reading sources: ${rows} rows`),
  )
  try {
    await planRead(context, catalogue, { ...options, sources, books, show, stopShowing: progress.stop })
  } finally {
    progress.stop()
    catalogue.rows.close()
  }
}

interface PlanRead extends PlanOptions {
  readonly sources: PlanHeader['sources']
  readonly books: BookFolders | null
  readonly show: (text: string) => void
  readonly stopShowing: () => void
}

async function planRead(
  context: Context,
  { rows, values }: Catalogue,
  { sources, books, show, stopShowing, ...options }: PlanRead,
): Promise<void> {
  const { keyField, reissue, isNew, maxAge } = options
  const { clock, signal } = context.world
  const metadataKeys = await activeMetadataKeys(context.call)
  if (keyField !== 'isbn' && metadataKeys !== null && !metadataKeys.has(keyField)) throw noSuchKey(keyField)
  const began = clock.now()
  const planId = randomUUID()
  const service = await knownPublications(context)
  try {
    const { index, journal, caller } = service
    const { default: pLimit } = await import('p-limit')
    await planCatalogue(
      rows,
      {
        ...{ planId, index, journal, caller, metadataKeys, signal, began },
        options: { keyField, reissue, isNew },
        findFiles: product => books?.find(product) ?? [],
        refresh: async ids => void (await service.readAgain(ids)),
        oldest: began - maxAge,
        unfinished: unfinishedUploads(journal, caller),
        read: readHere,
        reading: pLimit(4),
        onWarning: warning => void context.warn(warning),
      },
      done => show(`comparing: ${done} of ${rows.size} rows`),
    )
    const header: PlanHeader = {
      ...{ pubctl: version, planId, baseUrl: await targetOf(context), scopeId: context.scopeId() },
      ...{ sources, made: new Date(began).toISOString(), counts: rows.counts() },
    }
    if (options.out !== undefined)
      writeLines(options.out, planLines(header, rows.steps()), { isPrivate: false, isDurable: true })
    stopShowing()
    await reportPlan(context, { rows, values, metadataKeys, publications: index.size }, options)
  } finally {
    service.close()
  }
}

/** The folders of books, if there are any. */
async function openBooks({ folders, name }: PlanOptions): Promise<BookFolders | null> {
  if (folders.length > 0) return await openBookFolders(folders, name)
  if (name === undefined) return null
  throw new UsageFailure('--name is about files in folders, and no folder is named', {
    hint: 'Name the folder with --files, or leave --name out.',
  })
}

const noSuchKey = (key: string) =>
  new UsageFailure(`the organisation has no active metadata key "${key}" to match by`, {
    code: 'no_metadata_key',
    hint: `Create it: pubctl metadata-keys create ${key}`,
  })

async function sourceOf(path: string, signal: AbortSignal): Promise<PlanHeader['sources'][number]> {
  const size = await stat(path).then(
    ({ size }) => size,
    () => 0,
  )
  return { path, sha256: await sha256Of(path, size, signal) }
}

/** Calls `show` five times a second at most. */
function everySoOften({ world: { clock }, err }: Context, show: (text: string) => void) {
  const interval = err.isTerminal ? 200 : 10_000
  let last = clock.monotonic()
  return (text: string) => {
    const now = clock.monotonic()
    if (now - last < interval) return
    last = now
    show(text)
  }
}
