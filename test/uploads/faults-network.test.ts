import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openHttp } from '../../src/service/client/http.ts'
import { put } from '../../src/service/client/put.ts'
import { anyFile } from '../../src/system/may-read.ts'
import { exampleBook } from '../support/books/example-book.ts'
import { sleeplessClock } from '../support/machine/clock.ts'
import { machine } from '../support/machine/pubctl.ts'
import { faultyServer } from '../support/proxies/faulty-server.ts'
import { json } from '../support/servers/server.ts'
import { create, stubbornService } from '../support/servers/stubborn-service.ts'

type Scene = Awaited<ReturnType<typeof stubbornService>> & ReturnType<typeof machine>

async function scene(trouble: Parameters<typeof stubbornService>[0]): Promise<Scene> {
  const service = await stubbornService(trouble)
  return { ...service, ...machine(service.env) }
}

/** Answers the first requests that fit with a status, in turn. */
const refusing = (
  fits: (route: string) => boolean,
  statuses: number[],
  headers: Record<string, string> = {},
) => {
  const left = [...statuses]
  return ({ method, url }: { method: string; url: string }, response: ServerResponse) => {
    if (!fits(`${method} ${url}`)) return false
    const status = left.shift()
    if (status === undefined) return false
    return Boolean(response.writeHead(status, headers).end('<Error><Code>SlowDown</Code></Error>'))
  }
}

const isPut = (route: string) => route.startsWith('PUT')
const isCreate = (route: string) => route === 'POST /v1/publications'

describe('an answer with a status that asks to wait', () => {
  it.each([
    ['a PUT', isPut, 503],
    ['a PUT', isPut, 429],
    ['a PUT', isPut, 408],
    ['a PUT', isPut, 425],
    ['the creation', isCreate, 429],
    ['the creation', isCreate, 408],
    ['the creation', isCreate, 425],
    ['the creation', isCreate, 503],
  ] as const)(
    'to %s (%s, %i) gets as much as it asks for, in seconds or as a date',
    async (_, fits, status) => {
      for (const [headerNow, expected] of [
        [() => '7', 7000],
        [() => new Date(Date.now() + 20_000).toUTCString(), 17_500],
      ] as const) {
        const header = headerNow()
        const clock = sleeplessClock()
        const { run, made } = await scene(refusing(fits, [status], { 'retry-after': header }))
        const { code } = await run(
          ['publications', 'upload', await exampleBook({ cover: false }), '--no-wait'],
          { clock },
        )
        expect({ code, made: made.length, puts: made[0]?.puts }).toEqual({ code: 0, made: 1, puts: 1 })
        // A date is of whole seconds, and a busy machine takes some until the answer is read.
        expect(Math.abs((clock.slept[0] ?? 0) - expected)).toBeLessThan(3500)
      }
    },
  )

  it('for longer than two minutes is not waited for, and the upload can be gone on with', async () => {
    const clock = sleeplessClock()
    const { run, made } = await scene(refusing(isPut, [503], { 'retry-after': '3600' }))
    const path = await exampleBook({ cover: false })
    expect((await run(['publications', 'upload', path, '--no-wait'], { clock })).code).toBe(8)
    expect(clock.slept).toEqual([])
    expect((await run(['publications', 'upload', path])).code).toBe(0)
    expect(made.map(({ puts }) => puts)).toEqual([1])
  })

  it('and says nothing of when gets longer and longer pauses, in no fixed step', async () => {
    const clock = sleeplessClock()
    const { run } = await scene(refusing(isPut, [503, 503, 503]))
    expect(
      (await run(['publications', 'upload', await exampleBook({ cover: false }), '--no-wait'], { clock }))
        .code,
    ).toBe(0)
    const [first = 0, second = 0, third = 0] = clock.slept
    for (const [pause, most] of [
      [first, 500],
      [second, 1000],
      [third, 2000],
    ] as const) {
      expect(pause).toBeLessThanOrEqual(most)
      expect(pause).toBeGreaterThanOrEqual(most / 2)
    }
  })
})

