import type { Profile } from '../../../src/config/profile.ts'
import { resolveSettings, type Settings } from '../../../src/config/settings.ts'
import { Failure, UsageFailure } from '../../../src/system/errors.ts'

/** The profiles there are. */
export const saved: Record<string, Profile> = {
  work: { baseUrl: 'https://work.example', apiKey: 'work-key' },
  vault: { baseUrl: 'https://vault.example/books', keyCommand: 'print-key', multiValue: 'comma' },
  desk: { baseUrl: 'https://desk.example', keychain: '0123456789abcdef' },
  bare: { baseUrl: 'https://bare.example' },
  lan: { baseUrl: 'http://10.0.0.7:8080', apiKey: 'lan-key', allowHttp: true },
}

/** What a person, the environment and the configuration give. */
export interface Given {
  '--profile'?: string | undefined
  '--base-url'?: string | undefined
  '--api-key-file'?: string | undefined
  PUBCTL_PROFILE?: string | undefined
  PUBCTL_BASE_URL?: string | undefined
  PUBCTL_API_KEY?: string | undefined
  current?: string | undefined
}

/** A configuration that may not be read. */
export const noProfiles = {
  current: () => Promise.reject(new Error('the configuration was read')),
  get: () => Promise.reject(new Error('the configuration was read')),
}

/** The settings that follow from what is given. */
export function resolve(given: Given, profiles = storeWith(given.current)): Promise<Settings> {
  const { PUBCTL_PROFILE, PUBCTL_BASE_URL, PUBCTL_API_KEY } = given
  return resolveSettings({
    flags: { profile: given['--profile'], baseUrl: given['--base-url'], apiKey: given['--api-key-file'] },
    env: { PUBCTL_PROFILE, PUBCTL_BASE_URL, PUBCTL_API_KEY },
    profiles,
  })
}

const storeWith = (current: string | undefined) => ({
  current: async () => current,
  get: async (name: string) => {
    const profile = saved[name]
    if (profile === undefined)
      throw new UsageFailure(`there is no profile "${name}"`, { code: 'unknown_profile' })
    return profile
  },
})

/** What was chosen, in one line: the key and where it goes, or the code of the failure. */
export async function outcome(given: Given): Promise<string> {
  try {
    const { key, ...settings } = await resolve(given)
    return `${told(key)} → ${settings.isSandbox ? 'sandbox' : settings.baseUrl}`
  } catch (error) {
    if (error instanceof Failure) return `${error.code}, exit ${error.exitCode}`
    throw error
  }
}

function told(key: Settings['key']): string {
  if (key.from === 'sandbox') return 'its own key'
  if (key.from === 'keychain') return `the keychain's ${key.id}`
  return key.from === 'keyCommand' ? key.command : key.value
}
