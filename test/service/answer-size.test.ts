import { describe, expect, it } from 'vitest'
import { runBin } from '../support/machine/bin.ts'
import { isSlow, share } from '../support/machine/slow.ts'
import { serve } from '../support/servers/server.ts'

const mebibyte = 1024 * 1024

/** The list of users from a service that gives this body, in a process that may have 128 MiB for its values. */
async function usersFrom(body: string, ...more: string[]) {
  const { url } = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  )
  return await runBin(['users', 'list', ...more], {
    PUBCTL_API_KEY: 'canary-key-0123456789',
    PUBCTL_BASE_URL: url,
    NODE_OPTIONS: '--max-old-space-size=128',
  })
}

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
