import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** How often the line carries a share of what waits, in milliseconds. */
const turn = 20

/**
 * A line to the server at `origin` that carries so many bytes a second towards it, for all connections together and in
 * fair shares, as the uplink of an office does; the way back is free. `carried` counts the bytes of all connections.
 */
export async function slowLink(
  origin: string,
  bytesPerSecond: number,
): Promise<{ url: string; carried: () => number }> {
  let carried = 0
  const open = new Set<{ from: Socket; to: Socket }>()
  const server = createServer({ highWaterMark: 16 * 1024 }, from => {
    const { hostname, port } = new URL(origin)
    const to = connect(Number(port), hostname)
    const line = { from, to }
    open.add(line)
    to.pipe(from)
    from.on('error', () => to.destroy()).on('end', () => to.end())
    to.on('error', () => from.destroy())
    from.on('close', () => {
      open.delete(line)
      to.destroy()
    })
    // Reading by hand needs a listener for the stream to fill its buffer.
    from.on('readable', () => undefined)
  })
  let last = performance.now()
  const timer = setInterval(() => {
    // A busy machine is late, which must not make the line slower.
    const now = performance.now()
    let left = (bytesPerSecond * Math.min(1000, now - last)) / 1000
    last = now
    let waiting = [...open].filter(({ from }) => from.readableLength > 0)
    for (let share = left / waiting.length; waiting.length > 0 && share >= 1; share = left / waiting.length) {
      for (const { from, to } of waiting) {
        const part: Buffer | null = from.read(Math.min(Math.floor(share), from.readableLength))
        if (part === null) continue
        to.write(part)
        carried += part.length
        left -= part.length
      }
      waiting = waiting.filter(({ from }) => from.readableLength > 0)
    }
  }, turn)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    clearInterval(timer)
    for (const { from, to } of open) {
      from.destroy()
      to.destroy()
    }
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, carried: () => carried }
}
