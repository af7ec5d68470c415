import { describe, expect, it } from 'vitest'
import type { Failure } from '../../src/system/errors.ts'
import { noProfiles, resolve } from '../support/machine/settings.ts'

const other = 'https://other.example'

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
