import { describe, expect, it } from 'vitest'
import { createRateLimit } from '../../src/service/client/rate-limit.ts'
import { sleeplessClock } from '../support/machine/clock.ts'
import { machine } from '../support/machine/pubctl.ts'
import { listedService } from '../support/servers/listed-service.ts'
import { json, serve } from '../support/servers/server.ts'

const tooMany = { error: 'RATE', message: 'slow down', context: {} }

/** A service of so many publications that answers 429 as `isOneTooMany` says. */
async function limited(count: number, isOneTooMany: () => boolean, headers: Record<string, string> = {}) {
  const faults = { isDue: isOneTooMany, status: 429, headers, body: tooMany }
  const service = await listedService({ count, faults })
  return { ...service, ...machine(service.env), refused: () => service.met.length }
}

describe('a service that answers 429', () => {
  it('gets every request in the end, however many it refuses, and none counts as an attempt', async () => {
    const clock = sleeplessClock()
    let asked = 0
    // More in a row than a request has attempts, again and again.
    const { run, refused } = await limited(120, () => ++asked % 12 > 3)
    const { code, out, err } = await run(['catalogue', 'index', '--refresh', '--json'], { clock })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out)).toMatchObject({ listed: 120, read: 120, unread: 0 })
    expect(refused()).toBeGreaterThan(200)
  })

  it('is asked by all readers at a lower rate that it can bear', async () => {
    const clock = sleeplessClock()
    // Twenty requests a second, counted on the clock of the readers.
    let [second, inSecond] = [0, 0]
    const { run, refused } = await limited(400, () => {
      const now = Math.floor(clock.monotonic() / 1000)
      inSecond = now === second ? inSecond + 1 : 1
      second = now
      return inSecond > 20
    })
    const { code } = await run(['catalogue', 'index', '--refresh'], { clock })
    expect(code).toBe(0)
    expect(refused()).toBeGreaterThan(0)
    // Readers that paused on their own would have been refused more often than they were answered.
    expect(refused()).toBeLessThan(100)
  })

  it('is waited for by all as long as it says', async () => {
    const clock = sleeplessClock()
    let asked = 0
    const { run, refused } = await limited(60, () => ++asked === 20, { 'retry-after': '7' })
    expect((await run(['catalogue', 'index', '--refresh'], { clock })).code).toBe(0)
    expect(refused()).toBe(1)
    expect(clock.slept.filter(each => each > 5000)).toHaveLength(1)
  })

  it.each([
    ['', [], 120],
    ['', ['--timeout', '20s'], 20],
    ['3', [], 120],
  ])('is given up when the time is over, which is said: Retry-After %j, %j', async (after, options, time) => {
    const clock = sleeplessClock()
    const headers: Record<string, string> = after === '' ? {} : { 'retry-after': after }
    const { url, received } = await serve((_, response) => json(response, 429, tooMany, headers))
    const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
    const { code, err } = await run(['domains', 'list', '--json', ...options], { clock })
    expect(JSON.parse(err).error).toMatchObject({
      ...{ code: 'RATE', status: 429, exitCode: 8, message: 'slow down' },
      hint: 'There were too many requests, also after pubctl slowed down. Try again later, or allow more time with --timeout.',
    })
    expect({ code, isLate: clock.slept.reduce((sum, each) => sum + each, 0) > time * 1000 }).toEqual({
      code: 8,
      isLate: false,
    })
    expect(received.length).toBeGreaterThan(4)
    expect(received.length).toBeLessThan(50)
  })

  it('is asked once where the pause is longer than anybody would wait, and others do not make it', async () => {
    const clock = sleeplessClock()
    const { url, received } = await serve((_, response) =>
      json(response, 429, tooMany, { 'retry-after': '500' }),
    )
    const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
    expect((await run(['domains', 'list'], { clock })).code).toBe(8)
    expect({ requests: received.length, slept: clock.slept }).toEqual({ requests: 1, slept: [] })
  })

  it('is not waited for by the next request where hardly any time would be left for this one', async () => {
    const clock = sleeplessClock()
    const { url, received } = await serve((_, response) =>
      received.length === 1
        ? json(response, 429, tooMany, { 'retry-after': '9' })
        : response.writeHead(204).end(),
    )
    const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
    const line = ['domains', 'delete', 'a.example', 'b.example', '--yes', '--timeout', '9200ms']
    expect((await run(line, { clock })).code).toBe(10)
    expect({ requests: received.length, long: clock.slept.filter(each => each > 1000) }).toEqual({
      requests: 2,
      long: [],
    })
  })
})

describe('the rate limit', () => {
  const signal = new AbortController().signal

  it('is none before a request was refused, and none again when many were accepted', async () => {
    const clock = sleeplessClock()
    const rate = createRateLimit({ clock, signal })
    expect(rate.turn()).toBeUndefined()
    rate.refused(clock.monotonic(), undefined, 120_000)
    for (let turns = 0; ; turns++) {
      const turn = rate.turn()
      if (turn === undefined) break
      await turn
      rate.accepted()
      expect(turns).toBeLessThan(200)
    }
    expect(clock.slept.length).toBeGreaterThan(50)
  })

  it('gives the turns in the order in which they were asked for', async () => {
    const clock = sleeplessClock()
    const rate = createRateLimit({ clock, signal })
    rate.refused(clock.monotonic(), 1000, 120_000)
    const order: number[] = []
    await Promise.all(
      [1, 2, 3].map(async each => {
        await rate.turn()
        order.push(each)
      }),
    )
    expect(order).toEqual([1, 2, 3])
    expect(clock.slept).toHaveLength(3)
  })

  it('takes refusals of requests that were sent together for one', () => {
    const clock = sleeplessClock()
    const rate = createRateLimit({ clock, signal })
    const sentAt = clock.monotonic()
    clock.advance(1)
    const [first, ...others] = [1, 2, 3, 4].map(() => rate.refused(sentAt, undefined, 120_000))
    expect(first).toBeLessThanOrEqual(500)
    for (const each of others) expect(each).toBeLessThanOrEqual(first as number)
  })
})
