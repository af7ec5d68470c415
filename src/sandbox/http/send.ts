import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** Sends an answer, or what an injected fault leaves of it. */
export type Send = (res: ServerResponse, status: number, headers: OutgoingHttpHeaders, body?: string) => void

export const sendComplete: Send = (res, status, headers, body) =>
  void res.writeHead(status, headers).end(body)

/** Sends the head and half of the body, and closes the connection; of an answer without a body nothing is sent. */
export const sendHalf: Send = (res, status, headers, body = '') => {
  if (body === '') res.destroy()
  else res.writeHead(status, headers).write(body.slice(0, body.length / 2), () => res.destroy())
}

/** Resets the connection instead of an answer. */
export const sendReset: Send = res => void res.socket?.resetAndDestroy()
