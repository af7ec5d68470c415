import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCompletionCache } from '../../src/cli/completion-cache.ts'
import { systemClock } from '../../src/system/world.ts'
import { runBin } from '../support/machine/bin.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { json, serve } from '../support/servers/server.ts'

const key = 'key-that-must-not-be-kept'

/** A person's machine after a look at the domains of a service, and where it remembers them. */
async function afterListing(items: unknown[]) {
  const { url, received } = await serve(({ method }, response) =>
    json(response, 200, method === 'DELETE' ? { item: {} } : { items }),
  )
  const env = { PUBCTL_API_KEY: key, PUBCTL_BASE_URL: url }
  const { home, run } = machine(env)
  await run(['domains', 'list'])
  const folder = join(home, '.cache/pubctl')
  const tab = async (...words: string[]) => await run(['__complete', 'domains', ...words])
  return { url, received, home, run, tab, folder, file: join(folder, readdirSync(folder)[0] as string) }
}

const one = { id: 'dom_1', domain: 'one.example.org' }
const two = { id: 'dom_2', domain: 'two.example.org' }

describe('the hidden verb __complete', () => {
  it('offers what was listed, with what it is known by, and asks nobody', async () => {
    const { tab, received } = await afterListing([one, two])
    const before = received.length
    expect(await tab('domains', 'get', '')).toEqual({
      code: 0,
      out: 'dom_1\tone.example.org\ndom_2\ttwo.example.org\n',
      err: '',
    })
    expect(received.length).toBe(before)
  })

  it('writes what is there already again when something of it is new, or after an hour', async () => {
    const items: { id: string; domain: string }[] = [one, two]
    const { file, run, tab } = await afterListing(items)
    const written = () => statSync(file, { bigint: true }).ino
    const first = written()
    await run(['domains', 'list'])
    expect(written()).toBe(first)
    items.push({ id: 'dom_3', domain: 'three.example.org' })
    await run(['domains', 'list'])
    const second = written()
    expect(second).not.toBe(first)
    expect((await tab('domains', 'get', '')).out).toContain('dom_3')
    const later = { ...systemClock, now: () => Date.now() + 3_700_000 }
    await run(['domains', 'list'], { clock: later })
    expect(written()).not.toBe(second)
    expect(readFileSync(file, 'utf8')).toContain(`"at":${String(later.now()).slice(0, -5)}`)
  })

  it('takes nothing from an answer that its endpoint does not declare, whatever that is', async () => {
    const { url } = await serve((_, response) => json(response, 200, answer))
    const { run } = machine({ PUBCTL_API_KEY: key, PUBCTL_BASE_URL: url })
    let answer: object = {}
    const lists = [null, 5, 'text', {}, [null, 5, { id: 'x', editions: 5 }]]
    for (const line of ['analytics scope', 'publications get pub_1', 'reader-users get ru_1']) {
      for (const items of lists) {
        answer = { items }
        const { err } = await run(line.split(' '))
        expect({ line, items, err }).toEqual({
          line,
          items,
          err: expect.not.stringContaining('fault in pubctl'),
        })
      }
    }
  })

  it('keeps it in a folder and a file that only their owner can open, without the key', async () => {
    const { folder, file } = await afterListing([one])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toHaveLength(1)
    expect(file + readFileSync(file, 'utf8')).not.toContain(key)
  })

  it('offers nothing of another service or another profile', async () => {
    const { tab, run, url } = await afterListing([one])
    expect((await tab('--base-url', 'https://other.example.org', 'domains', 'get', '')).out).toBe('')
    expect((await tab('--profile=sandbox', 'domains', 'get', '')).out).toBe('')
    const other = { env: { PUBCTL_BASE_URL: `${url}/v2` } }
    expect((await run(['__complete', 'domains', ''], other)).out).toBe('')
    // The last word is the one that is being typed.
    expect((await tab('domains', 'get', '--profile=sandbox')).out).toContain('dom_1')
    expect((await tab('-p', 'sandbox', 'domains', 'get', '')).out).toBe('')
    expect((await tab('-psandbox', 'domains', 'get', '')).out).toBe('')
    expect((await tab('domains', 'get', '--', '--profile=sandbox', '')).out).toContain('dom_1')
    expect((await tab('--api-key-file', 'missing', '--base-url', url, 'domains', 'get', '')).out).toContain(
      'dom_1',
    )
  })

  it('forgets what was deleted', async () => {
    const { run, tab } = await afterListing([one, two])
    await run(['domains', 'delete', 'dom_1', '--yes'])
    expect((await tab('domains', 'get', '')).out).toBe('dom_2\ttwo.example.org\n')
  })

  it('forgets what was in the sandbox with its reset, and nothing with that of another one', async () => {
    const { run, sandbox, home } = machine()
    await sandbox(['domains', 'list'])
    const offered = async () =>
      (await run(['__complete', 'domains', '--profile', 'sandbox', 'domains', 'get', ''])).out
    await run(['sandbox', 'reset', '--yes', '--data-dir', join(home, 'other')])
    expect(await offered()).toContain('dom_library')
    await run(['sandbox', 'reset', '--yes'])
    expect(await offered()).toBe('')
  })

  it('remembers nothing that --dry-run did not do', async () => {
    const { run, tab } = await afterListing([one])
    await run(['domains', 'delete', 'dom_1', '--dry-run'])
    expect((await tab('domains', 'get', '')).out).toContain('dom_1')
  })

  it('shows control characters of a title as escapes, on one line', async () => {
    const { tab } = await afterListing([{ id: 'dom_1', domain: '\u001b]0;x\u0007a\r\nb\tc\u202e' }])
    expect((await tab('domains', 'get', '')).out).toBe('dom_1\t\\u001b]0;x\\u0007a b c\\u202e\n')
  })

  it('offers the keys of metadata with the equals sign behind them', async () => {
    const { url } = await serve((_, response) =>
      json(response, 200, {
        items: [
          { id: 'key_1', key: 'series' },
          { id: 'key_2', key: 'two words' },
        ],
      }),
    )
    const { run } = machine({ PUBCTL_API_KEY: key, PUBCTL_BASE_URL: url })
    await run(['metadata-keys', 'list'])
    const { out } = await run(['__complete', 'metadata', 'publications', 'upload', '--metadata', ''])
    expect(out).toBe('series=\tkey_1\n')
  })

  it('offers profiles with their addresses, and never a key', async () => {
    const { run } = machine()
    const setUp = ['profile', 'setup', 'work', '--base-url', 'https://api.example.org', '--no-verify']
    await run([...setUp, '--api-key-file', '-'], { stdin: key })
    const { out } = await run(['__complete', 'profiles', 'profile', 'use', ''])
    expect(out).toBe('work\thttps://api.example.org\nsandbox\tthe service on this machine\n')
  })

  it('offers the uploads of the journal, those that are finished only to be forgotten', async () => {
    const { home, run, sandbox } = machine()
    expect((await run(['__complete', 'uploads', 'uploads', 'forget', ''])).out).toBe('')
    expect(existsSync(join(home, '.local/share/pubctl/uploads.db'))).toBe(false)
    const book = join(home, 'first.epub')
    await run(['sandbox', 'book', book])
    const { out } = await sandbox(['publications', 'upload', book, '--json'])
    expect((await run(['__complete', 'uploads', 'uploads', 'resume', ''])).out).toBe('')
    expect((await run(['__complete', 'uploads', 'uploads', 'forget', ''])).out).toBe(
      `${JSON.parse(out).uploadRequestId}\tfirst.epub\n`,
    )
  })

  it('says nothing, whatever is wrong', async () => {
    const { run, file, home } = await afterListing([one])
    const nothing = { code: 0, out: '', err: '' }
    expect(await run(['__complete'])).toEqual(nothing)
    expect(await run(['__complete', 'no-such-kind', '--bogus', '--output=x'])).toEqual(nothing)
    expect(await run(['__complete', '__proto__', ''])).toEqual(nothing)
    expect(await run(['__complete', 'domains', ''], { env: { PUBCTL_CACHE_DIR: '' } })).toEqual(nothing)
    expect(await run(['__complete', 'domains', '--profile', 'gone', 'get', ''])).toEqual(nothing)
    const written = ['', '{', 'null', '[]', '{"domains":{}}', '{"domains":[1,null,{"id":2},{"id":"x"}]}']
    for (const text of written) {
      writeFileSync(file, text)
      expect(await run(['__complete', 'domains', 'domains', 'get', ''])).toEqual(nothing)
    }
    mkdirSync(join(home, '.config/pubctl'), { recursive: true })
    writeFileSync(join(home, '.config/pubctl/config.json'), '{')
    expect(await run(['__complete', 'profiles', ''])).toEqual(nothing)
  })

  it('does not let a command fail when nothing can be remembered', async () => {
    const { url } = await serve((_, response) => json(response, 200, { items: [one] }))
    const { home, run } = machine({ PUBCTL_API_KEY: key, PUBCTL_BASE_URL: url })
    writeFileSync(join(home, '.cache'), 'a file in the place of the folder')
    expect(await run(['domains', 'list', '--fields', 'id'])).toEqual({ code: 0, out: 'dom_1\n', err: '' })
  })
})

