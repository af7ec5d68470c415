import { randomUUID } from 'node:crypto'
import type { Context } from '../cli/context.ts'
import { neutraliseJson } from '../cli/output/neutralise.ts'
import { hideInside } from '../cli/output/secrets.ts'
import { planActions } from '../plan/actions.ts'
import type { IndexField } from '../plan/known.ts'
import { type PlanHeader, planLines } from '../plan/plan-step.ts'
import type { Product } from '../plan/product.ts'
import type { Selection } from '../plan/selection.ts'
import type { ProductOptions } from '../plan/wanted-product.ts'
import { checkPage } from '../system/check-page.ts'
import { UsageFailure } from '../system/errors.ts'
import { version } from '../system/version.ts'
import { checkWritable, writeFile, writeLines } from '../system/write-file.ts'
import { callerTarget } from '../uploads/batch/caller.ts'
import { activeMetadataKeys } from '../uploads/lookup/metadata-keys.ts'
import { readHere } from '../uploads/reading/reading.ts'
import type { SentStore, SentTo } from '../uploads/sent/sent.ts'
import { type AcceptedDifferences, openAccepted, tellAccepted } from './accepted.ts'
import { beyondLimit } from './change-limit.ts'
import { counting } from './counting.ts'
import { listedIn } from './index/refresh-records.ts'
import { knownPublications } from './known-publications.ts'
import { openKeySearch } from './plan/key-search.ts'
import { type Catalogue, planCatalogue } from './plan/plan-catalogue.ts'
import type { Planning } from './plan/planning.ts'
import { readNeeded, readRest } from './plan/read-needed.ts'
import { unfinishedByFile } from './plan/unfinished.ts'
import type { CompareOptions, PlanOptions } from './plan-options.ts'
import { endWith, isWithoutField, type Planned, reportPlan } from './report-plan.ts'
import { isWhole, openSelector, warnOfUnselected } from './select.ts'
import { openNamedFolders } from './sources/book-folders.ts'
import { readSources } from './sources/read-sources.ts'

/** Plans what is to be done so that the service equals some sources: shows the steps, and writes them with `--out`. */
export async function planSources(
  context: Context,
  paths: readonly string[],
  options: PlanOptions,
): Promise<void> {
  if (options.out !== undefined) checkWritable(options.out)
  if (options.report !== undefined) checkPage(options.report)
  await compareSources(context, paths, options, async (whole, accepted) => {
    const planned = await selectedOf(context, whole, options.selection)
    const { counts } = planned.header
    const beyond = beyondLimit(options.maxChanges, counts, whole.header.counts)
    if (options.out !== undefined && beyond === undefined)
      writeLines(options.out, neutralLines(writtenLines(planned, options)), {
        isPrivate: false,
        isDurable: true,
      })
    if (options.report !== undefined) await writePlanPage(context, options.report, planned)
    await reportPlan(context, planned, beyond ? { ...options, out: undefined } : options)
    await tellAccepted(context, options.accepted, accepted)
    if (beyond) throw beyond
    endWith(planned.header, options)
  })
}

/** Reads sources, compares them with the service, and gives the plan and what of it is accepted to `use`. */
export async function compareSources(
  context: Context,
  paths: readonly string[],
  options: CompareOptions,
  use: (planned: Planned, accepted: AcceptedDifferences | undefined) => Promise<void>,
): Promise<void> {
  const books = await openNamedFolders(options)
  const accepted =
    options.accepted === undefined ? undefined : await openAccepted(options.accepted, context.world.mayRead)
  const { catalogue, sources } = await readSources(context, paths, options)
  try {
    await planRead(
      context,
      catalogue,
      { ...options, sources, books, accepted },
      async planned => await use(planned, accepted),
    )
  } finally {
    catalogue.rows.close()
  }
}

/** A plan with the steps that are selected; says how many are left out. */
async function selectedOf(context: Context, planned: Planned, selection: Selection): Promise<Planned> {
  if (isWhole(selection)) return planned
  const { isSelected, mustBeUsed } = openSelector(selection)
  const left = planned.rows.keep(isSelected)
  mustBeUsed()
  await warnOfUnselected(context, selection, left)
  return { ...planned, header: { ...planned.header, counts: planned.rows.counts() } }
}

/** The lines of the plan that is written. It has publications in no source only if they were asked for. */
function writtenLines({ rows, header }: Planned, { showsOrphans }: PlanOptions): Iterable<string> {
  if (showsOrphans) return planLines(header, rows.steps())
  const { orphan: _, ...counts } = header.counts
  return planLines({ ...header, counts }, rows.steps(['orphan']))
}

/** Lines of JSON that other programs can show, with the same values. */
function* neutralLines(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield neutraliseJson(line)
}

async function writePlanPage(context: Context, path: string, { rows, header }: Planned): Promise<void> {
  const { listedActions, planPage } = await import('./plan-page.ts')
  const steps = rows.steps(planActions.filter(action => !listedActions.includes(action)))
  const hide = <T>(value: T): T => hideInside(value, context.err.hide)
  writeFile(path, planPage(header, steps, hide), { isPrivate: false, isDurable: true })
}

