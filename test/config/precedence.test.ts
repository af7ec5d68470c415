import { describe, expect, it } from 'vitest'
import { type Given, outcome, saved } from '../support/machine/settings.ts'

const noKey = 'no_api_key, exit 3'
const usage = 'usage, exit 2'

/** `--profile=work PUBCTL_API_KEY=env-key current=bare` */
const parse = (given: string): Given =>
  Object.fromEntries([...given.matchAll(/(\S+?)=(\S*)/g)].map(([, name, value]) => [name, value]))

describe('which key goes to which address', () => {
  it.each<[sentence: string, given: string, expected: string]>([
    // Nothing, or too little.
    ['nothing given is told how to begin', '', noKey],
    ['an address alone has no key', '--base-url=https://other.example', noKey],
    ['an address of the environment alone has no key', 'PUBCTL_BASE_URL=https://other.example', noKey],
    ['a key alone has no address', '--api-key-file=flag-key', 'no_address, exit 2'],
    ['a key of the environment alone has no address', 'PUBCTL_API_KEY=env-key', 'no_address, exit 2'],
    ['a profile without a key has none to give', 'current=bare', noKey],
    ['an explicit profile without a key has none to give', '--profile=bare', noKey],

    // Flag against environment.
    [
      '--api-key-file beats PUBCTL_API_KEY',
      '--api-key-file=flag-key PUBCTL_API_KEY=env-key --base-url=https://other.example',
      'flag-key → https://other.example',
    ],
    [
      '--base-url beats PUBCTL_BASE_URL',
      '--base-url=https://other.example PUBCTL_BASE_URL=https://env.example PUBCTL_API_KEY=env-key',
      'env-key → https://other.example',
    ],
    [
      '--profile beats PUBCTL_PROFILE',
      '--profile=work PUBCTL_PROFILE=vault',
      'work-key → https://work.example',
    ],
    [
      '--api-key-file goes to PUBCTL_BASE_URL',
      '--api-key-file=flag-key PUBCTL_BASE_URL=https://other.example',
      'flag-key → https://other.example',
    ],

    // Against the current profile.
    [
      'the current profile is used when nothing else is given',
      'current=work',
      'work-key → https://work.example',
    ],
    [
      'a profile may have its key in the keychain',
      'current=desk',
      "the keychain's 0123456789abcdef → https://desk.example",
    ],
    [
      'PUBCTL_API_KEY beats the keychain',
      'PUBCTL_API_KEY=env-key current=desk',
      'env-key → https://desk.example',
    ],
    ['a key in the keychain stays at home', '--base-url=https://other.example current=desk', noKey],
    ['a profile may print its key', 'current=vault', 'print-key → https://vault.example/books'],
    [
      'PUBCTL_PROFILE beats the current profile',
      'PUBCTL_PROFILE=vault current=work',
      'print-key → https://vault.example/books',
    ],
    [
      '--profile beats the current profile',
      '--profile=vault current=work',
      'print-key → https://vault.example/books',
    ],
    [
      'PUBCTL_API_KEY beats the key of the current profile',
      'PUBCTL_API_KEY=env-key current=work',
      'env-key → https://work.example',
    ],
    [
      '--api-key-file beats the key of the current profile',
      '--api-key-file=flag-key current=work',
      'flag-key → https://work.example',
    ],
    [
      'PUBCTL_API_KEY fills in for a profile without a key',
      'PUBCTL_API_KEY=env-key current=bare',
      'env-key → https://bare.example',
    ],
    ['the key of the current profile stays at home', '--base-url=https://other.example current=work', noKey],
    [
      'the key of the current profile does not follow PUBCTL_BASE_URL',
      'PUBCTL_BASE_URL=https://other.example current=work',
      noKey,
    ],
    [
      'a keyCommand is not even run for another address',
      'PUBCTL_BASE_URL=https://other.example current=vault',
      noKey,
    ],
    [
      'another path of the same origin is the same address',
      '--base-url=https://work.example/v2-gate/ current=work',
      'work-key → https://work.example/v2-gate',
    ],
    ['another port is another address', '--base-url=https://work.example:8443 current=work', noKey],
    ['another scheme is another address', '--base-url=http://work.example current=work', noKey],

    // Against a profile that the environment names.
    [
      'PUBCTL_API_KEY beats the key of PUBCTL_PROFILE',
      'PUBCTL_API_KEY=env-key PUBCTL_PROFILE=work',
      'env-key → https://work.example',
    ],
    [
      '--api-key-file beats the key of PUBCTL_PROFILE',
      '--api-key-file=flag-key PUBCTL_PROFILE=work',
      'flag-key → https://work.example',
    ],
    [
      'PUBCTL_BASE_URL beats the address of PUBCTL_PROFILE, whose key stays at home',
      'PUBCTL_BASE_URL=https://other.example PUBCTL_PROFILE=work',
      noKey,
    ],
    [
      '--base-url beats the address of PUBCTL_PROFILE, whose key stays at home',
      '--base-url=https://other.example PUBCTL_PROFILE=work',
      noKey,
    ],

    // Against an explicit profile.
    [
      'an explicit profile beats PUBCTL_API_KEY',
      '--profile=work PUBCTL_API_KEY=env-key',
      'work-key → https://work.example',
    ],
    [
      '--api-key-file beats the key of an explicit profile',
      '--profile=work --api-key-file=flag-key',
      'flag-key → https://work.example',
    ],
    [
      'PUBCTL_API_KEY fills in for an explicit profile without a key',
      '--profile=bare PUBCTL_API_KEY=env-key',
      'env-key → https://bare.example',
    ],
    [
      '--base-url needs a key of its own beside an explicit profile',
      '--profile=work --base-url=https://other.example',
      noKey,
    ],
    [
      'PUBCTL_BASE_URL needs a key of its own beside an explicit profile',
      '--profile=work PUBCTL_BASE_URL=https://other.example',
      noKey,
    ],
    [
      'PUBCTL_API_KEY is no such key, since the explicit profile beats it',
      '--profile=work PUBCTL_BASE_URL=https://other.example PUBCTL_API_KEY=env-key',
      noKey,
    ],
    [
      '--api-key-file is such a key',
      '--profile=work --base-url=https://other.example --api-key-file=flag-key',
      'flag-key → https://other.example',
    ],
    [
      'a profile that does not exist is an error even when it would not be needed',
      '--profile=wrok --base-url=https://other.example --api-key-file=flag-key',
      'unknown_profile, exit 2',
    ],
    ['an empty --profile is no profile', '--profile= current=work', 'unknown_profile, exit 2'],

    // The sandbox.
    ['the sandbox has a key of its own', '--profile=sandbox', 'its own key → sandbox'],
    ['the sandbox may be the current profile', 'current=sandbox', 'its own key → sandbox'],
    [
      'the sandbox may be named by the environment',
      'PUBCTL_PROFILE=sandbox current=work',
      'its own key → sandbox',
    ],
    [
      'an explicit sandbox beats PUBCTL_API_KEY',
      '--profile=sandbox PUBCTL_API_KEY=env-key',
      'its own key → sandbox',
    ],
    [
      'PUBCTL_API_KEY beats the key of a sandbox that PUBCTL_PROFILE names',
      'PUBCTL_PROFILE=sandbox PUBCTL_API_KEY=env-key',
      'env-key → sandbox',
    ],
    [
      'PUBCTL_API_KEY beats the key of a current sandbox',
      'current=sandbox PUBCTL_API_KEY=env-key',
      'env-key → sandbox',
    ],
    [
      '--api-key-file tries another key in the sandbox',
      '--profile=sandbox --api-key-file=flag-key',
      'flag-key → sandbox',
    ],
    [
      'the sandbox takes no other address',
      '--profile=sandbox --base-url=https://other.example --api-key-file=flag-key',
      usage,
    ],
    ['nor one of the environment', '--profile=sandbox PUBCTL_BASE_URL=https://other.example', usage],
    [
      'nor beside PUBCTL_PROFILE',
      'PUBCTL_PROFILE=sandbox PUBCTL_BASE_URL=https://other.example PUBCTL_API_KEY=env-key',
      usage,
    ],
    ['the key of a current sandbox stays at home', 'current=sandbox --base-url=https://other.example', noKey],
    [
      'key and address together need no sandbox',
      'current=sandbox --base-url=https://other.example --api-key-file=flag-key',
      'flag-key → https://other.example',
    ],

    // Plain http.
    [
      'http to this machine is allowed',
      '--base-url=http://localhost:8787 PUBCTL_API_KEY=env-key',
      'env-key → http://localhost:8787',
    ],
    [
      'http to another machine is not',
      '--base-url=http://10.0.0.7:8080 PUBCTL_API_KEY=env-key',
      'insecure_address, exit 2',
    ],
    ['http is allowed where the profile says so', '--profile=lan', 'lan-key → http://10.0.0.7:8080'],
    [
      'a profile allows http to its own address only',
      '--profile=lan --base-url=http://10.0.0.8:8080 --api-key-file=flag-key',
      'insecure_address, exit 2',
    ],
  ])('%s', async (_, given, expected) => {
    expect(await outcome(parse(given))).toBe(expected)
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

const other = 'https://other.example'

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