describe('an item in the completion cache', () => {
  const hour = 3_600_000
  const path = '/v1/domains'
  const at = (folder: string, now: number, service = 'a') => openCompletionCache(folder, service, () => now)

  it('is forgotten a day later', async () => {
    const folder = temporaryFolder()
    const cache = at(folder, 0)
    cache.add(path, {}, { items: [one] })
    cache.save()
    const idsAt = (now: number) =>
      at(folder, now)
        .recent('domains')
        .map(({ id }) => id)
    expect(idsAt(23 * hour)).toEqual(['dom_1'])
    expect(idsAt(25 * hour)).toEqual([])
  })

  it('is removed from the disk when its service was not used for a day', async () => {
    const folder = temporaryFolder()
    const old = at(folder, Date.now(), 'old')
    old.add(path, {}, { items: [one] })
    old.save()
    const [file = ''] = readdirSync(folder)
    utimesSync(join(folder, file), new Date(0), new Date(0))
    const fresh = at(folder, Date.now(), 'new')
    fresh.add(path, {}, { items: [two] })
    fresh.save()
    expect(readdirSync(folder)).toHaveLength(1)
    expect(readdirSync(folder)).not.toContain(file)
  })

  it('is a file of bounded size after a listing of any length', async () => {
    const folder = temporaryFolder()
    const cache = at(folder, 0)
    for (let page = 0; page < 100; page++)
      cache.add(path, {}, { items: Array.from({ length: 50 }, (_, n) => ({ id: `d${page}-${n}` })) })
    cache.save()
    expect(at(folder, 0).recent('domains')).toHaveLength(500)
  })

  it('is not offered for another service whose file has the same name', () => {
    const folder = temporaryFolder()
    const cache = at(folder, 0, 'work\nhttps://a.example/b')
    cache.add(path, {}, { items: [one] })
    cache.save()
    const other = at(folder, 0, 'work\nhttps://a.example-b')
    expect(other.recent('domains')).toEqual([])
    other.add(path, {}, { items: [two] })
    other.save()
    expect(readdirSync(folder)).toHaveLength(1)
    expect(other.recent('domains')).toHaveLength(1)
  })

  it.runIf(isSlow)('is a whole file however many processes write it at once', async () => {
    const { url } = await serve((_, response) => json(response, 200, { items: [one, two] }))
    const home = temporaryFolder()
    const env = { PUBCTL_API_KEY: key, PUBCTL_BASE_URL: url, HOME: home }
    const ends = await Promise.all(
      Array.from({ length: 8 }, () => runBin(['domains', 'list', '--json'], env)),
    )
    expect(ends.map(({ exitCode }) => exitCode)).toEqual(Array(8).fill(0))
    const folder = join(home, '.cache/pubctl')
    const files = readdirSync(folder).filter(name => name.startsWith('items-'))
    expect(files).toHaveLength(1)
    expect(JSON.parse(readFileSync(join(folder, files[0] as string), 'utf8'))).toMatchObject({
      items: { domains: [{ id: 'dom_1' }, { id: 'dom_2' }] },
    })
  })
})
