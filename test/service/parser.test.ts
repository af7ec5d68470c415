import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { environment } from '../support/machine/bin.ts'
import { bin } from '../support/machine/bin-path.ts'
import { json, serve } from '../support/servers/server.ts'

const pages = 200

/** How V8 compiles WebAssembly, as it tells it, in a command at a service of many pages. */
async function compiled(...args: string[]) {
  const { url, received } = await serve((_, response) => {
    const nextToken = received.length < pages ? `${received.length}` : null
    json(response, 200, { items: [{ publicationId: 'pub_1', title: 'A' }], nextToken })
  })
  const { stdout } = await execa(process.execPath, ['--trace-wasm-compilation-times', bin, ...args], {
    env: environment({ PUBCTL_BASE_URL: url, PUBCTL_API_KEY: 'pk' }),
    extendEnv: false,
    reject: false,
  })
  return { stdout, received }
}

// V8 of later versions does not have the process wait for what it optimises.
describe.runIf(process.version.startsWith('v20.'))('what reads answers is not optimised', () => {
  it('by a command that reads many of them', async () => {
    const { stdout, received } = await compiled('publications', 'list', '--all', '-o', 'ndjson')
    expect(received).toHaveLength(pages)
    expect(stdout).toContain('using Liftoff')
    expect(stdout).not.toContain('using TurboFan')
  })

  it('by one that makes a connection before it sends a request', async () => {
    const { stdout, received } = await compiled('doctor')
    expect(received).not.toHaveLength(0)
    expect(stdout).toContain('using Liftoff')
    expect(stdout).not.toContain('using TurboFan')
  })
})
