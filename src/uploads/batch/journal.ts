import { join } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { UsageFailure } from '../../system/errors.ts'
import type { Warning } from '../../system/warning.ts'
import type { LocalJournal } from '../journal/local-journal.ts'
import type { ForeignRow } from '../journal/seal.ts'

type Place = Pick<Context, 'directories' | 'world'>

/** The journal's path; the file is created with the first upload. */
const journalPath = ({ directories }: Place): string => join(directories.dataDir, 'uploads.db')

/**
 * Opens the journal of this user's uploads, and creates it if there is none. Throws UsageFailure `key_unusable` where what is
 * written could not be known again, since its key cannot be stored.
 */
export const openJournal = async (context: Context) => await opened(context, await journalKey(context))

/** Opens it to remove uploads, of which nothing has to be known again. */
export const openJournalToRemove = async (context: Context) => await opened(context, await anyKey(context))

async function opened(context: Context, key: Buffer) {
  const { openLocalJournal } = await import('../journal/local-journal.ts')
  const { options, told } = journalOptions(context, key)
  return told(openLocalJournal(journalPath(context), { ...options, hide: context.err.hide }))
}

/** Opens it read-only. */
export async function readJournal(context: Place & Partial<Pick<Context, 'warn'>>) {
  const { readLocalJournal } = await import('../journal/local-journal.ts')
  const { options, told } = journalOptions(context, await anyKey(context))
  return told(readLocalJournal(journalPath(context), options))
}

/** The journal in memory of each process that has one, by its world. */
const inMemory = new WeakMap<object, LocalJournal>()

/**
 * The opened journal or, if it or its key cannot be written, one in memory and a warning, so that uploads still work. It is the same
 * for all that a process does, so that a watcher goes on with what it has begun.
 */
export async function orMemoryJournal<J>(
  context: Context,
  open: (context: Context) => Promise<J>,
): Promise<J | LocalJournal> {
  try {
    return await open(context)
  } catch (error) {
    if (!(error instanceof UsageFailure) || !notStorable.includes(error.code)) throw error
    const { world } = context
    const known = inMemory.get(world)
    if (known) return known
    await context.warn(notResumable(error))
    const { openMemoryJournal } = await import('../journal/memory-journal.ts')
    const opened = openMemoryJournal(world.clock)
    inMemory.set(world, opened)
    return opened
  }
}

const notStorable = ['journal_unwritable', 'key_unusable']

const notResumable = ({ code, message, hint }: UsageFailure): Warning => ({
  code,
  message: `${message}; an interrupted upload cannot be resumed`,
  hint,
})

type Reading = Pick<Context, 'directories' | 'world'> & Partial<Pick<Context, 'warn'>>

/** The uploads that a command has said it leaves alone. */
const said = new WeakMap<object, Set<string>>()

/** How a command opens the journal, and how it says at its end what was left alone. */
function journalOptions({ world, warn }: Reading, key: Buffer) {
  const before = said.get(world) ?? new Set()
  said.set(world, before)
  const foreign: ForeignRow[] = []
  const onForeign = (row: ForeignRow) => {
    if (before.has(row.uploadRequestId)) return
    before.add(row.uploadRequestId)
    foreign.push(row)
  }
  return {
    options: { clock: world.clock, key, onForeign },
    /** The same journal, which says at its end what was left alone. */
    told: <J extends { close(): void }>(journal: J): J => ({
      ...journal,
      close() {
        if (foreign.length > 0) void warn?.(leftAlone(foreign))
        journal.close()
      },
    }),
  }
}

async function journalKey({ directories }: Reading): Promise<Buffer> {
  const { secretKey } = await import('../../config/secret-key.ts')
  return secretKey(directories.configDir, 'journal')
}

/** The same; where it cannot be stored, one that nothing in the journal fits, and a warning. */
async function anyKey(context: Reading): Promise<Buffer> {
  try {
    return await journalKey(context)
  } catch (error) {
    if (!(error instanceof UsageFailure) || error.code !== 'key_unusable') throw error
    await context.warn?.(notResumable(error))
    const { randomBytes } = await import('node:crypto')
    return randomBytes(32)
  }
}

function leftAlone(rows: readonly ForeignRow[]): Warning {
  const names = rows.slice(0, 5).map(({ file, uploadRequestId }) => `${file} (${uploadRequestId})`)
  const more = rows.length > 5 ? `, and ${rows.length - 5} more` : ''
  const are = rows.length === 1 ? 'One upload of the journal is' : `${rows.length} uploads of the journal are`
  return {
    code: 'not_own_upload',
    message: `${are} left alone, not recorded by this pubctl: ${names.join(', ')}${more}`,
    hint: 'They may come from a restored journal, or of an older version. To remove one: pubctl uploads forget <id>',
  }
}
