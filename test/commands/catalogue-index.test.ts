import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import { describe, expect, it } from 'vitest'
import { runBin } from '../support/machine/bin.ts'
import { Interrupted, machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { withoutColours } from '../support/machine/terminal.ts'
import { listedService } from '../support/servers/listed-service.ts'

async function scene(options: Parameters<typeof listedService>[0]) {
  const service = await listedService(options)
  const dataDir = join(temporaryFolder(), 'data')
  const { run, home } = machine({ ...service.env, PUBCTL_DATA_DIR: dataDir })
  const folder = join(dataDir, 'index')
  const kept = async () => JSON.parse((await run(['catalogue', 'index', '--json'])).out)
  const refresh = async (...args: string[]) => {
    const { code, out, err } = await run(['catalogue', 'index', '--refresh', '--json', ...args])
    return { code, err, counts: out === '' ? undefined : JSON.parse(out), ...service.requests() }
  }
  const file = () => join(folder, readdirSync(folder).find(name => name.endsWith('.db')) ?? '')
  return { ...service, run, home, dataDir, folder, file, kept, refresh }
}

const notYours = { error: 'ACCOUNT_RESTRICTED', message: 'not yours', context: {} }

/** Lists these publications instead, to a key of this scope. */
const listing = (scopeId: string, items: readonly unknown[]) => ({
  ...{ to: /^GET .v1.publications\?/, status: 200 },
  body: {
    items,
    nextToken: null,
    defaultPublicationId: '',
    context: { authentication: { sub: 's', scopeId } },
  },
})

describe('catalogue index', () => {
  it('shows nothing before anything was read, and asks for nothing', async () => {
    const { run, kept, log } = await scene({ count: 3 })
    expect(await kept()).toEqual([])
    expect((await run(['catalogue', 'index'], { columns: 100 })).out).toBe(
      'Nothing is kept of any service.\n',
    )
    expect(log).toEqual([])
  })

  it('reads every publication with --refresh, and shows what is kept by address and scope', async () => {
    const { url, kept, refresh, file } = await scene({ count: 120 })
    const { code, counts, pages, reads } = await refresh()
    expect({ code, pages, reads }).toEqual({ code: 0, pages: 3, reads: 120 })
    expect(counts).toEqual({
      ...{ target: url, scopeId: 'scope_1' },
      ...{ listed: 120, outdated: 120, read: 120, removed: 0, unread: 0 },
    })
    expect(await kept()).toEqual([
      {
        ...{ target: url, scopeId: 'scope_1', publications: 120, unread: 0, notReadYet: 0, file: file() },
        comparedAtIso: expect.stringMatching(/^\d{4}-/),
        oldestAtIso: expect.stringMatching(/^\d{4}-/),
      },
    ])
    expect(statSync(file()).mode & 0o777).toBe(0o600)
  })

  it('removes what the service no longer has, after it asked for it', async () => {
    const { kept, refresh, removed, log } = await scene({ count: 4 })
    await refresh()
    removed.add('pub_2')
    const { code, counts } = await refresh()
    expect({ code, counts }).toMatchObject({ code: 0, counts: { listed: 3, read: 3, removed: 1 } })
    expect(await kept()).toMatchObject([{ publications: 3 }])
    expect(log).toEqual([])
  })

  it('keeps what a listing left out while others were deleted', async () => {
    const { kept, refresh, faults } = await scene({ count: 4 })
    await refresh()
    faults.push(listing('scope_1', []))
    expect(await refresh()).toMatchObject({ code: 0, counts: { listed: 0, read: 4, removed: 0 } })
    expect(await kept()).toMatchObject([{ publications: 4 }])
  })

  it('names each publication that cannot be read, keeps what the listing says, and ends with 10', async () => {
    const { kept, refresh, faults } = await scene({
      count: 5,
      faults: [
        { to: /pub_1$/, status: 403, body: notYours },
        { to: /pub_[13]/, status: 404, body: notYours },
      ],
    })
    const { code, err, counts } = await refresh()
    expect({ code, counts }).toMatchObject({ code: 10, counts: { listed: 5, read: 3, unread: 2 } })
    expect(JSON.parse(err).error).toMatchObject({
      code: 'part_failed',
      message: '2 of 5 failed',
      details: [
        { path: ['pub_1'], code: 'ACCOUNT_RESTRICTED' },
        { path: ['pub_3'], message: 'the service lists pub_3, and says that there is no such publication' },
      ],
    })
    expect(await kept()).toMatchObject([{ publications: 5, unread: 2 }])
    faults.length = 0
    expect(await refresh()).toMatchObject({ code: 0, counts: { read: 5, unread: 0 } })
    expect(await kept()).toMatchObject([{ publications: 5, unread: 0 }])
  })

  it('gives up where nothing can be read, and does not ask for the rest', async () => {
    const { refresh } = await scene({ count: 200, faults: { to: /pub_/, status: 403, body: notYours } })
    const { code, err, reads } = await refresh()
    expect({ code, error: JSON.parse(err).error.code }).toEqual({ code: 4, error: 'ACCOUNT_RESTRICTED' })
    expect(reads).toBeLessThan(30)
  })

  it('keeps what it has read when it is interrupted', async () => {
    const end = new AbortController()
    const { run, kept, requests } = await scene({
      count: 300,
      faults: { to: /pub_/, after: 249, times: 1, meanwhile: () => end.abort(new Interrupted('SIGINT')) },
    })
    const { code } = await run(['catalogue', 'index', '--refresh'], { signal: end.signal })
    expect(code).toBe(130)
    const [{ publications, comparedAtIso }] = await kept()
    expect(publications).toBeGreaterThan(200)
    expect(publications).toBeLessThan(260)
    expect(comparedAtIso).toBeNull()
    requests()
  })

  it('only compares with --dry-run, and leaves no file', async () => {
    const { kept, refresh, dataDir } = await scene({ count: 60 })
    expect(await refresh('--dry-run')).toMatchObject({
      ...{ code: 0, pages: 2, reads: 0 },
      counts: { listed: 60, outdated: 60, read: 0 },
    })
    expect(await kept()).toEqual([])
    expect(() => statSync(join(dataDir, 'index'))).toThrow()
  })

  it('keeps scopes apart, and keys of a service that says no scope', async () => {
    const { url } = await listedService({ count: 2, scopeId: null })
    const { run } = machine({ PUBCTL_BASE_URL: url })
    for (const key of ['first-key-0123456', 'second-key-012345', 'first-key-0123456'])
      await run(['catalogue', 'index', '--refresh'], { env: { PUBCTL_API_KEY: key } })
    const { out } = await run(['catalogue', 'index', '--json'])
    expect(JSON.parse(out)).toMatchObject([
      { scopeId: null, publications: 2 },
      { scopeId: null, publications: 2 },
    ])
  })

  it.each(['damaged', 'cut', 'of a newer version'])('makes an index anew that is %s', async state => {
    const { kept, refresh, file } = await scene({ count: 30 })
    await refresh()
    const path = file()
    const bytes = readFileSync(path)
    if (state === 'damaged') bytes.fill(0x55, 0, 4096)
    if (state === 'of a newer version') bytes.writeUInt32BE(99, 60)
    writeFileSync(path, state === 'cut' ? bytes.subarray(0, 5000) : bytes)
    expect(await refresh()).toMatchObject({ code: 0, reads: 30, counts: { read: 30 } })
    expect(await kept()).toMatchObject([{ publications: 30 }])
  })

  it('knows no time of an index in which a time is none', async () => {
    const { kept, refresh, file } = await scene({ count: 3 })
    await refresh()
    const db = new Libsql(file())
    db.exec(
      `UPDATE about SET value = 'yesterday' WHERE name = 'comparedAt'; UPDATE publications SET readAt = 1e300`,
    )
    db.close()
    expect(await kept()).toMatchObject([{ publications: 3, comparedAtIso: null, oldestAtIso: null }])
  })

  it.runIf(isSlow)('makes an index anew of which a page in the middle is damaged', async () => {
    const { kept, refresh, file } = await scene({ count: 400 })
    await refresh()
    const bytes = readFileSync(file())
    for (let page = 4; page * 4096 < bytes.length; page += 2) bytes.fill(0x99, page * 4096, page * 4096 + 200)
    writeFileSync(file(), bytes)
    expect(await refresh()).toMatchObject({ code: 0, counts: { read: 400 } })
    expect(await kept()).toMatchObject([{ publications: 400 }])
  })

  it('refuses an index that other users can write to', async () => {
    const { run, refresh, file } = await scene({ count: 2 })
    await refresh()
    chmodSync(file(), 0o666)
    const { code, err } = await run(['catalogue', 'index', '--refresh'])
    expect(code).toBe(2)
    expect(err).toContain('other users of this machine can write to the file')
  })

  it.skipIf(process.getuid?.() === 0)('works in a folder that cannot be written, and says so', async () => {
    const { refresh, dataDir } = await scene({ count: 3 })
    mkdirSync(dataDir, { mode: 0o500 })
    const { code, err } = await refresh()
    expect(code).toBe(0)
    expect(err).toContain('index_unwritable')
  })

  it.runIf(isSlow)('is refreshed by two processes at once', async () => {
    const { env, dataDir, kept } = await scene({ count: 300 })
    const command = ['catalogue', 'index', '--refresh', '--json']
    const both = await Promise.all([1, 2].map(() => runBin(command, { ...env, PUBCTL_DATA_DIR: dataDir })))
    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0])
    expect(await kept()).toMatchObject([{ publications: 300, unread: 0 }])
  })

  it('says how many listed records have no id', async () => {
    const items = [{ publicationId: 'pub_0', title: 'Book 0' }, { title: 'Nameless' }, null]
    const { refresh } = await scene({ count: 2, faults: listing('x', items) })
    const { code, err, counts } = await refresh()
    expect({ code, counts }).toMatchObject({ code: 0, counts: { listed: 1, read: 1 } })
    expect(JSON.parse(err).warning).toMatchObject({
      code: 'listed_without_id',
      message: 'the service lists 2 records without publicationId, which cannot be read',
    })
  })

  it('works at a service that gives back nothing but ids', async () => {
    const { kept, refresh } = await scene({ count: 12, isBare: true })
    // Each publication is asked for, and its editions, which do not come with it.
    expect(await refresh()).toMatchObject({ code: 0, reads: 24, counts: { read: 12, unread: 0 } })
    expect(await kept()).toMatchObject([{ publications: 12 }])
  })

  it('is a card after reading, and a table of services, at a terminal', async () => {
    const { run, url } = await scene({ count: 2 })
    const shown = async (...args: string[]) => {
      const { out } = await run(['catalogue', 'index', ...args], { columns: 200 })
      return withoutColours(out).replaceAll(url, 'http://service').replace(/ {2,}/g, '  ')
    }
    expect(await shown('--refresh')).toBe(
      `address  http://service
scope id  scope_1
listed  2
outdated  2
read  2
removed  0
unread  0
`,
    )
    const [head, row] = (await shown()).split('\n')
    expect(head).toBe('ADDRESS  SCOPE ID  PUBLICATIONS  UNREAD  NOT READ YET  LISTED  OLDEST RECORD')
    expect(row).toMatch(/^http:\/\/service {2}scope_1 {2}2 {2}0 {2}0 {2}\d{4}-\S+ \S+ {2}\d{4}-\S+ \S+$/)
  })

  it('says how far it has come at a terminal, and nothing with --quiet', async () => {
    const body = { error: 'EMPTY_RESPONSE', message: '', context: {} }
    const { run } = await scene({ count: 20, faults: { to: /pub_/, delay: 60, status: 404, body } })
    const { err } = await run(['catalogue', 'index', '--refresh'], { columns: 100 })
    expect(err).toMatch(/reading publications: \d+ of 20/)
    expect((await run(['catalogue', 'index', '--refresh', '--quiet'], { columns: 100 })).err).not.toContain(
      'reading',
    )
  })
})
