import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openHttp } from '../../src/service/client/http.ts'
import { put } from '../../src/service/client/put.ts'
import { anyFile } from '../../src/system/may-read.ts'
import { systemClock } from '../../src/system/world.ts'
import { exampleBook } from '../support/books/example-book.ts'
import { sleeplessClock } from '../support/machine/clock.ts'
import { machine } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { type Fault, faultyServer } from '../support/proxies/faulty-server.ts'
import { bookService } from '../support/servers/book-service.ts'

async function scene(faults: Parameters<typeof bookService>[0]) {
  const service = await bookService(faults)
  return { ...service, ...machine(service.env) }
}

const creation = 'POST /v1/publications'
const body = '<Error><Code>SlowDown</Code></Error>'

describe('an answer with a status that asks to wait', () => {
  it.each([
    ['PUT', 503],
    ['PUT', 429],
    ['PUT', 408],
    ['PUT', 425],
    [creation, 429],
    [creation, 408],
    [creation, 425],
    [creation, 503],
  ])('to %s (%i) gets as much as it asks for, in seconds or as a date', async (to, status) => {
    for (const [headerNow, expected] of [
      [() => '7', 7000],
      [() => new Date(Date.now() + 20_000).toUTCString(), 17_500],
    ] as const) {
      const headers = { 'retry-after': headerNow() }
      const clock = sleeplessClock()
      const { run, made } = await scene({ to, times: 1, status, headers, body })
      const { code } = await run(
        ['publications', 'upload', await exampleBook({ cover: false }), '--no-wait'],
        { clock },
      )
      expect({ code, made: made.length, puts: made[0]?.puts }).toEqual({ code: 0, made: 1, puts: 1 })
      // A date is of whole seconds, and a busy machine takes some until the answer is read.
      expect(Math.abs((clock.slept[0] ?? 0) - expected)).toBeLessThan(3500)
    }
  })

  it('for longer than two minutes is not waited for, and the upload can be gone on with', async () => {
    const clock = sleeplessClock()
    const { run, made } = await scene({
      ...{ to: 'PUT', times: 1, status: 503, headers: { 'retry-after': '3600' }, body },
    })
    const path = await exampleBook({ cover: false })
    expect((await run(['publications', 'upload', path, '--no-wait'], { clock })).code).toBe(8)
    expect(clock.slept).toEqual([])
    expect((await run(['publications', 'upload', path])).code).toBe(0)
    expect(made.map(({ puts }) => puts)).toEqual([1])
  })

  it('and says nothing of when gets longer and longer pauses, in no fixed step', async () => {
    const clock = sleeplessClock()
    const { run } = await scene({ to: 'PUT', times: 3, status: 503, body })
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
  it.each([/^GET .v1.publications.p0/, /^POST .v1.publications$/, /^POST .v1.publication-uploads$/])(
    'is asked for again: %s',
    async to => {
      const cut: Fault = { to, times: 1, does: 'cut' }
      const expired = { to: 'PUT', times: to.test('POST /v1/publication-uploads') ? 1 : 0, status: 403 }
      const { run, made, met } = await scene([
        { ...expired, body: '<Error><Code>AccessDenied</Code></Error>' },
        cut,
      ])
      const { code } = await run(['publications', 'upload', await exampleBook({ cover: false })], {
        clock: sleeplessClock(),
      })
      expect({ code, made: made.length }).toEqual({ code: 0, made: 1 })
      expect(met).toContain(cut)
    },
  )
})

describe('a transfer', () => {
  it('that stalls is given up, and says so', async () => {
    // It takes connections, and reads nothing.
    const { url } = await faultyServer({ when: 'connected', does: 'hang' })
    const http = openHttp({})
    const path = await exampleBook({ cover: false, paddingBytes: 50_000_000 })
    const stalled = put(
      http,
      { uploadUrl: `${url}/put?secret`, requiredHeaders: {} },
      { path, bytes: readFileSync(path).length },
      {
        clock: systemClock,
        idleTimeout: () => 300,
        baseUrl: url,
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

  it.runIf(isSlow)('that is too slow for its session is warned of, once', async () => {
    const clock = sleeplessClock()
    const { run } = await scene({ to: 'PUT', when: 'sending', meanwhile: () => clock.advance(500_000) })
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
    const taken = { status: 409, body: { error: 'INVALID_REQUEST', message: 'this id is taken' } }
    const { run, made, log } = await scene([
      { to: creation, after: 1, ...taken },
      // It is made, and the answer is lost.
      { to: creation, when: 'done', does: 'drop' },
    ])
    const { code, err } = await run(['publications', 'upload', await exampleBook({ cover: false })], {
      clock: sleeplessClock(),
    })
    const creations = log.filter(route => route === creation).length
    expect({ code, creations, puts: made.map(({ puts }) => puts) }).toEqual({
      code: 0,
      creations: 2,
      puts: [1],
    })
    expect(err).toMatch(/warning: .* its answer was lost; going on with p0/)
  })

  it('is made anew when it was deleted before its file was sent', async () => {
    const { run, made, faults } = await scene({
      ...{ to: 'PUT', status: 400, body: '<Error><Code>BadDigest</Code></Error>' },
    })
    const path = await exampleBook({ cover: false })
    expect((await run(['publications', 'upload', path])).code).toBe(6)
    made.length = 0
    faults.length = 0
    const resumed = await run(['uploads', 'resume', '--json'])
    expect({ code: resumed.code, error: JSON.parse(resumed.err).error.code }).toEqual({
      code: 5,
      error: 'upload_gone',
    })
    expect((await run(['publications', 'upload', path])).code).toBe(0)
    expect(made.map(({ puts }) => puts)).toEqual([1])
  })

  it('gets a fresh session when the store does not know the old one', async () => {
    const { run, log, made, faults } = await scene({
      ...{ to: 'PUT', status: 404, body: '<Error><Code>NoSuchBucket</Code></Error>' },
    })
    const path = await exampleBook({ cover: false })
    const refused = await run(['publications', 'upload', path, '--json'])
    expect({ code: refused.code, error: JSON.parse(refused.err).error.code }).toEqual({
      code: 5,
      error: 'NoSuchBucket',
    })
    faults.length = 0
    log.length = 0
    expect((await run(['publications', 'upload', path])).code).toBe(0)
    expect(log).toContain('POST /v1/publication-uploads')
    expect(made).toHaveLength(1)
  })
})