describe('an answer that is cut short', () => {
  it.each(['GET /v1/publications/p0', 'POST /v1/publications', 'POST /v1/publication-uploads'])(
    'is asked for again: %s',
    async wanted => {
      let hasCut = false
      let expire = wanted.endsWith('-uploads')
      const { run, made } = await scene(({ method, url }, response) => {
        if (method === 'PUT' && expire) {
          expire = false
          return Boolean(response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>'))
        }
        if (hasCut || !`${method} ${url}`.startsWith(wanted)) return false
        hasCut = true
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
        response.write('{"item":', () => response.destroy())
        return true
      })
      const { code } = await run(['publications', 'upload', await exampleBook({ cover: false })], {
        clock: sleeplessClock(),
      })
      expect({ code, hasCut, made: made.length }).toEqual({ code: 0, hasCut: true, made: 1 })
    },
  )
})

describe('a transfer', () => {
  it('that stalls is given up, and says so', async () => {
    // It takes connections, and reads nothing.
    const server = createServer(socket => void socket.pause().on('error', () => undefined))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const http = openHttp({})
    const path = await exampleBook({ cover: false, paddingBytes: 50_000_000 })
    const stalled = put(
      http,
      { uploadUrl: `http://127.0.0.1:${port}/put?secret`, requiredHeaders: {} },
      { path, bytes: readFileSync(path).length },
      {
        idleTimeout: () => 300,
        baseUrl: `http://127.0.0.1:${port}`,
        userAgent: 'test',
        signal: new AbortController().signal,
        mayRead: anyFile,
      },
    )
    await expect(stalled).rejects.toMatchObject({
      code: 'timeout',
      exitCode: 8,
      message: expect.stringMatching(/stalled: nothing moved for [01] s$/),
    })
    await http.close()
  })

  it('that is too slow for its session is warned of, once', async () => {
    const service = await stubbornService()
    const clock = sleeplessClock()
    const proxy = await faultyServer(service.url, 'pauses files', () => clock.advance(500_000))
    const { run } = machine({ ...service.env, PUBCTL_BASE_URL: proxy })
    const { code, err } = await run(
      ['publications', 'upload', await exampleBook({ cover: false, paddingBytes: 30_000_000 }), '--no-wait'],
      {
        clock,
      },
    )
    expect(code).toBe(0)
    expect(
      err.match(/warning: .* will take about \d+ s at this rate, and its upload session ends after 900 s/g),
    ).toHaveLength(1)
  })
})

describe('a record that was made and is not as it should be', () => {
  it('is found in the list when its id is refused a second time, and is gone on with', async () => {
    let creations = 0
    const { run, made } = await scene((request, response, made) => {
      if (request.method !== 'POST' || request.url !== '/v1/publications') return false
      if (++creations > 1) {
        json(response, 409, { error: 'INVALID_REQUEST', message: 'this id is taken' })
        return true
      }
      // It is made, and the answer is lost.
      create(made, request)
      response.destroy()
      return true
    })
    const { code, err } = await run(['publications', 'upload', await exampleBook({ cover: false })], {
      clock: sleeplessClock(),
    })
    expect({ code, creations, puts: made.map(({ puts }) => puts) }).toEqual({
      code: 0,
      creations: 2,
      puts: [1],
    })
    expect(err).toMatch(/warning: .* its answer was lost; going on with p0/)
  })

  it('is made anew when it was deleted before its file was sent', async () => {
    let isRefusing = true
    const { run, made } = await scene(({ method }, response) => {
      if (method !== 'PUT' || !isRefusing) return false
      return Boolean(response.writeHead(400).end('<Error><Code>BadDigest</Code></Error>'))
    })
    const path = await exampleBook({ cover: false })
    expect((await run(['publications', 'upload', path])).code).toBe(6)
    made.length = 0
    isRefusing = false
    const resumed = await run(['uploads', 'resume', '--json'])
    expect({ code: resumed.code, error: JSON.parse(resumed.err).error.code }).toEqual({
      code: 5,
      error: 'upload_gone',
    })
    expect((await run(['publications', 'upload', path])).code).toBe(0)
    expect(made.map(({ puts }) => puts)).toEqual([1])
  })

  it('gets a fresh session when the store does not know the old one', async () => {
    let isRefusing = true
    const { run, log, made } = await scene(({ method }, response) => {
      if (method !== 'PUT' || !isRefusing) return false
      return Boolean(response.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>'))
    })
    const path = await exampleBook({ cover: false })
    const refused = await run(['publications', 'upload', path, '--json'])
    expect({ code: refused.code, error: JSON.parse(refused.err).error.code }).toEqual({
      code: 5,
      error: 'NoSuchBucket',
    })
    isRefusing = false
    log.length = 0
    expect((await run(['publications', 'upload', path])).code).toBe(0)
    expect(log).toContain('POST /v1/publication-uploads')
    expect(made).toHaveLength(1)
  })
})
