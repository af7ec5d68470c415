import { UsageFailure } from '../system/errors.ts'
import { isObject } from '../system/is-object.ts'
import { parseAddress } from './address.ts'
import { checkKey } from './key-text.ts'

/** The address of a service, and where its key is. */
export interface Profile {
  readonly baseUrl: string
  readonly apiKey?: string
  /** The command that prints the key. */
  readonly keyCommand?: string
  /** The id of the key in the operating system's keychain. */
  readonly keychain?: string
  /** Allows sending the key over plain http to this address. */
  readonly allowHttp?: boolean
  /** How a query parameter with several values is sent: `a=1&a=2`, or `a=1,2`. */
  readonly multiValue?: 'repeat' | 'comma'
  /** The packs and files of rules that books are checked by; files with their absolute paths. */
  readonly rules?: readonly string[]
  /** Whether EPUBCheck checks books as well. */
  readonly epubcheck?: boolean
}

/** The built-in profile, which uses the sandbox. It is never stored. */
export const sandboxName = 'sandbox'

/** Throws UsageFailure `unfit_name` for an invalid name. */
export function checkProfileName(name: string): void {
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(name)) {
    throw new UsageFailure(`"${name}" cannot be the name of a profile`, {
      code: 'unfit_name',
      hint: 'Use up to 64 letters, digits, dots, dashes and underscores, with a letter or a digit first.',
    })
  }
  if (name.toLowerCase() === sandboxName) {
    throw new UsageFailure(`the profile ${sandboxName} is built in`, {
      code: 'unfit_name',
      hint: 'Choose another name.',
    })
  }
}

/**
 * Reads a profile that a person or another version of pubctl may have written. `source` names it in messages. Throws
 * UsageFailure `unfit_profile`.
 */
export function parseProfile(value: unknown, source: string): Profile {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw unfit(source, 'is not an object')
  const { baseUrl, apiKey, keyCommand, keychain, allowHttp, multiValue, rules, epubcheck } = value as Record<
    string,
    unknown
  >
  if (typeof baseUrl !== 'string') throw unfit(source, 'has no text for "baseUrl"')
  if (apiKey !== undefined && typeof apiKey !== 'string')
    throw unfit(source, 'has an "apiKey" that is not text')
  if (keyCommand !== undefined && (typeof keyCommand !== 'string' || keyCommand.trim() === '')) {
    throw unfit(source, 'has a "keyCommand" that is not a command')
  }
  if (keychain !== undefined && (typeof keychain !== 'string' || !/^[0-9a-f]{16}$/.test(keychain))) {
    throw unfit(source, 'has a "keychain" that is not the id of a key')
  }
  const [one, other] = Object.entries({
    'an "apiKey"': apiKey,
    'a "keyCommand"': keyCommand,
    'a "keychain"': keychain,
  })
    .filter(([, given]) => given !== undefined)
    .map(([name]) => name)
  if (other !== undefined) throw unfit(source, `has both ${one} and ${other}`)
  if (allowHttp !== undefined && typeof allowHttp !== 'boolean') {
    throw unfit(source, 'has an "allowHttp" that is neither true nor false')
  }
  if (multiValue !== undefined && multiValue !== 'repeat' && multiValue !== 'comma') {
    throw unfit(source, 'has a "multiValue" that is neither "repeat" nor "comma"')
  }
  if (epubcheck !== undefined && typeof epubcheck !== 'boolean') {
    throw unfit(source, 'has an "epubcheck" that is neither true nor false')
  }
  return {
    baseUrl: parseAddress(baseUrl, source),
    ...(apiKey === undefined ? {} : { apiKey: checkKey(apiKey, source) }),
    ...(keyCommand === undefined ? {} : { keyCommand }),
    ...(keychain === undefined ? {} : { keychain }),
    ...(allowHttp === undefined ? {} : { allowHttp }),
    ...(multiValue === undefined ? {} : { multiValue }),
    // They are checked when they are read.
    ...(rules ? { rules: rules as string[] } : {}),
    ...(epubcheck === undefined ? {} : { epubcheck }),
  }
}

/** The keychain id of a stored profile, even if the rest of it is invalid. */
export function keychainIdIn(value: unknown): string | undefined {
  const id = isObject(value) ? value['keychain'] : undefined
  return typeof id === 'string' ? id : undefined
}

const unfit = (source: string, trouble: string): UsageFailure =>
  new UsageFailure(`${source} ${trouble}`, {
    code: 'unfit_profile',
    hint: 'Set it up again: pubctl profile setup',
  })
