import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../../src/system/world.ts'
import { errorOf, presignedServer, rawHead, send, sendRaw } from '../support/servers/presigned-server.ts'
import { clientOf, dataFolder } from '../support/servers/sandbox.ts'
import { startServer } from '../support/servers/sandbox-server.ts'

let server: Awaited<ReturnType<typeof presignedServer>>
beforeEach(async () => {
  server = await presignedServer()
})
afterEach(() => server.close())

/** Waits until no body is left that has not become an object. */
const nothingLeft = () => vi.waitFor(async () => expect(await server.leftovers()).toEqual([]))

describe('a client that asks before it sends', () => {
  /** Sends a PUT with `Expect: 100-continue`, and its body only once it is asked for. */
  function ask(
    uploadUrl: string,
    headers: Record<string, string>,
  ): Promise<{ asked: boolean; status: number }> {
    return new Promise((resolve, reject) => {
      let asked = false
      const req = request(uploadUrl, {
        method: 'PUT',
        agent: false,
        headers: { ...headers, 'content-length': 4, expect: '100-continue' },
      })
      req.on('error', reject).on('continue', () => {
        asked = true
        req.end('body')
      })
      req.on('response', res => {
        res.resume().on('end', () => resolve({ asked, status: res.statusCode ?? 0 }))
        if (!asked) req.destroy()
      })
      req.flushHeaders()
    })
  }

  test('is asked for the body once its headers are accepted', async () => {
    const { uploadUrl, requiredHeaders } = server.grant()
    expect(await ask(uploadUrl, requiredHeaders)).toEqual({ asked: true, status: 200 })
  })

  test('is refused without being asked', async () => {
    const { uploadUrl, requiredHeaders } = server.grant()
    const answer = await sendRaw(
      uploadUrl,
      rawHead(uploadUrl, {
        ...requiredHeaders,
        'Content-Type': 'x/y',
        'Content-Length': '4',
        Expect: '100-continue',
      }),
      { thenEnd: false },
    )
    expect(answer).toMatch(/^HTTP\/1.1 403 /)
    expect(answer).not.toContain('100 Continue')
  })
})

