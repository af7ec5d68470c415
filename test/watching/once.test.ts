import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import type { WatchEvent } from '../../src/watching/events.ts'
import { systemClock } from '../../src/world.ts'
import { machine, type Options, temporaryFolder } from '../support/pubctl.ts'

const quick = ['--once', '--quiet-period', '50ms', '--scan', '50ms']

/** A person with an empty folder that is watched now and then. */
function scene() {
  const folder = temporaryFolder()
  const { sandbox, home } = machine()
  const at = (...names: string[]) => join(folder, ...names)
  return {
    folder,
    home,
    at,
    sandbox,
    put: async (name: string, title: string, paddingBytes = 100) =>
      writeFileSync(at(name), await makeExampleEpub({ title, paddingBytes })),
    async watch(more: readonly string[] = [], options?: Options) {
      const { code, out, err } = await sandbox(['watch', folder, '-o', 'ndjson', ...quick, ...more], options)
      const events = out
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line) as WatchEvent)
      return { code, err, events, of: (name: string) => events.filter(({ event }) => event === name) }
    },
    titles: async () => {
      const { out } = await sandbox(['publications', 'list', '--all', '--json'])
      return (JSON.parse(out) as { title: string }[]).map(({ title }) => title).sort()
    },
    receipt: (...names: string[]) => JSON.parse(readFileSync(at(...names), 'utf8')),
    files: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(entry => !entry.isDirectory())
        .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .sort(),
  }
}

