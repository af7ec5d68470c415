import type { Context } from '../cli/context.ts'
import { createCountProgress } from '../cli/output/count-progress.ts'
import { counted } from '../system/counted.ts'
import { Failure } from '../system/errors.ts'
import { callerOf } from '../uploads/batch/caller.ts'
import { readJournal } from '../uploads/batch/journal.ts'
import type { Caller } from '../uploads/journal/caller.ts'
import type { LocalJournalReader } from '../uploads/journal/local-reader.ts'
import type { SentStore } from '../uploads/sent/sent.ts'
import { indexFile, isWorthless, removeIndexFile } from './index/index-file.ts'
import { type IndexStore, openIndex, openMemoryIndex, readIndex } from './index/index-store.ts'
import { type Reads, type Refreshed, refreshIndex } from './index/refresh-index.ts'
import { listedIn, type RecordsRead, refreshRecords } from './index/refresh-records.ts'

interface KnownOptions {
  readonly reads?: Reads
  /** Compares only: nothing is read, and nothing is kept. */
  readonly isDryRun?: boolean
}

/** The publications of the service, as they are now. */
export interface KnownPublications {
  readonly index: IndexStore
  readonly refreshed: Refreshed
  readonly journal: LocalJournalReader
  readonly caller: Caller
  /** What was sent from this machine. */
  readonly sent: SentStore
  /** Reads these publications, again if they were read before. `onRead` is called after each. */
  read(publicationIds: readonly string[], onRead?: () => void): Promise<RecordsRead>
  close(): void
}

/** How many publications are read at a time. */
const concurrency = 8

/** Brings the index of this command's service up to date, with progress. */
export async function knownPublications(
  context: Context,
  { reads = 'outdated', isDryRun = false }: KnownOptions = {},
): Promise<KnownPublications> {
  const { world, directories, err } = context
  const { dataDir } = directories
  const journal = await readJournal(context)
  const progress = await context.progress()
  const count = createCountProgress(progress, err, world.clock)
  const stopShowing = context.waiting.showIn(text => text !== undefined && progress.state(text))
  try {
    const caller = await callerOf(context, journal)
    const { default: pLimit } = await import('p-limit')
    const { openSentStore } = await import('../uploads/sent/sent-store.ts')
    const sent = openSentStore(context, caller)
    const reader = { call: context.call, journal, caller, now: world.clock.now, limit: pLimit(concurrency) }
    let unwritable: Failure | undefined
    const open = () => {
      try {
        return openIndex(dataDir, caller, err.hide, world.clock.now())
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'index_unwritable') throw error
        unwritable = error
        return openMemoryIndex(err.hide)
      }
    }
    const refresh = async () =>
      await refreshIndex({
        ...reader,
        reads,
        isDryRun,
        open: () => (isDryRun ? readIndex(dataDir, caller, err.hide) : open()),
        onProgress: now =>
          'listed' in now
            ? count.show('listing publications', now.listed)
            : count.show('reading publications', now.read, now.outdated),
      })
    const { index, ...refreshed } = await refresh().catch(async error => {
      if (!isWorthless(error)) throw error
      await removeIndexFile(indexFile(dataDir, caller), error)
      return await refresh()
    })
    if (unwritable !== undefined) {
      const { code, message } = unwritable
      await context.warn({ code, message: `${message}; what was read is not kept for the next time` })
    }
    const { withoutId } = refreshed
    if (withoutId > 0) {
      await context.warn({
        code: 'listed_without_id',
        message: `the service lists ${counted(withoutId, 'record')} without publicationId, which cannot be read`,
      })
    }
    return {
      ...{ index, refreshed, journal, caller, sent },
      read: async (ids, onRead) =>
        await refreshRecords(
          index,
          ids.map(publicationId => ({ publicationId, listed: listedIn(index.listedOf(publicationId)) })),
          reader,
          onRead,
        ),
      close() {
        index.close()
        sent.close()
        journal.close()
      },
    }
  } catch (error) {
    journal.close()
    throw error
  } finally {
    stopShowing()
    count.stop()
  }
}
