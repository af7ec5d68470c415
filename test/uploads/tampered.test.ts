import { cpSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import { describe, expect, it } from 'vitest'
import { exampleBook } from '../support/books/example-book.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { changeJournal } from '../support/machine/reseal-journal.ts'
import { bookService } from '../support/servers/book-service.ts'
import { serve } from '../support/servers/server.ts'

// biome-ignore lint/suspicious/noExplicitAny: what is printed is what the tests are about.
type Json = any

/** A machine whose upload the store refused, so that its journal has one that was begun. */
async function begun() {
  const service = await bookService({
    ...{ to: 'PUT', status: 400, body: '<Error><Code>InvalidArgument</Code></Error>' },
  })
  const elsewhere = await serve((_, response) => void response.writeHead(200).end())
  const self = machine(service.env)
  const book = await exampleBook({ cover: false })
  expect((await self.run(['publications', 'upload', book])).code).toBe(6)
  service.faults.length = 0
  const journal = join(self.home, '.local/share/pubctl/uploads.db')
  const run = async (...args: string[]) => {
    const { code, out, err } = await self.run([...args, '--json'])
    const lines = err.split('\n').filter(Boolean)
    const said: Json[] = lines.map(line => JSON.parse(line))
    return {
      code,
      out: JSON.parse(out || 'null') as Json,
      error: said.find(({ error }) => error)?.error,
      warnings: said.flatMap(({ warning }) => (warning ? [warning] : [])),
    }
  }
  const tamper = (statements: string) => {
    const db = new Libsql(journal)
    db.exec(statements)
    db.close()
  }
  return { ...service, ...self, book, elsewhere, journal, run, tamper }
}

const leftAlone = (files: string) => ({
  code: 'not_own_upload',
  message: expect.stringMatching(new RegExp(`left alone, not recorded by this pubctl: .*${files}`)),
  hint: expect.stringContaining('pubctl uploads forget <id>'),
})

describe('a journal that somebody else has changed', () => {
  it('sends no book to an address in it', async () => {
    const { run, tamper, elsewhere, made, log } = await begun()
    const session = JSON.stringify({ uploadUrl: `${elsewhere.url}/steal`, requiredHeaders: {} })
    tamper(`ALTER TABLE uploads ADD COLUMN session TEXT; ALTER TABLE uploads ADD COLUMN sessionEnds INTEGER;
      UPDATE uploads SET session = '${session}', sessionEnds = 9999999999999, stage = 'created'`)
    const { code, out } = await run('uploads', 'resume')
    expect({ code, outcomes: out.map(({ outcome }: Json) => outcome) }).toEqual({
      code: 0,
      outcomes: ['uploaded'],
    })
    expect(elsewhere.received).toEqual([])
    expect(made.map(({ puts }) => puts)).toEqual([1])
    expect(log).toContain('POST /v1/publication-uploads')
  })

  it('sends no other file than the one that was begun', async () => {
    const { run, tamper, made, book } = await begun()
    const secret = join(temporaryFolder(), 'embargoed.epub')
    cpSync(book, secret)
    const { size, mtimeMs } = statSync(secret)
    tamper(`UPDATE uploads SET file = '${secret}', bytes = ${size}, modified = ${mtimeMs}`)
    expect(await run('uploads', 'resume')).toMatchObject({
      ...{ code: 0, out: [] },
      warnings: [leftAlone('embargoed\\.epub')],
    })
    expect(made.map(({ puts }) => puts)).toEqual([0])
    expect(await run('uploads', 'list')).toMatchObject({ out: [], warnings: [leftAlone('embargoed\\.epub')] })
  })

  it.each([
    ['of another machine', 'UPDATE uploads SET mac = mac', 'secret.key'],
    ['whose seals were removed', 'UPDATE uploads SET mac = NULL', undefined],
    ['whose seals have other letters', "UPDATE uploads SET mac = 'é' || substr(mac, 2)", undefined],
  ])('%s is left alone, and said', async (_, statement, lost) => {
    const { run, tamper, home, made } = await begun()
    tamper(statement)
    if (lost) rmSync(join(home, '.config/pubctl', lost))
    expect(await run('uploads', 'resume')).toMatchObject({ code: 0, out: [], warnings: [leftAlone('epub')] })
    expect(made.map(({ puts }) => puts)).toEqual([0])
  })

  it('adds no file to the queue', async () => {
    const { run, tamper, made, book } = await begun()
    tamper(`INSERT INTO queue (uploadRequestId, target, scopeId, keyDigest, file, editionOf, request, queuedAt)
      SELECT '4b6aa668-6336-4631-b0cc-77d59186b759', target, scopeId, keyDigest, '${book}.2', NULL,
      '{"overrides":{},"check":false}', 1 FROM uploads; DELETE FROM uploads`)
    expect(await run('uploads', 'resume')).toMatchObject({
      ...{ code: 0, out: [] },
      warnings: [leftAlone('epub\\.2')],
    })
    expect(made).toHaveLength(1)
  })

  it('is not continued by naming the upload, which can be forgotten', async () => {
    const { run, tamper } = await begun()
    const [{ uploadRequestId }] = (await run('uploads', 'list')).out
    tamper(`UPDATE uploads SET creation = replace(creation, 'EPUB', 'PDF')`)
    expect(await run('uploads', 'resume', uploadRequestId)).toMatchObject({
      code: 2,
      error: { code: 'not_own_upload', hint: expect.stringContaining(`uploads forget ${uploadRequestId}`) },
    })
    expect(await run('uploads', 'forget', uploadRequestId)).toMatchObject({
      code: 0,
      out: { uploadRequestId },
    })
    expect(await run('uploads', 'list')).toMatchObject({ code: 0, out: [], warnings: [] })
  })

  it('is believed as far as this user has changed it', async () => {
    const { run, home, made } = await begun()
    changeJournal(home, 'UPDATE uploads SET errorMessage = NULL')
    expect(await run('uploads', 'resume')).toMatchObject({ code: 0, warnings: [] })
    expect(made.map(({ puts }) => puts)).toEqual([1])
  })
})

describe('the session of an upload', () => {
  it('is asked for by the process that takes it over, and a refusal loses nothing', async () => {
    const { run, faults, made, book } = await begun()
    const body = { error: 'INVALID_REQUEST', message: 'Used already.' }
    faults.push({ to: 'POST /v1/publication-uploads', status: 400, body })
    const refused = await run('publications', 'upload', book)
    expect(refused).toMatchObject({
      code: 6,
      error: {
        code: 'session_refused',
        hint: expect.stringMatching(/^p0 has no file\. .*publications delete p0 && pubctl uploads forget/),
      },
      out: { outcome: 'failed', publicationId: 'p0' },
    })
    const [left] = (await run('uploads', 'list')).out
    expect(left).toMatchObject({ stage: 'created', errorCode: 'session_refused' })
    faults.length = 0
    expect((await run('uploads', 'resume')).code).toBe(0)
    expect(made.map(({ puts }) => puts)).toEqual([1])
  })

  it('is recorded nowhere where the key cannot be kept, which is said', async () => {
    const { env } = await bookService()
    const self = machine(env)
    const upload = ['publications', 'upload', await exampleBook({ cover: false })]
    writeFileSync(join(self.home, '.config'), '')
    const { code, err } = await self.run(upload)
    expect(code).toBe(0)
    expect(err).toMatch(/warning: cannot \w+ .*secret\.key: \w+; an interrupted upload cannot be resumed/)
    rmSync(join(self.home, '.config'))
    // Nothing is left that a later command would have to leave alone.
    const list = await self.run(['uploads', 'list', '--all', '--json'])
    expect(list).toMatchObject({ code: 0, out: '[]\n', err: '' })
    const again = await self.run(upload)
    expect({ code: again.code, warned: /left alone/.test(again.err) }).toEqual({ code: 0, warned: false })
  })
})