describe('watch --once', () => {
  it('moves what it uploads to "done" with a receipt, and overwrites nothing there', async () => {
    const { put, at, watch, titles, files, receipt } = scene()
    await put('a.epub', 'A')
    mkdirSync(at('done'))
    writeFileSync(at('done', 'a.epub'), 'another file')
    writeFileSync(at('done', 'a-2.epub.receipt.json'), 'another receipt')
    const { code, of } = await watch()
    expect(code).toBe(0)
    expect(of('done').map(({ movedTo }) => movedTo)).toEqual([at('done', 'a-3.epub')])
    expect(readFileSync(at('done', 'a.epub'), 'utf8')).toBe('another file')
    expect(receipt('done', 'a-3.epub.receipt.json')).toMatchObject({
      outcome: 'uploaded',
      file: at('a.epub'),
    })
    expect(await titles()).toContain('A')
    expect(files()).toEqual(
      ['a-2.epub.receipt.json', 'a-3.epub', 'a-3.epub.receipt.json', 'a.epub'].map(name =>
        join('done', name),
      ),
    )
  })

  it('moves what cannot be uploaded to "failed", and ends with 10; put back and mended, it is tried again', async () => {
    const { put, at, watch, receipt, files } = scene()
    writeFileSync(at('bad.epub'), 'no book at all')
    const { code, of, err } = await watch()
    expect({ code, failed: of('failed').length }).toEqual({ code: 10, failed: 1 })
    expect(JSON.parse(err).error.message).toBe('1 file could not be settled')
    expect(receipt('failed', 'bad.epub.receipt.json').error.code).toBe('not_a_book')
    await put('bad.epub', 'Mended')
    expect((await watch()).code).toBe(0)
    expect(files()).toContain(join('done', 'bad.epub'))
  })

  it('leaves a file that is not whole, and takes it once the rest has come', async () => {
    const { at, watch, files } = scene()
    const book = await makeExampleEpub({ title: 'Whole' })
    writeFileSync(at('cut.epub'), book.subarray(0, book.length - 40))
    const { code, of } = await watch()
    expect(code).toBe(10)
    expect(of('waiting').map(({ why }) => why)).toEqual([
      'it is not whole: the directory at the end of the zip is missing',
    ])
    expect(files()).toEqual(['cut.epub'])
    writeFileSync(at('cut.epub'), book)
    expect((await watch()).code).toBe(0)
  })

  it('only moves a book that was uploaded before the process was killed', async () => {
    const { put, at, watch, sandbox, titles, receipt } = scene()
    await put('sent.epub', 'Sent')
    const { out } = await sandbox(['publications', 'upload', at('sent.epub'), '--json'])
    const { publicationId } = JSON.parse(out)
    const { code, of } = await watch()
    expect({ code, sent: of('sending') }).toEqual({ code: 0, sent: [] })
    expect(receipt('done', 'sent.epub.receipt.json')).toMatchObject({ publicationId, outcome: 'skipped' })
    expect((await titles()).filter(title => title === 'Sent')).toHaveLength(1)
  })

  it('waits for the trigger of each file, and moves it too', async () => {
    const { put, at, watch, files } = scene()
    for (const name of ['one.epub', 'two.epub', 'three.epub']) await put(name, name)
    writeFileSync(at('one.epub.ready'), '')
    writeFileSync(at('two.ready'), '')
    const { code, of } = await watch(['--trigger', '*.ready'])
    expect(code).toBe(0)
    expect(of('done')).toHaveLength(2)
    expect(of('waiting').map(({ why }) => why)).toEqual(['there is no three.epub.ready or three.ready'])
    expect(files().filter(name => !name.endsWith('.json'))).toEqual([
      ...['one.epub', 'one.epub.ready', 'two.epub', 'two.ready'].map(name => join('done', name)),
      'three.epub',
    ])
  })

  it('leaves alone what is not for it, and says so, but for unfinished and hidden files', async () => {
    const { put, at, watch, files } = scene()
    for (const name of ['a.epub.part', 'b.epub.tmp', '.c.epub', 'd.epub.crdownload']) await put(name, name)
    mkdirSync(at('folder'))
    await put(join('folder', 'inside.epub'), 'Inside')
    symlinkSync(at('folder', 'inside.epub'), at('link.epub'))
    writeFileSync(at('note.txt'), 'a note')
    const { code, of } = await watch()
    expect(code).toBe(0)
    expect(of('left-alone').map(({ file, why }) => [file?.slice(at().length + 1), why])).toEqual([
      ['folder', 'it is a folder, and --recursive is not given'],
      ['link.epub', 'it is a link, and links are not followed'],
      ['note.txt', 'it is neither a book nor a sheet nor an ONIX message'],
    ])
    expect((await watch(['--recursive'])).of('done')).toHaveLength(1)
    expect(files()).toContain(join('done', 'folder', 'inside.epub'))
  })

  it('follows --if-changed for a book that is at the service with other content', async () => {
    const { put, watch, titles, receipt } = scene()
    await put('a.epub', 'Same Title', 100)
    await watch()
    await put('a.epub', 'Same Title', 200)
    const refused = await watch()
    expect({ code: refused.code, failed: refused.of('failed').length }).toEqual({ code: 10, failed: 1 })
    expect(receipt('failed', 'a.epub.receipt.json')).toMatchObject({
      outcome: 'conflict',
      error: { code: 'conflict' },
    })
    await put('a.epub', 'Same Title', 300)
    const { of } = await watch(['--if-changed', 'edition'])
    expect(of('done').map(({ outcome }) => outcome)).toEqual(['uploaded'])
    expect((await titles()).filter(title => title === 'Same Title')).toHaveLength(1)
  })

  it('waits for the quiet period by a clock that nobody can set', async () => {
    const { put, watch } = scene()
    await put('a.epub', 'A')
    let day = 0
    const clock = { ...systemClock, now: () => Date.now() + (day++ % 2 === 0 ? 1 : -1) * day * 86_400_000 }
    const began = performance.now()
    const { code, of } = await watch(['--quiet-period', '800ms'], { clock })
    expect({ code, done: of('done').length }).toEqual({ code: 0, done: 1 })
    // The requirement itself.
    expect(performance.now() - began).toBeGreaterThan(800)
  })

  it('shows with --dry-run what it would do, and does nothing', async () => {
    const { put, folder, sandbox, files, titles } = scene()
    await put('a.epub', 'A')
    const { code, out } = await sandbox(['watch', folder, ...quick, '--dry-run', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out).map(({ action }: { action: string }) => action)).toEqual(['create'])
    expect(files()).toEqual(['a.epub'])
    expect(await titles()).not.toContain('A')
  })

  it('names its defaults as they are typed', async () => {
    const { sandbox } = scene()
    const { out } = await sandbox(['watch', '--help'])
    expect(out).toMatch(/--quiet-period <duration> .*\(default 10s\)/)
  })

  it('prints the events as a list where a format has an end, and refuses such a format without --once', async () => {
    const { put, folder, sandbox } = scene()
    await put('a.epub', 'A')
    const { out } = await sandbox(['watch', folder, ...quick, '--json', '--fields', 'event'])
    expect(JSON.parse(out).map(({ event }: WatchEvent) => event)).toEqual([
      ...['watching', 'found', 'sending', 'done', 'stopped'],
    ])
    expect((await sandbox(['watch', folder, '--json'])).code).toBe(2)
  })

  it('prints a line an event, whatever a name holds', async () => {
    const { put, folder, sandbox } = scene()
    await put('a\u001b[2J\nb.epub', 'A')
    const { code, out } = await sandbox(['watch', folder, ...quick])
    expect(code).toBe(0)
    expect(out.split('\n').map(line => line.slice(26, 34).trim())).toEqual([
      ...['watching', 'found', 'sending', 'done', 'stopped', ''],
    ])
    expect(out).not.toContain('\u001b')
  })

  it('refuses to move files into the folder that they are taken from, and what is no folder', async () => {
    const { put, at, folder, sandbox } = scene()
    await put('a.epub', 'A')
    for (const args of [
      [folder, '--done', folder],
      [at('a.epub')],
      [at('nothing')],
      [folder, '--trigger', 'ready'],
    ])
      expect((await sandbox(['watch', ...args, ...quick])).code).toBe(2)
    expect(existsSync(at('a.epub'))).toBe(true)
  })
})

