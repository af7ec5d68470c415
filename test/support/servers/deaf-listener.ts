import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

const program = `
  const server = require('node:net').createServer()
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('node:fs').writeSync(1, String(server.address().port))
    // Nothing is accepted from now on.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })
`

/**
 * An address on loopback that drops packets: its queue of connections is full, so that the system leaves further ones
 * unanswered, as a firewall does. `end` frees the port.
 */
export async function deafListener(): Promise<{ port: number; end(): Promise<void> }> {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const fill: Socket[] = []
  const end = async () => {
    for (const socket of fill) socket.destroy()
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  onTestFinished(end)
  const [text] = await once(child.stdout, 'data')
  const port = Number(String(text))
  for (let isFull = false; !isFull; ) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    fill.push(socket)
    isFull = await Promise.race([once(socket, 'connect').then(() => false), pause(500, true)])
  }
  return { port, end }
}
