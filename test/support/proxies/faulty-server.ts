import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer as createLine, type Server, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { onTestFinished } from 'vitest'
import type { Received } from '../servers/server.ts'

/** An answer; an object in its body is sent as JSON. */
export interface Reply {
  readonly status: number
  readonly headers?: IncomingMessage['headers'] | undefined
  readonly body?: Buffer | string | object | undefined
}

/**
 * What a server does wrong, and when. A fault that does nothing of its own lets the request go on, after its delay and
 * what happens meanwhile.
 */
export interface Fault extends Partial<Omit<Reply, 'headers'>> {
  readonly headers?: Reply['headers'] | (() => Reply['headers'])
  /** The requests that meet it: `PUT`, `POST /v1/domains`, or a pattern for the method with the whole address. Any without. */
  readonly to?: string | RegExp
  /** So many of them are spared first, then so many meet it. */
  readonly after?: number
  readonly times?: number
  /** It is met by chance, by this part of the requests; the parts of all faults add up. */
  readonly share?: number
  /** Says of each of them whether it meets it. */
  readonly isDue?: () => boolean
  /**
   * When the first bytes of a body are there, the whole request (without), or what it asks for is done. A connection
   * meets it at once, or after so many bytes, whatever is spoken there.
   */
  readonly when?: 'sending' | 'done' | 'connected' | number | undefined
  /** Of a request, in milliseconds. */
  readonly delay?: number
  /** Lets something happen to a request, which it may change. */
  readonly meanwhile?: (request: Received) => unknown
  /** What a connection is told, before it ends where nothing else is done to it. */
  readonly says?: string
  /** Changes the text of an answer. */
  readonly change?: (text: string) => string
  /**
   * Never answers, hangs up, resets the connection; sends a file or an answer only by half and hangs up, or half an
   * answer whose length its headers confirm. What has spoken goes on to read.
   */
  readonly does?: 'hang' | 'drop' | 'reset' | 'cut' | 'truncate' | 'read' | undefined
}

export interface Options {
  /** Who carries out what goes well: the server at an address, or a function. Without, all is answered with 200. */
  readonly before?: string | ((request: Received) => Reply | Promise<Reply>)
  /** 0 is any that is free. */
  readonly port?: number
  /** Decides on shares. */
  readonly random?: () => number
  /** How many bytes of bodies are read in a second, of all requests together and in fair shares. */
  readonly bytesPerSecond?: number
  /** Whether connections are made: where not, the system drops their packets, as a firewall does. */
  readonly accepts?: boolean
}

