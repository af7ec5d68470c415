import pLimit from 'p-limit'
import type { CommandNode } from '../cli/command-tree.ts'
import { neutraliseJson } from '../cli/output/neutralise.ts'
import { collectGarbage } from '../system/collect-garbage.ts'
import { asFailure, exitCodes, Failure, UsageFailure } from '../system/errors.ts'
import type { World } from '../system/world.ts'
import { type ToolAnswer, toolAnswer } from './answer.ts'
import { checkToolInput, quotedValue, type ToolInput } from './check-input.ts'
import { wordsOf } from './command-line.ts'
import { confirmationMinutes, openConfirmations } from './confirmations.ts'
import { openContinuations, type Rest } from './continuations.ts'
import { readListOutput } from './list-output.ts'
import type { RootFolder } from './root-folder.ts'
import { type Captured, type RunLine, runCaptured } from './run-captured.ts'
import { propertyName } from './schema.ts'
import { stillProcessing, type ToolCall } from './still-processing.ts'
import { cutPage } from './text-pages.ts'
import {
  type ListedTool,
  listed,
  nextProperties,
  nextTool,
  type Permission,
  type Tool,
  toolsOf,
} from './tool.ts'

/** How many commands run at a time that only read, and how many calls may wait. Others run one after another. */
const [mostReading, mostWaiting] = [4, 50]

/** How long a call waits for processing without `timeout`: programs of agents give up calls after a minute. */
const processingTimeout = 30_000

/** After how many commands the files of their databases are closed. */
const tidiedAfter = 25

/** The tools for agents, and what answers their calls. */
export interface AgentServer {
  readonly tools: readonly ListedTool[]
  /**
   * Answers a call. Undefined if there is no such tool. The command ends early when the signal is aborted; `onProgress` is
   * told what it does.
   */
  call(name: string, given: unknown, caller: WaitingAgent): Promise<ToolAnswer | undefined>
}

/** Who waits for an answer. */
interface WaitingAgent {
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
}

interface AgentServerOptions {
  /** All commands of pubctl. */
  readonly tree: CommandNode
  readonly allowed: ReadonlySet<Permission>
  /** The groups of commands that are offered; all if it is undefined. */
  readonly groups: readonly string[] | undefined
  readonly root: RootFolder
  /** The options that stand before every command, such as that for the profile. */
  readonly globals: readonly string[]
  readonly runLine: RunLine
  readonly world: World
}

