// A module of its own, so that conf is loaded only when a profile is needed.
import Conf from 'conf'
import { UsageFailure } from '../errors.ts'

/** What stands in the file; the values come from a person's hand as often as from pubctl. */
export type Stored = Record<string, unknown>

interface ConfigFile {
  readonly path: string
  read(): Stored
  write(stored: Stored): void
}

/** Opens config.json in a folder. A broken one is an error, never overwritten: it may hold keys that exist nowhere else. */
export function openConfigFile(folder: string): ConfigFile {
  const attempt = <T>(action: string, access: () => T): T => {
    try {
      return access()
    } catch (error) {
      if (error instanceof UsageFailure) throw error
      const { code, message } = error as NodeJS.ErrnoException
      throw new UsageFailure(`cannot ${action} the configuration in ${folder}: ${code ?? message}`, {
        code: action === 'read' ? 'config_unreadable' : 'config_unwritable',
        cause: error,
      })
    }
  }
  const conf = attempt(
    'read',
    () =>
      new Conf<Stored>({
        cwd: folder,
        configName: 'config',
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
        clearInvalidConfig: false,
        deserialize: text => parse(text, folder),
      }),
  )
  return {
    path: conf.path,
    read: () => attempt('read', () => conf.store),
    write: stored =>
      attempt('write', () => {
        conf.store = stored
      }),
  }
}

function parse(text: string, folder: string): Stored {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    // The parser's own words quote the text around the mistake, which may be a key, so they are kept out.
    throw broken(folder, 'is not valid JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw broken(folder, 'holds no JSON object')
  return value as Stored
}

const broken = (folder: string, trouble: string): UsageFailure =>
  new UsageFailure(`the file config.json in ${folder} ${trouble}`, {
    code: 'config_broken',
    hint: 'Mend it, or move it away and set the profiles up anew with: pubctl profile setup',
  })
