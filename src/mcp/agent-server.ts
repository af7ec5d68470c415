import pLimit from 'p-limit'
import type { CommandNode } from '../cli/command-tree.ts'
import { exitCodes, Failure, UsageFailure } from '../errors.ts'
import { neutraliseJson } from '../output/neutralise.ts'
import { collectGarbage } from '../system/collect-garbage.ts'
import type { World } from '../world.ts'
import { type Answer, answer } from './answer.ts'
import { checkInput, type Input } from './check-input.ts'
import { wordsOf } from './command-line.ts'
import { confirmationMinutes, openConfirmations } from './confirmations.ts'
import { openContinuations, type Rest } from './continuations.ts'
import { readListOutput } from './list-output.ts'
import type { RootFolder } from './root-folder.ts'
import { type Captured, type RunLine, runCaptured } from './run-captured.ts'
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

/** After how many commands the files of their databases are closed. */
const tidiedAfter = 25

/** The tools for agents, and what answers their calls. */
export interface AgentServer {
  readonly tools: readonly ListedTool[]
  /** Answers a call. Undefined if there is no such tool. The command ends early when the signal is aborted. */
  call(name: string, given: unknown, signal: AbortSignal): Promise<Answer | undefined>
}

interface AgentServerOptions {
  /** All commands of pubctl. */
  readonly tree: CommandNode
  readonly allowed: ReadonlySet<Permission>
  readonly root: RootFolder
  /** The options that stand before every command, such as that for the profile. */
  readonly globals: readonly string[]
  readonly runLine: RunLine
  readonly world: World
}

/** Offers the commands of pubctl to agents. */
export function createAgentServer(options: AgentServerOptions): AgentServer {
  const { tree, allowed, root, globals, runLine, world } = options
  const all = new Map(toolsOf(tree, allowed).map(tool => [tool.name, tool]))
  const continuations = openContinuations()
  const confirmations = openConfirmations(world.clock)
  const reading = pLimit(mostReading)
  const writing = pLimit(1)

  let ran = 0
  const run = async (words: readonly string[], signal: AbortSignal, flags: readonly string[] = []) => {
    ran += 1
    if (ran % tidiedAfter === 0) collectGarbage()
    const argv = [...globals, ...machineFlags, ...flags, ...words]
    return await runCaptured(runLine, argv, world, signal, root.mayRead)
  }

  const page = (rest: Rest, before: string, said: readonly string[] = []): Answer => {
    const { page: data, rest: text } = cutPage(rest.text)
    const isMore = text !== '' || rest.call !== undefined
    const after = isMore ? [goOnWith(continuations.keep({ ...rest, text }))] : []
    return answer({ before, data, after: [...after, ...said] }, rest.isError)
  }

  const result = (tool: Tool, input: Input, { exitCode, out, err, isCut }: Captured): Answer => {
    const { data, rest } = readListOutput(out)
    const text = [err.trim(), data.trim()].filter(Boolean).join('\n')
    const next = rest && tool.properties.some(({ name }) => name in rest) ? { ...input, ...rest } : undefined
    const said = [
      `Exit code ${exitCode}.`,
      isCut ? tooLarge : '',
      text === '' ? 'There is nothing to show.' : '',
    ]
    return page(
      { text, isError: exitCode !== exitCodes.done, call: next && { tool: tool.name, input: next } },
      said.filter(Boolean).join(' '),
    )
  }

  const runTool = async (tool: Tool, input: Input, signal: AbortSignal): Promise<Answer> => {
    const words = await wordsOf(tool.node.path, tool.properties, input, root.fileOf)
    if (tool.needs !== 'delete') return result(tool, input, await run(words, signal))
    const { confirmation } = input
    if (confirmation === undefined) return await preview(tool, input, words, signal)
    confirmations.use(String(confirmation), JSON.stringify(words))
    return result(tool, input, await run(words, signal, ['--yes']))
  }

  /** Shows what would be deleted, and gives the text that confirms it. */
  const preview = async (tool: Tool, input: Input, words: readonly string[], signal: AbortSignal) => {
    const planned = await run(words, signal, ['--dry-run'])
    if (planned.exitCode !== exitCodes.done) return result(tool, input, planned)
    const shown = [planned]
    for (const id of tool.shownBy ? idsIn(words) : [])
      shown.push(await run([...(tool.shownBy as CommandNode).path.split(' '), '--', id], signal))
    const text = shown.map(({ out, err }) => err + readListOutput(out).data.trim()).join('\n')
    const confirmation = confirmations.make(JSON.stringify(words))
    const how = `To delete exactly this, call "${tool.name}" again within ${confirmationMinutes} minutes with the same arguments and ${JSON.stringify({ confirmation })}. If a person gave you this task, ask that person first.`
    const before = 'Nothing was deleted yet. This would be deleted:'
    return page({ text, isError: false, call: undefined }, before, [how])
  }

  const goOn = async (given: unknown, signal: AbortSignal): Promise<Answer> => {
    const { page: name } = checkInput(given, nextProperties)
    const rest = continuations.find(String(name))
    if (rest === undefined)
      throw new UsageFailure('there is nothing under this name to go on with', {
        code: 'no_such_page',
        hint: 'Only the latest answers can be gone on with. Make the first call again.',
      })
    const { text, call } = rest
    if (text !== '' || !call) return page(rest, 'This goes on with an earlier answer.')
    return await callTool(all.get(call.tool) as Tool, call.input, signal)
  }

  const callTool = async (tool: Tool, given: unknown, signal: AbortSignal): Promise<Answer> => {
    const { needs } = tool
    if (needs && !allowed.has(needs))
      throw new UsageFailure(`"${tool.name}" is not allowed, because it ${effects[needs]}`, {
        code: 'not_allowed',
        hint: `Whoever starts the server can allow it: pubctl mcp --allow ${needs}`,
      })
    const input = checkInput(given, tool.properties)
    const turn = needs ? writing : reading
    if (turn.pendingCount >= mostWaiting)
      throw new UsageFailure('too many calls are waiting already', {
        code: 'too_many_calls',
        hint: 'Wait for the answers to earlier calls.',
      })
    return await turn(async () => {
      signal.throwIfAborted()
      return await runTool(tool, input, signal)
    })
  }

  return {
    tools: [...[...all.values()].filter(({ needs }) => !needs || allowed.has(needs)).map(listed), nextTool],
    async call(name, given = {}, signal) {
      const tool = all.get(name)
      if (tool === undefined && name !== nextTool.name) return undefined
      try {
        return tool ? await callTool(tool, given, signal) : await goOn(given, signal)
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
  'The result is larger than what is kept of it, so its end is lacking; give a limit or fewer fields.'
const goOnWith = (page: string): string =>
  `There is more: call the tool "next" with ${JSON.stringify({ page })}.`

/** The arguments on a command line. */
const idsIn = (words: readonly string[]): readonly string[] =>
  words.includes('--') ? words.slice(words.indexOf('--') + 1) : []

/** What a failure says, in the words and the form of the command line. */
function failed(error: unknown): Answer {
  const {
    code,
    message,
    hint = null,
    exitCode,
  } = error instanceof Failure
    ? error
    : {
        code: 'fault',
        message: `this is a fault in pubctl: ${(error as Error).message}`,
        exitCode: exitCodes.fault,
      }
  const data = neutraliseJson(JSON.stringify({ error: { code, message, hint, exitCode } }))
  return answer({ before: `Exit code ${exitCode}.`, data }, true)
}
