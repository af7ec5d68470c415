import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import { describe, expect, it } from 'vitest'
import { exampleBook } from '../support/books/example-book.ts'
import { bookOf, catalogue, isbns } from '../support/catalogues/catalogue.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { bookService } from '../support/servers/book-service.ts'
import { listedService } from '../support/servers/listed-service.ts'
import { sandbox } from '../support/servers/sandbox.ts'

// The driver of SQLite ends the whole process, with 134 and no word of pubctl's, for a text or a name that is not UTF-8.

const notUtf8 = "CAST(x'62616dff' AS TEXT)"

/** What a text may have become in a file that a disk or somebody has damaged. */
const spoilt = [
  ['text that is not UTF-8', notUtf8],
  [
    'long text that is not UTF-8',
    "CAST(CAST(replace(hex(zeroblob(500)), '0', 'a') AS BLOB) || x'ff' AS TEXT)",
  ],
  ['half of a pair of surrogates', "CAST(x'eda080' AS TEXT)"],
  ['bytes', "x'00ff'"],
] as const

const change = (path: string, statements: string) => {
  const db = new Libsql(path)
  db.exec(statements)
  db.close()
}

/** Writes bytes into the names of a schema, which SQLite itself does not look at. */
const changeSchema = (path: string, from: string, to: string) =>
  change(
    path,
    `PRAGMA writable_schema = ON;
     UPDATE sqlite_schema SET sql = CAST(replace(CAST(sql AS BLOB), CAST('${from}' AS BLOB), ${to}) AS TEXT)`,
  )

describe('a journal with a text that cannot be read', () => {
  async function twoUploads() {
    const { env } = await bookService()
    const self = machine(env)
    for (const title of ['Alpha', 'Beta'])
      expect(
        (await self.run(['publications', 'upload', await exampleBook({ cover: false, title })])).code,
      ).toBe(0)
    const path = join(self.home, '.local/share/pubctl/uploads.db')
    const list = async () => {
      const { code, out, err } = await self.run(['uploads', 'list', '--finished', '--json'])
      return { code, uploads: out === '' ? [] : JSON.parse(out), err }
    }
    return { ...self, path, list }
  }

  it('leaves that upload alone, says so, and keeps the others', async () => {
    const { list, path, run } = await twoUploads()
    const before = (await list()).uploads
    expect(before).toHaveLength(2)
    for (const column of ['file', 'creation', 'target', 'mac']) {
      for (const [, value] of spoilt) {
        change(
          path,
          `CREATE TABLE before AS SELECT * FROM uploads; UPDATE uploads SET ${column} = ${value} WHERE number = 1`,
        )
        const { code, uploads, err } = await list()
        expect({ code, uploads }).toEqual({ code: 0, uploads: before.slice(0, 1) })
        expect(JSON.parse(err).warning).toMatchObject({ code: 'not_own_upload' })
        change(path, 'DELETE FROM uploads; INSERT INTO uploads SELECT * FROM before; DROP TABLE before')
      }
    }
    expect((await list()).uploads).toEqual(before)
    change(path, `UPDATE uploads SET file = ${notUtf8} WHERE number = 1`)
    expect(await run(['uploads', 'resume', '--json'])).toMatchObject({ code: 0, out: '[]\n' })
    const id = before[1].uploadRequestId
    expect(await run(['uploads', 'forget', id])).toMatchObject({ code: 0 })
    expect(await list()).toEqual({ code: 0, uploads: before.slice(0, 1), err: '' })
  })

  it.each([
    ['names are not UTF-8', (path: string) => changeSchema(path, 'fingerprint', "x'66696e676572ff72696e74'")],
    [
      'columns have other names',
      (path: string) => change(path, 'ALTER TABLE uploads RENAME COLUMN stage TO state'),
    ],
    ['tables are those of an earlier version', (path: string) => change(path, 'PRAGMA user_version = 2')],
    ['tables are not there', (path: string) => change(path, 'DROP TABLE uploads')],
  ])('is told as damaged where its %s', async (_, spoil) => {
    const { run, path } = await twoUploads()
    spoil(path)
    for (const args of [
      ['uploads', 'list'],
      ['uploads', 'resume'],
      ['publications', 'upload', await exampleBook()],
    ]) {
      const { code, err } = await run([...args, '--json'])
      const said = JSON.parse(err.trim().split('\n').at(-1) ?? '')
      expect({ code, error: said.error.code }).toEqual({ code: 2, error: 'journal_unusable' })
      expect(err).toMatch(/is damaged.*Move the file away/)
    }
  })
})

