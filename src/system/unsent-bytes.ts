import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'

/**
 * The bytes of a connection that the other side has not acknowledged yet. The system buffers megabytes, which take minutes
 * over a slow line, and only this number shows progress then. Undefined except on Linux (proc(5), /proc/net/tcp,
 * `tx_queue`).
 */
export function unsentBytes({ localPort, remotePort }: Socket): number | undefined {
  if (process.platform !== 'linux' || localPort === undefined || remotePort === undefined) return undefined
  for (const table of ['tcp', 'tcp6']) {
    for (const line of linesOf(`/proc/self/net/${table}`)) {
      const [, local = '', remote = '', , queues = ''] = line.trim().split(/ +/)
      if (portOf(local) === localPort && portOf(remote) === remotePort)
        return Number.parseInt(queues.split(':')[0] ?? '', 16)
    }
  }
  return undefined
}

const portOf = (address: string): number => Number.parseInt(address.split(':')[1] ?? '', 16)

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'latin1').split('\n')
  } catch {
    return []
  }
}
