import type { Context } from '../cli/context.ts'
import { partFailed } from '../cli/for-each.ts'
import { requestView } from '../cli/output/dry-run-views.ts'
import type { View } from '../cli/output/view.ts'
import { placeOf } from '../plan/wanted.ts'
import { counted } from '../system/counted.ts'
import { exitCodes, Failure, UsageFailure } from '../system/errors.ts'
import { checkWritable, writeLines } from '../system/write-file.ts'
import { counting } from './counting.ts'
import { type KnownPublications, knownPublications } from './known-publications.ts'
import { type KeptFacts, openKeptFacts } from './onix-message/kept-facts.ts'
import { messageText, type Sender } from './onix-message/message.ts'
import { readFileFacts } from './onix-message/read-files.ts'
import { exportedRecords } from './onix-message/records.ts'
import { serviceFacts } from './onix-message/service-facts.ts'
import { nothingSaid, type SaidOf, saidIn } from './onix-message/sources.ts'
import type { Catalogue } from './plan/plan-catalogue.ts'
import { type BookFolders, openNamedFolders } from './sources/book-folders.ts'
import { readSources } from './sources/read-sources.ts'

/** The options of `catalogue export --onix`. */
export interface OnixOptions {
  /** The file of the message; `-` for standard output. */
  readonly onix: string
  /** Sheets and messages that say more of the books. */
  readonly sources: readonly string[]
  readonly encoding?: string | undefined
  /** What columns of sheets mean, as in `Titel=title`. */
  readonly columns: readonly string[]
  /** Folders with the files of books, and the pattern of their names. */
  readonly folders: readonly string[]
  readonly name?: string | undefined
  /** The name of who sends the message. */
  readonly sender?: string | undefined
}

const view: View = {
  columns: [
    { field: 'file' },
    { field: 'products', kind: 'count' },
    { field: 'books', kind: 'count', label: 'books read' },
    { field: 'leftOut', kind: 'count' },
  ],
  fields: () => new Set(['file', 'products', 'books', 'leftOut', 'notInOnix', 'notInOnix.*']),
}

/** Writes all publications as a message of ONIX. What cannot be said in it is named at the end. */
export async function exportOnix(context: Context, options: OnixOptions): Promise<void> {
  const { dryRun } = context.options
  const out = options.onix === '-' ? undefined : options.onix
  await context.check(out !== undefined && dryRun ? requestView : view)
  if (out === undefined) mustBePlain(context)
  else {
    checkWritable(out)
    if (dryRun) return await context.list(requestView, [[{ method: 'WRITE', url: `file:${out}` }]])
  }
  const books = await openNamedFolders(options)
  const catalogue = options.sources.length > 0 ? await catalogueOf(context, options) : undefined
  const kept = openKeptFacts()
  try {
    const known = await knownPublications(context)
    try {
      const said: SaidOf = catalogue ? saidIn(catalogue.rows) : nothingSaid
      const failures = await readFiles(context, known, said, kept, books, options)
      const records = exportedRecords(known.index, said, kept)
      const sender = senderOf(known, options.sender)
      const text = messageText({ release: '3.1', sender, sentAt: context.world.clock.now() }, records.all())
      if (out === undefined) await print(context, text)
      else {
        writeLines(out, text, { isPrivate: false, isDurable: true })
        await context.item(view, {
          ...{ file: out, products: records.count(), books: kept.size, leftOut: records.leftOut.length },
          notInOnix: Object.fromEntries(records.unsaid),
        })
      }
      await warn(context, records, (catalogue?.rows.size ?? 0) - records.used())
      const broken = catalogue ? brokenIn(catalogue) : []
      const all = [...unreadIn(known), ...broken, ...failures, ...records.failures]
      if (all.length > 0)
        throw partFailed(all, all.length, `${counted(all.length, 'fault')}; the message says the rest`)
    } finally {
      known.close()
    }
  } finally {
    kept.close()
    catalogue?.rows.close()
  }
}

/** The message is the result where it goes to standard output, so there is no other. */
function mustBePlain({ format, options: { fields, query } }: Context): void {
  if (format !== 'json' && format !== 'ndjson' && !fields && !query) return
  throw new UsageFailure('--onix - writes the message to standard output, which is not JSON', {
    hint: 'Name a file for the message, to have the result as JSON: --onix feed.xml',
  })
}

