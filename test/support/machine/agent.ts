import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { onTestFinished } from 'vitest'
import { environment } from './bin.ts'
import { bin } from './bin-path.ts'
import { canary, findNoSecret } from './canary.ts'
import { homeVariables } from './home.ts'
import { temporaryFolder } from './pubctl.ts'

/** What a tool answered. */
export interface Answered {
  /** All of it. */
  readonly text: string
  readonly isError: boolean
  /** What stands between the two lines with the mark. */
  readonly data: string
  readonly mark: string
  /** What pubctl says itself. */
  readonly own: string
}

interface Given {
  /** The options and words before `mcp`. */
  readonly before?: readonly string[]
  readonly env?: Record<string, string>
  readonly home?: string
  /** The folder that it is started in. */
  readonly cwd?: string
  /** The first module of the program, where it is a copy. */
  readonly program?: string
}

/** An agent that has started `pubctl mcp` as a process and speaks to it with the client of the SDK. */
export async function startAgent(args: readonly string[] = [], given: Given = {}) {
  const { before = ['--profile', 'sandbox'], env = {}, home = temporaryFolder() } = given
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [given.program ?? bin, ...before, 'mcp', ...args],
    env: environment({
      ...{ ...homeVariables(home), PUBCTL_SANDBOX_DELAY: '5ms' },
      ...(before.includes('sandbox') ? { PUBCTL_API_KEY: canary } : {}),
      ...env,
    }),
    cwd: given.cwd ?? home,
    stderr: 'inherit',
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  onTestFinished(async () => await client.close())
  const call = async (name: string, input: Record<string, unknown> = {}, signal?: AbortSignal) => {
    const result = await client.callTool({ name, arguments: input }, undefined, signal ? { signal } : {})
    const [{ text = '' } = {}] = result.content as { text?: string }[]
    findNoSecret([canary], text, home, name)
    return { ...partsOf(text), isError: result.isError === true } satisfies Answered
  }
  return { client, transport, home, call }
}

function partsOf(text: string) {
  const mark = / the two lines with (data-[\w-]{36}) /.exec(text)?.[1] ?? ''
  const [before = '', data = '', after = ''] =
    mark === '' ? [text] : text.split(new RegExp(`^${mark} (?:begins|ends)\\n?`, 'm'))
  return { text, mark, data: data.trimEnd(), own: before + after }
}

/** The items that an answer lists, one a line. */
export const itemsIn = ({ data }: Answered): Record<string, unknown>[] =>
  data.split('\n').flatMap(line => (line.startsWith('{"warning"') || line === '' ? [] : [JSON.parse(line)]))

/** The error that an answer has. */
export const errorIn = ({ data }: Answered): Record<string, unknown> =>
  JSON.parse(data.split('\n')[0] ?? '').error

/** The text that a call to delete has to repeat. */
export const confirmationIn = ({ own }: Answered): string => /"confirmation":"([^"]+)"/.exec(own)?.[1] ?? ''

/** The name under which an answer goes on; undefined at its end. */
export const pageIn = ({ own }: Answered): string | undefined => /with \{"page":"([^"]+)"\}/.exec(own)?.[1]