/** A server on loopback with faults, before another one or alone, until the test is over. */
export async function faultyServer(
  given: Fault | readonly Fault[] = [],
  {
    before = () => ({ status: 200, body: {} }),
    port = 0,
    random = Math.random,
    bytesPerSecond,
    accepts = true,
  }: Options = {},
) {
  /** May be changed at any time. */
  const faults = [given].flat()
  const [counts, met, sockets] = [new Map<Fault, number>(), [] as Fault[], new Set<Socket>()]
  const [received, log]: [Received[], string[]] = [[], []]
  const { read, carried } = lineOf(bytesPerSecond)

  const befalls = (fault: Fault, chance = 1): boolean => {
    const { after = 0, times = Number.POSITIVE_INFINITY, share, isDue = () => true } = fault
    if (!isDue()) return false
    if (share !== undefined) {
      const begin = faults.slice(0, faults.indexOf(fault)).reduce((sum, { share = 0 }) => sum + share, 0)
      if (chance < begin || chance >= begin + share) return false
    }
    const count = (counts.get(fault) ?? 0) + 1
    counts.set(fault, count)
    return count > after && count <= after + times
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers, rawHeaders, socket } = incoming
    const chance = random()
    const changes: ((text: string) => string)[] = []
    const request: Received = { method, url, headers, rawHeaders, body: Buffer.alloc(0) }
    /** Has what fits happen; says whether the request is over with it. */
    const happens = async (when: Fault['when'], reply?: Reply): Promise<boolean> => {
      for (const fault of faults.filter(each => each.when === when && fits(each, request))) {
        if (!befalls(fault, chance)) continue
        met.push(fault)
        if (fault.delay !== undefined) await sleep(fault.delay)
        await fault.meanwhile?.(request)
        const { does, status } = fault
        if (fault.change) changes.push(fault.change)
        if (does === 'drop') socket.destroy()
        else if (does === 'reset') socket.resetAndDestroy()
        else if (does === 'cut' && method === 'PUT') await sendHalf(request).finally(() => socket.destroy())
        else if (does !== undefined && does !== 'hang')
          send(response, reply ?? (await carryOut(request)), does)
        else if (status !== undefined) {
          const headers = typeof fault.headers === 'function' ? fault.headers() : fault.headers
          send(response, { status, headers, body: fault.body })
        }
        if (does ?? status) return true
      }
      return false
    }
    try {
      const chunks: Buffer[] = []
      const isWhole = await read(incoming, chunk => {
        if (chunks.push(chunk) === 1) void happens('sending')
      })
      request.body = Buffer.concat(chunks)
      // A request that is broken off is none, but who stands behind may be told of it.
      if (!isWhole) return await breakOff(request)
      if (response.headersSent) return
      received.push(request)
      const search = new URL(url, 'http://localhost').searchParams.get('search')
      log.push(`${method} ${url.split('?')[0]}${search === null ? '' : ` search ${search}`}`)
      if (await happens(undefined)) return
      const reply = await carryOut(request)
      if (!(await happens('done', reply))) send(response, changes.reduce(changed, reply))
    } catch {
      if (response.headersSent) socket.destroy()
      else response.writeHead(502).end()
    }
  }
  const carryOut = async (request: Received): Promise<Reply> =>
    typeof before === 'string' ? await forward(before, request) : await before(request)
  const breakOff = async (request: Received): Promise<void> =>
    typeof before === 'string'
      ? void (await forward(before, request, true).catch(() => undefined))
      : undefined
  const sendHalf = (request: Received): Promise<void> =>
    breakOff({ ...request, body: request.body.subarray(0, request.body.length / 2) })

  const server = createServer(handle)
  const line = createLine({ allowHalfOpen: true, noDelay: true }, socket => {
    sockets.add(socket.on('error', () => undefined))
    const fault = faults.find(each => isOfLine(each) && befalls(each))
    if (fault) spoil(socket, fault, () => met.push(fault))
    else server.emit('connection', socket)
  })
  const { port: own, close } = accepts ? await listen(line, port) : await dropPackets()
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await close()
  })
  const url = `http://127.0.0.1:${own}`
  return {
    ...{ url, port: own, faults, met, received, log, close, carried },
    connections: () => sockets.size,
    env: { PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url },
  }
}

interface Listening {
  readonly port: number
  readonly close: () => unknown
}

async function listen(line: Server, port: number): Promise<Listening> {
  await new Promise<void>(resolve => line.listen(port, '127.0.0.1', resolve))
  return { port: (line.address() as AddressInfo).port, close: () => void line.close() }
}

const listener = `
  const { parentPort } = require('node:worker_threads')
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port)
    // Nothing is accepted from now on.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })
`

/** Listens with a queue of connections that is full, so that the system leaves further ones unanswered. */
async function dropPackets(): Promise<Listening> {
  const worker = new Worker(listener, { eval: true })
  const [port] = await once(worker, 'message')
  const waiting: Socket[] = []
  for (let isFull = false; !isFull; ) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    waiting.push(socket)
    isFull = await Promise.race([once(socket, 'connect').then(() => false), sleep(500, true)])
  }
  const close = async () => {
    for (const socket of waiting) socket.destroy()
    await worker.terminate()
  }
  return { port, close }
}

