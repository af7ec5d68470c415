import type { Context } from '../../cli/context.ts'
import type { PublicationIndex } from '../../plan/known.ts'
import { placeOf } from '../../plan/wanted.ts'
import { counted } from '../../system/counted.ts'
import { exitCodes, Failure } from '../../system/errors.ts'
import type { Warning } from '../../system/warning.ts'
import { counting } from '../counting.ts'
import type { OnixElement } from '../onix/element.ts'
import type { Rows } from '../plan/rows.ts'
import { readSources } from '../sources/read-sources.ts'
import type { Addable } from './addable.ts'
import { readFeedBlocks } from './feed-blocks.ts'
import type { KeptFacts } from './kept-facts.ts'
import type { Receiver } from './receivers/index.ts'
import { exportedRecords } from './records.ts'
import { nothingSaid, type SaidOf, saidIn } from './sources.ts'
import { missingUpdates } from './updates.ts'

/** A failure of a publication, or of a row or record of a source. */
export interface Fault {
  readonly id: string
  readonly failure: Failure
}

/** What a message is made of, once its sources have been read. */
export interface MessageContent {
  /** Where sheets name the files of publications. */
  readonly said: SaidOf
  recordsOf(index: Pick<PublicationIndex, 'all' | 'find'>, kept: KeptFacts): Records
  close(): void
}

/** The records of a message, to be gone through once. The rest is known afterwards. */
interface Records {
  all(): Iterable<OnixElement>
  count(): number
  /** How many publications have no record. */
  leftOut(): number
  /** How many publications have a field that ONIX has no place for, by its name. */
  unsaid(): Readonly<Record<string, number>>
  faults(): readonly Fault[]
  warnings(): readonly Warning[]
}

interface SourceOptions {
  readonly sources: readonly string[]
  readonly encoding?: string | undefined
  readonly columns: readonly string[]
  readonly taker: Receiver
}

/** Whole records of all publications. */
export async function wholeContent(context: Context, options: SourceOptions): Promise<MessageContent> {
  const { sources } = options
  const read =
    sources.length > 0 ? await readSources(context, sources, { ...options, keyField: 'isbn' }) : null
  const rows = read?.catalogue.rows
  const said = rows ? saidIn(rows) : nothingSaid
  return {
    said,
    recordsOf(index, kept) {
      const records = exportedRecords(index, said, kept, options.taker)
      return {
        all: records.all,
        count: records.count,
        leftOut: () => records.leftOut.length,
        unsaid: () => Object.fromEntries(records.unsaid),
        faults: () => [...(rows ? brokenIn(rows) : []), ...records.failures],
        warnings: () => [
          ...withoutBook(records.leftOut),
          ...notAtService((rows?.size ?? 0) - records.used()),
          ...withoutPlace(records.unsaid),
          ...notTakenBy(options.taker, records.notTaken),
        ],
      }
    },
    close: () => rows?.close(),
  }
}

/** Updates of records that lack what files say. */
export async function updateContent(
  context: Context,
  { sources }: SourceOptions,
  kinds: readonly Addable[],
): Promise<MessageContent> {
  const { signal, mayRead } = context.world
  const count = await counting(context)
  const blocks = await readFeedBlocks(sources, {
    ...{ signal, mayRead },
    onProgress: read => count.show('reading the messages, records', read),
  }).finally(count.stop)
  return {
    said: nothingSaid,
    recordsOf(index, kept) {
      const updates = missingUpdates(index, blocks, kept, kinds)
      return {
        ...{ all: updates.all, count: updates.count, leftOut: updates.unlisted, unsaid: () => ({}) },
        faults: () => updates.failures,
        warnings: () => unlistedIn(updates.unlisted()),
      }
    },
    close: blocks.close,
  }
}

/** The rows and records of sources that cannot be used. */
const brokenIn = (rows: Pick<Rows, 'steps'>): Fault[] =>
  [...rows.steps()].map(({ key, from, why, hint }) => ({
    id: from === null ? `${key}` : placeOf(from),
    failure: new Failure(why, { code: 'broken', exitCode: exitCodes.partFailed, hint: hint ?? undefined }),
  }))

function withoutBook(ids: readonly string[]): Warning[] {
  if (ids.length === 0) return []
  const shown = ids.length > 5 ? `${ids.slice(0, 5).join(', ')} and ${ids.length - 5} more` : ids.join(', ')
  return [
    {
      code: 'without_book',
      message: `all uploads of ${shown} have failed, so ${ids.length === 1 ? 'it has' : 'they have'} no record`,
    },
  ]
}

function notAtService(count: number): Warning[] {
  if (count <= 0) return []
  const are = count === 1 ? 'is' : 'are'
  return [
    {
      code: 'not_at_service',
      message: `${counted(count, 'book')} of the sheets and messages ${are} not at the service, and not in the message`,
      hint: 'To see which: pubctl catalogue plan',
    },
  ]
}

function withoutPlace(unsaid: ReadonlyMap<string, number>): Warning[] {
  if (unsaid.size === 0) return []
  const fields = [...unsaid].map(([field, count]) => `${field} (${count})`)
  return [
    {
      code: 'not_in_onix',
      message: `ONIX has no place for these fields, which so many publications have: ${fields.join(', ')}`,
      hint: 'A sheet has them: pubctl catalogue export --out books.csv',
    },
  ]
}

function notTakenBy({ name }: Receiver, codes: ReadonlyMap<string, number>): Warning[] {
  if (codes.size === 0) return []
  const counts = [...codes].sort().map(([code, count]) => `${code} (${count})`)
  return [
    {
      code: 'not_taken',
      message: `${name} does not take these codes, and they are left out: ${counts.join(', ')}`,
    },
  ]
}

function unlistedIn(count: number): Warning[] {
  if (count === 0) return []
  const have = count === 1 ? 'has' : 'have'
  return [
    {
      code: 'without_record',
      message: `${counted(count, 'publication')} ${have} no record with the same ISBN in the messages, and nothing to add to`,
      hint: 'To write whole records, leave --only-missing out.',
    },
  ]
}
