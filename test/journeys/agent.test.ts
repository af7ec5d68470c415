// An agent's program starts pubctl as docs/agents.md says, and asks for its tools.
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { artefact } from '../support/machine/artefacts.ts'
import { noPackages } from '../support/machine/npm.ts'
import { sectionOf } from '../support/machine/pages.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'

const section = sectionOf('docs/agents.md', '## Connecting an agent')

describe.runIf(isSlow && process.platform !== 'win32')("an agent's program", () => {
  it('gets the tools from the installed pubctl, with the documented arguments', async ({ skip }) => {
    const { prefix } = (await artefact('installed')) ?? skip(noPackages)
    const { command } = JSON.parse(/```json\n(.*?)```/s.exec(section)?.[1] ?? '').mcpServers.publishing
    const args: string[] = JSON.parse(/`"args": (\[.*?\])`/.exec(section)?.[1] ?? '')
    const initialize = {
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: {
        ...{ protocolVersion: '2025-06-18', capabilities: {} },
        clientInfo: { name: 'journey', version: '1' },
      },
    }
    const messages = [
      initialize,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
    ]
    // Such a program has no terminal, and its folder may be any.
    const { stdout, stderr, exitCode } = await execa(join(prefix, 'bin', command), args, {
      ...{ cwd: '/', input: messages.map(message => `${JSON.stringify(message)}\n`).join('') },
      env: { HOME: temporaryFolder(), PATH: process.env['PATH'] ?? '', PUBCTL_KEYCHAIN: 'off' },
      ...{ extendEnv: false, reject: false },
    })
    const answers = stdout.split('\n').map(line => JSON.parse(line))
    const { tools } = answers.find(({ id }) => id === 2).result
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['publications_list', 'publications_delete']),
    )
    expect({ stderr, exitCode }).toMatchObject({ exitCode: 0 })
  })
})
