import { describe, expect, it } from 'vitest'
import { sleeplessClock } from '../support/machine/clock.ts'
import { machine } from '../support/machine/pubctl.ts'
import { json, serve } from '../support/servers/server.ts'

/** A machine at a service whose publication is `processing` so many times, and then has another status. */
async function processing(times: number, status = 'available') {
  let left = times
  const { url, received } = await serve((_, response) =>
    json(response, 200, {
      item: { id: 'p1', editions: [{ id: 'e1', uploadStatus: left-- > 0 ? 'processing' : status }] },
      context: {},
    }),
  )
  const clock = sleeplessClock()
  const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
  const wait = (...more: string[]) => run(['publications', 'wait', 'p1', '--json', ...more], { clock })
  return { wait, received, clock }
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)

describe('a wait for processing', () => {
  it('asks once, and sleeps not at all, where the status is final', async () => {
    const { wait, received, clock } = await processing(0)
    expect((await wait()).code).toBe(0)
    expect({ slept: clock.slept, requests: received.length }).toEqual({ slept: [], requests: 1 })
  })

  it('asks less and less often, from a quarter of a second to ten seconds, at no fixed step', async () => {
    const { wait, received, clock } = await processing(60)
    expect((await wait('--timeout', '30m')).code).toBe(0)
    expect(received).toHaveLength(61)
    let interval = 250
    for (const pause of clock.slept) {
      expect(pause).toBeGreaterThanOrEqual(Math.floor(interval * 0.8))
      expect(pause).toBeLessThanOrEqual(Math.ceil(interval * 1.2))
      interval = Math.min(interval * 1.5, 10_000)
    }
    // Whoever begins at the same time does not ask at the same time: pauses of the same length are not equal. Of ten, all were
    // longer or all shorter once in 500 runs.
    const longest = clock.slept.slice(-50)
    expect(new Set(longest).size).toBeGreaterThan(1)
    expect(longest.some(pause => pause < 10_000)).toBe(true)
    expect(longest.some(pause => pause > 10_000)).toBe(true)
  })

  it('ends when its time is over, and says that the upload is intact', async () => {
    const { wait, received, clock } = await processing(Number.POSITIVE_INFINITY)
    const { code, out, err } = await wait('--timeout', '60s')
    expect({ code, out, error: JSON.parse(err).error }).toMatchObject({
      code: 13,
      out: '',
      error: {
        code: 'wait_exhausted',
        message: 'processing did not finish within 60 s; the upload itself is intact',
        hint: 'Run the command again to go on waiting; --timeout says how long.',
      },
    })
    // The last pause is cut to what is left of the time, and is followed by a last request.
    expect(sum(clock.slept)).toBeGreaterThan(58_000)
    expect(sum(clock.slept)).toBeLessThanOrEqual(60_001)
    expect(received).toHaveLength(clock.slept.length + 1)
  })

  it('asks a last time when its time is over', async () => {
    let status = 'processing'
    const { url } = await serve((_, response) =>
      json(response, 200, {
        item: { id: 'p1', editions: [{ id: 'e1', uploadStatus: status }] },
        context: {},
      }),
    )
    const clock = sleeplessClock()
    const lasting = 5000
    const begun = clock.monotonic()
    const sleep = async (milliseconds: number) => {
      await clock.sleep(milliseconds)
      // Processing ends during the last pause.
      if (clock.monotonic() - begun >= lasting) status = 'available'
    }
    const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
    const args = ['publications', 'wait', 'p1', '--json', '--timeout', `${lasting}ms`]
    const { code, out } = await run(args, { clock: { ...clock, sleep } })
    expect(code).toBe(0)
    expect(JSON.parse(out).editions[0].uploadStatus).toBe('available')
  })

  it('that is over while a request is under way is a wait that is over, and no trouble of the service', async () => {
    let calls = 0
    const { url } = await serve((_, response) => {
      if (++calls === 1)
        json(response, 200, { item: { id: 'p1', editions: [{ uploadStatus: 'processing' }] }, context: {} })
    })
    const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
    const { code, err } = await run(['publications', 'wait', 'p1', '--json', '--timeout', '1s'])
    expect({ code, error: JSON.parse(err).error.code }).toEqual({ code: 13, error: 'wait_exhausted' })
    expect(calls).toBeGreaterThan(1)
  })

  it('that met no answer at all is a trouble of the service', async () => {
    const { url } = await serve(() => undefined)
    const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
    const { code, err } = await run(['publications', 'wait', 'p1', '--json', '--timeout', '1s'])
    expect({ code, error: JSON.parse(err).error.code }).toEqual({ code: 8, error: 'timeout' })
  })
})
