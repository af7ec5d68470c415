import type { PublicationIndex } from '../../plan/known.ts'
import { exitCodes, Failure } from '../../system/errors.ts'
import type { OnixElement } from '../onix/element.ts'
import { recordFacts } from './facts.ts'
import { forReceiver } from './for-receiver.ts'
import type { KeptFacts } from './kept-facts.ts'
import { anyReceiver, type Receiver } from './receivers/index.ts'
import { productRecord } from './record.ts'
import { type ServiceFacts, serviceFacts } from './service-facts.ts'
import type { SaidOf } from './sources.ts'

type Index = Pick<PublicationIndex, 'all' | 'find'>

/** The records of all publications, and what is left out of them; they can be gone through once. */
export function exportedRecords(
  index: Index,
  said: SaidOf,
  kept: Pick<KeptFacts, 'of'>,
  receiver: Receiver = anyReceiver,
) {
  const leftOut: string[] = []
  const failures: { id: string; failure: Failure }[] = []
  const [unsaid, notTaken] = [new Map<string, number>(), new Map<string, number>()]
  const add = (counts: Map<string, number>, name: string) =>
    void counts.set(name, (counts.get(name) ?? 0) + 1)
  let [count, used] = [0, 0]
  return {
    leftOut,
    failures,
    unsaid,
    notTaken,
    count: () => count,
    /** How many rows of sources were about publications. */
    used: () => used,
    *all(): Generator<OnixElement> {
      for (const publication of index.all()) {
        const there = serviceFacts(publication)
        if (there === undefined) {
          leftOut.push(publication.publicationId)
          continue
        }
        const { publicationId: id } = there
        const { product, rows } = said(there)
        used += rows
        const ready = recordFacts({
          ...{ there, product, file: kept.of(id) },
          reference: referenceOf(there, product?.record?.reference, index),
        })
        for (const field of ready.unsaid) add(unsaid, field)
        if (ready.lost.length > 0) failures.push({ id, failure: lossOf(ready.lost) })
        if (ready.facts === undefined) {
          failures.push({ id, failure: untitled() })
          continue
        }
        const taken = forReceiver(ready.facts, receiver)
        for (const code of taken.notTaken) add(notTaken, code)
        if (taken.missing.length > 0) failures.push({ id, failure: required(receiver, taken.missing) })
        count++
        yield productRecord(taken.facts)
      }
    },
  }
}

/**
 * The reference of a record: that of the message which speaks of the book, so that receivers know it by that, or else the id
 * of the publication, which never changes. Of two publications with the same ISBN neither is that of the message for certain.
 */
function referenceOf(
  { publicationId, values: { isbn } }: ServiceFacts,
  reference: string | undefined,
  index: Index,
): string {
  const isOnly = isbn !== undefined && index.find({ isbn }).length === 1
  return reference !== undefined && isOnly ? reference : publicationId
}

const lossOf = (fields: readonly string[]): Failure =>
  new Failure(`the message cannot say its ${fields.join(', ')} exactly, and leaves it out`, {
    code: 'not_in_onix',
    exitCode: exitCodes.partFailed,
    hint: 'A sheet says more: pubctl catalogue export --out books.json',
  })

const required = ({ name }: Receiver, fields: readonly string[]): Failure =>
  new Failure(`${name} requires ${fields.join(', ')}, which nothing says of it`, {
    code: 'receiver_requires',
    exitCode: exitCodes.partFailed,
    hint: 'Say it in a sheet or message: --from books.csv',
  })

const untitled = (): Failure =>
  new Failure('it has no title, without which there is no record of ONIX', {
    code: 'no_title',
    exitCode: exitCodes.partFailed,
    hint: 'Give it one in a sheet, with its publicationId: --from titles.csv',
  })
