import type { Context } from '../cli/context.ts'
import { partFailed } from '../cli/for-each.ts'
import { requestView } from '../cli/output/dry-run-views.ts'
import type { View } from '../cli/output/view.ts'
import { counted } from '../system/counted.ts'
import { exitCodes, Failure, UsageFailure } from '../system/errors.ts'
import { checkWritable, writeLines } from '../system/write-file.ts'
import { counting } from './counting.ts'
import { type KnownPublications, knownPublications } from './known-publications.ts'
import type { Addable } from './onix-message/addable.ts'
import { type Fault, updateContent, wholeContent } from './onix-message/content.ts'
import { type KeptFacts, openKeptFacts } from './onix-message/kept-facts.ts'
import { messageText, type Sender } from './onix-message/message.ts'
import { readFileFacts } from './onix-message/read-files.ts'
import { receiverOf } from './onix-message/receivers/index.ts'
import { serviceFacts } from './onix-message/service-facts.ts'
import { nothingSaid, type SaidOf } from './onix-message/sources.ts'
import { type BookFolders, openNamedFolders } from './sources/book-folders.ts'

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
  /** A receiver by its name, or a file that says what it takes. */
  readonly receiver?: string | undefined
  /** What files say and the messages in `sources` do not, as updates of their records; the whole records without it. */
  readonly onlyMissing?: readonly Addable[] | undefined
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
  const { onlyMissing } = options
  if (onlyMissing) mustHaveBoth(options)
  const taker = await receiverOf(options.receiver ?? 'general', context.world.mayRead)
  const books = await openNamedFolders(options)
  const content = onlyMissing
    ? await updateContent(context, { ...options, taker }, onlyMissing)
    : await wholeContent(context, { ...options, taker })
  const kept = openKeptFacts()
  try {
    const known = await knownPublications(context)
    try {
      const sender = senderOf(known, options.sender)
      const unread = await readFiles(context, known, content.said, kept, books)
      const records = content.recordsOf(known.index, kept)
      const text = messageText({ release: '3.1', sender, sentAt: context.world.clock.now() }, records.all())
      if (out === undefined) await print(context, text)
      else {
        writeLines(out, text, { isPrivate: false, isDurable: true })
        await context.item(view, {
          ...{ file: out, products: records.count(), books: kept.size, leftOut: records.leftOut() },
          notInOnix: records.unsaid(),
        })
      }
      for (const warning of records.warnings()) await context.warn(warning)
      const faults = [...unreadIn(known), ...unread, ...records.faults()]
      if (faults.length > 0)
        throw partFailed(
          faults,
          faults.length,
          `${counted(faults.length, 'fault')}; the message says the rest`,
        )
    } finally {
      known.close()
    }
  } finally {
    kept.close()
    content.close()
  }
}

/** An update adds what files say to what messages say. */
function mustHaveBoth({ sources, folders, receiver }: OnixOptions): void {
  if (receiver !== undefined)
    throw new UsageFailure('--receiver is about whole records, and an update has what the feed says', {
      hint: 'Leave --receiver or --only-missing out.',
    })
  if (sources.length > 0 && folders.length > 0) return
  throw new UsageFailure('--only-missing adds what files say to the records of a message', {
    hint: 'Name both: --from feed.xml --files books/',
  })
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
): Promise<Fault[]> {
  if (books === null && said === nothingSaid) return []
  const { signal, mayRead } = context.world
  const { default: pLimit } = await import('p-limit')
  const options = { books, journal, signal, mayRead, reading: pLimit(4) }
  const failures: Fault[] = []
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

const unreadIn = ({ refreshed }: KnownPublications) =>
  refreshed.unread.map(({ publicationId, failure }) => ({ id: publicationId, failure }))
