import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { systemClock } from '../../src/system/world.ts'
import type { WatchEvent } from '../../src/watch/events.ts'
import { quick, watchScene } from '../support/machine/watch-scene.ts'

describe('watch --once', () => {
  it('moves what it uploads to "done" with a receipt, and overwrites nothing there', async () => {
    const { put, at, watch, titles, files, receipt } = watchScene()
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
    const { put, at, watch, receipt, files } = watchScene()
    writeFileSync(at('bad.epub'), 'no book at all')
    const { code, of, err } = await watch()
    expect({ code, failed: of('failed').length }).toEqual({ code: 10, failed: 1 })
    expect(JSON.parse(err).error.message).toBe('1 file could not be settled')
    expect(receipt('failed', 'bad.epub.receipt.json').error.code).toBe('not_a_book')
    await put('bad.epub', 'Mended')
    expect((await watch()).code).toBe(0)
    expect(files()).toContain(join('done', 'bad.epub'))
  })

  it('leaves a file that is not complete, and takes it once the rest has come', async () => {
    const { at, watch, files } = watchScene()
    const book = await makeExampleEpub({ title: 'Whole' })
    writeFileSync(at('cut.epub'), book.subarray(0, book.length - 40))
    const { code, of } = await watch()
    expect(code).toBe(10)
    expect(of('waiting').map(({ why }) => why)).toEqual([
      'it is not complete: the directory at the end of the zip is missing',
    ])
    expect(files()).toEqual(['cut.epub'])
    writeFileSync(at('cut.epub'), book)
    expect((await watch()).code).toBe(0)
  })

  it('only moves a book that was uploaded before the process was killed', async () => {
    const { put, at, watch, sandbox, titles, receipt } = watchScene()
    await put('sent.epub', 'Sent')
    const { out } = await sandbox(['publications', 'upload', at('sent.epub'), '--json'])
    const { publicationId } = JSON.parse(out)
    const { code, of } = await watch()
    expect({ code, sent: of('sending') }).toEqual({ code: 0, sent: [] })
    expect(receipt('done', 'sent.epub.receipt.json')).toMatchObject({ publicationId, outcome: 'skipped' })
    expect((await titles()).filter(title => title === 'Sent')).toHaveLength(1)
  })

  it('waits for the trigger of each file, and moves it too', async () => {
    const { put, at, watch, files } = watchScene()
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
    const { put, at, watch, files } = watchScene()
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
    const { put, watch, titles, receipt } = watchScene()
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
    const { put, watch } = watchScene()
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
    const { put, folder, sandbox, files, titles } = watchScene()
    await put('a.epub', 'A')
    const { code, out } = await sandbox(['watch', folder, ...quick, '--dry-run', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out).map(({ action }: { action: string }) => action)).toEqual(['create'])
    expect(files()).toEqual(['a.epub'])
    expect(await titles()).not.toContain('A')
  })

  it('names its defaults as they are typed', async () => {
    const { sandbox } = watchScene()
    const { out } = await sandbox(['watch', '--help'])
    expect(out).toMatch(/--quiet-period <duration> .*\(default 10s\)/)
  })

  it('prints the events as a list where a format has an end, and refuses such a format without --once', async () => {
    const { put, folder, sandbox } = watchScene()
    await put('a.epub', 'A')
    const { out } = await sandbox(['watch', folder, ...quick, '--json', '--fields', 'event'])
    expect(JSON.parse(out).map(({ event }: WatchEvent) => event)).toEqual([
      ...['watching', 'found', 'sending', 'done', 'stopped'],
    ])
    for (const format of ['json', 'csv'])
      expect(await sandbox(['watch', folder, '-o', format, '--quiet'])).toMatchObject({
        ...{ code: 2, out: '' },
        err: expect.stringMatching(
          /-o (json|csv) is printed at the end, and a watcher has none.*Use -o ndjson, which prints a line an event, or add --once\./s,
        ),
      })
  })

  it('prints a line an event, whatever a name holds', async () => {
    const { put, folder, sandbox } = watchScene()
    await put('a\u001b[2J\nb.epub', 'A')
    const { code, out } = await sandbox(['watch', folder, ...quick])
    expect(code).toBe(0)
    expect(out.split('\n').map(line => line.slice(26, 34).trim())).toEqual([
      ...['watching', 'found', 'sending', 'done', 'stopped', ''],
    ])
    expect(out).not.toContain('\u001b')
  })

  it('refuses to move files into the folder that they are taken from, and what is no folder', async () => {
    const { put, at, folder, sandbox } = watchScene()
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
