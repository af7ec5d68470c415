import { openTemporaryDatabase } from '../../system/database.ts'
import { UsageFailure } from '../../system/errors.ts'
import { guarded } from '../../system/guarded.ts'
import type { MayRead } from '../../system/may-read.ts'
import { isXml, openInput } from '../../uploads/inputs/source.ts'
import { BrokenRecord } from '../onix/broken.ts'
import { elementIn, elementsIn, type OnixElement, valueIn } from '../onix/element.ts'
import { tellableIdentifiersOf } from '../onix/identifiers.ts'
import { readMessage } from '../onix/message.ts'
import type { OnixRecord } from '../onix/record-parser.ts'
import { noTemporaryFile } from './kept-facts.ts'
import { inReference } from './reference-block.ts'

/** What receivers have of a product: what names it, and block 1 (`DescriptiveDetail`), in ONIX 3.1 by reference names. */
export interface FeedRecord {
  readonly reference: string
  readonly identifiers: readonly OnixElement[]
  readonly detail: OnixElement
}

/** A record that cannot be amended, and why. */
interface UnfitRecord {
  readonly unfit: string
}

/** The records of messages as receivers have them after the last one, on the disk, because there can be many. */
export interface FeedBlocks {
  readonly size: number
  ofIsbn(isbn: string): (FeedRecord | UnfitRecord)[]
  close(): void
}

const schema = `CREATE TEMP TABLE records (
  reference TEXT PRIMARY KEY, isbn TEXT, sentAt REAL, record TEXT
) WITHOUT ROWID;
CREATE INDEX recordsByIsbn ON records (isbn);`

interface ReadOptions {
  readonly mayRead: MayRead
  readonly signal: AbortSignal
  readonly onProgress: (records: number) => void
}

/** Reads block 1 of all records of messages. Throws UsageFailure for a sheet, which no receiver has. */
export async function readFeedBlocks(
  paths: readonly string[],
  { mayRead, signal, onProgress }: ReadOptions,
): Promise<FeedBlocks> {
  const db = guarded(openTemporaryDatabase(schema), noTemporaryFile)
  let [size, read] = [0, 0]
  const keep = ({ product, sentAt }: OnixRecord): void => {
    const reference = valueIn(product, 'RecordReference')
    const type = valueIn(product, 'NotificationType')
    if (reference === '' || !replacing.includes(type)) return
    const before = db.get<{ sentAt: number | null }>(
      'SELECT sentAt FROM records WHERE reference = ?',
      reference,
    )
    if (before?.sentAt && sentAt !== null && before.sentAt > sentAt) return
    if (type === deletion) {
      size -= db.run('DELETE FROM records WHERE reference = ?', reference)
      return
    }
    const isBlockLeft = before !== undefined && type === partial && !elementIn(product, 'DescriptiveDetail')
    if (isBlockLeft) return
    if (before === undefined) size += 1
    db.run(
      'INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?)',
      ...[reference, tellableIdentifiersOf(product).isbn ?? null, sentAt],
      JSON.stringify(blockOf(reference, product)),
    )
  }
  try {
    for (const path of paths) {
      const source = await openInput(path, mayRead)
      try {
        if (!isXml(source)) throw notInTheTrade(path)
        for await (const record of readMessage(source, ['ProductIdentifier', 'DescriptiveDetail'])) {
          signal.throwIfAborted()
          keep(record)
          onProgress(++read)
        }
      } finally {
        await source.close()
      }
    }
  } catch (error) {
    db.close()
    throw error
  }
  return {
    get size() {
      return size
    },
    ofIsbn: isbn =>
      db
        .all<{ record: string }>('SELECT record FROM records WHERE isbn = ? ORDER BY reference', isbn)
        .map(({ record }) => JSON.parse(record)),
    close: db.close,
  }
}

/** Notification types of list 1: those that receivers keep, in place of what they had. */
const [partial, deletion] = ['04', '05']
const replacing: readonly string[] = ['01', '02', '03', partial, deletion]

function blockOf(reference: string, product: OnixElement): FeedRecord | UnfitRecord {
  const detail = elementIn(product, 'DescriptiveDetail')
  if (detail === undefined) return { unfit: `its record ${reference} has no DescriptiveDetail` }
  try {
    return {
      reference,
      identifiers: elementsIn(product, 'ProductIdentifier').map(inReference),
      detail: inReference(detail),
    }
  } catch (error) {
    if (!(error instanceof BrokenRecord)) throw error
    return { unfit: `its record ${reference} ${error.message}` }
  }
}

const notInTheTrade = (path: string): UsageFailure =>
  new UsageFailure(`${path} is a sheet, and --only-missing amends what a message of ONIX says`, {
    hint: 'Give the message that your receivers have: --from feed.xml',
  })
