import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { Interrupted } from '../../src/system/errors.ts'
import { errorIn, itemsIn, startAgent } from '../support/machine/agent.ts'
import { environment } from '../support/machine/bin.ts'
import { bin } from '../support/machine/bin-path.ts'
import { canary } from '../support/machine/canary.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { json, serve } from '../support/servers/server.ts'

describe('what an agent gives to a tool', () => {
  it('is refused with a clear word where the schema does not have it', async () => {
    const { call } = await startAgent()
    const refusal = async (name: string, input: Record<string, unknown>) => {
      const answered = await call(name, input)
      expect(answered.isError).toBe(true)
      expect(errorIn(answered)).toMatchObject({ code: 'bad_arguments', exitCode: 2 })
      return errorIn(answered)['message']
    }
    expect(await refusal('domains_get', {})).toBe('the argument "id" is missing')
    expect(await refusal('domains_get', { idd: 'x' })).toContain(
      'there is no argument "idd"; did you mean "id"',
    )
    expect(await refusal('domains_get', { id: 7 })).toBe('"id" must be a text')
    expect(await refusal('domains_get', { id: 'x'.repeat(30_000) })).toContain('more than 20000 characters')
    expect(await refusal('domains_get', { id: 'a\0b' })).toContain('zero character')
    expect(await refusal('domains_list', { limit: '5' })).toContain('whole number')
    expect(await refusal('domains_list', { limit: 0 })).toContain('at least 1')
    expect(await refusal('domains_list', { limit: 1e300 })).toContain('whole number')
    expect(await refusal('publications_list', { status: 'live' })).toBe('"status" must be a list')
    expect(await refusal('publications_list', { status: ['life'] })).toContain('one of draft, live')
    expect(await refusal('publications_list', { all: 'yes' })).toBe('"all" must be true or false')
    expect(await refusal('publications_wait', { id: [] })).toBe('"id" is empty')
    expect(await refusal('publications_wait', { id: Array(2000).fill('x') })).toContain('more than 1000')
    expect(await refusal('analytics_scope', { chart: true })).toContain('no argument "chart"')
    await expect(call('sandbox_status')).rejects.toThrow('there is no tool "sandbox_status"')
    await expect(call('__proto__')).rejects.toThrow('there is no tool')
  })

  it.runIf(isSlow)('does not come back where it is the key of the server', async () => {
    const { call } = await startAgent()
    await expect(call(canary)).rejects.toThrow('there is no tool "[redacted]"')
  })

  it('does not come back as what a terminal would obey', async () => {
    const stdin = `${JSON.stringify({ jsonrpc: '2.0', id: '\u009b', method: 'ping' })}\n`
    const out = execFileSync(process.execPath, [bin, 'mcp'], {
      env: environment(),
      input: stdin,
      encoding: 'utf8',
    })
    expect({ line: out.trim(), id: JSON.parse(out).id }).toEqual({
      line: expect.stringContaining('"\\u009b"'),
      id: '\u009b',
    })
  })

  it.runIf(isSlow)('cannot name what whoever starts the server chooses', async () => {
    const { call } = await startAgent()
    const names = [
      'profile',
      'base_url',
      'base-url',
      '--base-url',
      'api_key_file',
      'yes',
      'output',
      'verbose',
    ]
    for (const name of names)
      expect({
        name,
        ...errorIn(await call('domains_list', { [name]: 'http://evil.example' })),
      }).toMatchObject({
        ...{ name, code: 'bad_arguments' },
      })
  })

  it('is never taken for an option, whatever it looks like', async () => {
    const evil = await serve((_, response) => json(response, 200, { items: [] }))
    const { url, received } = await serve((_, response) =>
      json(response, 200, { items: [], item: { id: 'x' } }),
    )
    const env = { PUBCTL_BASE_URL: url, PUBCTL_API_KEY: 'a-key-that-goes-to-one-address' }
    const { call } = await startAgent(['--allow', 'write,delete'], { before: [], env })
    const words = [
      `--base-url=${evil.url}`,
      '--yes',
      '-y',
      '--',
      '--help',
      '--profile=sandbox',
      '-o',
      '__complete',
    ]
    for (const word of words) {
      await call('domains_get', { id: word })
      expect(received.at(-1)?.url).toBe(`/v1/domains/${encodeURIComponent(word)}`)
      await call('publications_list', { search: word, next_token: word })
      const { searchParams } = new URL(received.at(-1)?.url ?? '', url)
      expect([searchParams.get('search'), searchParams.get('nextToken')]).toEqual([word, word])
      await call('domains_create', { domain: word, description: word })
      expect(JSON.parse(String(received.at(-1)?.body))).toEqual({ domain: word, description: word })
    }
    expect(evil.received).toEqual([])
    await call('domains_delete', { id: ['--yes', 'dom_1'] })
    expect(received.filter(({ method }) => method === 'DELETE')).toEqual([])
  })
})

