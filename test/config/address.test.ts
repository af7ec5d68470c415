import { describe, expect, it } from 'vitest'
import type { Failure } from '../../src/system/errors.ts'
import { resolve } from '../support/machine/settings.ts'

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
    'http://books.localhost',
    'http://localhost.',
    'http://[::ffff:127.0.0.1]',
    'http://0.0.0.0',
    'http://[::2]',
    'http://[::ffff:10.0.0.7]',
    'http://10.127.0.1',
  ])('%s would send the key over the network unencrypted', async given => {
    await expect(addressOf(given)).rejects.toMatchObject({ code: 'insecure_address', exitCode: 2 })
  })

  it.each([
    'https://api.example.com/v1',
    'https://api.example.com/v1/',
    'https://api.example.com/books/v1//',
  ])('%s is told that it ends in /v1', async given => {
    await expect(addressOf(given)).rejects.toMatchObject({
      code: 'unfit_address',
      message: 'the address in --base-url ends in /v1, which pubctl adds by itself',
      hint: 'Write it like https://api.example.com, without /v1 at its end.',
    })
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
