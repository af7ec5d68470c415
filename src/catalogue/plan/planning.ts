import type { LimitFunction } from 'p-limit'
import type { PublicationIndex } from '../../plan/known.ts'
import type { Product } from '../../plan/product.ts'
import type { ProductOptions } from '../../plan/wanted-product.ts'
import type { Warning } from '../../system/warning.ts'
import type { World } from '../../system/world.ts'
import type { Caller } from '../../uploads/journal/caller.ts'
import type { LocalJournalReader } from '../../uploads/journal/local-reader.ts'
import type { OpenedChecks } from '../../uploads/opened-checks.ts'
import type { Read } from '../../uploads/reading/reading.ts'
import type { SentStore, SentTo } from '../../uploads/sent/sent.ts'
import type { AcceptedDifferences } from '../accepted.ts'
import type { KeySearch } from './key-search.ts'
import type { UnfinishedUploads } from './unfinished.ts'

/** What all rows of a plan share. */
export interface Planning extends OpenedChecks, Pick<World, 'signal' | 'mayRead'> {
  readonly planId: string
  readonly options: ProductOptions
  readonly index: PublicationIndex
  /** Reads publications from the service, again if they were read before, into the index. */
  readonly refresh: (publicationIds: readonly string[], onRead?: () => void) => Promise<void>
  readonly keys: KeySearch
  /** How old the record of a row may be, in milliseconds. */
  readonly maxAge: number
  /** Whether the listing would say that a publication has another edition than when it was read. */
  readonly isEditionListed: (publicationId: string) => boolean
  /** Records that were read before this time are read again if a row would change them. */
  readonly began: number
  readonly journal: LocalJournalReader
  readonly unfinished: UnfinishedUploads
  readonly caller: Caller
  /** What was sent to publications. */
  readonly sent: Pick<SentStore, 'get' | 'readAhead'>
  /** Keeps values that a publication has as the sources say, as if they had been sent. */
  readonly onAgreed: (agreed: SentTo) => void
  /** The active metadata keys of the scope; null if they are not known. */
  readonly metadataKeys: ReadonlySet<string> | null
  /** The files of a product that names none. */
  readonly findFiles: (product: Product) => readonly string[]
  readonly read: Read
  /** Limits the files that are hashed or read at a time. */
  readonly reading: LimitFunction
  /** Differences that are kept as known. */
  readonly accepted?: AcceptedDifferences | undefined
  readonly onWarning: (warning: Warning) => void
}