/** A folder with a book, and one beside it with another, to which links lead. */
async function folders() {
  const above = temporaryFolder()
  const [root, other] = [join(above, 'root'), join(above, 'root-other')]
  for (const folder of [root, other, join(root, 'books')]) mkdirSync(folder)
  const book = await makeExampleEpub({ title: 'On Its Own' })
  writeFileSync(join(root, 'books', 'in.epub'), book)
  writeFileSync(join(other, 'out.epub'), book)
  symlinkSync(join(other, 'out.epub'), join(root, 'link.epub'))
  symlinkSync(other, join(root, 'linked'))
  mkdirSync(join(root, 'mixed'))
  symlinkSync(join(other, 'out.epub'), join(root, 'mixed', 'link.epub'))
  return { root, other }
}

describe('the files that an agent names', () => {
  it('are read in the folder of the server only', async () => {
    const { root, other } = await folders()
    const { call } = await startAgent(['--root', root, '--allow', 'write'])
    for (const file of ['books/in.epub', './books/../books/in.epub', join(root, 'books/in.epub')])
      expect(itemsIn(await call('inspect', { file: [file] }))[0]).toMatchObject({ title: 'On Its Own' })
    const refusal = async (tool: string, input: object) =>
      errorIn(await call(tool, { file: ['books/in.epub'], ...input }))
    const above = ['../root-other', other, 'books/../../root-other', 'linked', '..', '/']
    const files = above.flatMap(folder => [folder, `${folder}/out.epub`])
    for (const file of [...files, 'link.epub', 'mixed', '', '-', '/dev/stdin', '/proc/self/environ']) {
      const wanted = { file, code: 'outside_root' }
      expect({ file, ...(await refusal('inspect', { file: [file] })) }).toMatchObject(wanted)
      expect({ file, ...(await refusal('publications_upload', { cover: file })) }).toMatchObject(wanted)
    }
    for (const folder of above) {
      const report = `${folder}/report.json`
      expect({ report, ...(await refusal('publications_upload', { report })) }).toMatchObject({
        report,
        code: 'outside_root',
      })
    }
    for (const cover of ['auto', 'none'])
      expect(
        itemsIn(await call('publications_upload', { file: ['books/in.epub'], cover, dry_run: true }))[0],
      ).toMatchObject({ action: 'create' })
    // A pattern is no file, and finds none.
    for (const file of ['../root-other/*.epub', 'link*', '{books,linked}/*.epub'])
      expect((await call('inspect', { file: [file] })).isError).toBe(true)
    expect(itemsIn(await call('publications_list'))).toEqual([])
  })

  it.runIf(isSlow)('are uploaded from there, and a report is a new file', async () => {
    const { root } = await folders()
    const { call } = await startAgent(['--allow', 'write'], { cwd: root })
    const uploaded = await call('publications_upload', { file: ['books'], report: 'report.json' })
    expect(itemsIn(uploaded)[0]).toMatchObject({ outcome: 'uploaded', uploadStatus: 'available' })
    expect(JSON.parse(readFileSync(join(root, 'report.json'), 'utf8'))).toBeDefined()
    for (const report of ['report.json', 'link.epub'])
      expect(errorIn(await call('publications_upload', { file: ['books'], report }))).toMatchObject({
        code: 'file_exists',
      })
  })

  it.runIf(isSlow)(
    'are those that a command writes of itself as well, wherever the server was started',
    async () => {
      const { root, other } = await folders()
      writeFileSync(join(root, 'books', 'broken.epub'), 'no book')
      const { call } = await startAgent(['--root', root, '--allow', 'write'], { cwd: other })
      const uploaded = await call('publications_upload', { file: ['books'] })
      expect(uploaded.own).toContain('Exit code 10.')
      expect(readFileSync(join(root, 'failed.csv'), 'utf8')).toContain('broken.epub')
      expect(readdirSync(other)).toEqual(['out.epub'])
    },
  )

  it.runIf(isSlow)('are none where the server was started in the home folder, or above it', async () => {
    const { root: home } = await folders()
    for (const cwd of [home, dirname(home)]) {
      const { call } = await startAgent([], { home, cwd })
      for (const file of ['books/in.epub', join(home, 'books/in.epub')])
        expect(errorIn(await call('inspect', { file: [file] }))).toMatchObject({
          code: 'outside_root',
          hint: expect.stringContaining('pubctl mcp --root'),
        })
    }
    const { call } = await startAgent(['--root', '.'], { home, cwd: home })
    expect((await call('inspect', { file: ['books/in.epub'] })).isError).toBe(false)
  })

  it('are not written where agents may only read', async () => {
    const { root } = await folders()
    const { call } = await startAgent(['--root', root])
    expect(errorIn(await call('inspect', { file: ['books/in.epub'], report: 'new.html' }))).toMatchObject({
      message: expect.stringContaining('no argument "report"'),
    })
  })
})

