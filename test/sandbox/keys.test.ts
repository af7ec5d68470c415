import { statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { resetSandbox, sandboxStatus } from '../../src/sandbox/index.ts'
import { databasePath } from '../../src/sandbox/store/database.ts'
import { machine } from '../support/machine/pubctl.ts'
import { fixedKeys, makeOldSandbox } from '../support/servers/old-sandbox.ts'
import { dataFolder, refusalOf, sandbox } from '../support/servers/sandbox.ts'
import { startServer } from '../support/servers/sandbox-server.ts'

const textsOf = ({ keys }: { keys: { key: string }[] }): string[] => keys.map(({ key }) => key)

describe('the keys of a sandbox', () => {
  it('are its own: no two data folders share one', async () => {
    const [one, two] = [await sandbox(), await sandbox()]
    const texts = [...textsOf(one), ...textsOf(two)]
    expect(new Set(texts).size).toBe(texts.length)
    for (const text of texts) expect(text).toMatch(/^sbx_[a-z]{4}_[0-9a-f]{32}$/)
    expect((await two.call('GET', '/v1/users', undefined, one.key('full'))).status).toBe(401)
  })

  it('stay the same from start to start, in every process, and through a reset', async () => {
    const dataDir = dataFolder()
    const first = await sandbox({ dataDir })
    const server = await startServer(dataDir)
    expect(server.keys).toEqual(first.keys)
    await first.close()
    await resetSandbox(dataDir)
    expect(sandboxStatus(dataDir).keys).toEqual(first.keys)
    expect((await sandbox({ dataDir })).keys).toEqual(first.keys)
  })

  it.skipIf(process.platform === 'win32')('are kept where only their owner can read', async () => {
    const { dataDir, key, ok } = await sandbox()
    for (const part of ['', '-wal', '-shm']) {
      const { mode } = statSync(databasePath(dataDir) + part)
      expect(mode & 0o077, part).toBe(0)
    }
    expect(statSync(dataDir).mode & 0o077).toBe(0)
    expect(JSON.stringify(await ok('GET', '/v1/apikeys'))).not.toContain(key('full'))
  })

  it('are named and shown by sandbox start and sandbox status', async () => {
    const dataDir = dataFolder()
    const { keys } = await startServer(dataDir)
    const everything = ['read', 'write', 'delete']
    expect(keys.map(({ name, scopes, status }) => [name, scopes, status])).toEqual([
      ['full', everything, 'active'],
      ['read-only', ['read'], 'active'],
      ['inactive', everything, 'inactive'],
      ['expired', everything, 'active'],
      ['restricted', everything, 'active'],
      ['editor', everything, 'active'],
      ['viewer', everything, 'active'],
    ])
    const { out } = await machine().run(['sandbox', 'status', '--data-dir', dataDir, '--json'])
    expect(JSON.parse(out).keys).toEqual(keys)
  })
})

describe('a key', () => {
  it.each([
    ['inactive', 401, 'AUTHENTICATION_ERROR'],
    ['expired', 401, 'AUTHENTICATION_ERROR'],
    ['restricted', 403, 'ACCOUNT_RESTRICTED'],
  ])('that is %s gets %i %s whatever it asks', async (name, status, error) => {
    const service = await sandbox()
    const call = (method: string, path: string, body?: unknown) =>
      service.call(method, path, body, service.key(name))
    for (const [method, path] of [
      ['GET', '/v1/users'],
      ['POST', '/v1/domains'],
      ['DELETE', '/v1/domains/dom_staging'],
    ] as const) {
      expect(await refusalOf({ call }, method, path)).toEqual({ status, error })
    }
  })

  it.each([
    ['editor', [200, 201, 200, 403]],
    ['viewer', [200, 403, 403, 403]],
  ])('of the %s does what the role allows', async (name, statuses) => {
    const service = await sandbox()
    const statusOf = async (method: string, path: string, body?: unknown) =>
      (await service.call(method, path, body, service.key(name))).status
    expect([
      await statusOf('GET', '/v1/domains'),
      await statusOf('POST', '/v1/domains', { domain: 'new.example' }),
      await statusOf('PATCH', '/v1/domains/dom_staging', { description: 'x' }),
      await statusOf('DELETE', '/v1/domains/dom_staging'),
    ]).toEqual(statuses)
  })
})

describe('a data folder of version 1', () => {
  it('gets keys of its own, and keeps its data and what had become of its keys', async () => {
    const dataDir = dataFolder()
    makeOldSandbox(dataDir, ['key_inactive'])
    const service = await sandbox({ dataDir })
    for (const fixed of Object.values(fixedKeys)) {
      expect((await service.call('GET', '/v1/users', undefined, fixed)).status).toBe(401)
    }
    expect(service.keys.map(({ name }) => name)).toEqual([
      'full',
      'read-only',
      'expired',
      'restricted',
      'editor',
      'viewer',
    ])
    expect((await service.ok('GET', '/v1/domains')).items).toMatchObject([{ id: 'dom_old' }])
    const { item } = await service.ok('GET', '/v1/apikeys/key_full')
    expect(item).toMatchObject({ name: 'my key_full', suffix: service.key('full').slice(-4) })
    const users = (await service.ok('GET', '/v1/users')).items
    expect(users.map(({ id }: { id: string }) => id)).toEqual([
      'user_ada',
      'user_emil',
      'user_vera',
      'user_rosa',
    ])
    const restricted = await service.call('GET', '/v1/users', undefined, service.key('restricted'))
    expect(restricted.status).toBe(403)
  })

  it('is brought up to date by a command that uses it, and by sandbox status', async () => {
    const { home, run, sandbox: inSandbox } = machine()
    const dataDir = `${home}/.local/share/pubctl/sandbox`
    makeOldSandbox(dataDir)
    const { out } = await run(['sandbox', 'status', '--json'])
    expect(JSON.parse(out).keys[0].key).not.toBe(fixedKeys.key_full)
    expect(await inSandbox(['domains', 'list', '--fields', 'domain'])).toMatchObject({
      code: 0,
      out: 'old.example\n',
    })
  })
})
