// A separate module, so that conf is only loaded when a command needs a profile.
import { dirname } from 'node:path'
import Conf from 'conf'
import { UsageFailure } from '../system/errors.ts'
import { checkOwnership, readOwnFile } from '../system/ownership.ts'
import { configSchema } from './config-schema.ts'

/** The content of config.json. People edit it by hand, so any profile may be invalid, and there may be more than pubctl knows. */
export interface Stored extends Record<string, unknown> {
  /** The name of the current profile. */
  readonly current?: string | null | undefined
  readonly profiles?: Readonly<Record<string, unknown>> | null
}

/** A file config.json, which other processes read and write, too. */
export interface ConfigFile {
  /**
   * Reads the file, which must exist. Throws UsageFailure for an invalid one, which is never overwritten because it may hold keys
   * that exist nowhere else, and for one that other users can write to, because it can name a command to run.
   */
  read(): Stored
  /**
   * Replaces the file atomically, readable for its owner alone. It must be no symbolic link, which conf follows. Throws
   * UsageFailure.
   */
  write(stored: Stored): void
}

/** Opens config.json, which is only read when a method is called. */
export function openConfig(path: string): ConfigFile {
  let conf: Conf<Stored> | undefined
  const open = () => {
    conf ??= new Conf<Stored>({
      cwd: dirname(path),
      configName: 'config',
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
      clearInvalidConfig: false,
      schema: configSchema,
      // conf reads by the path, where another file may be by now. What counts is the text of the one that is checked while it is open.
      deserialize: () => parse(readOwnFile(path), dirname(path)),
    })
    return conf
  }
  return {
    read() {
      checkOwnership(dirname(path))
      return attempt(path, 'read', () => open().store)
    },
    write(stored) {
      attempt(path, 'write', () => {
        open().store = stored
      })
    },
  }
}

function parse(text: string, folder: string): Stored {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    // The parser's message is left out because it quotes the text around the error, which may be a key.
    throw broken(folder, 'is not valid JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw broken(folder, 'holds no JSON object')
  return value as Stored
}

function attempt<T>(path: string, action: 'read' | 'write', work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof UsageFailure) throw error
    const { code, message } = error as NodeJS.ErrnoException
    const [, field] = /^Config schema violation: `(\w+)`/.exec(message) ?? []
    if (field !== undefined && field in configSchema)
      throw new UsageFailure(
        `in ${path}, "${field}" is not ${configSchema[field as keyof typeof configSchema].title}`,
        { code: 'config_broken', hint: 'Correct it in an editor.' },
      )
    throw new UsageFailure(`cannot ${action} the configuration in ${dirname(path)}: ${code ?? message}`, {
      code: action === 'read' ? 'config_unreadable' : 'config_unwritable',
      cause: error,
    })
  }
}

const broken = (folder: string, trouble: string): UsageFailure =>
  new UsageFailure(`the file config.json in ${folder} ${trouble}`, {
    code: 'config_broken',
    hint: 'Repair it, or move it away and set up the profiles again: pubctl profile setup',
  })
