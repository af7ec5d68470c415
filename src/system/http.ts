import type { Socket } from 'node:net'
import type { Response } from './response.ts'

export interface Request {
  method: string
  url: string
  /** Whether the query of the URL is a credential, as in the URL of an upload session. */
  isPresigned: boolean
  headers: Record<string, string>
  body?: string | AsyncIterable<Uint8Array>
  /** Milliseconds without an answer after which the request fails; 0 if `signal` or `limit` ends it. */
  timeout: number
  signal: AbortSignal
  /** Given what ends the request with an error. What it returns is called once all of the answer is there, or none will come. */
  limit?: (end: (error: Error) => void) => () => void
  /** Called with the connection each time that the request is sent. */
  onSocket?: (socket: Socket) => void
}

/** HTTP, as far as pubctl uses it. */
export interface Http {
  send(request: Request): Promise<Response>
  /** Connects like `send`, through the same proxy and with the same certificates, and sends nothing. */
  connect(url: string, signal: AbortSignal): Promise<Socket>
  close(): Promise<void>
}
