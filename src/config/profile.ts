import { UsageFailure } from '../errors.ts'
import { parseAddress } from './address.ts'
import { checkKey } from './key-text.ts'

/** One service: its address, and where the key for it is. */
export interface Profile {
  readonly baseUrl: string
  readonly apiKey?: string
  /** The command that prints the key. */
  readonly keyCommand?: string
  /** The id of the key in the operating system's keychain. */
  readonly keychain?: string
  /** Lets the key travel over plain http to this address. */
  readonly allowHttp?: boolean
  /** How a query parameter with several values is written. */
  readonly multiValue?: 'repeat' | 'comma'
}

/** The built-in profile: the embedded service. It is never stored. */
export const sandboxName = 'sandbox'

/** Throws when a profile cannot be called so. */
export function checkProfileName(name: string): void {
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(name)) {
    throw new UsageFailure(`"${name}" is not a name for a profile`, {
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

/** Reads what a person or another version may have written; `source` names the profile in messages. */
export function parseProfile(value: unknown, source: string): Profile {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw unfit(source, 'is not an object')
  const { baseUrl, apiKey, keyCommand, keychain, allowHttp, multiValue } = value as Record<string, unknown>
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
  return {
    baseUrl: parseAddress(baseUrl, source),
    ...(apiKey === undefined ? {} : { apiKey: checkKey(apiKey, source) }),
    ...(keyCommand === undefined ? {} : { keyCommand }),
    ...(keychain === undefined ? {} : { keychain }),
    ...(allowHttp === undefined ? {} : { allowHttp }),
    ...(multiValue === undefined ? {} : { multiValue }),
  }
}

/** The id of the key in the keychain that a stored profile names, whatever else is in it. */
export function keychainIdIn(value: unknown): string | undefined {
  const id = typeof value === 'object' && value !== null && 'keychain' in value ? value.keychain : undefined
  return typeof id === 'string' ? id : undefined
}

const unfit = (source: string, trouble: string): UsageFailure =>
  new UsageFailure(`${source} ${trouble}`, {
    code: 'unfit_profile',
    hint: 'Set it up again: pubctl profile setup',
  })
