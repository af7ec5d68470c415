import type { Readable, Writable } from 'node:stream'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import type { AgentServer } from './agent-server.ts'

/** What is served, and over which streams. */
export interface Served {
  readonly version: string
  /** What agents are told before anything else. */
  readonly instructions: string
  readonly server: AgentServer
  readonly stdin: Readable
  readonly stdout: Writable
  readonly signal: AbortSignal
}

/**
 * Speaks the Model Context Protocol until the client is gone or the signal is aborted, and then lets the commands end that
 * still run. A build of its own, because of all that the SDK loads: nothing but types is imported from the program.
 */
export async function serve({ version, instructions, server, stdin, stdout, signal }: Served): Promise<void> {
  const sdk = new Server(
    { name: 'pubctl', title: 'pubctl', version },
    { capabilities: { tools: {} }, instructions },
  )
  const gone = new AbortController()
  const running = new Set<Promise<unknown>>()
  sdk.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: server.tools.map(tool => ({ ...tool })) as never,
  }))
  sdk.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const call = server.call(
      params.name,
      params.arguments,
      AbortSignal.any([signal, gone.signal, extra.signal]),
    )
    running.add(call)
    const answer = await call.finally(() => running.delete(call))
    if (answer) return { ...answer }
    throw new McpError(
      ErrorCode.InvalidParams,
      `there is no tool ${JSON.stringify(params.name.slice(0, 100))}`,
    )
  })
  await new Promise<void>((resolve, reject) => {
    const leave = () => resolve()
    sdk.onclose = leave
    for (const event of ['end', 'close', 'error']) stdin.once(event, leave)
    stdout.once('error', leave)
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    sdk.connect(new StdioServerTransport(stdin, stdout)).catch(reject)
  })
  gone.abort()
  await Promise.allSettled(running)
  await sdk.close()
}
