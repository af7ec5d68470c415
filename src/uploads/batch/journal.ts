import { join } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { UsageFailure } from '../../system/errors.ts'
import type { LocalJournal } from '../journal/local-journal.ts'

type Place = Pick<Context, 'directories' | 'world'>

/** The journal's path; the file is created with the first upload. */
const journalPath = ({ directories }: Place): string => join(directories.dataDir, 'uploads.db')

/** Opens the journal of this user's uploads, and creates it if there is none. */
export async function openJournal(context: Context) {
  const { openLocalJournal } = await import('../journal/local-journal.ts')
  const { options, told } = await (await import('./journal-options.ts')).journalOptions(context)
  return told(openLocalJournal(journalPath(context), { ...options, hide: context.err.hide }))
}

/** Opens it read-only. */
export async function readJournal(context: Place & Partial<Pick<Context, 'warn'>>) {
  const { readLocalJournal } = await import('../journal/local-journal.ts')
  const { options, told } = await (await import('./journal-options.ts')).journalOptions(context)
  return told(readLocalJournal(journalPath(context), options))
}

/** The opened journal or, if its file cannot be written, one in memory and a warning, so that uploads still work. */
export async function orMemoryJournal<J>(
  context: Context,
  open: (context: Context) => Promise<J>,
): Promise<J | LocalJournal> {
  try {
    return await open(context)
  } catch (error) {
    if (!(error instanceof UsageFailure) || error.code !== 'journal_unwritable') throw error
    await context.warn({
      code: error.code,
      message: `${error.message}; an interrupted upload cannot be resumed`,
    })
    const { openMemoryJournal } = await import('../journal/memory-journal.ts')
    return openMemoryJournal(context.world.clock)
  }
}