describe('whatever goes wrong', () => {
  test('a client that sends everything before it listens still gets the refusal', async () => {
    const { uploadUrl, requiredHeaders } = server.grant()
    const body = Buffer.alloc(32 * 2 ** 20)
    const head = rawHead(uploadUrl, {
      ...requiredHeaders,
      'Content-Type': 'x/y',
      'Content-Length': String(body.length),
    })
    const socket = connect({ port: Number(new URL(uploadUrl).port), host: '127.0.0.1' })
    socket.pause()
    socket.write(head)
    await new Promise<void>((resolve, reject) =>
      socket.write(body, error => (error ? reject(error) : resolve())),
    )
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk)
    expect(errorOf({ body: Buffer.concat(chunks).toString() }).code).toBe('SignatureDoesNotMatch')
  })

  test('a client that vanishes leaves nothing behind', async () => {
    const { uploadUrl, requiredHeaders } = server.grant()
    const socket = connect({ port: Number(new URL(uploadUrl).port), host: '127.0.0.1' })
    socket.write(rawHead(uploadUrl, { ...requiredHeaders, 'Content-Length': '1000' }))
    socket.write('x'.repeat(500))
    await vi.waitFor(async () => expect(await server.leftovers()).toHaveLength(1))
    socket.resetAndDestroy()
    await nothingLeft()
    expect(server.stored).toEqual([])
  })

  test('a client that stalls is told so and cut off', async () => {
    const impatient = await presignedServer({ idleMilliseconds: 20 })
    const { uploadUrl, requiredHeaders } = impatient.grant()
    const head = rawHead(uploadUrl, { ...requiredHeaders, 'Content-Length': '1000' })
    const answer = await sendRaw(uploadUrl, `${head}half`, { thenEnd: false })
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(errorOf({ body: answer }).code).toBe('RequestTimeout')
    await vi.waitFor(async () => expect(await impatient.leftovers()).toEqual([]))
    expect(impatient.stored).toEqual([])
    await impatient.close()
  })

  test('a store that fails gives InternalError, and its reason stays inside', async () => {
    const broken = await presignedServer({ store: () => Promise.reject(new Error('secret reason')) })
    const { uploadUrl, requiredHeaders } = broken.grant()
    const answer = await send(uploadUrl, requiredHeaders, 'x')
    expect(answer.status).toBe(500)
    expect(errorOf(answer).code).toBe('InternalError')
    expect(answer.body).not.toContain('secret reason')
    await vi.waitFor(async () => expect(await broken.leftovers()).toEqual([]))
    await broken.close()
  })

  test('a full disk gives SlowDown', async () => {
    const full = await presignedServer({
      store: () => Promise.reject(Object.assign(new Error(), { code: 'ENOSPC' })),
    })
    const { uploadUrl, requiredHeaders } = full.grant()
    const answer = await send(uploadUrl, requiredHeaders, 'x')
    expect(answer.status).toBe(503)
    expect(errorOf(answer).code).toBe('SlowDown')
    await full.close()
  })

  test('a store that takes its time is no stalled client', async () => {
    const slow = await presignedServer({ idleMilliseconds: 200, store: () => systemClock.sleep(800) })
    const { uploadUrl, requiredHeaders } = slow.grant()
    expect((await send(uploadUrl, requiredHeaders, 'x')).status).toBe(200)
    await slow.close()
  })

  test.skipIf(process.platform === 'win32')(
    'a write that fails is answered while the client is still sending',
    async () => {
      // No file may have more than a mebibyte.
      const dataDir = dataFolder()
      const { baseUrl, key } = await startServer(dataDir, [], 'ulimit -f 2048')
      const { uploadUrl, requiredHeaders } = (await clientOf(baseUrl, key).create()).result
      const answer = await send(uploadUrl, requiredHeaders, Buffer.alloc(16 * 2 ** 20))
      expect(answer.status).toBe(500)
      expect(errorOf(answer).code).toBe('InternalError')
      await vi.waitFor(async () => expect(await readdir(join(dataDir, 'incoming'))).toEqual([]))
      expect((await send(uploadUrl, requiredHeaders, 'small')).status).toBe(200)
    },
  )

  test('a place that cannot be written to gives InternalError', async () => {
    await writeFile(server.tempDir, 'a file where the folder should be')
    const { uploadUrl, requiredHeaders } = server.grant()
    const answer = await send(uploadUrl, requiredHeaders, Buffer.alloc(4 * 2 ** 20))
    expect(answer.status).toBe(500)
    expect(errorOf(answer).code).toBe('InternalError')
  })

  test('of two files sent to one object at once, the one that ends last stays, whole', async () => {
    const { uploadUrl, requiredHeaders } = server.grant('contested')
    const size = 200_000
    const open = () => {
      const req = request(uploadUrl, {
        method: 'PUT',
        agent: false,
        headers: { ...requiredHeaders, 'content-length': size },
      })
      const status = new Promise(resolve => req.on('response', res => resolve(res.resume().statusCode)))
      return { req, status }
    }
    const [first, second] = [open(), open()]
    first.req.write('1'.repeat(size / 2))
    second.req.write('2'.repeat(size / 2))
    await vi.waitFor(async () => expect(await server.leftovers()).toHaveLength(2))
    second.req.end('2'.repeat(size / 2))
    expect(await second.status).toBe(200)
    first.req.end('1'.repeat(size / 2))
    expect(await first.status).toBe(200)
    expect((await server.content('contested')).toString()).toBe('1'.repeat(size))
    await nothingLeft()
  })

  test('what a killed process left behind is swept away, and what may still be arriving is not', async () => {
    const tempDir = join(server.tempDir, 'of-another')
    await mkdir(tempDir, { recursive: true })
    const files = ['old.part', 'new.part', 'old-but-not-ours.txt'].map(name => join(tempDir, name))
    for (const file of files) await writeFile(file, '')
    const longAgo = new Date(Date.now() - 2 * 3_600_000)
    for (const file of files.filter(file => file.includes('old'))) await utimes(file, longAgo, longAgo)
    const next = await presignedServer({ tempDir })
    await vi.waitFor(async () =>
      expect((await readdir(tempDir)).sort()).toEqual(['new.part', 'old-but-not-ours.txt']),
    )
    await next.close()
  })
})
