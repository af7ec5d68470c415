import { createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fileOf } from '../support/books/make-book.ts'
import { runBin } from '../support/machine/bin.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { hasOpenssl, makeAuthority, serveSecurely } from '../support/proxies/authority.ts'
import { json } from '../support/servers/server.ts'

const key = 'canary-key-0123456789'
const body = JSON.stringify({ items: [{ id: 'd1' }], context: {} })
const final = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`

/**
 * A server of bare connections that answers each request with these pieces, one after the other, once its head is there,
 * and its body as well where the last piece is the answer.
 */
async function answering(pieces: readonly string[]) {
  const connections = new Set<Socket>()
  const received: string[] = []
  const server = createServer(socket => {
    connections.add(socket)
    let text = ''
    let sent = 0
    socket.on('error', () => undefined)
    socket.on('data', async chunk => {
      text += chunk.toString('latin1')
      const end = text.indexOf('\r\n\r\n') + 4
      if (end < 4) return
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (sent === 0) {
        for (sent = 1; sent < pieces.length; sent++) {
          socket.write(pieces[sent - 1] as string)
          await new Promise(resolve => setImmediate(resolve))
        }
      }
      if (text.length < end + length || sent !== pieces.length) return
      received.push(text.slice(end))
      text = ''
      sent = 0
      socket.write(pieces.at(-1) as string)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of connections) socket.destroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}`, received, connections }
}

const more = 'HTTP/1.1 100 Continue\r\n\r\n'
const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n'

describe('an interim answer that nobody asked for', () => {
  it.each<[string, string[]]>([
    ['100', [more, final]],
    ['100 with headers', ['HTTP/1.1 100 Continue\r\nserver: x\r\ndate: now\r\n\r\n', final]],
    ['100 in pieces', ['HTTP/1.1 1', '00 Conti', 'nue\r\n', '\r', '\n', final]],
    ['100 together with the answer', [more + final]],
    ['100 twice, 102 and 103', [more, more + hints, 'HTTP/1.1 102 Processing\r\n\r\n', hints, final]],
    ['none', [final]],
    ['an unknown one', ['HTTP/1.1 199 Odd\r\n\r\n', final]],
  ])('is passed over: %s', async (_, pieces) => {
    const { url, received, connections } = await answering(pieces)
    const { run } = machine({ PUBCTL_API_KEY: key, PUBCTL_BASE_URL: url })
    const list = await run(['domains', 'list', '--json', '-v'])
    expect({ code: list.code, items: JSON.parse(list.out) }).toEqual({ code: 0, items: [{ id: 'd1' }] })

    const file = fileOf('x'.repeat(2_000_000))
    const session = JSON.stringify({
      uploadUrl: `${url}/put?X-Amz-Signature=0123456789`,
      requiredHeaders: {},
    })
    const put = await run(['uploads', 'put', file, '--session', '-', '--json'], { stdin: session })
    expect({ code: put.code, err: put.err }).toEqual({ code: 0, err: '' })
    expect(received.map(({ length }) => length)).toEqual([0, 2_000_000])
    expect(connections.size).toBe(2)

    // Each answer on a connection that is kept may come after others.
    const deleted = await run(['domains', 'delete', 'd1', 'd2', 'd3', '--yes', '--json'])
    expect({ code: deleted.code, ids: JSON.parse(deleted.out).length }).toEqual({ code: 0, ids: 3 })
    expect(received).toHaveLength(5)
    expect(connections.size).toBeLessThan(5)
  })

  it.skipIf(!hasOpenssl)('is passed over behind TLS', async () => {
    const authority = makeAuthority(temporaryFolder())
    const { port, received } = await serveSecurely(authority.issue('127.0.0.1'), (_, response) => {
      response.writeContinue()
      json(response, 200, { items: [], context: {} })
    })
    const { exitCode, stderr } = await runBin(['domains', 'list'], {
      PUBCTL_API_KEY: key,
      PUBCTL_BASE_URL: `https://127.0.0.1:${port}`,
      NODE_EXTRA_CA_CERTS: authority.file,
    })
    expect({ exitCode, stderr, count: received.length }).toEqual({ exitCode: 0, stderr: '', count: 1 })
  })

  it('is refused when its head has no end', async () => {
    const { url } = await answering([`HTTP/1.1 100 Continue\r\n${'a: b\r\n'.repeat(10_000)}`])
    const { run } = machine({ PUBCTL_API_KEY: key, PUBCTL_BASE_URL: url })
    const { code, err } = await run(['domains', 'create', 'x.example', '--json'])
    expect({ code, error: JSON.parse(err).error.code }).toEqual({ code: 8, error: 'bad_reply' })
  })

  it('is no answer when no other follows', async () => {
    const { url } = await answering([more + hints, ''])
    const { code, err } = await machine({ PUBCTL_API_KEY: key, PUBCTL_BASE_URL: url }).run([
      ...['domains', 'create', 'x.example', '--json', '--timeout', '1s'],
    ])
    expect({ code, error: JSON.parse(err.trimEnd().split('\n').at(-1) as string).error.code }).toEqual({
      code: 8,
      error: 'timeout',
    })
  })
})
