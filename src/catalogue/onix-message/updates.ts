import type { PublicationIndex } from '../../plan/known.ts'
import { exitCodes, Failure } from '../../system/errors.ts'
import type { OnixElement } from '../onix/element.ts'
import type { Addable } from './addable.ts'
import type { FeedBlocks } from './feed-blocks.ts'
import type { KeptFacts } from './kept-facts.ts'
import { amendmentOf } from './missing.ts'
import { serviceFacts } from './service-facts.ts'

/** The updates of records that lack what files say, and what is left out; they can be gone through once. */
export function missingUpdates(
  index: Pick<PublicationIndex, 'all' | 'find'>,
  blocks: Pick<FeedBlocks, 'ofIsbn'>,
  kept: Pick<KeptFacts, 'of'>,
  kinds: readonly Addable[],
) {
  const failures: { id: string; failure: Failure }[] = []
  let [count, unlisted] = [0, 0]
  return {
    failures,
    count: () => count,
    /** How many publications are in no message. */
    unlisted: () => unlisted,
    *all(): Generator<OnixElement> {
      for (const publication of index.all()) {
        const there = serviceFacts(publication)
        const isbn = there?.values.isbn
        const records = isbn === undefined ? [] : blocks.ofIsbn(isbn)
        const [record] = records
        if (there === undefined || isbn === undefined || record === undefined) {
          unlisted++
          continue
        }
        const { publicationId: id } = there
        const file = kept.of(id)
        if (file === undefined) continue
        if (records.length > 1 || index.find({ isbn }).length > 1)
          failures.push({ id, failure: ambiguous(isbn, records.length > 1 ? 'records' : 'publications') })
        else if ('unfit' in record) failures.push({ id, failure: unfitFor(record.unfit) })
        else {
          const { update, contradictions } = amendmentOf(record, file, kinds)
          for (const says of contradictions) failures.push({ id, failure: contradicts(says) })
          if (update === undefined) continue
          count++
          yield update
        }
      }
    },
  }
}

const ambiguous = (isbn: string, what: string): Failure =>
  new Failure(`several ${what} have its ISBN ${isbn}, so it is not clear which record to amend`, {
    code: 'ambiguous_record',
    exitCode: exitCodes.partFailed,
    hint: 'Leave one of them, and export again.',
  })

const unfitFor = (says: string): Failure =>
  new Failure(`${says}, so it cannot be amended`, {
    code: 'unfit_record',
    exitCode: exitCodes.partFailed,
    hint: 'Correct it in the system that wrote the message, and export again.',
  })

const contradicts = (says: string): Failure =>
  new Failure(`${says}; the record is left as it is there`, {
    code: 'contradicts_record',
    exitCode: exitCodes.partFailed,
    hint: 'Correct the one that is wrong.',
  })
