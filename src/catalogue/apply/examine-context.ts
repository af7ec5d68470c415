import type { JournalReader } from '../../uploads/journal/journal.ts'
import type { Read } from '../../uploads/reading/reading.ts'
import type { TransferContext } from '../../uploads/transfer-context.ts'

type Limit = <T>(work: () => Promise<T>) => Promise<T>

/** What is needed to compare a plan with the service, the journal and the files. */
export interface ExamineContext
  extends Pick<TransferContext, 'call' | 'caller' | 'signal' | 'mayRead' | 'openChecks'> {
  /** Reads a book; without it, as for a dry run, covers are not read. */
  readonly read?: Read
  readonly journal: Pick<JournalReader, 'get' | 'findPublication'>
  readonly limits: { readonly read: Limit; readonly ask: Limit }
}