describe('a sheet beside the books', () => {
  it('is their metadata; it is moved when all its rows are settled, also those of an earlier run', async () => {
    const { put, at, watch, titles, files, receipt } = scene()
    await put('one.epub', 'Own Title')
    await put('alone.epub', 'Alone')
    writeFileSync(at('books.csv'), 'file,title\none.epub,From the Sheet\nlater.epub,Later From the Sheet\n')
    const first = await watch()
    expect(first.code).toBe(0)
    expect(first.of('waiting').map(({ why }) => why)).toEqual(['1 of 2 rows wait for their files'])
    await put('later.epub', 'Own Later Title')
    expect((await watch()).code).toBe(0)
    const names = await titles()
    for (const title of ['From the Sheet', 'Later From the Sheet', 'Alone']) expect(names).toContain(title)
    for (const title of ['Own Title', 'Own Later Title']) expect(names).not.toContain(title)
    expect(files().filter(name => !name.startsWith('done'))).toEqual([])
    expect(
      receipt('done', 'books.csv.receipt.json').rows.map(({ outcome }: { outcome: string }) => outcome),
    ).toEqual(['uploaded', 'uploaded'])
  })

  it('stays if it cannot be used, and the books beside it wait', async () => {
    const { put, at, watch, files } = scene()
    await put('one.epub', 'One')
    writeFileSync(at('books.csv'), 'file,tilte\none.epub,From the Sheet\n')
    const { code, of } = await watch()
    expect(code).toBe(10)
    expect(of('waiting').map(({ file }) => file)).toEqual([at('books.csv'), at('one.epub')])
    expect(files()).toEqual(['books.csv', 'one.epub'])
    writeFileSync(at('books.csv'), 'file,title\none.epub,From the Sheet\n')
    expect((await watch()).code).toBe(0)
  })

  it('cannot publish files or covers of other folders', async () => {
    const { put, at, watch, titles, receipt } = scene()
    const other = join(temporaryFolder(), 'secret.epub')
    writeFileSync(other, await makeExampleEpub({ title: 'Secret' }))
    await put('one.epub', 'One')
    writeFileSync(at('books.csv'), `file,cover\n${other},\none.epub,/etc/hostname\n`)
    const { code, of } = await watch()
    expect({ code, failed: of('failed').length }).toEqual({ code: 10, failed: 2 })
    expect(receipt('failed', 'one.epub.receipt.json').error.message).toBe(
      'it names /etc/hostname, which is not in the watched folder',
    )
    expect(await titles()).not.toContain('Secret')
    expect(existsSync(other)).toBe(true)
  })
})
