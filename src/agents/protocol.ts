import type { Readable, Writable } from 'node:stream'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js'
import type { AgentServer } from './agent-server.ts'

/** What is served, and over which streams. */
interface Served {
  readonly version: string
  /** What agents are told before anything else. */
  readonly instructions: string
  readonly server: AgentServer
  readonly stdin: Readable
  readonly stdout: Writable
  readonly signal: AbortSignal
  /** Told of each message that is not one of the protocol. It gets no answer, since nobody knows what it is. */
  readonly onBadMessage: () => void
}

/** The largest message that is read, in bytes. */
const largestMessage = 4 * 2 ** 20

/** How often a client is told at least that a command still runs, and at most what it does, in milliseconds. */
const [aliveEvery, leastBetween] = [5000, 200]

/** The version of the protocol since which an answer may have values. */
const firstWithValues = '2025-06-18'

/**
 * Speaks the Model Context Protocol until the client is gone or the signal is aborted, and then lets the commands end that
 * still run. Returns false if it had to stop because of a message that was too large. A build of its own, because of all
 * that the SDK loads: nothing but types is imported from the program.
 */
export async function serve(served: Served): Promise<boolean> {
  const { version, instructions, server, stdin, stdout, signal } = served
  const sdk = new Server(
    { name: 'pubctl', title: 'pubctl', version },
    { capabilities: { tools: {} }, instructions },
  )
  const gone = new AbortController()
  let protocol = ''
  const running = new Set<Promise<unknown>>()
  sdk.onerror = () => served.onBadMessage()
  sdk.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: server.tools.map(tool => ({ ...tool })) as never,
  }))
  sdk.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const ended = AbortSignal.any([signal, gone.signal, extra.signal])
    const progress = tellProgress(extra)
    const call = server.call(params.name, params.arguments, { signal: ended, onProgress: progress.tell })
    running.add(call)
    const answer = await call.finally(() => {
      running.delete(call)
      progress.end()
    })
    if (answer) {
      const { structuredContent, ...text } = answer
      return structuredContent && protocol >= firstWithValues ? { ...text, structuredContent } : text
    }
    throw new McpError(
      ErrorCode.InvalidParams,
      `there is no tool ${JSON.stringify(params.name.slice(0, 100))}`,
    )
  })
  const isLeft = await new Promise<boolean>((resolve, reject) => {
    const leave = () => resolve(true)
    // The SDK closes the connection by itself only where it gives up reading.
    sdk.onclose = () => resolve(false)
    for (const event of ['end', 'close', 'error']) stdin.once(event, leave)
    stdout.once('error', leave)
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: largestMessage })
    const send = transport.send.bind(transport)
    // The SDK tells nobody on which version it agreed with the client.
    transport.send = async message => {
      if ('result' in message && typeof message.result['protocolVersion'] === 'string')
        protocol = message.result['protocolVersion']
      await send(message)
    }
    sdk.connect(transport).catch(reject)
  })
  gone.abort()
  // What needed no command is answered before the end.
  await new Promise(setImmediate)
  await Promise.allSettled(running)
  await sdk.close()
  return isLeft
}

/**
 * Tells a client that asked for progress what its call does, and every few seconds that it still does, so that it does not
 * give up a long upload.
 */
function tellProgress({ _meta, sendNotification }: Extra): { tell(text: string): void; end(): void } {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return { tell() {}, end() {} }
  const began = performance.now()
  let [progress, last, told] = [0, 'running', Number.NEGATIVE_INFINITY]
  let later: NodeJS.Timeout | undefined
  const send = (message: string) => {
    clearTimeout(later)
    later = undefined
    told = performance.now()
    const params = { progressToken, progress: ++progress, message }
    sendNotification({ method: 'notifications/progress', params }).catch(() => undefined)
  }
  const alive = setInterval(() => {
    const now = performance.now()
    if (now - told >= aliveEvery / 2) send(`${last} (${Math.round((now - began) / 1000)} s)`)
  }, aliveEvery)
  return {
    tell(text) {
      last = text
      const wait = told + leastBetween - performance.now()
      if (wait <= 0) send(text)
      else later ??= setTimeout(() => send(last), wait)
    },
    end() {
      clearInterval(alive)
      // What was told last is not lost because it came soon after what was told before.
      if (later !== undefined) send(last)
    },
  }
}

type Extra = Pick<RequestHandlerExtra<ServerRequest, ServerNotification>, '_meta' | 'sendNotification'>
