import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

/** The connections whose next bytes begin an answer. */
export const awaitingAnswer = new WeakSet<Socket>()

interface Watched {
  readonly path: string
  readonly onSocket: (socket: Socket) => void
}

const watched = new Set<Watched>()

function requestBegins(message: unknown): void {
  const { request, socket } = message as { request: { path: string }; socket: Socket }
  awaitingAnswer.add(socket)
  for (const { path, onSocket } of watched) if (path === request.path) onSocket(socket)
}

/** Has undici make known when a request begins on a connection. Returns what ends that. */
export function watchRequests(): () => void {
  subscribe('undici:client:sendHeaders', requestBegins)
  return () => void unsubscribe('undici:client:sendHeaders', requestBegins)
}

/** Calls `onSocket` with the connection that undici chooses for a path, as it is in the request line. Returns what ends that. */
export function watchSocket(path: string, onSocket: Watched['onSocket']): () => void {
  const one = { path, onSocket }
  watched.add(one)
  return () => void watched.delete(one)
}
