import { createServer, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listening } from '../servers/server.ts'
import { forward } from './forward.ts'

/** A server before the one at `origin` that lets something happen once the first bytes of a file are on their way. */
export async function pausingProxy(origin: string, meanwhile: () => void): Promise<string> {
  const server = createServer(async (incoming, answer) => {
    const { method = 'GET', url = '', headers } = incoming
    if (method !== 'PUT') {
      const { status, headers, body } = await forward(origin, incoming, await buffer(incoming))
      return void answer.writeHead(status, headers).end(body)
    }
    const onward = request(origin + url, { method, headers, agent: false }, reply => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    incoming.on('close', () => {
      if (!incoming.complete) onward.destroy()
    })
    incoming.once('data', chunk => {
      onward.write(chunk)
      incoming.pause()
      meanwhile()
      incoming.pipe(onward)
    })
  })
  return `http://127.0.0.1:${await listening(server)}`
}
