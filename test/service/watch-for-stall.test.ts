import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { watchForStall } from '../../src/service/client/watch-for-stall.ts'
import { systemClock } from '../../src/system/world.ts'

/** More than the system takes from a connection whose other side reads nothing, apart from its buffers. */
const bytes = 2_000_000

/** A connection into whose system buffers bytes were written, and its other side, which has read nothing of them yet. */
async function filledConnection(): Promise<{ near: Socket; far: Socket }> {
  const server = createServer({ pauseOnConnect: true })
  const accepted = once(server, 'connection')
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [far] = (await accepted) as [Socket]
  onTestFinished(() => {
    near.destroy()
    far.destroy()
    server.close()
  })
  near.write(Buffer.alloc(bytes))
  return { near, far }
}

describe.runIf(process.platform === 'linux')('the watch over a transfer', () => {
  it('ends it when nothing moves, neither into the buffers of the system nor out of them', async () => {
    const { near } = await filledConnection()
    let moves = 0
    const stall = watchForStall({
      clock: systemClock,
      idleTimeout: () => 400,
      onMoved: () => moves++,
    })
    const stalled = new Promise<Error>(resolve => onTestFinished(stall.begin(resolve)))
    stall.watch(near)
    expect(await stalled).toMatchObject({
      code: 'timeout',
      exitCode: 8,
      message: expect.stringMatching(/^the transfer stalled: nothing moved for \d+ s$/),
      hint: 'Run the upload again when the network works better.',
    })
    expect(moves).toBe(0)
  })

  it('lets it go on while bytes leave the buffers of the system', async () => {
    const { near, far } = await filledConnection()
    let moves = 0
    const stall = watchForStall({
      clock: systemClock,
      idleTimeout: () => 2000,
      onMoved: () => moves++,
    })
    let stalled: Error | undefined
    onTestFinished(
      stall.begin(error => {
        stalled = error
      }),
    )
    stall.watch(near)
    const begun = performance.now()
    let read = 0
    far.on('data', async chunk => {
      read += chunk.length
      far.pause()
      await pause(100)
      far.resume()
    })
    far.resume()
    // Longer than the watch waits, so that only the system's buffers can tell that bytes move.
    while (read < bytes && performance.now() - begun < 5000) await pause(50)
    expect(stalled).toBeUndefined()
    expect(moves).toBeGreaterThan(0)
  })
})
