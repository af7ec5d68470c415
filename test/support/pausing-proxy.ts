import { createServer, request } from 'node:http'
import { listening } from './server.ts'

/** A proxy that lets something happen once the first bytes of a file are on their way. */
export async function pausingProxy(meanwhile: () => void): Promise<string> {
  const server = createServer((incoming, answer) => {
    const { method = 'GET', url = '', headers } = incoming
    const onward = request(url, { method, headers, agent: false }, reply => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    incoming.on('close', () => {
      if (!incoming.complete) onward.destroy()
    })
    if (method !== 'PUT') return void incoming.pipe(onward)
    incoming.once('data', chunk => {
      onward.write(chunk)
      incoming.pause()
      meanwhile()
      incoming.pipe(onward)
    })
  })
  return `http://127.0.0.1:${await listening(server)}`
}
