import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Received {
  method: string
  url: string
  headers: IncomingMessage['headers']
  rawHeaders: string[]
  body: Buffer
}

export type Answer = (request: Received, response: ServerResponse) => void

/** A real server on loopback that answers as the test says and remembers what it was asked. */
export async function serve(
  answer: Answer,
  port = 0,
): Promise<{ url: string; received: Received[]; server: Server }> {
  const received: Received[] = []
  const server = createServer(remembering(answer, received))
  return { url: `http://127.0.0.1:${await listening(server, port)}`, received, server }
}

/** A listener for requests that notes each in `received` before it is answered. */
export const remembering =
  (answer: Answer, received: Received[]) => async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      // A request that is broken off is none.
      return
    }
    const { method = '', url = '', headers, rawHeaders } = request
    const whole = { method, url, headers, rawHeaders, body: Buffer.concat(chunks) }
    received.push(whole)
    answer(whole, response)
  }

/** Has a server listen on loopback until the test is over; gives its port. */
export async function listening(server: Server, port = 0): Promise<number> {
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Answers with JSON. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
