import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, it, onTestFinished } from 'vitest'
import { runKeyCommand } from '../../src/config/key-command.ts'
import { Interrupted } from '../../src/system/errors.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'

it('a keyCommand takes along what it started when it is given up', { timeout: 60_000 }, async () => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const connected = once(server, 'connection') as Promise<[Socket]>
  const folder = temporaryFolder()
  const [command, child] = ['command.cjs', 'child.cjs'].map(name => join(folder, name)) as [string, string]
  writeFileSync(child, `require('node:net').connect(${port}, '127.0.0.1')`)
  writeFileSync(
    command,
    `require('node:child_process').spawn(process.execPath, [${JSON.stringify(child)}], { stdio: 'inherit' })
    setInterval(() => undefined, 1000)`,
  )
  const controller = new AbortController()
  const running = runKeyCommand(`"${process.execPath}" "${command}"`, {
    env: { ...process.env },
    signal: controller.signal,
    stdin: new PassThrough(),
  })
  const [socket] = await connected
  const closed = once(socket.on('error', () => undefined).resume(), 'close')
  controller.abort(new Interrupted('SIGTERM'))
  await expect(running).rejects.toMatchObject({ exitCode: 143 })
  await closed
})
