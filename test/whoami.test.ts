import { join } from 'node:path'
import { expect, it } from 'vitest'
import { machine } from './support/pubctl.ts'
import { json, serve } from './support/server.ts'

it('whoami gives the address of a service', async () => {
  const { url } = await serve((_, response) => json(response, 200, { items: [], context: {} }))
  const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
  expect(JSON.parse((await run(['whoami', '--json'])).out)).toMatchObject({ profile: null, baseUrl: url })
})

it('whoami gives the folder of the sandbox, since its port is gone by then', async () => {
  const { sandbox, home } = machine()
  const { out } = await sandbox(['whoami', '--json'])
  expect(JSON.parse(out)).toMatchObject({
    profile: 'sandbox',
    baseUrl: `sandbox:${join(home, '.local/share/pubctl/sandbox')}`,
  })
})