/** Offers the commands of pubctl to agents. */
export function createAgentServer(options: AgentServerOptions): AgentServer {
  const { tree, allowed, groups, root, globals, runLine } = options
  const world = { ...options.world, processingTimeout }
  const all = new Map(toolsOf(tree, allowed, groups).map(tool => [tool.name, tool]))
  const continuations = openContinuations()
  const confirmations = openConfirmations(world.clock)
  const reading = pLimit(mostReading)
  const writing = pLimit(1)

  let ran = 0
  const run = async (words: readonly string[], caller: WaitingAgent, flags: readonly string[] = []) => {
    ran += 1
    if (ran % tidiedAfter === 0) collectGarbage()
    const argv = [...globals, ...machineFlags, ...flags, ...words]
    return await runCaptured(
      runLine,
      argv,
      { ...world, onProgress: caller.onProgress },
      caller.signal,
      root.mayRead,
    )
  }

  const page = (rest: Rest, before: string, said: readonly string[] = []): ToolAnswer => {
    const { page: data, rest: text } = cutPage(rest.text)
    const isMore = text !== '' || rest.call !== undefined
    const after = isMore ? [goOnWith(continuations.keep({ ...rest, text }))] : []
    return toolAnswer({ before, data, after: [...after, ...said] }, rest.isError)
  }

  const result = (tool: Tool, input: ToolInput, { exitCode, out, err, isCut }: Captured): ToolAnswer => {
    const { data, rest } = readListOutput(out)
    const next = rest && tool.properties.some(({ name }) => name in rest) ? { ...input, ...rest } : undefined
    const processing = stillProcessing({ tool: tool.name, input }, data, err)
    // What to do about it is said once, in the words of tools.
    const messages = err
      .split('\n')
      .filter(
        line =>
          !(next && isAbout(line, 'listing_cut')) && !(processing?.isAll && line.startsWith('{"error"')),
      )
      .join('\n')
    const text = [messages.trim(), data.trim()].filter(Boolean).join('\n')
    const said = [
      `Exit code ${exitCode}.`,
      isCut ? tooLarge : '',
      text === '' ? 'There is nothing to show.' : '',
    ]
    const isError = exitCode !== exitCodes.done && !processing?.isAll
    return page(
      { text, isError, call: next && { tool: tool.name, input: next } },
      said.filter(Boolean).join(' '),
      processing
        ? [goOnWaiting(all.has(processing.next.tool) ? processing.next : { tool: tool.name, input })]
        : [],
    )
  }

  const runTool = async (tool: Tool, input: ToolInput, caller: WaitingAgent): Promise<ToolAnswer> => {
    const words = await wordsOf(tool.node.path, tool.properties, input, root.fileOf)
    if (tool.needs !== 'delete') return result(tool, input, await run(words, caller))
    const { confirmation } = input
    if (confirmation === undefined) return await preview(tool, input, words, caller)
    confirmations.use(String(confirmation), JSON.stringify(words))
    return result(tool, input, await run(words, caller, ['--yes']))
  }

  /** Shows what would be deleted, and gives the text that confirms it. */
  const preview = async (tool: Tool, input: ToolInput, words: readonly string[], caller: WaitingAgent) => {
    const planned = await run(words, caller, ['--dry-run'])
    if (planned.exitCode !== exitCodes.done) return result(tool, input, planned)
    const shown = [planned.err + readListOutput(planned.out).data.trim()]
    const { shownBy } = tool
    const path = shownBy?.path.split(' ') ?? []
    if (path[1] === 'get')
      for (const id of idsIn(words)) {
        const found = await run([...path, '--', id], caller)
        if (found.exitCode !== exitCodes.done) return result(tool, input, found)
        shown.push(found.err + found.out.trim())
      }
    else if (shownBy) {
      const listed = await run([...path, '--all'], caller)
      if (listed.exitCode !== exitCodes.done) return result(tool, input, listed)
      const lines = new Map(readListOutput(listed.out).data.split('\n').flatMap(withId))
      for (const id of idsIn(words)) {
        const line = lines.get(id)
        if (line === undefined) throw notThere(id, propertyName(shownBy.path))
        shown.push(line)
      }
    }
    const text = shown.join('\n')
    const confirmation = confirmations.make(JSON.stringify(words))
    const how = `To delete exactly this, call "${tool.name}" again within ${confirmationMinutes} minutes with the same arguments and ${JSON.stringify({ confirmation })}. If a person gave you this task, ask that person first.`
    const before = 'Nothing was deleted yet. This would be deleted:'
    return page({ text, isError: false, call: undefined }, before, [how])
  }

  const goOn = async (given: unknown, caller: WaitingAgent): Promise<ToolAnswer> => {
    const { page: name } = checkToolInput(given, nextProperties)
    const rest = continuations.find(String(name))
    if (rest === undefined)
      throw new UsageFailure('there is no answer of this name to continue', {
        code: 'no_such_page',
        hint: 'Only the latest answers are kept. Make the first call again.',
      })
    const { text, call } = rest
    if (text !== '' || !call) return page(rest, 'This continues an earlier answer.')
    return await callTool(all.get(call.tool) as Tool, call.input, caller)
  }

  const callTool = async (tool: Tool, given: unknown, caller: WaitingAgent): Promise<ToolAnswer> => {
    const { needs } = tool
    if (needs && !allowed.has(needs))
      throw new UsageFailure(`"${tool.name}" is not allowed, because it ${effects[needs]}`, {
        code: 'not_allowed',
        hint: `Whoever starts the server can allow it: pubctl mcp --allow ${needs}`,
      })
    const input = checkToolInput(given, tool.properties)
    const turn = needs ? writing : reading
    if (turn.pendingCount >= mostWaiting)
      throw new UsageFailure('too many calls are waiting already', {
        code: 'too_many_calls',
        hint: 'Wait for the answers to earlier calls.',
      })
    return await turn(async () => {
      caller.signal.throwIfAborted()
      return await runTool(tool, input, caller)
    })
  }

  const offered = [...all.values()].filter(({ needs }) => !needs || allowed.has(needs))
  return {
    tools: [...listed(offered), nextTool],
    async call(name, given = {}, caller) {
      const tool = all.get(name)
      if (tool === undefined && name !== nextTool.name) return undefined
      try {
        return tool ? await callTool(tool, given, caller) : await goOn(given, caller)
      } catch (error) {
        return failed(error)
      }
    },
  }
}

/** Prints what programs read, and never asks. */
const machineFlags = ['--json', '--envelope', '--no-input'] as const
const effects = { write: 'writes', delete: 'deletes' } as const
const tooLarge =
  'The result is larger than what is kept of it, so its end is missing; give a limit or fewer fields.'
const goOnWith = (page: string): string =>
  `There is more: call the tool "next" with ${JSON.stringify({ page })}.`

const goOnWaiting = ({ tool, input }: ToolCall): string =>
  `The upload is intact: the service has the file and is still processing it. To go on waiting, call "${tool}" with ${JSON.stringify(input)}.`

const isAbout = (line: string, code: string): boolean => line.startsWith(`{"warning":{"code":"${code}"`)

/** An item of a list with its id. */
const withId = (line: string): [string, string][] => {
  const { id } = line === '' ? {} : (JSON.parse(line) as { id?: unknown })
  return typeof id === 'string' ? [[id, line]] : []
}

const notThere = (id: string, lister: string): Failure =>
  new Failure(`there is no ${quotedValue(id)}, so nothing would be deleted`, {
    code: 'nothing_to_delete',
    exitCode: exitCodes.notFound,
    hint: `The tool "${lister}" shows what there is.`,
  })

/** The arguments on a command line. */
const idsIn = (words: readonly string[]): readonly string[] =>
  words.includes('--') ? words.slice(words.indexOf('--') + 1) : []

/** What a failure says, in the words and the form of the command line. */
function failed(error: unknown): ToolAnswer {
  const { code, message, hint = null, exitCode } = asFailure(error)
  const data = neutraliseJson(JSON.stringify({ error: { code, message, hint, exitCode } }))
  return toolAnswer({ before: `Exit code ${exitCode}.`, data }, true)
}
