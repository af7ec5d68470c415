import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { asNetworkFailure } from '../../src/client/network-errors.ts'
import { machine } from '../support/pubctl.ts'

/** A server of bare connections that does as told once something of a request is there. */
async function bare(act: (socket: Socket) => void): Promise<string> {
  const server = createServer(socket => {
    socket.on('error', () => undefined)
    socket.once('data', () => act(socket))
    onTestFinished(() => void socket.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A command that is not repeated, so that the first trouble is the one that is told. */
const create = (url: string, ...options: string[]) =>
  machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url }).run([
    ...options,
    'domains',
    'create',
    'a.example',
    '--json',
  ])

const head = 'HTTP/1.1 201 Created\r\ncontent-type: application/json\r\n'
const answering = (text: string) => (socket: Socket) => void socket.end(text)

describe('trouble on the way is told in words', () => {
  it.each<[string, (socket: Socket) => void, string, RegExp]>([
    ['a connection that ends without an answer', socket => void socket.end(), 'network', /was cut/],
    ['a reset', socket => void socket.resetAndDestroy(), 'network', /was cut/],
    ['a short body', answering(`${head}content-length: 99\r\n\r\n{"item"`), 'network', /was cut/],
    ['a short chunk', answering(`${head}transfer-encoding: chunked\r\n\r\n9\r\n{}`), 'network', /was cut/],
    [
      'a broken chunk',
      answering(`${head}transfer-encoding: chunked\r\n\r\nzz\r\n{}`),
      'bad_reply',
      /is not HTTP/,
    ],
    ['another protocol', answering('SSH-2.0-OpenSSH_9.6\r\n'), 'bad_reply', /is not HTTP/],
    ['a broken header', answering(`${head}no header\r\n\r\n{}`), 'bad_reply', /is not HTTP/],
    [
      'endless headers',
      answering(`${head}x: ${'a'.repeat(200_000)}\r\n\r\n{}`),
      'bad_reply',
      /too many headers/,
    ],
    ['no answer at all', () => undefined, 'timeout', /did not answer within 0\.3 s/],
    [
      'an answer that stops',
      socket => void socket.write(`${head}content-length: 99\r\n\r\n{`),
      'timeout',
      /did not answer within/,
    ],
  ])('%s', async (_, act, errorCode, words) => {
    const { code, out, err } = await create(await bare(act), '--timeout', '300ms')
    expect({ code, out }).toEqual({ code: 8, out: '' })
    const { error } = JSON.parse(err)
    expect(error).toMatchObject({ code: errorCode, exitCode: 8, hint: expect.stringMatching(/\.$/) })
    expect(error.message).toMatch(words)
    expect(error.message).toMatch(/the service at http:\/\/127\.0\.0\.1:\d+/)
    expect(err).not.toMatch(/fetch failed|UND_ERR|\n +at |\.js:\d/)
  })

  it('a name that nobody knows', async () => {
    const { code, err } = await create('https://nowhere.invalid', '--timeout', '2s')
    expect(code).toBe(8)
    expect(JSON.parse(err).error.message).toMatch(
      /https:\/\/nowhere\.invalid: (there is no host|the name could not)/,
    )
  })
})

describe('a mistake in pubctl itself', () => {
  it.each([new TypeError('x is not a function'), new RangeError('too deep'), new ReferenceError('no x')])(
    'is not blamed on the network: %s',
    error => expect(() => asNetworkFailure(error, 'the service')).toThrow(error),
  )

  it('is told from what fetch makes of a network error', () => {
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    const failure = asNetworkFailure(new TypeError('fetch failed', { cause }), 'the service')
    expect(failure).toMatchObject({
      code: 'network',
      message: expect.stringMatching(/nothing listens there/),
    })
  })
})
