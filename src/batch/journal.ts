import { join } from 'node:path'
import type { Context } from '../context.ts'
import { UsageFailure } from '../errors.ts'
import type { LocalJournal } from '../journal/local-journal.ts'

type Place = Pick<Context, 'directories' | 'world'>

/** The journal's path; the file is created with the first upload. */
const journalPath = ({ directories }: Place): string => join(directories.dataDir, 'uploads.db')

/** Opens the journal of this user's uploads, and creates it if there is none. */
export async function openJournal(context: Place & Pick<Context, 'err'>) {
  const { openLocalJournal } = await import('../journal/local-journal.ts')
  return openLocalJournal(journalPath(context), context.world.clock, context.err.hide)
}

/** Opens it read-only. */
export async function readJournal(context: Place) {
  const { readLocalJournal } = await import('../journal/local-journal.ts')
  return readLocalJournal(journalPath(context), context.world.clock)
}

/** The opened journal or, if its file cannot be written, one in memory and a warning, so that uploads still work. */
export async function orMemoryJournal<J>(
  context: Context,
  open: (place: Place & Pick<Context, 'err'>) => Promise<J>,
): Promise<J | LocalJournal> {
  try {
    return await open(context)
  } catch (error) {
    if (!(error instanceof UsageFailure) || error.code !== 'journal_unwritable') throw error
    await context.warn({
      code: error.code,
      message: `${error.message}; an interrupted upload cannot be resumed`,
    })
    const { openMemoryJournal } = await import('../journal/local-journal.ts')
    return openMemoryJournal(context.world.clock)
  }
}
