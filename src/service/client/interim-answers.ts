import type { Socket } from 'node:net'
import { awaitingAnswer } from './begun-requests.ts'

/** The longest head of an answer that undici takes, in bytes. */
const longestHead = 16 * 1024

/**
 * Takes interim answers (status 1xx) out of what is read from a connection, so this must be called before undici gets the
 * connection. A client has to pass over them (RFC 9110, section 15.2), and undici does, except for a `100 Continue` that nobody
 * asked for: it cuts the connection. Some servers and proxies send one to every request.
 */
export function passOverInterimAnswers(socket: Socket): void {
  let held: Buffer | undefined
  const read: typeof socket.read = socket.read.bind(socket)
  socket.read = size => {
    const chunk: Buffer | null = read(size)
    if (chunk === null || !awaitingAnswer.has(socket)) return chunk
    let bytes = held ? Buffer.concat([held, chunk]) : chunk
    held = undefined
    let length = interimLength(bytes)
    while (length !== undefined && length > 0) {
      bytes = bytes.subarray(length)
      length = interimLength(bytes)
    }
    if (length === undefined) {
      held = bytes
      return null
    }
    awaitingAnswer.delete(socket)
    return bytes
  }
}

/** The length of the interim answer that some bytes begin with: 0 if it is none, undefined if more bytes have to tell. */
function interimLength(bytes: Buffer): number | undefined {
  const start = bytes.toString('latin1', 0, 'HTTP/1.1 1xx'.length)
  if (!/^HTTP\/1\.1 1\d\d/.test(`${start}${'HTTP/1.1 100'.slice(start.length)}`)) return 0
  if (start === 'HTTP/1.1 101') return 0
  const end = bytes.indexOf('\r\n\r\n')
  if (end >= 0) return end + 4
  return bytes.length < longestHead ? undefined : 0
}
