import { copyFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { makeBook } from '../support/books/make-book.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { bookService } from '../support/servers/book-service.ts'

// biome-ignore lint/suspicious/noExplicitAny: what is printed is what the tests are about.
type Json = any

/** A machine with the sandbox, and a folder with one book. */
async function scene() {
  const { sandbox } = machine()
  const folder = temporaryFolder()
  const at = (name: string) => join(folder, name)
  writeFileSync(at('first.epub'), await makeExampleEpub({ title: 'First', cover: false }))
  const pubctl = async (...args: string[]) => {
    const { code, out, err } = await sandbox([...args, '--json'])
    const lines = err.split('\n').filter(Boolean)
    const said: Json[] = lines.map(line => JSON.parse(line))
    return {
      code,
      out: JSON.parse(out || 'null') as Json,
      error: said.find(each => each.error)?.error,
      warnings: said.flatMap(({ warning }) => warning ?? []),
    }
  }
  const upload = (...args: string[]) => pubctl('publications', 'upload', ...args)
  const ids = async (): Promise<string[]> =>
    (await pubctl('publications', 'list')).out.map(({ publicationId }: Json) => publicationId)
  return { at, folder, pubctl, upload, ids }
}

describe('the same book', () => {
  it('is skipped with another time and as a copy, and the dry run says so', async () => {
    const { at, upload, ids } = await scene()
    const { publicationId } = (await upload(at('first.epub'))).out
    utimesSync(at('first.epub'), 1, 1)
    const skipped = { outcome: 'skipped', publicationId, uploadStatus: 'available' }
    expect(await upload(at('first.epub'))).toMatchObject({ code: 0, out: skipped })
    copyFileSync(at('first.epub'), at('copy.epub'))
    const why = `${publicationId} has the same content, uploaded from ${at('first.epub')}`
    expect(await upload(at('copy.epub'))).toMatchObject({ code: 0, out: { ...skipped, why } })
    expect((await upload(at('copy.epub'), '--dry-run')).out).toMatchObject([{ action: 'skip', why }])
    writeFileSync(at('sheet.csv'), `file\n${at('copy.epub')}\n`)
    expect((await upload('--manifest', at('sheet.csv'))).out).toMatchObject([{ ...skipped, why }])
    expect((await upload(at('copy.epub'), '--shard', '1/1')).out).toMatchObject([{ ...skipped, why }])
    expect(await ids()).toEqual([publicationId])
  })

  it('is sent once more with --again, and a copy also with --if-changed new', async () => {
    const { at, upload, ids } = await scene()
    await upload(at('first.epub'))
    expect((await upload(at('first.epub'), '--again')).out.outcome).toBe('uploaded')
    copyFileSync(at('first.epub'), at('copy.epub'))
    expect((await upload(at('first.epub'), '--if-changed', 'new')).out.outcome).toBe('skipped')
    expect((await upload(at('copy.epub'), '--if-changed', 'new')).out.outcome).toBe('uploaded')
    expect((await upload(at('copy.epub'), '--if-changed', 'new')).out.outcome).toBe('skipped')
    expect(await ids()).toHaveLength(3)
    expect(await upload(at('first.epub'), '--again', '--skip-existing')).toMatchObject({ code: 2 })
  })

  it('is sent once where a batch has it twice, and the receipt says so', async () => {
    const { at, upload, ids } = await scene()
    mkdirSync(at('books'))
    for (const name of ['one.epub', 'two.epub']) copyFileSync(at('first.epub'), at(`books/${name}`))
    const why = `it has the same content as ${at('books/one.epub')} in this batch`
    const { code, out } = await upload(at('books'))
    expect({ code, out }).toMatchObject({
      code: 0,
      out: [{ outcome: 'uploaded' }, { outcome: 'skipped', why }],
    })
    expect(await ids()).toHaveLength(1)
  })

  it('that changed is a conflict, and an edition or another one where that is said', async () => {
    const { at, upload, ids } = await scene()
    const { publicationId } = (await upload(at('first.epub'))).out
    writeFileSync(at('first.epub'), await makeExampleEpub({ title: 'First', cover: true }))
    const why = `${publicationId} has its title and a different file`
    expect(await upload(at('first.epub'))).toMatchObject({ code: 10, out: { outcome: 'conflict', why } })
    expect((await upload(at('first.epub'), '--if-changed', 'edition')).out).toMatchObject({
      ...{ outcome: 'uploaded', publicationId },
    })
    expect(await ids()).toHaveLength(1)
  })

  it('under the name of another one is another one', async () => {
    const { at, upload, ids } = await scene()
    await upload(at('first.epub'))
    writeFileSync(at('first.epub'), await makeExampleEpub({ title: 'Second', cover: false }))
    expect((await upload(at('first.epub'))).out.outcome).toBe('uploaded')
    expect(await ids()).toHaveLength(2)
  })

  it('is no second edition of its publication either', async () => {
    const { at, upload, pubctl } = await scene()
    const { publicationId } = (await upload(at('first.epub'))).out
    copyFileSync(at('first.epub'), at('copy.epub'))
    const again = await pubctl('editions', 'upload', publicationId, at('copy.epub'))
    expect(again).toMatchObject({ code: 0, out: { outcome: 'skipped', publicationId } })
    const sent = await pubctl('editions', 'upload', publicationId, at('copy.epub'), '--again')
    expect(sent).toMatchObject({ code: 0, out: { outcome: 'uploaded', publicationId } })
    expect((await pubctl('editions', 'list', publicationId)).out).toHaveLength(2)
  })

  it('costs no reading of the file where nothing has its size', async () => {
    const { run, home } = machine((await bookService()).env)
    mkdirSync(join(home, 'books'))
    writeFileSync(join(home, 'books/a.epub'), makeBook())
    const { out } = await run(['publications', 'upload', join(home, 'books'), '--dry-run', '--json'])
    expect(JSON.parse(out)).toMatchObject([{ action: 'create', sha256: null }])
  })
})

describe('a book that was quarantined', () => {
  const infect = async (path: string) => {
    copyFileSync(join(path, '../first.epub'), path)
    return path
  }

  it('is not sent again by the same command, a copy or failed.csv, and says what it leaves', async () => {
    const { at, upload, ids, pubctl } = await scene()
    const bad = await infect(at('upload_quarantine.epub'))
    const first = await upload(bad)
    const { publicationId } = first.out
    const left = `${publicationId} has no usable file; to delete it: pubctl publications delete ${publicationId}`
    expect(first).toMatchObject({ code: 11, error: { exitCode: 11 }, out: { error: { exitCode: 11 } } })
    expect(first.out.error.message).toContain(left)
    utimesSync(bad, 1, 1)
    const again = await upload(bad)
    expect(again).toMatchObject({
      code: 11,
      out: { outcome: 'failed', publicationId, uploadStatus: 'upload_quarantine', error: { exitCode: 11 } },
    })
    expect(again.out.error.message).toContain(left)
    expect(again.error.hint).toContain('--again')
    mkdirSync(at('books'))
    copyFileSync(bad, at('books/copy.epub'))
    const report = at('receipts.json')
    const batch = await upload(at('books'), '--report', report)
    expect(batch).toMatchObject({
      code: 10,
      error: { code: 'part_failed', exitCode: 10, details: [{ code: 'upload_quarantine', exitCode: 11 }] },
      out: [{ outcome: 'failed', error: { exitCode: 11, batchExitCode: 10 } }],
    })
    expect(JSON.parse(readFileSync(report, 'utf8'))).toEqual(batch.out)
    expect(await upload('--manifest', at('failed.csv'))).toMatchObject({
      ...{ code: 10, out: [{ outcome: 'failed', publicationId }] },
    })
    expect((await upload(bad, '--skip-existing')).code).toBe(11)
    expect((await upload(bad, '--dry-run')).out).toMatchObject([{ action: 'conflict' }])
    expect(await ids()).toEqual([publicationId])

    expect((await pubctl('publications', 'delete', publicationId, '--yes')).code).toBe(0)
    const gone = await upload(bad)
    expect({ code: gone.code, out: gone.out.error.message }).toEqual({
      code: 11,
      out: expect.not.stringContaining('has no usable file'),
    })
    expect((await upload(bad, '--again')).code).toBe(11)
    expect(await ids()).toHaveLength(1)
    writeFileSync(bad, await makeExampleEpub({ title: 'First, mended' }))
    expect((await upload(bad)).out.uploadRequestId).not.toBeNull()
    expect(await ids()).toHaveLength(2)
  })

  it('one in a folder, a pattern or a sheet is part of a batch, and alone it is not', async () => {
    const { at, upload } = await scene()
    mkdirSync(at('books'))
    copyFileSync(at('first.epub'), at('books/upload_quarantine.epub'))
    writeFileSync(at('sheet.csv'), `file\n${at('books/upload_quarantine.epub')}\n`)
    for (const batch of [[at('books')], [at('books/*.epub')], ['--manifest', at('sheet.csv')]])
      expect((await upload(...batch)).code).toBe(10)
    expect((await upload(at('books/upload_quarantine.epub'))).code).toBe(11)
  })
})

describe('--skip-existing in a scope without the metadata key sha256', () => {
  it('says so at the first book that it creates, once, and is silent where there is one', async () => {
    const { at, upload, pubctl } = await scene()
    mkdirSync(at('books'))
    for (const name of ['a', 'b']) {
      copyFileSync(at('first.epub'), at(`books/${name}.epub`))
      writeFileSync(at(`books/${name}.epub`), await makeExampleEpub({ title: name, cover: false }))
    }
    const { code, warnings } = await upload(at('books'), '--skip-existing')
    expect({ code, warnings }).toEqual({
      code: 0,
      warnings: [
        {
          code: 'no_content_key',
          message: expect.stringContaining('no active metadata key "sha256"'),
          hint: 'Create it once: pubctl metadata-keys create sha256',
        },
      ],
    })
    const key = (await pubctl('metadata-keys', 'create', 'sha256')).out
    expect((await upload(at('first.epub'), '--skip-existing')).warnings).toEqual([])
    await pubctl('metadata-keys', 'archive', key.id)
    writeFileSync(at('c.epub'), await makeExampleEpub({ title: 'c', cover: false }))
    expect((await upload(at('c.epub'), '--skip-existing')).warnings).toMatchObject([
      { hint: `Make it active again: pubctl metadata-keys restore ${key.id}` },
    ])
  })
})
