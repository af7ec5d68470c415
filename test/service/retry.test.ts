import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { attemptsOf, openBudget } from '../../src/service/client/retry.ts'
import { systemClock } from '../../src/system/world.ts'
import { sleeplessClock } from '../support/machine/clock.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { assetService } from '../support/servers/asset-service.ts'
import { bookService, context } from '../support/servers/book-service.ts'
import { json, type Received, serve } from '../support/servers/server.ts'

function file(name: string, content: string | Buffer): string {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, content)
  return path
}

/** A machine at a service of assets whose store refuses a file so many times. */
async function overloaded(times: number) {
  const body = '<Error><Code>SlowDown</Code></Error>'
  const service = await assetService({ to: 'PUT', times, status: 503, body })
  return { ...service, ...machine(service.env) }
}

describe('a store that is overloaded for a moment', () => {
  it('gets an asset in the end', async () => {
    const { run, stored } = await overloaded(2)
    const sent = await run(['assets', 'upload', file('a.woff2', 'wOF2font')], { clock: sleeplessClock() })
    expect({ code: sent.code, stored }).toEqual({ code: 0, stored: ['wOF2font'] })
  })

  it('gets the file of a session in the end', async () => {
    const { run, stored, url } = await overloaded(2)
    const session = file(
      'session.json',
      JSON.stringify({ uploadUrl: `${url}/put?secret`, requiredHeaders: {} }),
    )
    const sent = await run(['uploads', 'put', file('b.txt', 'content'), '--session', session], {
      clock: sleeplessClock(),
    })
    expect({ code: sent.code, stored }).toEqual({ code: 0, stored: ['content'] })
  })

  it('is not asked for ever, and each request counts once', async () => {
    const { run, received } = await overloaded(99)
    const sent = await run(['assets', 'upload', file('a.woff2', 'wOF2font')], { clock: sleeplessClock() })
    expect({ code: sent.code, puts: received.filter(({ method }) => method === 'PUT').length }).toEqual({
      code: 8,
      puts: 8,
    })
  })
})

describe('an answer whose JSON was cut', () => {
  const broken = (status: number) => (response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end('{"item":{"id":"x"')

  const answering = async (
    first: (response: ServerResponse) => void,
    then: (request: Received) => unknown,
  ) => {
    let asked = 0
    const { url, received } = await serve((request, response) =>
      ++asked === 1 ? first(response) : json(response, 200, then(request)),
    )
    return { received, ...machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url }) }
  }

  it.each([
    ['a GET', ['domains', 'get', 'd1'], 2, 0],
    ['a PATCH, which sets the same values again', ['domains', 'update', 'd1', '--description', 'x'], 2, 0],
    ['a POST that would make another', ['domains', 'create', 'a.example'], 1, 8],
  ] as const)('after %s', async (_, args, requests, code) => {
    const item = { id: 'd1', domain: 'a.example' }
    const { run, received } = await answering(broken(200), () => ({ item, context }))
    const result = await run([...args, '--json'], { clock: sleeplessClock() })
    expect({ code: result.code, requests: received.length }).toEqual({ code, requests })
  })

  it('after a creation, which its upload request id makes repeatable', async () => {
    const creation = 'POST /v1/publications'
    const { env, log, made } = await bookService({ to: creation, times: 2, does: 'truncate' })
    const path = file('book.epub', await makeExampleEpub({ cover: false }))
    const { code } = await machine(env).run(['publications', 'upload', path], { clock: sleeplessClock() })
    const creations = log.filter(route => route === creation).length
    expect({ code, creations, made: made.map(({ puts }) => puts) }).toEqual({
      ...{ code: 0, creations: 3, made: [1] },
    })
  })
})

describe('the budget of an operation', () => {
  const signal = new AbortController().signal
  /** A budget on a clock that is set by hand, and what a person is told of it. */
  function opened(attempts: number, timeout = 120_000) {
    const at = { monotonic: 5000, now: Date.UTC(2026, 2, 5, 12) }
    const slept: number[] = []
    const told: unknown[] = []
    const budget = openBudget({
      ...{ signal, name: 'the store', attempts, timeout },
      clock: {
        ...systemClock,
        now: () => at.now,
        monotonic: () => at.monotonic,
        async sleep(milliseconds) {
          slept.push(milliseconds)
          at.monotonic += milliseconds
        },
      },
      waiting: {
        begin: name => ({
          retrying: (why, pause) => told.push([name, why, pause]),
          moved: () => told.push('moved'),
          end: () => told.push('end'),
        }),
      },
    })
    return { ...budget, at, slept, told }
  }

  it('has four attempts for a command, and eight for an upload', () => {
    expect(attemptsOf).toEqual({ command: 4, upload: 8 })
  })

  it('doubles its pauses from half a second to eight, each shortened by chance by half at most', async () => {
    const { tryAgain, slept } = opened(9)
    while (await tryAgain('busy'));
    expect(slept).toHaveLength(8)
    for (const [index, pause] of slept.entries()) {
      const longest = Math.min(500 * 2 ** index, 8000)
      expect(pause).toBeGreaterThanOrEqual(longest / 2)
      expect(pause).toBeLessThanOrEqual(longest)
    }
    expect(slept.slice(-4).some(pause => pause > 4000)).toBe(true)
    expect(new Set(slept.slice(-4)).size).toBeGreaterThan(1)
  })

  it('counts no attempt that is not to be counted', async () => {
    const { tryAgain, slept } = opened(1)
    expect(await tryAgain('full', { isCounted: false })).toBe(true)
    expect(slept[0]).toBeGreaterThanOrEqual(250)
    expect(slept[0]).toBeLessThanOrEqual(500)
    expect(await tryAgain('busy')).toBe(false)
  })

  it.each([
    ['7', 7000],
    [' 0 ', 0],
    ['Thu, 05 Mar 2026 12:00:09 GMT', 9000],
    ['Thu, 05 Mar 2026 11:00:00 GMT', 0],
  ])('pauses as it is told: %j', async (retryAfter, pause) => {
    const { tryAgain, slept, told, end } = opened(2)
    expect(await tryAgain('busy', { retryAfter })).toBe(true)
    end()
    expect({ slept, told }).toEqual({ slept: [pause], told: [['the store', 'busy', pause], 'end'] })
  })

  it.each(['', '  ', 'soon', '7 s', '7s', 'x7', 7, ['7'], undefined])(
    'pauses as usual where it is told nothing that can be read: %j',
    async retryAfter => {
      const { tryAgain, slept } = opened(2)
      expect(await tryAgain('busy', { retryAfter })).toBe(true)
      expect(slept[0]).toBeGreaterThanOrEqual(250)
      expect(slept[0]).toBeLessThanOrEqual(500)
    },
  )

  it('ends where a pause would take all the time that is left, which begins anew when bytes move', async () => {
    const { tryAgain, left, moved, at, slept, told } = opened(9, 10_000)
    at.monotonic += 4000
    expect(left()).toBe(6000)
    expect(await tryAgain('busy', { retryAfter: '6' })).toBe(false)
    expect({ slept, told }).toEqual({ slept: [], told: [] })
    moved()
    expect({ left: left(), told }).toEqual({ left: 10_000, told: ['moved'] })
    expect(await tryAgain('busy', { retryAfter: '9' })).toBe(true)
    expect(left()).toBe(1000)
    at.monotonic += 5000
    expect(left()).toBe(0)
  })
})
