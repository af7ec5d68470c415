import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { bin } from '../support/machine/bin-path.ts'
import { isFull } from '../support/machine/full.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'

const inspector = '@modelcontextprotocol/inspector@2.12.0'

it.runIf(isFull)(
  'the inspector of the protocol lists the tools and calls them',
  async () => {
    const home = temporaryFolder()
    const inspect = async (...args: string[]) => {
      const server = [process.execPath, bin, '--profile', 'sandbox', 'mcp', '--allow', 'write,delete']
      const { stdout } = await execa('npx', ['--yes', inspector, '--cli', ...server, ...args], {
        // It ends with another code than 0 where the answer is an error.
        reject: false,
        env: { PUBCTL_KEYCHAIN: 'off', PUBCTL_DATA_DIR: join(home, 'data'), PUBCTL_CONFIG_DIR: home },
      })
      return JSON.parse(stdout)
    }
    const { tools } = await inspect('--method', 'tools/list')
    expect(tools.length).toBeGreaterThan(40)
    const call = ['--method', 'tools/call', '--tool-name']
    const got = await inspect(...call, 'domains_get', '--tool-arg', 'id=dom_school')
    expect(got).toMatchObject({ isError: false, content: [{ text: expect.stringContaining('school.') }] })
    const asked = await inspect(...call, 'domains_delete', '--tool-arg', 'id=["dom_staging"]')
    expect(asked.content[0].text).toContain('Nothing was deleted yet.')
    const wrong = await inspect(...call, 'domains_get', '--tool-arg', 'id=dom_missing')
    expect(wrong).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Exit code 5.') }],
    })
  },
  300_000,
)
