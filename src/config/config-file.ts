import { join } from 'node:path'
import { UsageFailure } from '../system/errors.ts'
import { checkOwnership, readOwnFile } from '../system/ownership.ts'

/** The content of config.json. People edit it by hand, so any value may be invalid. */
export type Stored = Record<string, unknown>

/** The path of config.json in a config folder. */
export const configPath = (folder: string): string => join(folder, 'config.json')

/**
 * Reads config.json in a folder. Throws UsageFailure for an invalid file, which is never overwritten because it may hold
 * keys that exist nowhere else, and for one that other users can write to, because it can name a command to run.
 */
export function readConfig(folder: string): Stored {
  checkOwnership(folder)
  try {
    return parseConfig(readOwnFile(configPath(folder)), folder)
  } catch (error) {
    throw configFailure(folder, 'read', error)
  }
}

/** Parses the text of config.json. Throws UsageFailure `config_broken`. */
export function parseConfig(text: string, folder: string): Stored {
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

/** An error of reading or writing config.json as a failure that names the folder. */
export function configFailure(folder: string, action: 'read' | 'write', error: unknown): UsageFailure {
  if (error instanceof UsageFailure) return error
  const { code, message } = error as NodeJS.ErrnoException
  return new UsageFailure(`cannot ${action} the configuration in ${folder}: ${code ?? message}`, {
    code: action === 'read' ? 'config_unreadable' : 'config_unwritable',
    cause: error,
  })
}

const broken = (folder: string, trouble: string): UsageFailure =>
  new UsageFailure(`the file config.json in ${folder} ${trouble}`, {
    code: 'config_broken',
    hint: 'Repair it, or move it away and set up the profiles again: pubctl profile setup',
  })
