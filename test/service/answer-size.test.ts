import { describe, expect, it } from 'vitest'
import { runBin } from '../support/machine/bin.ts'
import { isSlow, share } from '../support/machine/slow.ts'
import { serve } from '../support/servers/server.ts'

const mebibyte = 1024 * 1024

/** What a command says of a service that gives this body. */
async function answered(args: string[], body: string, more: Record<string, string> = {}) {
  const { url } = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  )
  return await runBin(args, { PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url, ...more })
}

/** The list of users, in a process that may have 128 MiB for its values. */
const usersFrom = (body: string, ...more: string[]) =>
  answered(['users', 'list', ...more], body, { NODE_OPTIONS: '--max-old-space-size=128' })

const listOf = (item: string, bytes: number): string =>
  `{"items":[${`${item},`.repeat(bytes / (item.length + 1))}${item}],"context":{"requestId":"req_1"}}`

const formats = [['--json'], ['-o', 'ndjson', '-v']]
/** How many bodies have been refused, so that each is refused in another format than the one before. */
let tried = 0

describe('an answer that nothing of the service needs', () => {
  it.each(
    share(
      [
        ['24 MB of {}', listOf('{}', 24e6), /longer than 16384 KiB/],
        ['a text of 24 MB', `{"items":["${'x'.repeat(24e6)}"]}`, /longer than 16384 KiB/],
        ['as much of {} as may be long', listOf('{}', 15.9 * mebibyte), /more than 2,000,000 values/],
        ['as many numbers', listOf('1', 15.9 * mebibyte), /more than 2,000,000 values/],
        [
          'as many lists',
          `{"items":${'[],'.repeat(100)}${listOf('[[]]', 15.9 * mebibyte)}`,
          /more than 2,000,000 values/,
        ],
      ],
      3,
    ),
  )('is refused within little memory: %s', async (_, body, words) => {
    for (const more of share(formats, formats.length, tried++)) {
      const { exitCode, stdout, stderr } = await usersFrom(body, ...more)
      expect({ exitCode, stdout }).toEqual({ exitCode: 8, stdout: '' })
      expect(stderr).toMatch(words)
      if (more.includes('--json'))
        expect(JSON.parse(stderr).error).toMatchObject({
          code: 'bad_reply',
          hint: 'Check that the address is that of the service. For a list, --limit asks for less.',
        })
    }
  })
})

describe('an answer of 200,000 items', () => {
  const body = listOf('{"title":"T","views":1}', 200_000 * 24)
  it.each([['apikeys list --json'], ['analytics popular --chart']])('is read whole by %s', async line => {
    const { exitCode, stdout, stderr } = await answered(line.split(' '), body)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout.split('\n').length).toBeGreaterThan(200_000)
  })
})

describe('an answer with a text of seven million escapes', () => {
  const text = '\\n'.repeat(7e6)
  it.each([
    ['and a number that JavaScript would round', '"quota":12345678901234567890'],
    ['and the API key', '"note":"canary-key-0123456789"'],
  ])('%s is printed whole', async (_, more) => {
    const body = `{"items":[{"email":"a@b.c","name":"${text}",${more}}]}`
    const { exitCode, stdout, stderr } = await usersFrom(body, '--json')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toContain(more.replace('canary-key-0123456789', '[redacted]'))
    expect(stdout).toContain(text)
  })
})

describe.runIf(isSlow)('an answer of the largest size', () => {
  it.each(share(['--json', '-ondjson', '-ocsv'], 3))(
    'is printed whole within little memory: %s',
    async format => {
      const user = JSON.stringify({
        id: 'usr_0123456789',
        email: 'ada@example.org',
        role: 'Editor',
        status: 'Active',
      })
      const body = listOf(user, 15.9 * mebibyte)
      const { exitCode, stdout, stderr } = await usersFrom(body, format)
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
      expect(stdout.match(/usr_0123456789/g)).toHaveLength(body.match(/usr_0123456789/g)?.length ?? 0)
    },
  )
})