/** Keeps what the files of all publications say; gives those that could not be read. */
async function readFiles(
  context: Context,
  { index, journal }: KnownPublications,
  said: SaidOf,
  kept: KeptFacts,
  books: BookFolders | null,
  { sources }: OnixOptions,
): Promise<{ id: string; failure: Failure }[]> {
  if (books === null && sources.length === 0) return []
  const { signal, mayRead } = context.world
  const { default: pLimit } = await import('p-limit')
  const options = { books, journal, signal, mayRead, reading: pLimit(4) }
  const failures: { id: string; failure: Failure }[] = []
  const count = await counting(context)
  const underWay = new Set<Promise<void>>()
  let [done, fault]: [number, unknown] = [0, undefined]
  try {
    for (const publication of index.all()) {
      const there = serviceFacts(publication)
      if (there === undefined) continue
      const work = readFileFacts(there, said(there).product, options)
        .then(facts => facts && kept.add(there.publicationId, facts))
        .catch((failure: unknown) => {
          if (failure instanceof Failure && failure.exitCode === exitCodes.partFailed)
            failures.push({ id: there.publicationId, failure })
          else fault ??= failure
        })
        .finally(() => {
          underWay.delete(work)
          count.show('reading the files of books', ++done, index.size)
        })
      underWay.add(work)
      if (underWay.size >= booksAtATime) await Promise.race(underWay)
      if (fault !== undefined || signal.aborted) break
    }
    await Promise.all(underWay)
  } finally {
    count.stop()
  }
  if (fault !== undefined) throw fault
  signal.throwIfAborted()
  return failures.sort((one, other) => (one.id < other.id ? -1 : 1))
}

/** How many books are under way at a time; how many are read at a time is limited separately. */
const booksAtATime = 16

/** The sources with what they say that can be used. */
const catalogueOf = async (context: Context, { sources, ...options }: OnixOptions): Promise<Catalogue> =>
  (await readSources(context, sources, { ...options, keyField: 'isbn' })).catalogue

/** The rows and records of sources that cannot be used. */
const brokenIn = ({ rows }: Catalogue): { id: string; failure: Failure }[] =>
  [...rows.steps()].map(({ key, from, why, hint }) => ({
    id: from === null ? `${key}` : placeOf(from),
    failure: new Failure(why, { code: 'broken', exitCode: exitCodes.partFailed, hint: hint ?? undefined }),
  }))

type Records = ReturnType<typeof exportedRecords>

function senderOf({ caller }: KnownPublications, name: string | undefined): Sender {
  const organisation = caller.scopeId ?? undefined
  if (name === undefined && organisation === undefined)
    throw new UsageFailure('the service does not say which organisation sends the message', {
      hint: 'Name it: --sender "A Press"',
    })
  return { name, organisation }
}

async function print({ out }: Context, text: Iterable<string>): Promise<void> {
  let waiting = ''
  for (const piece of text) {
    waiting += piece
    if (waiting.length < 64 * 1024) continue
    await out.escaped(waiting)
    waiting = ''
    if (out.isClosed) return
  }
  await out.escaped(waiting)
}

async function warn(context: Context, { leftOut, unsaid }: Records, unused: number): Promise<void> {
  if (leftOut.length > 0) {
    const shown =
      leftOut.length > 5
        ? `${leftOut.slice(0, 5).join(', ')} and ${leftOut.length - 5} more`
        : leftOut.join(', ')
    await context.warn({
      code: 'without_book',
      message: `all uploads of ${shown} have failed, so ${leftOut.length === 1 ? 'it has' : 'they have'} no record`,
    })
  }
  if (unused > 0) {
    await context.warn({
      code: 'not_at_service',
      message: `${counted(unused, 'book')} of the sheets and messages ${unused === 1 ? 'is' : 'are'} not at the service, and not in the message`,
      hint: 'To see which: pubctl catalogue plan',
    })
  }
  if (unsaid.size > 0) {
    const fields = [...unsaid].map(([field, count]) => `${field} (${count})`)
    await context.warn({
      code: 'not_in_onix',
      message: `ONIX has no place for these fields, which so many publications have: ${fields.join(', ')}`,
      hint: 'A sheet has them: pubctl catalogue export --out books.csv',
    })
  }
}

const unreadIn = ({ refreshed }: KnownPublications) =>
  refreshed.unread.map(({ publicationId, failure }) => ({ id: publicationId, failure }))
