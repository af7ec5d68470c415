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

/** The largest message that is read, in bytes, and how often a client is told that a command still runs, in milliseconds. */
const [largestMessage, aliveEvery] = [4 * 2 ** 20, 5000]

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
  const running = new Set<Promise<unknown>>()
  sdk.onerror = () => served.onBadMessage()
  sdk.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: server.tools.map(tool => ({ ...tool })) as never,
  }))
  sdk.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const ended = AbortSignal.any([signal, gone.signal, extra.signal])
    const call = server.call(params.name, params.arguments, ended)
    running.add(call)
    const alive = tellAlive(extra)
    const answer = await call.finally(() => {
      running.delete(call)
      clearInterval(alive)
    })
    if (answer) return { ...answer }
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
    sdk.connect(new StdioServerTransport(stdin, stdout, { maxBufferSize: largestMessage })).catch(reject)
  })
  gone.abort()
  // What needed no command is answered before the end.
  await new Promise(setImmediate)
  await Promise.allSettled(running)
  await sdk.close()
  return isLeft
}

/** Tells a client that asked for progress that its call still runs, so that it does not give up a long upload. */
function tellAlive({ _meta, sendNotification }: Extra): NodeJS.Timeout | undefined {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return undefined
  let progress = 0
  return setInterval(() => {
    progress += 1
    const params = { progressToken, progress, message: `${(progress * aliveEvery) / 1000} s` }
    sendNotification({ method: 'notifications/progress', params }).catch(() => undefined)
  }, aliveEvery)
}

type Extra = Pick<RequestHandlerExtra<ServerRequest, ServerNotification>, '_meta' | 'sendNotification'>
