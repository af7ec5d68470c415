import { describe, expect, it } from 'vitest'
import { opensLinks } from '../../src/cli/output/links.ts'
import { machine } from '../support/machine/pubctl.ts'

const link = (text: string, address: string) => `\u001b]8;;${address}\u001b\\${text}\u001b]8;;\u001b\\`

describe('whether a terminal opens links', () => {
  it.each<[boolean, Record<string, string>, boolean]>([
    [true, { TERM_PROGRAM: 'WezTerm' }, true],
    [true, { TERM: 'xterm-kitty' }, true],
    [true, { VTE_VERSION: '7600' }, true],
    [true, { VTE_VERSION: '4999' }, false],
    [true, { WT_SESSION: '1f' }, true],
    [true, { TERM: 'xterm-256color' }, false],
    [true, { TERM_PROGRAM: 'Apple_Terminal' }, false],
    [true, { TERM: 'dumb', VTE_VERSION: '7600' }, false],
    [true, { VTE_VERSION: '7600', TMUX: '/tmp/tmux' }, false],
    [true, { VTE_VERSION: '7600', FORCE_HYPERLINK: '0' }, false],
    [false, { VTE_VERSION: '7600' }, false],
    [false, { FORCE_HYPERLINK: '1' }, true],
  ])('at a terminal %s, with %j: %s', (isTerminal, env, expected) => {
    expect(opensLinks(env, isTerminal)).toBe(expected)
  })
})

describe('an address in a table', () => {
  const address = 'https://library.example.org/a/very/long/address/of/a/reading/room/with/more/than/a/line'
  const shown = async (description: string, env: Record<string, string>) => {
    const { sandbox } = machine()
    await sandbox(['domains', 'update', 'dom_library', '--description', description])
    const { out } = await sandbox(['domains', 'list'], { columns: 80, env })
    return out.split('\n').find(line => line.includes('dom_library')) ?? ''
  }

  it('is a link to the whole of it, though it is cut', async () => {
    const line = await shown(address, { FORCE_HYPERLINK: '1' })
    const [, text = ''] = /\u001b\\(.*?)\u001b/.exec(line) ?? []
    expect(line).toContain(link(text, address))
    expect(address.startsWith(text.replace('…', ''))).toBe(true)
    expect(text).toMatch(/…$/)
  })

  it.each([
    ['is no link where the terminal does not open them', address, {}],
    ['is no link if there is more than the address', `see ${address}`, { FORCE_HYPERLINK: '1' }],
    ['is no link if it is not of the web', 'file:///etc/passwd', { FORCE_HYPERLINK: '1' }],
    [
      'is no link if it brings a sequence of its own',
      'https://a.example/\u001b\\evil',
      { FORCE_HYPERLINK: '1' },
    ],
    ['is no link of its own', `\u001b]8;;${address}\u001b\\text`, { FORCE_HYPERLINK: '1' }],
  ])('%s', async (_, description, env) => {
    expect(await shown(description, env)).not.toContain('\u001b')
  })
})
