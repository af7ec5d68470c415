import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createPresignedTarget, type PresignedTargetOptions } from '../../../src/sandbox/s3/presigned.ts'
import type { StoredObject } from '../../../src/sandbox/store/objects.ts'
import { systemClock } from '../../../src/system/world.ts'

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** A presigned target behind a real server, over a folder that stands for the store. */
export async function presignedServer(options: Partial<PresignedTargetOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'pubctl-presigned-'))
  const tempDir = join(folder, 'incoming')
  const clock = {
    ...systemClock,
    time: Date.UTC(2026, 0, 31, 12),
    now: () => clock.time,
    monotonic: () => clock.time,
    sleep: () => Promise.reject(new Error('nothing sleeps here')),
  }
  const stored: StoredObject[] = []
  const server = createServer({ requestTimeout: 0 })
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const target = createPresignedTarget({
    secret: randomBytes(32),
    origin,
    clock,
    tempDir,
    async store(object) {
      await rename(object.path, join(folder, encodeURIComponent(object.objectKey)))
      stored.push(object)
    },
    ...options,
  })
  server.on('request', target.handle).on('checkContinue', target.handle)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))

  return {
    ...target,
    clock,
    stored,
    tempDir,
    content: (objectKey: string) => readFile(join(folder, encodeURIComponent(objectKey))),
    /** The bodies that have not become objects. */
    leftovers: () => readdir(tempDir).catch(() => []),
    grant: (objectKey = `books/${randomUUID()}.epub`) =>
      target.presign({ objectKey, contentType: 'application/epub+zip', expiresIn: 900 }),
    async close() {
      await new Promise(resolve => {
        server.close(resolve)
        server.closeAllConnections()
      })
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** One request by node's own client; a string or buffer is sent with its length, a stream as `headers` say. */
export function send(
  url: string,
  headers: Record<string, string>,
  body: string | Buffer | Readable,
  method = 'PUT',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length =
      typeof body === 'string' || Buffer.isBuffer(body) ? { 'content-length': Buffer.byteLength(body) } : {}
    const req = request(url, { method, headers: { ...length, ...headers }, agent: false })
    req.on('error', reject)
    req.on('response', async res => {
      resolve({ status: res.statusCode ?? 0, headers: res.headers, body: await text(res) })
    })
    if (typeof body === 'string' || Buffer.isBuffer(body)) req.end(body)
    else body.pipe(req)
  })
}

/** The head of a PUT, byte by byte as it travels. */
export function rawHead(url: string, headers: Record<string, string>): string {
  const { pathname, search, host } = new URL(url)
  const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `PUT ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** Sends these bytes over a bare connection, closes its sending half when asked to, and gives all that comes back. */
export function sendRaw(
  url: string,
  bytes: string | Buffer,
  { thenEnd }: { thenEnd: boolean },
): Promise<string> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true })
  if (thenEnd) socket.end(bytes)
  else socket.write(bytes)
  socket.once('end', () => socket.end())
  return text(socket)
}

/** What an S3 error's XML says its code and message are. */
export function errorOf({ body }: { body: string }): {
  code: string | undefined
  message: string | undefined
} {
  return { code: /<Code>(.*?)<\/Code>/.exec(body)?.[1], message: /<Message>(.*?)<\/Message>/.exec(body)?.[1] }
}
