import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { S3Error } from './errors.ts'

/** The two identifiers that S3 gives each answer. */
export const requestIds = (): { 'x-amz-request-id': string; 'x-amz-id-2': string } => ({
  'x-amz-request-id': randomBytes(8).toString('hex').toUpperCase(),
  'x-amz-id-2': randomBytes(48).toString('base64'),
})

/** How long, and for how many bytes, the body of a refused request is still read. */
const drainLimits = { milliseconds: 10_000, bytes: 256 * 2 ** 20 }

/**
 * Answers with an error and closes the connection. A body that is still being sent is read for a while first: closing
 * at once would reset the connection, and the client might never read the answer.
 */
export function refuse(req: IncomingMessage, res: ServerResponse, error: S3Error): void {
  const body = sendHead(res, error)
  if (req.complete) return void res.end(body)
  res.write(body)
  let drained = 0
  const end = (): void => {
    clearTimeout(timer)
    res.end()
  }
  const timer = setTimeout(end, drainLimits.milliseconds).unref()
  req.on('data', (chunk: Buffer) => {
    drained += chunk.length
    if (drained > drainLimits.bytes) end()
  })
  req.once('end', end).once('close', end).resume()
}

/** Answers with an error, where none has been given yet, and closes the connection: for a client that sends nothing more. */
export function refuseAtOnce(res: ServerResponse, error: S3Error): void {
  if (!res.headersSent) res.end(sendHead(res, error))
}

/** Sends an error's head and returns its body. */
function sendHead(res: ServerResponse, error: S3Error): string {
  const { status, headers, body } = answerOf(error)
  res.writeHead(status, { ...headers, connection: 'close' })
  return body
}

/** An answer as it is sent. */
export interface S3Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The answer for an error. */
export function answerOf(error: S3Error): S3Answer {
  const ids = requestIds()
  const elements = {
    Code: error.code,
    Message: error.message,
    ...error.extra,
    RequestId: ids['x-amz-request-id'],
    HostId: ids['x-amz-id-2'],
  }
  const inner = Object.entries(elements).map(([name, text]) => `<${name}>${escapeXml(text)}</${name}>`)
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${inner.join('')}</Error>`
  const headers = {
    ...ids,
    ...error.headers,
    'content-type': 'application/xml',
    'content-length': `${Buffer.byteLength(body)}`,
  }
  return { status: error.status, headers, body }
}

/** A text as XML 1.0 can hold it: what XML has no character for becomes U+FFFD. */
const escapeXml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)
