import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import { describe, expect, it } from 'vitest'
import { resetSandbox, sandboxStatus } from '../../src/sandbox/index.ts'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { databasePath } from '../../src/sandbox/store/database.ts'
import { isSlow } from '../support/machine/slow.ts'
import { clientOf, dataFolder, sandbox } from '../support/servers/sandbox.ts'
import { startServer } from '../support/servers/sandbox-server.ts'

/** Everything that a store holds, but for its secret, its port and when keys were used. */
function contentOf(dataDir: string): Record<string, unknown[]> {
  const db = new Libsql(databasePath(dataDir))
  const tables = db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`).all([]) as {
    name: string
  }[]
  const content = tables
    .filter(({ name }) => name !== 'settings')
    .map(({ name }) => [name, db.prepare(`SELECT * FROM ${name} ORDER BY 1`).raw().all([])])
  db.close()
  return Object.fromEntries(content)
}

/** The same without what is particular to the text of a key. */
const withoutKeys = (content: Record<string, unknown[]>): unknown =>
  JSON.parse(
    JSON.stringify(content, (name, value) =>
      name === 'api_keys' ? value.map(([seq, id]: unknown[]) => [seq, id]) : value,
    ),
  )

describe('a new sandbox', () => {
  it('holds the same as every other, keys aside, down to identifiers and times', async () => {
    const [one, two] = [dataFolder(), dataFolder()]
    for (const dataDir of [one, two]) await (await sandbox({ dataDir })).close()
    expect(withoutKeys(contentOf(one))).toEqual(withoutKeys(contentOf(two)))
    expect(contentOf(one)['reader_instances']).toHaveLength(3)
    expect(contentOf(one)['publications']).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('is readable by its owner alone', async () => {
    const dataDir = dataFolder()
    await sandbox({ dataDir })
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    expect(statSync(join(dataDir, 'objects')).mode & 0o777).toBe(0o700)
  })

  it.runIf(isSlow)('is made once when several are started at the same time', async () => {
    const dataDir = dataFolder()
    const servers = await Promise.all([startServer(dataDir), startServer(dataDir), startServer(dataDir)])
    for (const { baseUrl, key } of servers) {
      const { items } = await clientOf(baseUrl, key).ok('GET', '/v1/users')
      expect(items).toHaveLength(4)
    }
  })
})

describe('what a sandbox was told', () => {
  it('is there the next time', async () => {
    const dataDir = dataFolder()
    const first = await sandbox({ dataDir })
    const { item } = await first.publish({ collectionIds: ['c'] })
    await first.ok('POST', '/v1/domains', { domain: 'new.example' })
    await first.ok('PATCH', '/v1/apikeys/key_inactive', { status: 'active' })
    await first.close()
    const second = await sandbox({ dataDir })
    expect((await second.ok('GET', `/v1/publications/${item.id}`)).item).toEqual(item)
    expect((await second.ok('GET', '/v1/domains')).items).toHaveLength(4)
    expect(second.keys.find(({ name }) => name === 'inactive')?.status).toBe('active')
  })

  it('stands whole in the one file once it is closed, while other processes have it open too', async () => {
    const dataDir = dataFolder()
    await startServer(dataDir)
    const service = await sandbox({ dataDir })
    await service.ok('POST', '/v1/domains', { domain: 'new.example' })
    await service.close()
    const copy = dataFolder()
    mkdirSync(copy)
    copyFileSync(databasePath(dataDir), databasePath(copy))
    expect(contentOf(copy)).toEqual(contentOf(dataDir))
    expect(contentOf(copy)['domains']).toHaveLength(4)
  })

  it('is closed without a wait for what another process writes', async () => {
    const dataDir = dataFolder()
    const service = await sandbox({ dataDir })
    const other = new Libsql(databasePath(dataDir))
    other.exec('BEGIN IMMEDIATE')
    const start = Date.now()
    await service.close()
    expect(Date.now() - start).toBeLessThan(5000)
    other.exec('COMMIT')
    other.close()
  })

  it('survives a kill at any moment, and an uploaded book is carried on by another process', async () => {
    const dataDir = dataFolder()
    const server = await startServer(dataDir, ['--processing-delay', '300ms'])
    const client = clientOf(server.baseUrl, server.key)
    const { item, result } = await client.create()
    expect(await client.put(result, await makeExampleEpub({ title: 'Killed' }))).toBe(200)
    server.child.kill('SIGKILL')
    await once(server.child, 'exit')
    const next = await sandbox({ dataDir })
    const { edition } = await next.settled(item.id)
    expect(edition).toMatchObject({ title: 'Killed', uploadStatus: 'available' })
  })

  it.runIf(isSlow)(
    'is taken over at once from a process that was killed while it examined a book',
    async () => {
      const dataDir = dataFolder()
      const first = await sandbox({ dataDir, processingDelayMs: 60_000 })
      const { item, result } = await first.create()
      await first.put(result, await makeExampleEpub())
      await first.close()
      const db = new Libsql(databasePath(dataDir))
      // What such a process leaves behind: a lease that has long to go, in the name of nobody.
      const gone = await startServer(dataFolder())
      gone.child.kill('SIGKILL')
      await once(gone.child, 'exit')
      db.prepare(`UPDATE jobs SET step = 'uploaded', due_at = 0, leased_by = ?, leased_until = ?`).run([
        `${gone.child.pid} x`,
        Date.now() + 3_600_000,
      ])
      db.close()
      const second = await sandbox({ dataDir })
      expect((await second.settled(item.id)).edition.uploadStatus).toBe('available')
    },
  )

  it.runIf(isSlow)('is left alone while another process that lives examines it', async () => {
    const dataDir = dataFolder()
    const first = await sandbox({ dataDir, processingDelayMs: 60_000 })
    const { item, result } = await first.create()
    await first.put(result, await makeExampleEpub())
    const other = await startServer(dataFolder())
    const db = new Libsql(databasePath(dataDir))
    db.prepare(`UPDATE jobs SET step = 'uploaded', due_at = 0, leased_by = ?, leased_until = ?`).run([
      `${other.child.pid} x`,
      Date.now() + 3_600_000,
    ])
    db.close()
    const second = await sandbox({ dataDir })
    // A book that comes later is done, and this one is not.
    await second.publish()
    const { item: untouched } = await second.ok('GET', `/v1/publications/${item.id}`)
    expect(untouched.editions[0].uploadStatus).toBe('upload_pending')
    other.child.kill('SIGKILL')
    expect((await second.settled(item.id)).edition.uploadStatus).toBe('available')
  })

  it.runIf(isSlow)('has one outcome for each book when several processes see to them', async () => {
    const dataDir = dataFolder()
    const servers = await Promise.all([
      startServer(dataDir, ['--processing-delay', '1ms']),
      startServer(dataDir, ['--processing-delay', '1ms']),
    ])
    const clients = servers.map(({ baseUrl, key }) => clientOf(baseUrl, key))
    const own = await sandbox({ dataDir })
    const outcomes = await Promise.all(
      Array.from({ length: 24 }, async (_, at) => {
        const client = clients[at % 2] ?? own
        const title = at % 3 === 0 ? undefined : `Book ${at}`
        return (await client.publish({}, title === undefined ? 'nothing' : await makeExampleEpub({ title })))
          .edition
      }),
    )
    for (const [at, edition] of outcomes.entries()) {
      expect(edition).toMatchObject(
        at % 3 === 0 ? { uploadStatus: 'upload_failed' } : { uploadStatus: 'available', title: `Book ${at}` },
      )
    }
    expect(contentOf(dataDir)['jobs']).toEqual([])
  })

  it('lets a session of one process be used at another', async () => {
    const dataDir = dataFolder()
    const [one, two] = [await sandbox({ dataDir }), await sandbox({ dataDir })]
    const { item, result } = await one.create()
    const url = new URL(result.uploadUrl)
    const elsewhere = { ...result, uploadUrl: two.baseUrl + url.pathname + url.search }
    expect(await two.put(elsewhere, await makeExampleEpub())).toBe(200)
    expect((await one.settled(item.id)).edition.uploadStatus).toBe('available')
  })
})

describe('a reset', () => {
  it('takes everything back to the beginning, for those too that use it meanwhile', async () => {
    const dataDir = dataFolder()
    const service = await sandbox({ dataDir })
    await service.close()
    const before = contentOf(dataDir)
    const again = await sandbox({ dataDir })
    await again.publish({ collectionIds: ['c'], coverFilename: 'c.png' })
    await again.ok('POST', '/v1/resources/metadata-keys', { key: 'series' })
    const pending = await again.create()
    await again.ok('DELETE', '/v1/users')
    await resetSandbox(dataDir)
    expect(contentOf(dataDir)).toEqual(before)
    expect(readdirSync(join(dataDir, 'objects'))).toEqual([])
    expect((await again.ok('GET', '/v1/publications')).stats.publicationCount).toBe(0)
    // What was asked for before is accepted, and belongs to nobody.
    expect(await again.put(pending.result, 'late')).toBe(200)
    expect((await again.publish()).edition.uploadStatus).toBe('available')
  })

  it('makes a sandbox where there is none', async () => {
    const dataDir = dataFolder()
    await resetSandbox(dataDir)
    expect(sandboxStatus(dataDir)).toMatchObject({ exists: true, publications: 0 })
  })

  it('replaces a store that is damaged, which nothing else does', async () => {
    const dataDir = dataFolder()
    mkdirSync(dataDir)
    writeFileSync(databasePath(dataDir), 'this is no database, and has not been one for a long time')
    await expect(sandbox({ dataDir })).rejects.toMatchObject({ code: 'sandbox_data', exitCode: 2 })
    expect(() => sandboxStatus(dataDir)).toThrow(/damaged/)
    expect(readFileSync(databasePath(dataDir), 'utf8')).toContain('no database')
    await resetSandbox(dataDir)
    expect((await (await sandbox({ dataDir })).call('GET', '/v1/users')).status).toBe(200)
  })

  it('replaces a store of a newer version, which is left alone otherwise', async () => {
    const dataDir = dataFolder()
    await (await sandbox({ dataDir })).close()
    const db = new Libsql(databasePath(dataDir))
    db.exec('PRAGMA user_version = 999')
    db.close()
    await expect(sandbox({ dataDir })).rejects.toMatchObject({ code: 'sandbox_data', message: /newer/ })
    await resetSandbox(dataDir)
    expect((await (await sandbox({ dataDir })).call('GET', '/v1/users')).status).toBe(200)
  })
})

describe('the status', () => {
  it('of a sandbox that does not exist makes nothing', () => {
    const dataDir = dataFolder()
    expect(sandboxStatus(dataDir)).toEqual({
      dataDir,
      exists: false,
      publications: 0,
      editions: 0,
      bytes: 0,
      keys: [],
    })
    expect(existsSync(dataDir)).toBe(false)
  })

  it('counts what is there, and shows the keys as they stand', async () => {
    const dataDir = dataFolder()
    const { publish, ok } = await sandbox({ dataDir })
    const bytes = await makeExampleEpub({ cover: false })
    await publish({}, bytes)
    await ok('DELETE', '/v1/apikeys/key_inactive')
    await ok('PATCH', '/v1/apikeys/key_read_only', { scopes: [] })
    const status = sandboxStatus(dataDir)
    expect(status).toMatchObject({ exists: true, publications: 1, editions: 1, bytes: bytes.length })
    expect(status.keys.map(({ name }) => name)).not.toContain('inactive')
    expect(status.keys.slice(0, 2)).toMatchObject([
      { name: 'full', scopes: ['read', 'write', 'delete'] },
      { name: 'read-only', scopes: [] },
    ])
  })
})
