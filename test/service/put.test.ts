import { createHash, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openHttp } from '../../src/service/client/http.ts'
import { put } from '../../src/service/client/put.ts'
import { sendFile } from '../../src/service/client/send-file.ts'
import { slicesOf } from '../../src/service/client/upload-body.ts'
import { anyFile } from '../../src/system/may-read.ts'
import { systemClock } from '../../src/system/world.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { faultyServer } from '../support/proxies/faulty-server.ts'
import { serve } from '../support/servers/server.ts'

const xml =
  '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>'
const refusal = `HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: ${xml.length}\r\n\r\n${xml}`

/** The address of an upload to a store with faults. */
const addressOf = ({ url }: { url: string }) => `${url}/put?X-Amz-Signature=hidden`

async function send(uploadUrl: string, source: Parameters<typeof put>[2]): Promise<void> {
  const http = openHttp({})
  try {
    const options = {
      clock: systemClock,
      idleTimeout: () => 10_000,
      baseUrl: uploadUrl,
      userAgent: 'test',
      signal: new AbortController().signal,
      mayRead: anyFile,
    }
    await put(http, { uploadUrl, requiredHeaders: {} }, source, options)
  } finally {
    await http.close()
  }
}

function bigFile(bytes: number): { path: string; bytes: number; content: Buffer } {
  const path = join(temporaryFolder(), 'big.bin')
  const content = randomBytes(bytes)
  writeFileSync(path, content)
  return { path, bytes, content }
}

const digest = (content: Buffer | undefined) =>
  createHash('sha256')
    .update(content ?? '')
    .digest('hex')

describe('a store that refuses before it has taken the file', () => {
  it.each([
    ['reads on', 'read'],
    ['reads no more', undefined],
    ['hangs up', 'drop'],
    ['resets the connection', 'reset'],
  ] as const)('is heard when it %s', async (_, does) => {
    const url = addressOf(await faultyServer({ when: 1, says: refusal, does }))
    const source = bigFile(40_000_000)
    // Whether an answer is lost is a matter of chance, so one attempt would prove little.
    for (let attempt = 0; attempt < 5; attempt++) {
      await expect(send(url, source)).rejects.toMatchObject({
        code: 'AccessDenied',
        status: 403,
        exitCode: 4,
        message: expect.stringContaining('Request has expired'),
      })
    }
  })
})

it.each([
  ['a short last piece', 30 * 262_144 + 8000],
  ['a long one', 30 * 262_144 + 200_000],
  ['one piece', 1000],
])(
  'bytes in memory can be overwritten once all are sent, also those that a connection queues: %s',
  async (_, bytes) => {
    const content = randomBytes(bytes)
    const before = Buffer.from(content)
    const pieces: Uint8Array[] = []
    for await (const piece of slicesOf(content, sent => sent === bytes && content.fill(0))) pieces.push(piece)
    // A connection that has taken a piece has sent it; it is asked for the next one before that only where it queues it.
    const queued = pieces.filter(({ length }) => length < 65_536)
    const at = before.length - queued.reduce((sum, { length }) => sum + length, 0)
    expect(Buffer.concat(queued)).toEqual(before.subarray(at))
  },
)

describe('a store that hangs up early', () => {
  it.each([
    ['a file', 3_000_001],
    ['a file of one byte', 1],
    ['an empty file', 0],
  ])('gets %s whole at the second attempt', async (_, bytes) => {
    const { path, content } = bigFile(bytes)
    const store = await faultyServer({ when: 'connected', times: 1, does: 'reset' })
    const { url, received } = store
    await send(`${url}/put`, { path, bytes })
    const connections = store.connections()
    expect({ connections, requests: received.length }).toEqual({ connections: 2, requests: 1 })
    expect(received[0]?.headers['content-length']).toBe(String(bytes))
    expect(digest(received[0]?.body)).toBe(digest(content))
  })

  it('is named, without the secrets of the address, when it never answers', async () => {
    const url = addressOf(await faultyServer({ when: 1, does: 'reset' }))
    const trouble = send(url, bigFile(1000))
    await expect(trouble).rejects.toMatchObject({ code: 'network', exitCode: 8 })
    await expect(trouble).rejects.toThrow(
      /the upload store at http:\/\/127\.0\.0\.1:\d+: the connection was cut$/,
    )
  })
})

describe('a store that hangs up late', () => {
  it('is not sent so many bytes again, as its buffers cannot have held them', async () => {
    const store = await faultyServer({ when: 20_000_000, does: 'reset' })
    const sent = send(addressOf(store), bigFile(40_000_000))
    await expect(sent).rejects.toMatchObject({ code: 'network', exitCode: 8 })
    expect(store.connections()).toBe(1)
  })

  it.each([
    [200, true],
    [204, true],
    [299, true],
    [300, false],
    [400, false],
  ])('that answers %d has taken the file: %s', async (status, isTaken) => {
    const { url } = await serve((_, response) => response.writeHead(status).end())
    const sent = send(`${url}/put`, bigFile(10))
    if (isTaken) expect(await sent).toBeUndefined()
    else await expect(sent).rejects.toMatchObject({ code: `http_${status}`, status })
  })

  it('is not asked again when it has refused', async () => {
    const { url, received } = await serve((_, response) => response.writeHead(400).end())
    await expect(send(`${url}/put`, bigFile(1000))).rejects.toMatchObject({ code: 'http_400' })
    expect(received).toHaveLength(1)
  })
})

it('a store that refuses an empty file, of which nothing moved, can be reached', async () => {
  const { url } = await serve((_, response) => response.writeHead(400).end())
  const http = openHttp({})
  const reached: string[] = []
  const sent = sendFile(
    { content: Buffer.alloc(0) },
    {
      ...{ http, baseUrl: url, userAgent: 'test', timeout: undefined, clock: systemClock },
      ...{ signal: new AbortController().signal, mayRead: anyFile },
      reachability: {
        left: () => 10_000,
        reached: name => reached.push(name),
        failed: () => undefined,
        tryAgain: () => undefined,
        waitsForHandles: () => true,
      },
      target: async () => ({ uploadUrl: `${url}/put`, requiredHeaders: {} }),
    },
  )
  await expect(sent).rejects.toMatchObject({ code: 'http_400' })
  await http.close()
  expect(reached).toContain(`the upload store at ${url}`)
})

describe('a second attempt', () => {
  it('sends one byte and waits, so that the answer of a store that refuses can arrive', async () => {
    const store = await faultyServer([
      { when: 1, times: 1, does: 'reset' },
      { when: 'sending', delay: 300, status: 403, headers: { connection: 'close' }, body: xml },
    ])
    const sent = send(addressOf(store), bigFile(100_000))
    await expect(sent).rejects.toMatchObject({ code: 'AccessDenied', status: 403 })
    // The rest would have followed at once.
    expect({ connections: store.connections(), sent: store.carried() }).toEqual({ connections: 2, sent: 1 })
  })
})
