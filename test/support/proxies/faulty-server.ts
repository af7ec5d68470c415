import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listening } from '../servers/server.ts'
import { forward } from './forward.ts'

type Listener = (incoming: IncomingMessage, answer: ServerResponse) => Promise<unknown>

/** What was done at random, by kind. */
export interface Troubles {
  passed: number
  reset: number
  refused: number
  cut: number
  truncated: number
  /** Of all these, the uploads of files. */
  puts: number
}

export const noTroubles = (): Troubles => ({ passed: 0, reset: 0, refused: 0, cut: 0, truncated: 0, puts: 0 })

/** What a server does wrong before the one at `origin`, which carries out the rest: by name, with what a test gives it. */
const faults = {
  /** Lets something happen once the first bytes of a file are on their way. */
  'pauses files':
    (origin: string, meanwhile: () => void): Listener =>
    async (incoming, answer) => {
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
    },

  /**
   * Has the first creation carried out, or each that `isMeant`, lets something happen, and never answers it. `change` changes the
   * texts of all other answers.
   */
  'never answers a creation': (
    origin: string,
    {
      onCreated,
      change = text => text,
      isMeant = once(),
    }: { onCreated: () => void; change?: (text: string) => string; isMeant?: () => boolean },
  ): Listener => {
    return async (incoming, answer) => {
      const { status, headers, body } = await forward(origin, incoming, await buffer(incoming))
      if (incoming.method === 'POST' && isMeant()) return onCreated()
      const isJson = headers['content-type']?.startsWith('application/json')
      return answer.writeHead(status, headers).end(isJson ? change(body.toString()) : body)
    }
  },

  /**
   * Resets 5 % of the connections (before or after the request is carried out), answers 10 % of the requests with 503 or 429 (a
   * 503 may come after they are carried out), cuts 2 % of the bodies short, and truncates another 2 % of the answers to a length
   * that its headers confirm.
   */
  'is unreliable':
    (origin: string, { random, troubles }: { random: () => number; troubles: Troubles }): Listener =>
    async (incoming, answer) => {
      const chance = random()
      const isLate = random() < 0.5
      if (incoming.method === 'PUT') troubles.puts++
      const body = await buffer(incoming).catch(() => undefined)
      if (body === undefined) return
      const onward = async (sent = body) => await forward(origin, incoming, sent).catch(() => undefined)

      if (chance < 0.05) {
        troubles.reset++
        if (isLate) await onward()
        answer.socket?.resetAndDestroy()
      } else if (chance < 0.15) {
        troubles.refused++
        const isBusy = chance < 0.1
        if (isLate && !isBusy) await onward()
        answer.writeHead(isBusy ? 429 : 503, retryAfter(random())).end('<h1>Not now</h1>')
      } else if (chance < 0.17) {
        troubles.cut++
        if (incoming.method === 'PUT') {
          await onward(body.subarray(0, body.length / 2))
          answer.socket?.destroy()
        } else cutShort(answer, await onward())
      } else if (chance < 0.19 && incoming.method !== 'PUT') {
        troubles.truncated++
        const reply = await onward()
        const half = reply?.body.subarray(0, reply.body.length / 2)
        answer
          .writeHead(reply?.status ?? 502, { ...reply?.headers, 'content-length': String(half?.length ?? 0) })
          .end(half)
      } else {
        troubles.passed++
        const reply = await onward()
        if (reply === undefined) answer.writeHead(502).end()
        else answer.writeHead(reply.status, reply.headers).end(reply.body)
      }
    },
}

/** A server on loopback before the one at `origin`, with a fault. */
export async function faultyServer<N extends keyof typeof faults>(
  origin: string,
  fault: N,
  given: Parameters<(typeof faults)[N]>[1],
): Promise<string> {
  const listener = (faults[fault] as (origin: string, given: unknown) => Listener)(origin, given)
  return `http://127.0.0.1:${await listening(createServer(listener))}`
}

const retryAfter = (chance: number): Record<string, string> =>
  chance < 0.3
    ? { 'retry-after': '0' }
    : chance < 0.4
      ? { 'retry-after': '1' }
      : chance < 0.5
        ? { 'retry-after': new Date(Date.now() + 1000).toUTCString() }
        : {}

/** Sends the whole head of an answer and half of its body, and hangs up. */
function cutShort(answer: ServerResponse, reply: Awaited<ReturnType<typeof forward>> | undefined): void {
  if (reply === undefined) return void answer.socket?.destroy()
  answer.writeHead(reply.status, { ...reply.headers, 'content-length': String(reply.body.length) })
  answer.write(reply.body.subarray(0, reply.body.length / 2), () => answer.socket?.destroy())
}

function once(): () => boolean {
  let isFirst = true
  return () => {
    const isNow = isFirst
    isFirst = false
    return isNow
  }
}