const isOfLine = ({ when }: Fault): boolean => when === 'connected' || typeof when === 'number'

function fits({ to = '' }: Fault, { method, url }: Received): boolean {
  if (typeof to !== 'string') return to.test(`${method} ${url}`)
  return ['', method, `${method} ${url.split('?')[0]}`].includes(to)
}

/** Does to a connection what a fault says, once so many bytes are there. */
function spoil(socket: Socket, { when, does, says }: Fault, onMet: () => void): void {
  const happen = async () => {
    onMet()
    if (says !== undefined) await new Promise(resolve => socket.write(says, resolve))
    if (does === 'reset') socket.resetAndDestroy()
    else if (does === 'drop') socket.destroy()
    else if (does !== 'hang') socket.end()
    if (does === 'read') socket.resume()
  }
  if (typeof when !== 'number') return void happen()
  let count = 0
  socket.on('data', chunk => {
    const before = count
    count += chunk.length
    if (before >= when || count < when) return
    socket.pause()
    void happen()
  })
}

/** Reads the bodies of requests, as fast as the line is; says whether each came whole. */
function lineOf(bytesPerSecond: number | undefined) {
  let [free, carried] = [performance.now(), 0]
  const read = async (incoming: IncomingMessage, take: (chunk: Buffer) => void): Promise<boolean> => {
    try {
      for await (const chunk of incoming) {
        if (bytesPerSecond !== undefined) {
          // A busy machine is late, which must not make the line slower.
          const now = performance.now()
          free = Math.max(now - 1000, free) + (chunk.length / bytesPerSecond) * 1000
          await sleep(free - now)
        }
        carried += chunk.length
        take(chunk)
      }
      return true
    } catch {
      return false
    }
  }
  return { read, carried: () => carried }
}

function send(response: ServerResponse, { status, headers, body = '' }: Reply, does?: Fault['does']): void {
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body)
  const whole = Buffer.isBuffer(body) ? body : Buffer.from(isJson ? JSON.stringify(body) : String(body))
  const half = does === undefined ? whole : whole.subarray(0, whole.length / 2)
  const length = does === 'cut' ? whole.length : half.length
  const type = isJson ? { 'content-type': 'application/json' } : {}
  response.writeHead(status, { ...type, ...headers, ...(status === 204 ? {} : { 'content-length': length }) })
  if (does === 'cut') response.write(half, () => response.socket?.destroy())
  else response.end(half)
}

function changed(reply: Reply, change: (text: string) => string): Reply {
  const { headers = {}, body } = reply
  const type = 'application/json'
  if (typeof body === 'object' && !Buffer.isBuffer(body))
    return { ...reply, headers: { 'content-type': type, ...headers }, body: change(JSON.stringify(body)) }
  return headers['content-type']?.startsWith(type) ? { ...reply, body: change(String(body)) } : reply
}

/**
 * Sends a request on to the server at `origin`; a cut one ends behind what there is of its body. Addresses of that
 * server in the answer become those of the server that was asked, so that uploads come the same way.
 */
function forward(origin: string, { method, url, headers, body }: Received, isCut = false): Promise<Reply> {
  const { 'content-length': length, 'transfer-encoding': _, ...rest } = headers
  const all = { ...rest, host: new URL(origin).host, 'content-length': isCut ? length : String(body.length) }
  return new Promise((resolve, reject) => {
    const asked = request(origin + url, { method, headers: all, agent: false }, reply => {
      const { 'content-length': _, 'transfer-encoding': __, ...rest } = reply.headers
      buffer(reply).then(bytes => {
        const text = bytes.toString('latin1').replaceAll(origin, `http://${headers.host}`)
        resolve({ status: reply.statusCode ?? 0, headers: rest, body: Buffer.from(text, 'latin1') })
      }, reject)
    })
    asked.on('error', reject)
    if (isCut) asked.write(body, () => asked.destroy(new Error('cut')))
    else asked.end(body)
  })
}