describe('the uploads of the journal', () => {
  it.runIf(isSlow)('of files elsewhere are not shown to an agent, and not sent', async () => {
    const { root, other } = await folders()
    const { home, run } = machine()
    const { url, received } = await serve((_, response) => json(response, 503, { error: 'BUSY' }))
    const env = { PUBCTL_API_KEY: 'a-key-of-nobody', PUBCTL_BASE_URL: url }
    for (const file of [join(root, 'books/in.epub'), join(other, 'out.epub')]) {
      const stop = new AbortController()
      const running = run(['publications', 'upload', file], { env, signal: stop.signal })
      while (!received.some(({ body }) => String(body).includes(basename(file))))
        await new Promise(resolve => setTimeout(resolve, 10))
      stop.abort(new Interrupted('SIGINT'))
      await running
    }
    const { out } = await run(['uploads', 'list', '--json'], { env })
    const begun: { file: string; uploadRequestId: string }[] = JSON.parse(out)
    expect(begun.map(({ file }) => file).sort()).toEqual([
      join(other, 'out.epub'),
      join(root, 'books/in.epub'),
    ])
    const { call } = await startAgent(['--root', root, '--allow', 'write,delete'], { home, before: [], env })
    const before = received.length
    const texts: string[] = []
    const told = async (name: string, input: Record<string, unknown> = {}) => {
      const answered = await call(name, input)
      texts.push(answered.text)
      return answered
    }
    expect(itemsIn(await told('uploads_list')).map(({ file }) => file)).toEqual([join(root, 'books/in.epub')])
    const id = begun.find(({ file }) => file.startsWith(other))?.uploadRequestId as string
    for (const tool of ['uploads_resume', 'uploads_forget'])
      expect(errorIn(await told(tool, { id: [id] }))).toMatchObject({ code: 'outside_root' })
    expect(itemsIn(await told('uploads_resume', { dry_run: true }))).toMatchObject([
      { file: join(root, 'books/in.epub') },
    ])
    expect(texts[0]).toContain('one upload is left out')
    for (const text of texts) expect(text).not.toContain(other)
    expect(received.slice(before).filter(({ body }) => String(body).includes('out.epub'))).toEqual([])
  })
})

describe('the files that a sheet or a plan names', () => {
  it.runIf(isSlow)('are planned and uploaded in the folder of the server', async () => {
    const { root } = await folders()
    writeFileSync(join(root, 'books.csv'), 'file,title,isbn\nbooks/in.epub,From a Sheet,9783161484100\n')
    const { call } = await startAgent(['--root', root, '--allow', 'write'])
    const plan = await call('catalogue_plan', { source: ['books.csv'], out: 'plan.ndjson' })
    expect(itemsIn(plan)[0]).toMatchObject({ action: 'create', title: 'From a Sheet' })
    const applied = await call('catalogue_apply', { plan: 'plan.ndjson' })
    expect(itemsIn(applied)[0]).toMatchObject({ outcome: 'uploaded' })
    const again = await call('publications_upload', { manifest: 'books.csv' })
    expect(itemsIn(again)[0]).toMatchObject({ outcome: 'skipped' })
  })

  it('are refused elsewhere, and nothing is sent', async () => {
    const { root, other } = await folders()
    const { call } = await startAgent(['--root', root, '--allow', 'write'])
    const out = join(other, 'out.epub')
    const rows = [
      ...[out, '../root-other/out.epub', '../root-other/missing.epub', 'link.epub', 'linked/out.epub'],
      ...['mixed/link.epub', ' link.epub ', `books/in.epub,${out}`, 'books/in.epub,link.epub'],
    ]
    for (const row of rows) {
      writeFileSync(join(root, 'books.csv'), `file,cover\n${row.includes(',') ? row : `${row},`}\n`)
      const calls = [
        call('publications_upload', { manifest: 'books.csv' }),
        call('catalogue_plan', { source: ['books.csv'] }),
      ]
      for (const answered of await Promise.all(calls)) {
        expect({ row, isError: answered.isError }).toEqual({ row, isError: true })
        expect(answered.data).toContain('is not in the folder that may be read')
      }
    }
    writeFileSync(join(root, 'books.csv'), 'file,title\nbooks/in.epub,From a Sheet\n')
    await call('catalogue_plan', { source: ['books.csv'], out: 'plan.ndjson' })
    const plan = readFileSync(join(root, 'plan.ndjson'), 'utf8')
    for (const [from, to] of [
      [/"file":"[^"]*"/, `"file":"${join(root, 'link.epub')}"`],
      [/"cover":("[^"]*"|null)/, `"cover":"${out}"`],
    ] as const) {
      expect(plan).toMatch(from)
      writeFileSync(join(root, 'changed.ndjson'), plan.replace(from, to))
      const applied = await call('catalogue_apply', { plan: 'changed.ndjson' })
      expect(errorIn(applied)).toMatchObject({ code: 'outside_root' })
    }
    expect(itemsIn(await call('publications_list'))).toEqual([])
  })
})
