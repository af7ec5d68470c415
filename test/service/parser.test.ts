import { execa } from 'execa'
import { expect, it } from 'vitest'
import { environment } from '../support/machine/bin.ts'
import { bin } from '../support/machine/bin-path.ts'
import { json, serve } from '../support/servers/server.ts'

// V8 of later versions does not have the process wait for what it compiles.
it.runIf(process.version.startsWith('v20.'))(
  'a program that reads many answers does not wait for V8 to optimise what reads them',
  async () => {
    const pages = 200
    const { url, received } = await serve((_, response) => {
      const nextToken = received.length < pages ? `${received.length}` : null
      json(response, 200, { items: [{ publicationId: 'pub_1', title: 'A' }], nextToken })
    })
    const { stdout } = await execa(
      process.execPath,
      ['--trace-wasm-compilation-times', bin, 'publications', 'list', '--all', '-o', 'ndjson'],
      { env: environment({ PUBCTL_BASE_URL: url, PUBCTL_API_KEY: 'pk' }), extendEnv: false },
    )
    expect(received).toHaveLength(pages)
    expect(stdout).toContain('using Liftoff')
    expect(stdout).not.toContain('using TurboFan')
  },
)
