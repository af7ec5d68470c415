import { describe, expect, it } from 'vitest'
import type { Profile } from '../src/config/profile.ts'
import { resolveSettings, type Settings } from '../src/config/settings.ts'
import { Failure, UsageFailure } from '../src/errors.ts'

const saved: Record<string, Profile> = {
  work: { baseUrl: 'https://work.example', apiKey: 'work-key' },
  vault: { baseUrl: 'https://vault.example/books', keyCommand: 'print-key', multiValue: 'comma' },
  bare: { baseUrl: 'https://bare.example' },
  lan: { baseUrl: 'http://10.0.0.7:8080', apiKey: 'lan-key', allowHttp: true },
}

interface Given {
  '--profile'?: string | undefined
  '--base-url'?: string | undefined
  '--api-key-file'?: string | undefined
  PUBCTL_PROFILE?: string | undefined
  PUBCTL_BASE_URL?: string | undefined
  PUBCTL_API_KEY?: string | undefined
  current?: string | undefined
}

const noProfiles = {
  current: () => Promise.reject(new Error('the configuration was read')),
  get: () => Promise.reject(new Error('the configuration was read')),
}

function resolve(given: Given, profiles = storeWith(given.current)): Promise<Settings> {
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
async function outcome(given: Given): Promise<string> {
  try {
    const { key, ...settings } = await resolve(given)
    const what = key.from === 'sandbox' ? 'its own key' : key.from === 'keyCommand' ? key.command : key.value
    return `${what} → ${settings.isSandbox ? 'sandbox' : settings.baseUrl}`
  } catch (error) {
    if (error instanceof Failure) return `${error.code}, exit ${error.exitCode}`
    throw error
  }
}

const other = 'https://other.example'
const noKey = 'no_api_key, exit 3'
const usage = 'usage, exit 2'

describe('which key goes to which address', () => {
  it.each<[sentence: string, given: Given, expected: string]>([
    // Nothing, or too little.
    ['nothing given is told how to begin', {}, noKey],
    ['an address alone has no key', { '--base-url': other }, noKey],
    ['an address of the environment alone has no key', { PUBCTL_BASE_URL: other }, noKey],
    ['a key alone has no address', { '--api-key-file': 'flag-key' }, 'no_address, exit 2'],
    ['a key of the environment alone has no address', { PUBCTL_API_KEY: 'env-key' }, 'no_address, exit 2'],
    ['a profile without a key has none to give', { current: 'bare' }, noKey],
    ['an explicit profile without a key has none to give', { '--profile': 'bare' }, noKey],

    // Flag against environment.
    [
      '--api-key-file beats PUBCTL_API_KEY',
      { '--api-key-file': 'flag-key', PUBCTL_API_KEY: 'env-key', '--base-url': other },
      `flag-key → ${other}`,
    ],
    [
      '--base-url beats PUBCTL_BASE_URL',
      { '--base-url': other, PUBCTL_BASE_URL: 'https://env.example', PUBCTL_API_KEY: 'env-key' },
      `env-key → ${other}`,
    ],
    [
      '--profile beats PUBCTL_PROFILE',
      { '--profile': 'work', PUBCTL_PROFILE: 'vault' },
      'work-key → https://work.example',
    ],
    [
      '--api-key-file goes to PUBCTL_BASE_URL',
      { '--api-key-file': 'flag-key', PUBCTL_BASE_URL: other },
      `flag-key → ${other}`,
    ],

    // Against the current profile.
    [
      'the current profile is used when nothing else is given',
      { current: 'work' },
      'work-key → https://work.example',
    ],
    ['a profile may print its key', { current: 'vault' }, 'print-key → https://vault.example/books'],
    [
      'PUBCTL_PROFILE beats the current profile',
      { PUBCTL_PROFILE: 'vault', current: 'work' },
      'print-key → https://vault.example/books',
    ],
    [
      '--profile beats the current profile',
      { '--profile': 'vault', current: 'work' },
      'print-key → https://vault.example/books',
    ],
    [
      'PUBCTL_API_KEY beats the key of the current profile',
      { PUBCTL_API_KEY: 'env-key', current: 'work' },
      'env-key → https://work.example',
    ],
    [
      '--api-key-file beats the key of the current profile',
      { '--api-key-file': 'flag-key', current: 'work' },
      'flag-key → https://work.example',
    ],
    [
      'PUBCTL_API_KEY fills in for a profile without a key',
      { PUBCTL_API_KEY: 'env-key', current: 'bare' },
      'env-key → https://bare.example',
    ],
    ['the key of the current profile stays at home', { '--base-url': other, current: 'work' }, noKey],
    [
      'the key of the current profile does not follow PUBCTL_BASE_URL',
      { PUBCTL_BASE_URL: other, current: 'work' },
      noKey,
    ],
    ['a keyCommand is not even run for another address', { PUBCTL_BASE_URL: other, current: 'vault' }, noKey],
    [
      'another path of the same origin is the same address',
      { '--base-url': 'https://work.example/v2-gate/', current: 'work' },
      'work-key → https://work.example/v2-gate',
    ],
    [
      'another port is another address',
      { '--base-url': 'https://work.example:8443', current: 'work' },
      noKey,
    ],
    ['another scheme is another address', { '--base-url': 'http://work.example', current: 'work' }, noKey],

    // Against a profile that the environment names.
    [
      'PUBCTL_API_KEY beats the key of PUBCTL_PROFILE',
      { PUBCTL_API_KEY: 'env-key', PUBCTL_PROFILE: 'work' },
      'env-key → https://work.example',
    ],
    [
      '--api-key-file beats the key of PUBCTL_PROFILE',
      { '--api-key-file': 'flag-key', PUBCTL_PROFILE: 'work' },
      'flag-key → https://work.example',
    ],
    [
      'PUBCTL_BASE_URL beats the address of PUBCTL_PROFILE, whose key stays at home',
      { PUBCTL_BASE_URL: other, PUBCTL_PROFILE: 'work' },
      noKey,
    ],
    [
      '--base-url beats the address of PUBCTL_PROFILE, whose key stays at home',
      { '--base-url': other, PUBCTL_PROFILE: 'work' },
      noKey,
    ],

    // Against an explicit profile.
    [
      'an explicit profile beats PUBCTL_API_KEY',
      { '--profile': 'work', PUBCTL_API_KEY: 'env-key' },
      'work-key → https://work.example',
    ],
    [
      '--api-key-file beats the key of an explicit profile',
      { '--profile': 'work', '--api-key-file': 'flag-key' },
      'flag-key → https://work.example',
    ],
    [
      'PUBCTL_API_KEY fills in for an explicit profile without a key',
      { '--profile': 'bare', PUBCTL_API_KEY: 'env-key' },
      'env-key → https://bare.example',
    ],
    [
      '--base-url needs a key of its own beside an explicit profile',
      { '--profile': 'work', '--base-url': other },
      noKey,
    ],
    [
      'PUBCTL_BASE_URL needs a key of its own beside an explicit profile',
      { '--profile': 'work', PUBCTL_BASE_URL: other },
      noKey,
    ],
    [
      'PUBCTL_API_KEY is no such key, since the explicit profile beats it',
      { '--profile': 'work', PUBCTL_BASE_URL: other, PUBCTL_API_KEY: 'env-key' },
      noKey,
    ],
    [
      '--api-key-file is such a key',
      { '--profile': 'work', '--base-url': other, '--api-key-file': 'flag-key' },
      `flag-key → ${other}`,
    ],
    [
      'a profile that does not exist is an error even when it would not be needed',
      { '--profile': 'wrok', '--base-url': other, '--api-key-file': 'flag-key' },
      'unknown_profile, exit 2',
    ],
    ['an empty --profile is no profile', { '--profile': '', current: 'work' }, 'unknown_profile, exit 2'],

    // The sandbox.
    ['the sandbox has a key of its own', { '--profile': 'sandbox' }, 'its own key → sandbox'],
    ['the sandbox may be the current profile', { current: 'sandbox' }, 'its own key → sandbox'],
    [
      'the sandbox may be named by the environment',
      { PUBCTL_PROFILE: 'sandbox', current: 'work' },
      'its own key → sandbox',
    ],
    [
      'an explicit sandbox beats PUBCTL_API_KEY',
      { '--profile': 'sandbox', PUBCTL_API_KEY: 'env-key' },
      'its own key → sandbox',
    ],
    [
      'PUBCTL_API_KEY beats the key of a sandbox that PUBCTL_PROFILE names',
      { PUBCTL_PROFILE: 'sandbox', PUBCTL_API_KEY: 'env-key' },
      'env-key → sandbox',
    ],
    [
      'PUBCTL_API_KEY beats the key of a current sandbox',
      { current: 'sandbox', PUBCTL_API_KEY: 'env-key' },
      'env-key → sandbox',
    ],
    [
      '--api-key-file tries another key in the sandbox',
      { '--profile': 'sandbox', '--api-key-file': 'flag-key' },
      'flag-key → sandbox',
    ],
    [
      'the sandbox takes no other address',
      { '--profile': 'sandbox', '--base-url': other, '--api-key-file': 'flag-key' },
      usage,
    ],
    ['nor one of the environment', { '--profile': 'sandbox', PUBCTL_BASE_URL: other }, usage],
    [
      'nor beside PUBCTL_PROFILE',
      { PUBCTL_PROFILE: 'sandbox', PUBCTL_BASE_URL: other, PUBCTL_API_KEY: 'env-key' },
      usage,
    ],
    ['the key of a current sandbox stays at home', { current: 'sandbox', '--base-url': other }, noKey],
    [
      'key and address together need no sandbox',
      { current: 'sandbox', '--base-url': other, '--api-key-file': 'flag-key' },
      `flag-key → ${other}`,
    ],

    // Plain http.
    [
      'http to this machine is allowed',
      { '--base-url': 'http://localhost:8787', PUBCTL_API_KEY: 'env-key' },
      'env-key → http://localhost:8787',
    ],
    [
      'http to another machine is not',
      { '--base-url': 'http://10.0.0.7:8080', PUBCTL_API_KEY: 'env-key' },
      'insecure_address, exit 2',
    ],
    ['http is allowed where the profile says so', { '--profile': 'lan' }, 'lan-key → http://10.0.0.7:8080'],
    [
      'a profile allows http to its own address only',
      { '--profile': 'lan', '--base-url': 'http://10.0.0.8:8080', '--api-key-file': 'flag-key' },
      'insecure_address, exit 2',
    ],
  ])('%s', async (_, given, expected) => {
    expect(await outcome(given)).toBe(expected)
  })

  it('holds its rules in every combination of what can be given', async () => {
    let successes = 0
    for (const given of combinations()) {
      const said = JSON.stringify(given)
      const result = await outcome(given)
      const named = given['--profile'] ?? given.PUBCTL_PROFILE
      const address = given['--base-url'] ?? given.PUBCTL_BASE_URL
      const explicitKey = given['--profile'] !== undefined && saved[given['--profile']]?.apiKey !== undefined
      const [key, target] = result.split(' → ')
      if (target === undefined) {
        expect(result, said).toMatch(/^(no_api_key, exit 3|no_address, exit 2|usage, exit 2)$/)
        continue
      }
      successes++
      if (key === 'work-key') expect(target, said).toBe('https://work.example')
      if (key === 'its own key') expect(target, said).toBe('sandbox')
      if (given['--api-key-file'] !== undefined) expect(key, said).toBe('flag-key')
      if (key === 'env-key') expect(explicitKey || given['--profile'] === 'sandbox', said).toBe(false)
      if (given.PUBCTL_API_KEY !== undefined && given['--profile'] === undefined)
        expect(key, said).not.toBe('work-key')
      if (address !== undefined) expect(target, said).toBe(address)
      if (address === undefined && named !== undefined)
        expect(target, said).toBe(saved[named]?.baseUrl ?? 'sandbox')
    }
    expect(successes).toBeGreaterThan(300)
  })
})

function* combinations(): Generator<Given> {
  for (const profile of [undefined, 'work', 'bare', 'sandbox'])
    for (const environmentProfile of [undefined, 'work', 'bare', 'sandbox'])
      for (const current of [undefined, 'work', 'bare', 'sandbox'])
        for (const baseUrl of [undefined, 'https://work.example', other])
          for (const environmentUrl of [undefined, 'https://work.example', other])
            for (const key of [undefined, 'flag-key'])
              for (const environmentKey of [undefined, 'env-key'])
                yield {
                  '--profile': profile,
                  '--base-url': baseUrl,
                  '--api-key-file': key,
                  PUBCTL_PROFILE: environmentProfile,
                  PUBCTL_BASE_URL: environmentUrl,
                  PUBCTL_API_KEY: environmentKey,
                  current,
                }
}

describe('the settings', () => {
  it('say where each part is from', async () => {
    expect(await resolve({ '--profile': 'vault' })).toEqual({
      isSandbox: false,
      baseUrl: 'https://vault.example/books',
      baseUrlSource: 'profile',
      key: { from: 'keyCommand', command: 'print-key' },
      profileName: 'vault',
      multiValue: 'comma',
    })
    expect(await resolve({ '--base-url': `${other}/`, PUBCTL_API_KEY: 'env-key' })).toEqual({
      isSandbox: false,
      baseUrl: other,
      baseUrlSource: 'flag',
      key: { from: 'environment', value: 'env-key' },
      multiValue: 'repeat',
    })
    expect(await resolve({ PUBCTL_PROFILE: 'sandbox' })).toEqual({
      isSandbox: true,
      key: { from: 'sandbox' },
      profileName: 'sandbox',
      multiValue: 'repeat',
    })
  })

  it('do not touch the configuration when key and address are given', async () => {
    const given = { PUBCTL_BASE_URL: other, PUBCTL_API_KEY: 'env-key' }
    expect(await resolve(given, noProfiles)).toMatchObject({ baseUrl: other, baseUrlSource: 'environment' })
  })

  it.each(['PUBCTL_PROFILE', 'PUBCTL_BASE_URL', 'PUBCTL_API_KEY'] as const)(
    'are refused while %s is set but empty, also when a flag would beat it',
    async name => {
      const flags = {
        '--profile': 'work',
        '--base-url': 'https://work.example',
        '--api-key-file': 'flag-key',
      }
      for (const value of ['', ' ', '\n']) {
        const failure = resolve({ ...flags, [name]: value })
        await expect(failure).rejects.toMatchObject({
          message: `${name} is set but empty`,
          code: 'usage',
          exitCode: 2,
        })
      }
    },
  )

  it('say without a profile how to set one up and how to try the sandbox', async () => {
    const failure = await resolve({}).catch((error: Failure) => error)
    expect((failure as Failure).hint).toMatch(/pubctl profile setup.*--profile sandbox/)
  })

  it.each([
    ['flag-key\n', 'flag-key'],
    ['flag-key\r\n', 'flag-key'],
    ['flag-key', 'flag-key'],
  ])('take a key file of %j without its line break', async (text, value) => {
    expect((await resolve({ '--base-url': other, '--api-key-file': text })).key).toEqual({
      from: 'flag',
      value,
    })
  })

  it.each([
    '',
    '\n',
    'se cret',
    'secret\n\n',
    ' secret',
    'se\tcret',
    '\ufeffsecret',
    'sécret',
    'secret\u0000',
    'secret\u007f',
  ])('refuse a key of %j without showing it', async key => {
    const failure = await resolve({ '--base-url': other, '--api-key-file': key }).catch(
      (error: Failure) => error,
    )
    expect(failure).toMatchObject({ code: 'unfit_key', exitCode: 2 })
    expect((failure as Failure).message).toContain('--api-key-file')
    expect((failure as Failure).message).not.toMatch(/s[eé]\s?cret/)
  })

  it('refuse an unfit key of the environment, whose line break is not forgiven', async () => {
    const failure = resolve({ PUBCTL_BASE_URL: other, PUBCTL_API_KEY: 'secret\n' })
    await expect(failure).rejects.toMatchObject({ code: 'unfit_key' })
  })
})

describe('an address', () => {
  const addressOf = async (url: string) => {
    const settings = await resolve({ '--base-url': url, '--api-key-file': 'flag-key' })
    return settings.isSandbox ? undefined : settings.baseUrl
  }

  it.each([
    ['https://API.Example.com', 'https://api.example.com'],
    ['https://api.example.com/', 'https://api.example.com'],
    ['https://api.example.com:443/', 'https://api.example.com'],
    ['https://api.example.com/books//', 'https://api.example.com/books'],
    ['HTTPS://api.example.com/a/../b/', 'https://api.example.com/b'],
    ['http://localhost:8787/', 'http://localhost:8787'],
    ['http://books.localhost', 'http://books.localhost'],
    ['http://127.0.0.1:1', 'http://127.0.0.1:1'],
    ['http://127.255.0.9', 'http://127.255.0.9'],
    ['http://[::1]:8787', 'http://[::1]:8787'],
    ['http://2130706433', 'http://127.0.0.1'],
  ])('%s becomes %s', async (given, expected) => {
    expect(await addressOf(given)).toBe(expected)
  })

  it.each([
    'http://example.com',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'http://notlocalhost',
    'http://0.0.0.0',
    'http://[::2]',
    'http://[::ffff:10.0.0.7]',
    'http://10.127.0.1',
  ])('%s would send the key over the network unencrypted', async given => {
    await expect(addressOf(given)).rejects.toMatchObject({ code: 'insecure_address', exitCode: 2 })
  })

  it.each([
    '',
    'api.example.com',
    '/v1',
    'ftp://example.com',
    'file:///etc/passwd',
    'https:api.example.com',
    'https://',
    'https://exa mple.com',
    ' https://example.com',
    'https://example.com\n',
    'https:\\\\example.com',
    'https://localhost\\@example.com',
    'https://example.com?token=pk_secret',
    'https://example.com/?',
    'https://example.com#top',
    'https://ada@example.com',
    'https://ada:pk_secret@example.com',
    'https://:pk_secret@example.com',
  ])('%j is refused without being repeated', async given => {
    const failure = await addressOf(given).catch((error: Failure) => error)
    expect(failure).toMatchObject({ code: 'unfit_address', exitCode: 2 })
    expect((failure as Failure).message).toMatch(/^the address in --base-url /)
    expect((failure as Failure).message).not.toContain('secret')
  })
})
