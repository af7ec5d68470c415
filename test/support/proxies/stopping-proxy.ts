import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listening } from '../servers/server.ts'
import { forward } from './forward.ts'

/**
 * A server before the one at `origin` that carries the first creation out, or each that `isMeant`, lets something happen, and
 * never answers it. `change` changes the texts of all other answers.
 */
export async function stoppingProxy(
  origin: string,
  onCreated: () => void,
  change: (text: string) => string = text => text,
  isMeant: () => boolean = once(),
): Promise<string> {
  const server = createServer(async (incoming, answer) => {
    const { status, headers, body } = await forward(origin, incoming, await buffer(incoming))
    if (incoming.method === 'POST' && isMeant()) return onCreated()
    const isJson = headers['content-type']?.startsWith('application/json')
    answer.writeHead(status, headers).end(isJson ? change(body.toString()) : body)
  })
  return `http://127.0.0.1:${await listening(server)}`
}

function once(): () => boolean {
  let isFirst = true
  return () => {
    const isNow = isFirst
    isFirst = false
    return isNow
  }
}