/** What has been read for a plan. */
interface PlanRead extends ProductOptions, Pick<CompareOptions, 'maxAge' | 'rules' | 'epubCheck'> {
  readonly sources: PlanHeader['sources']
  readonly books: { find(product: Product): string[] } | null
  readonly accepted?: AcceptedDifferences | undefined
}

/** Compares what was read with the service, decides on every row, and gives the plan to `use`. */
export async function planRead(
  context: Context,
  { rows, values }: Catalogue,
  { sources, books, maxAge, accepted, ...options }: PlanRead,
  use: (planned: Planned) => Promise<void>,
): Promise<void> {
  const { clock, signal, mayRead } = context.world
  const { keyField } = options
  const metadataKeys = await activeMetadataKeys(context.call)
  if (keyField !== 'isbn' && metadataKeys !== null && !metadataKeys.has(keyField)) throw noSuchKey(keyField)
  const began = clock.now()
  const planId = randomUUID()
  const service = await knownPublications(context, { reads: 'later' })
  try {
    const { index, journal, caller, refreshed } = service
    const unread = new Set(refreshed.unread.map(({ publicationId }) => publicationId))
    const count = await counting(context)
    const { default: pLimit } = await import('p-limit')
    const refresh: Planning['refresh'] = async (ids, onRead) => {
      const again = await service.read(ids, onRead)
      for (const { publicationId } of again.unread) unread.add(publicationId)
    }
    const reading = {
      ...{ index, refresh, signal },
      onProgress: (done: number, all: number) => count.show('reading publications', done, all),
    }
    const { pages, comparedBefore } = refreshed
    const elapsed = comparedBefore === null ? 0 : maxAge === 0 ? 1 : (began - comparedBefore) / maxAge
    await readNeeded(rows, { ...reading, keyField, pages, elapsed }).finally(count.stop)
    const keys = openKeySearch({
      ...{ call: context.call, index, read: refresh },
      async readRest(field) {
        await context.note(
          `A search of the service does not tell which publications have these ${nameOfField(field)}, or takes longer, so pubctl reads all ${index.notReadYet()} that are not read yet. Later plans need not.`,
        )
        await readRest(reading).finally(count.stop)
      },
    })
    const agreed = inBatches(service.sent)
    await planCatalogue(
      rows,
      {
        ...{
          planId,
          index,
          journal,
          caller,
          metadataKeys,
          signal,
          mayRead,
          began,
          options,
          rules: options.rules,
          epubCheck: options.epubCheck,
        },
        sent: service.sent,
        onAgreed: agreed.add,
        findFiles: product => books?.find(product) ?? [],
        ...{ refresh, keys, maxAge },
        isEditionListed: id => listedIn(index.listedOf(id))?.currentEditionId != null,
        unfinished: unfinishedByFile(journal, caller),
        read: readHere,
        accepted,
        reading: pLimit(4),
        onWarning: warning => void context.warn(warning),
      },
      done => count.show('comparing, books', done, rows.size),
    ).finally(count.stop)
    agreed.keep()
    await warnOfUnread(context, [...unread])
    const notSent = notSentOf(values, metadataKeys)
    const header: PlanHeader = {
      ...{ pubctl: version, planId, baseUrl: await callerTarget(context), scopeId: context.scopeId() },
      match: keyField,
      ...{ sources, made: new Date(began).toISOString(), counts: rows.counts() },
      ...{ notSent, unread: unread.size, notReadYet: index.notReadYet() },
    }
    await use({ rows, header, metadataKeys, publications: index.size })
  } finally {
    service.close()
  }
}

const nameOfField = (field: IndexField): string =>
  field === 'isbn' ? 'ISBNs' : field === 'sha256' ? 'content' : `values of ${field.replace(':', ' ')}`

/** Keeps what is to be kept as sent, many publications at a time. */
function inBatches(sent: SentStore) {
  let waiting: SentTo[] = []
  const keep = () => {
    if (waiting.length > 0) sent.put(waiting)
    waiting = []
  }
  return {
    keep,
    add(agreed: SentTo) {
      waiting.push(agreed)
      if (waiting.length >= 500) keep()
    },
  }
}

/** The values that the service has no field for, and those of metadata keys that the organisation does not have. */
const notSentOf = (
  values: ReadonlyMap<string, number>,
  metadataKeys: ReadonlySet<string> | null,
): PlanHeader['notSent'] =>
  Object.fromEntries(
    [...values].filter(([name, count]) => count > 0 && (isWithoutField(name) || !metadataKeys?.has(name))),
  )

/** A book among these would not be recognised by its key, so it is said that they are there. */
async function warnOfUnread(context: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const named = ids.length > 3 ? [...ids.slice(0, 3), `${ids.length - 3} more`] : ids
  await context.warn({
    code: 'publications_unread',
    message: `the service lists publications that could not be read (${named.join(', ')}), so books are recognised among them by their titles only`,
    hint: 'Plan again later, or see what is wrong with them: pubctl catalogue index --refresh',
  })
}

const noSuchKey = (key: string) =>
  new UsageFailure(`the organisation has no active metadata key "${key}" to match by`, {
    code: 'no_metadata_key',
    hint: `Create it: pubctl metadata-keys create ${key}`,
  })
