import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listening } from '../servers/server.ts'
import { forward } from './forward.ts'

/**
 * A server before the one at `origin` that carries the first creation out, lets something happen, and never answers it.
 * `change` changes the texts of all other answers.
 */
export async function stoppingProxy(
  origin: string,
  onCreated: () => void,
  change: (text: string) => string = text => text,
): Promise<string> {
  let isFirst = true
  const server = createServer(async (incoming, answer) => {
    const { status, headers, body } = await forward(origin, incoming, await buffer(incoming))
    if (isFirst && incoming.method === 'POST') {
      isFirst = false
      return onCreated()
    }
    const isJson = headers['content-type']?.startsWith('application/json')
    answer.writeHead(status, headers).end(isJson ? change(body.toString()) : body)
  })
  return `http://127.0.0.1:${await listening(server)}`
}