describe('an index with a text that cannot be read', () => {
  it('is told as damaged, and made anew with --refresh', async () => {
    const service = await listedService({ count: 3 })
    const dataDir = join(temporaryFolder(), 'data')
    const { run } = machine({ ...service.env, PUBCTL_DATA_DIR: dataDir })
    const refresh = async () => JSON.parse((await run(['catalogue', 'index', '--refresh', '--json'])).out)
    await refresh()
    const folder = join(dataDir, 'index')
    const path = join(folder, readdirSync(folder).find(name => name.endsWith('.db')) ?? '')
    for (const [, value] of spoilt) {
      for (const column of ['record', 'listed']) {
        change(path, `UPDATE publications SET ${column} = ${value} WHERE number = 2`)
        expect(await refresh()).toMatchObject({ listed: 3, unread: 0 })
      }
      change(path, `UPDATE about SET value = ${value} WHERE name = 'target'`)
      const { code, out, err } = await run(['catalogue', 'index', '--json'])
      expect({ code, out, error: JSON.parse(err).warning.code }).toEqual({
        code: 0,
        out: '[]\n',
        error: 'index_damaged',
      })
      expect(await refresh()).toMatchObject({ listed: 3, unread: 0 })
      expect(JSON.parse((await run(['catalogue', 'index', '--json'])).out)).toMatchObject([
        { publications: 3 },
      ])
    }
  })
})

describe('a record of what was sent with a text that cannot be read', () => {
  it.runIf(isSlow)('is not used, which a warning says, and the plan is made', async () => {
    const { write, book, run, sheet, upload, home } = catalogue()
    book('alpha.epub', bookOf('alpha'))
    const saying = (description: string) =>
      write(
        'file,title,author,isbn,language,description',
        `alpha.epub,alpha,Ann,${isbns[0]},en,${description}`,
      )
    saying('Sent.')
    await upload()
    saying('Newer.')
    expect((await run(['catalogue', 'plan', sheet, '--out', `${sheet}.ndjson`])).code).toBe(0)
    expect((await run(['catalogue', 'apply', `${sheet}.ndjson`])).code).toBe(0)
    const folder = join(
      home,
      readdirSync(home, { recursive: true, encoding: 'utf8' }).find(name => /[/\\]sent$/.test(name)) ?? '',
    )
    const path = join(folder, readdirSync(folder).find(name => name.endsWith('.db')) ?? '')
    for (const [, value] of spoilt) {
      change(path, `UPDATE sent SET fields = ${value}`)
      saying('Newest.')
      const { code, out, err } = await run(['catalogue', 'plan', sheet, '--json'])
      expect({ code, steps: JSON.parse(out).length }).toEqual({ code: 0, steps: 1 })
      expect(err).toContain('"code":"sent_unusable"')
    }
  })
})

describe('a sandbox with a text that cannot be read', () => {
  it('answers that its store is damaged, and goes on', async () => {
    const service = await sandbox()
    const { item } = await service.publish()
    change(
      join(service.dataDir, 'sandbox.db'),
      `UPDATE publications SET doc = ${notUtf8}, summary = ${notUtf8}`,
    )
    for (const path of ['/v1/publications', `/v1/publications/${item.id}`]) {
      const { status, body } = await service.call('GET', path)
      expect({ status, error: body.error, message: body.message }).toEqual({
        ...{ status: 500, error: 'DB_ERROR' },
        message: expect.stringMatching(/^The sandbox failed: the sandbox at .* is damaged$/),
      })
    }
    expect((await service.call('GET', '/v1/users')).status).toBe(200)
  })

  it('cannot be started, which says what to do', async () => {
    const { sandbox: run, home } = machine()
    expect((await run(['domains', 'list'])).code).toBe(0)
    const path = readdirSync(home, { recursive: true, encoding: 'utf8' }).find(name =>
      name.endsWith('sandbox.db'),
    )
    change(join(home, path ?? ''), `UPDATE settings SET value = ${notUtf8}`)
    const { code, err } = await run(['domains', 'list', '--json'])
    expect({ code, error: JSON.parse(err).error }).toMatchObject({
      code: 2,
      error: {
        code: 'sandbox_data',
        message: expect.stringMatching(/is damaged/),
        hint: expect.stringMatching(/reset/),
      },
    })
  })
})
