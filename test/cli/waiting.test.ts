import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { exampleBook } from '../support/books/example-book.ts'
import { sleeplessClock } from '../support/machine/clock.ts'
import { machine } from '../support/machine/pubctl.ts'
import { share } from '../support/machine/slow.ts'
import { faultyServer } from '../support/proxies/faulty-server.ts'
import { bookService, context } from '../support/servers/book-service.ts'
import { json, serve } from '../support/servers/server.ts'

const key = 'canary-key-0123456789'

/** A service that answers 503 so many times, asking for so many seconds. */
async function busy(times: number, seconds: number) {
  const before = () => ({ status: 200, body: { items: [], context } })
  const fault = { times, status: 503, headers: { 'retry-after': `${seconds}` } }
  const { env, received } = await faultyServer(fault, { before })
  return { received, ...machine(env) }
}

describe('what is waited for', () => {
  it('is a line in a log, with the reason for trying again', async () => {
    const { run } = await busy(1, 4)
    const { code, err } = await run(['domains', 'list'], { clock: sleeplessClock() })
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(/^the service at http:\/\/127\.0\.0\.1:\d+ answered 503, again in 4 s\n/),
    })
  })

  it('is said once in a log, however often it is tried again for the same reason', async () => {
    const { run } = await busy(3, 4)
    const { err } = await run(['domains', 'list'], { clock: sleeplessClock() })
    expect(err.match(/again in/g)).toHaveLength(1)
  })

  it('is not worth a word when it takes a moment, and never in JSON or with --quiet', async () => {
    const { run } = await busy(1, 0)
    expect((await run(['domains', 'list'])).err).not.toMatch(/again/)
    for (const flag of ['--json', '-q']) {
      const { run } = await busy(1, 4)
      expect((await run(['domains', 'list', flag], { clock: sleeplessClock() })).err).toBe('')
    }
  })

  it('is a live line on a terminal after two seconds, which is gone when the answer is there', async () => {
    const { run } = await busy(1, 4)
    const { code, err } = await run(['domains', 'list'], { columns: 120 })
    expect(code).toBe(0)
    expect(stripVTControlCharacters(err)).toMatch(/the service answered 503, again in [12] s/)
  })

  it.each(
    share(
      [
        ['one book', 1],
        ['a batch', 2],
      ],
      2,
    ),
  )('is told of %s too', async (_, count) => {
    const headers = { 'retry-after': '5' }
    const { env } = await bookService({ to: 'PUT', times: 1, status: 503, headers })
    const { run } = machine(env)
    const books = await Promise.all(
      Array.from({ length: count }, (_, index) => exampleBook({ cover: false, title: `Book ${index}` })),
    )
    const { code, err } = await run(['publications', 'upload', ...books], { columns: 80 })
    expect(code).toBe(0)
    expect(stripVTControlCharacters(err)).toMatch(/the upload store answered 503, again in [123] s/)
  })
})

describe('--timeout', () => {
  /** A service that answers what `answers` says, and nothing to anything else. */
  const silent = async (answers: (route: string) => unknown = () => undefined) => {
    const { url, received } = await serve(({ method, url: path }, response) => {
      const answer = answers(`${method} ${path}`)
      if (answer !== undefined) json(response, method === 'POST' ? 201 : 200, answer)
    })
    return { url, received, ...machine({ PUBCTL_API_KEY: key, PUBCTL_BASE_URL: url }) }
  }
  const within = async <T>(milliseconds: number, work: Promise<T>): Promise<T> => {
    const started = performance.now()
    const result = await work
    // Several times the bound, and a fraction of what it took before.
    expect(performance.now() - started).toBeLessThan(milliseconds)
    return result
  }

  it('bounds the wait for an answer with all its retries', async () => {
    const { run } = await silent()
    expect((await within(8000, run(['domains', 'list', '--timeout', '1s']))).code).toBe(8)
  })

  it('bounds the pauses between the retries', async () => {
    const { run, received } = await busy(9, 3)
    const clock = sleeplessClock()
    expect((await run(['domains', 'list', '--timeout', '7s'], { clock })).code).toBe(8)
    expect({ slept: clock.slept, requests: received.length }).toEqual({ slept: [3000, 3000], requests: 3 })
  })

  it('bounds an upload to a service that is silent', async () => {
    const { run } = await silent()
    const result = await within(
      15_000,
      run(['publications', 'upload', await exampleBook({ cover: false }), '--timeout', '1s']),
    )
    expect(result.code).toBe(8)
  })

  it.each<[string, string[]]>([
    ['publications wait', ['publications', 'wait', 'p0']],
    ['editions wait', ['editions', 'wait', 'p0', 'e0']],
  ])('bounds %s where the service falls silent', async (_, args) => {
    let asked = 0
    const edition = { id: 'e0', uploadStatus: 'uploaded' }
    const item = args[0] === 'editions' ? edition : { id: 'p0', editions: [edition] }
    const { run } = await silent(() => (asked++ === 0 ? { item, context } : undefined))
    const result = await within(10_000, run([...args, '--timeout', '2s']))
    expect({ ...result, asked }).toMatchObject({ code: 13 })
  })
})

describe('a clock that somebody sets', () => {
  it.each([
    ['an hour forward', 3_600_000],
    ['an hour back', -3_600_000],
  ])('%s during the wait for processing ends it neither early nor never', async (_, milliseconds) => {
    const clock = sleeplessClock()
    let asked = 0
    const { url } = await serve((_, response) => {
      asked++
      clock.setBy(milliseconds)
      const uploadStatus = asked < 5 ? 'uploaded' : 'available'
      json(response, 200, { item: { id: 'p0', editions: [{ id: 'e0', uploadStatus }] }, context })
    })
    const { run } = machine({ PUBCTL_API_KEY: key, PUBCTL_BASE_URL: url })
    expect((await run(['publications', 'wait', 'p0', '--timeout', '1m'], { clock })).code).toBe(0)
    asked = Number.NEGATIVE_INFINITY
    expect((await run(['publications', 'wait', 'p0', '--timeout', '1m'], { clock })).code).toBe(13)
  })

  it('forward during an upload does not end its session', async () => {
    const clock = sleeplessClock()
    const { env, log } = await bookService([
      { meanwhile: () => clock.setBy(3_600_000) },
      { to: 'PUT', times: 2, status: 503 },
    ])
    const { run } = machine(env)
    expect((await run(['publications', 'upload', await exampleBook({ cover: false })], { clock })).code).toBe(
      0,
    )
    expect(log).not.toContain('POST /v1/publication-uploads')
  })
})
