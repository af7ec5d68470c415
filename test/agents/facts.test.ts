import { describe, expect, it } from 'vitest'
import type { CommandNode } from '../../src/cli/command-tree.ts'
import { startAgent } from '../support/machine/agent.ts'
import { invocations } from '../support/machine/every-command.ts'
import { machine } from '../support/machine/pubctl.ts'
import { copySandbox, seededMachine } from '../support/machine/seeded.ts'
import { isSlow, share } from '../support/machine/slow.ts'
import { leaves, root } from '../support/machine/tree.ts'

const commands = leaves(root)
const nodeOf = (path: string) => commands.find(each => each.path === path) as CommandNode

describe('what each command says of itself', () => {
  it('is that it does more than read where it changes the service', () => {
    expect(commands.filter(({ changes, does }) => changes && does === 'reads')).toEqual([])
  })

  it('is that it does more than read where its dry run has another request than GET', async () => {
    const { home, things } = await seededMachine()
    const own = machine()
    copySandbox(home, own.home)
    let planned = 0
    for (const { command, args, isEndless, stdin } of share(invocations(things), 3)) {
      // A dry run is not asked of what only people use on their own machine.
      if (isEndless || stdin !== undefined || /^(profile|help|completions|sandbox)\b/.test(command)) continue
      const { out } = await own.sandbox([...args, '--dry-run', '--json'])
      const methods = [...out.matchAll(/"method":"(POST|PATCH|PUT|DELETE)"/g)].map(([, method]) => method)
      const { does } = nodeOf(command)
      if (methods.length > 0) {
        planned += 1
        expect({ command, does }).not.toEqual({ command, does: 'reads' })
      }
      if (methods.includes('DELETE')) expect({ command, does }).toEqual({ command, does: 'deletes' })
    }
    expect(planned).toBeGreaterThan(isSlow ? 20 : 5)
  })

  it('names only options that it has, and each file that it writes', () => {
    for (const { path, options } of commands)
      for (const { long, type, isWritten, description } of options)
        expect({ path, long, isWritten }).toEqual({
          ...{ path, long },
          isWritten: type === 'file' && /\bwrite|\bto a file|file to write/.test(description),
        })
  })
})

describe('the tools', () => {
  it('are all commands but those that say why they are not for agents', async () => {
    const { client } = await startAgent(['--allow', 'write', '--allow', 'delete'])
    const { tools } = await client.listTools()
    const offered = commands.filter(({ notForAgents }) => notForAgents === null)
    expect(tools.map(({ name }) => name)).toEqual([
      ...offered.map(({ path }) => path.replace(/[ -]/g, '_')),
      'next',
    ])
    for (const { path, does } of offered) {
      const tool = tools.find(({ name }) => name === path.replace(/[ -]/g, '_'))
      expect(tool?.annotations).toEqual(
        does === 'reads'
          ? { readOnlyHint: true }
          : { destructiveHint: does === 'changes' || does === 'deletes' },
      )
      expect(Object.keys(tool?.inputSchema.properties ?? {}).includes('confirmation')).toBe(
        does === 'deletes',
      )
    }
  })

  it('have no command of keys, of profiles, or that runs until it is stopped', () => {
    const kept = commands.filter(({ notForAgents }) => notForAgents !== null).map(({ path }) => path)
    for (const path of ['profile setup', 'sandbox status', 'apikeys update', 'watch', 'worker', 'mcp', 'api'])
      expect(kept).toContain(path)
  })
})
