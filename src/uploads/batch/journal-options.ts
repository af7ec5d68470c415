// A separate module, because the help of commands does not need it.
import type { Context } from '../../cli/context.ts'
import { UsageFailure } from '../../system/errors.ts'
import type { Warning } from '../../system/warning.ts'
import type { ForeignRow } from '../journal/seal.ts'

type Reading = Pick<Context, 'directories' | 'world'> & Partial<Pick<Context, 'warn'>>

/** The uploads that a command has said it leaves alone. */
const said = new WeakMap<object, Set<string>>()

/** How a command opens the journal, and how it says at its end what was left alone. */
export async function journalOptions(context: Reading) {
  const { world, warn } = context
  const before = said.get(world) ?? new Set()
  said.set(world, before)
  const foreign: ForeignRow[] = []
  const onForeign = (row: ForeignRow) => {
    if (before.has(row.uploadRequestId)) return
    before.add(row.uploadRequestId)
    foreign.push(row)
  }
  return {
    options: { clock: world.clock, key: await journalKey(context), onForeign },
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

/** The key of the journal; where it cannot be stored, one for this process alone, and a warning. */
async function journalKey({ directories, warn }: Reading): Promise<Buffer> {
  const { secretKey } = await import('../../config/secret-key.ts')
  try {
    return secretKey(directories.configDir, 'journal')
  } catch (error) {
    if (!(error instanceof UsageFailure) || error.code !== 'key_unusable') throw error
    await warn?.({
      code: error.code,
      message: `${error.message}; an interrupted upload cannot be resumed`,
      hint: error.hint,
    })
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
