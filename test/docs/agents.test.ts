import { describe, expect, it } from 'vitest'
import { itemsIn, startAgent } from '../support/machine/agent.ts'
import { readPage } from '../support/machine/pages.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'

const page = readPage('docs/agents.md')
const block = (language: string, start = ''): string =>
  new RegExp(`^\`\`\`${language}\\n(${start}.*?)^\`\`\`$`, 'ms').exec(page)?.[1] ?? ''

describe('the page on agents', () => {
  it('has a configuration that starts the server', async () => {
    const { command, args } = JSON.parse(block('json')).mcpServers.publishing
    expect(command).toBe('pubctl')
    const at = args.indexOf('mcp')
    const before = args.slice(0, at).map((word: string) => (word === 'work' ? 'sandbox' : word))
    const after = args.slice(at + 1).map((word: string) => (word.startsWith('/') ? temporaryFolder() : word))
    const { call } = await startAgent(after, { before })
    expect(itemsIn(await call('publications_list', { status: ['live'], limit: 5 }))).toEqual([])
  })

  it('shows an answer as it is', async () => {
    const { call } = await startAgent()
    const shape = (text: string) =>
      text
        .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '<random>')
        .split('\n')
        .filter(line => line !== '' && !line.startsWith('{'))
    expect(shape(block('text', 'Exit code'))).toEqual(shape((await call('domains_list', { limit: 1 })).text))
  })

  it.runIf(isSlow)('lists what can be allowed', async () => {
    for (const [, options = ''] of page.matchAll(/^\| .* \| `pubctl mcp(.*)` \|$/gm)) {
      const { client } = await startAgent(options.split(' ').filter(Boolean))
      const names = (await client.listTools()).tools.map(({ name }) => name)
      expect({ options, writes: names.includes('domains_create') }).toEqual({
        ...{ options, writes: options.includes('write') },
      })
      expect({ options, deletes: names.includes('domains_delete') }).toEqual({
        ...{ options, deletes: options.includes('delete') },
      })
    }
  })
})
