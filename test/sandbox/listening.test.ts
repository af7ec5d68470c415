import { chmodSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import Libsql from 'libsql'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { databasePath } from '../../src/sandbox/store/database.ts'
import { machine } from '../support/machine/pubctl.ts'
import { creation, dataFolder, sandbox } from '../support/servers/sandbox.ts'

describe('the port', () => {
  it('is that of last time', async () => {
    const dataDir = dataFolder()
    const first = await sandbox({ dataDir })
    await first.close()
    expect((await sandbox({ dataDir })).baseUrl).toBe(first.baseUrl)
  })

  it('is another when that of last time is taken', async () => {
    const dataDir = dataFolder()
    const first = await sandbox({ dataDir })
    const second = await sandbox({ dataDir })
    expect(second.baseUrl).not.toBe(first.baseUrl)
    expect((await second.call('GET', '/v1/users')).status).toBe(200)
  })

  it('that was asked for is had or refused', async () => {
    const taken = createServer()
    await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as { port: number }
    await expect(sandbox({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await new Promise(resolve => taken.close(resolve))
    expect((await sandbox({ port })).baseUrl).toBe(`http://127.0.0.1:${port}`)
  })
})

it('a port that cannot be had is told as that', async () => {
  const { baseUrl } = await sandbox()
  const { port } = new URL(baseUrl)
  const { code, err } = await machine().run(['sandbox', 'start', '--port', port])
  expect({ code, err }).toEqual({
    code: 2,
    err: `error: pubctl cannot listen on port ${port} (EADDRINUSE)\n  Choose another --port.\n`,
  })
})

describe('closing', () => {
  it('ends connections that are kept alive, and does not wait for clients that say nothing', async () => {
    const { baseUrl, close, call } = await sandbox()
    await call('GET', '/v1/users')
    const silent = fetch(`${baseUrl}/v1/domains`, {
      method: 'POST',
      body: new ReadableStream({ start: controller => controller.enqueue(Buffer.from('{')) }),
      duplex: 'half',
    } as RequestInit).catch((error: Error) => error.message)
    await call('GET', '/v1/users')
    await close()
    expect(await silent).toBe('fetch failed')
    await expect(fetch(baseUrl)).rejects.toThrow()
  })

  it('leaves a book that waits to the next start', async () => {
    const dataDir = dataFolder()
    const first = await sandbox({ dataDir, processingDelayMs: 60_000 })
    const { item, result } = await first.ok('POST', '/v1/publications', creation())
    await first.put(result, await makeExampleEpub())
    await first.close()
    const db = new Libsql(databasePath(dataDir))
    db.exec('UPDATE jobs SET due_at = 0')
    db.close()
    const second = await sandbox({ dataDir })
    expect((await second.settled(item.id)).edition.uploadStatus).toBe('available')
  })
})

it('says so when the data directory cannot be written to', async () => {
  const dataDir = dataFolder()
  writeFileSync(dataDir, '')
  chmodSync(dataDir, 0o600)
  await expect(sandbox({ dataDir })).rejects.toMatchObject({ code: 'sandbox_data' })
})
