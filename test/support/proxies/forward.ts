import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

interface Reply {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

/**
 * Sends a request on to the server at `origin`, with its whole head and as much of its body as is given. Addresses of
 * that server in the answer become those of the server that was asked, so that uploads come the same way.
 */
export function forward(
  origin: string,
  { method, url = '', headers }: IncomingMessage,
  body: Buffer,
): Promise<Reply> {
  const own = `http://${headers.host}`
  return new Promise((resolve, reject) => {
    const isCut = body.length < Number(headers['content-length'] ?? 0)
    const { host } = new URL(origin)
    const asked = request(
      origin + url,
      { method: method ?? 'GET', headers: { ...headers, host }, agent: false },
      async reply => {
        const text = await buffer(reply).catch(() => undefined)
        if (text === undefined) return reject(new Error('the answer was cut'))
        const { 'content-length': _, 'transfer-encoding': __, ...rest } = reply.headers
        resolve({
          status: reply.statusCode ?? 0,
          headers: rest,
          body: Buffer.from(text.toString('latin1').replaceAll(origin, own), 'latin1'),
        })
      },
    )
    asked.on('error', reject)
    if (isCut) asked.write(body, () => asked.destroy(new Error('cut')))
    else asked.end(body)
  })
}
