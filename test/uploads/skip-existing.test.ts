import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ExampleOptions } from '../../src/sandbox/seed/example-epub/book.ts'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { eicar } from '../support/books/eicar.ts'
import { makePdf } from '../support/books/make-pdf.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { heldSandbox } from '../support/servers/held-sandbox.ts'
import { sandbox } from '../support/servers/sandbox.ts'
import { json, serve } from '../support/servers/server.ts'

interface Receipt {
  file: string
  outcome: string
  why: string | null
  publicationId: string
  editionId: string
  uploadStatus: string | null
  warnings: { code: string }[]
  error: { code: string; message: string } | null
}

/** A service, and machines that know nothing of one another. */
const scene = async () => sceneOf(await sandbox())

function sceneOf(service: Awaited<ReturnType<typeof sandbox>>) {
  const env = { PUBCTL_API_KEY: service.key('full'), PUBCTL_BASE_URL: service.baseUrl }
  const folder = temporaryFolder()
  const book = async (name: string, options: ExampleOptions): Promise<string> => {
    const path = join(folder, name)
    writeFileSync(path, await makeExampleEpub({ cover: false, ...options }))
    return path
  }
  const freshMachine = () => {
    const { run } = machine(env)
    const upload = async (...args: string[]) => {
      const report = join(temporaryFolder(), 'report.json')
      const { code, out, err } = await run(['publications', 'upload', ...args, '--json', '--report', report])
      const printed: Receipt | Receipt[] = JSON.parse(out || '[]')
      return { code, err, receipts: Array.isArray(printed) ? printed : [printed] }
    }
    return { run, upload }
  }
  const editionsOf = async (id: string) => (await service.ok('GET', `/v1/publications/${id}`)).item.editions
  const count = async (): Promise<number> =>
    (await service.ok('GET', '/v1/publications?limit=50')).items.length
  const provesContent = () => service.ok('POST', '/v1/resources/metadata-keys', { key: 'sha256' })
  return { ...service, folder, book, freshMachine, editionsOf, count, provesContent }
}

const outcomesOf = (receipts: readonly Receipt[]) => receipts.map(({ outcome }) => outcome)
const skipExisting = '--skip-existing'

describe('upload --skip-existing', () => {
  it('waits for the processing of what somebody else has sent', async () => {
    const service = await heldSandbox()
    const { book, freshMachine } = sceneOf(service)
    const path = await book('book.epub', { title: 'One' })
    await freshMachine().upload(path, skipExisting, '--no-wait')
    await service.goOnTo('uploaded')
    expect(await freshMachine().upload(path, skipExisting, '--no-wait')).toMatchObject({
      code: 0,
      receipts: [{ outcome: 'skipped', uploadStatus: 'uploaded', error: null }],
    })
    expect(await freshMachine().upload(path, skipExisting, '--timeout', '1s')).toMatchObject({
      code: 13,
      receipts: [{ outcome: 'skipped', uploadStatus: 'uploaded', error: { code: 'wait_exhausted' } }],
    })
    const waiting = freshMachine().upload(path, skipExisting)
    await service.goOnTo('available')
    expect(await waiting).toMatchObject({
      code: 0,
      receipts: [{ outcome: 'skipped', uploadStatus: 'available', error: null }],
    })
  })

  it('fails if the service finds what somebody else has sent unfit', async () => {
    const service = await heldSandbox()
    const { folder, book, freshMachine } = sceneOf(service)
    const path = await book('book.epub', { title: 'One', extraEntries: { 'EPUB/odd.bin': eicar } })
    await freshMachine().upload(path, skipExisting, '--no-wait')
    await service.goOnTo('uploaded')
    const { upload, run } = freshMachine()
    const waiting = upload(folder, skipExisting)
    await service.isAskedForState()
    await service.goOnTo('upload_quarantine')
    expect(await waiting).toMatchObject({
      code: 10,
      receipts: [{ outcome: 'failed', error: { code: 'upload_quarantine' } }],
    })
    // It is not left to be sent again.
    expect((await run(['uploads', 'list', '--json'])).out).toBe('[]\n')
  })

  it.runIf(isSlow)(
    'uploads twelve different books of one title and author, and skips them once they are there',
    async () => {
      const { folder, freshMachine, count, provesContent } = await scene()
      await provesContent()
      const books = join(folder, 'books')
      mkdirSync(books)
      for (let year = 2001; year <= 2012; year++) {
        const info = '/Title (Annual Report) /Author (The Society)'
        writeFileSync(join(books, `${year}.pdf`), makePdf({ info, catalog: `/Year (${year})` }))
      }
      const { upload } = freshMachine()
      const first = await upload(books, skipExisting)
      expect({ code: first.code, outcomes: outcomesOf(first.receipts) }).toEqual({
        code: 0,
        outcomes: Array(12).fill('uploaded'),
      })
      // By the journal, and where there is none, by what the service tells of the content.
      for (const again of [
        await upload(books, skipExisting),
        await freshMachine().upload(books, skipExisting),
      ]) {
        expect({ code: again.code, outcomes: outcomesOf(again.receipts) }).toEqual({
          code: 0,
          outcomes: Array(12).fill('skipped'),
        })
        expect(new Set(again.receipts.map(({ publicationId }) => publicationId)).size).toBe(12)
      }
      expect(await count()).toBe(12)
    },
  )

  it.runIf(isSlow)('takes what a broken off batch has made for its own when it is gone on with', async () => {
    const { folder, freshMachine, count } = await scene()
    const books = join(folder, 'books')
    mkdirSync(books)
    for (let year = 2001; year <= 2006; year++)
      writeFileSync(
        join(books, `${year}.pdf`),
        makePdf({ info: '/Title (Report)', catalog: `/Year (${year})` }),
      )
    const { run, upload } = freshMachine()
    writeFileSync(join(books, '2003.pdf'), 'no book')
    const broken = await upload(books, skipExisting, '--stop-on-error', '--concurrency', '1')
    expect(broken.code).toBe(10)
    const resumed = await run(['uploads', 'resume', '--json'])
    const outcomes = outcomesOf(JSON.parse(resumed.out))
    expect({ code: resumed.code, others: outcomes.filter(each => each !== 'uploaded') }).toEqual({
      code: 0,
      others: [],
    })
    expect(await count()).toBe(5)
  })

  it('takes a corrected book for a conflict, from a machine without a journal too', async () => {
    const { book, freshMachine, editionsOf, count } = await scene()
    const [first] = (await freshMachine().upload(await book('one.epub', { title: 'A Tale' }))).receipts
    const corrected = await book('two.epub', { title: 'A Tale', paddingBytes: 100 })
    for (const { upload, run } of [freshMachine(), freshMachine()]) {
      const { code, err, receipts } = await upload(corrected, skipExisting)
      expect(code).toBe(10)
      expect(receipts).toMatchObject([
        { outcome: 'conflict', publicationId: first?.publicationId, error: { code: 'conflict' } },
      ])
      const { error } = JSON.parse(err)
      expect(error).toMatchObject({
        code: 'conflict',
        exitCode: 10,
        hint: expect.stringMatching(/--if-changed edition/),
      })
      expect(error.message).toContain(corrected)
      expect(error.message).toContain(first?.publicationId)
      // Nothing is left to be gone on with.
      expect((await run(['uploads', 'list', '--json'])).out).toBe('[]\n')
    }
    expect(await count()).toBe(1)
    const edition = await freshMachine().upload(corrected, '--if-changed', 'edition')
    expect(edition).toMatchObject({
      code: 0,
      receipts: [{ outcome: 'uploaded', publicationId: first?.publicationId }],
    })
    expect(await editionsOf(first?.publicationId ?? '')).toHaveLength(2)
    const third = await book('three.epub', { title: 'A Tale', paddingBytes: 200 })
    expect(await freshMachine().upload(third, '--if-changed', 'new')).toMatchObject({ code: 0 })
    expect(await count()).toBe(2)
    // Now two are of that title, and nobody has said which.
    const { receipts } = await freshMachine().upload(
      await book('four.epub', { title: 'A Tale', paddingBytes: 300 }),
      '--if-changed',
      'edition',
    )
    expect(receipts[0]?.why).toMatch(/pub_\w+ and pub_\w+ have its title/)
  })

  it('names the row of a sheet, and feeds what failed back in as it was decided on', async () => {
    const { book, folder, freshMachine } = await scene()
    await freshMachine().upload(await book('a.epub', { title: 'A Tale' }))
    await book('a.epub', { title: 'A Tale', paddingBytes: 100 })
    await book('b.epub', { title: 'Another' })
    const sheet = join(folder, 'sheet.csv')
    writeFileSync(sheet, 'file,title\na.epub,\nb.epub,Other\n')
    const { run } = freshMachine()
    const args = ['publications', 'upload', '--manifest', sheet, skipExisting]
    expect(JSON.parse((await run([...args, '--dry-run', '--json'])).out)).toMatchObject([
      { action: 'conflict', from: { sheet, row: 'row 2' } },
      { action: 'create', from: { sheet, row: 'row 3' } },
    ])
    const report = join(temporaryFolder(), 'receipts.xml')
    const { code, err } = await run([...args, '--report', report])
    expect(code).toBe(10)
    expect(err.replace(/\s+/g, ' ')).toMatch(/upload --manifest \S+failed\.csv --skip-existing/)
    expect(readFileSync(report, 'utf8')).toMatch(/failures="1"(.|\n)*<failure type="conflict"/)
  })

  it('compares what a service tells in no way that its document knows', async () => {
    const { book } = await scene()
    const odd = [
      { publicationId: 'p1', title: 7, author: [null, {}], type: [] },
      { publicationId: 5 },
      { publicationId: 'p2' },
    ]
    const publication = {
      id: 'p1',
      editions: [
        {},
        { id: 'e1', title: {}, author: [null, 5], metadata: { isbn: 5, fileSize: {} }, version: {} },
      ],
    }
    const { url } = await serve(({ method, url: path }, response) => {
      const [route = ''] = path.split('?')
      if (method === 'PUT') response.writeHead(200).end()
      else if (method === 'POST')
        json(response, 201, {
          item: { id: 'p9', editions: [{ id: 'e9' }] },
          result: { uploadUrl: `${url}/put` },
        })
      else if (route === '/v1/publications') json(response, 200, { items: odd })
      else if (route === '/v1/publications/p1') json(response, 200, { item: publication })
      else json(response, 200, { items: [{ key: 7 }, {}], item: { id: 'e9', uploadStatus: 'available' } })
    })
    const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
    const path = await book('a.epub', { isbn: '9783161484100' })
    const { code, out, err } = await run(['publications', 'upload', path, skipExisting, '--json'])
    expect(JSON.parse(err).warning.code).toBe('no_content_key')
    expect({ code, outcome: JSON.parse(out).outcome }).toEqual({ code: 0, outcome: 'uploaded' })
  })

  it('uploads as ever without it: nothing is looked up', async () => {
    const { book, freshMachine, count } = await scene()
    for (const name of ['one.epub', 'two.epub'])
      expect((await freshMachine().upload(await book(name, { title: 'A Tale' }))).code).toBe(0)
    expect(await count()).toBe(2)
  })

  it('skips by the size beside the same ISBN, and says that this proves nothing', async () => {
    const { book, freshMachine } = await scene()
    const path = await book('one.epub', { isbn: '9783161484100' })
    const [first] = (await freshMachine().upload(path)).receipts
    const { code, receipts, err } = await freshMachine().upload(path, skipExisting)
    expect(code).toBe(0)
    expect(receipts).toMatchObject([
      {
        outcome: 'skipped',
        publicationId: first?.publicationId,
        why: expect.stringMatching(/same ISBN and size/),
      },
    ])
    expect(receipts[0]?.warnings.map(({ code }) => code)).toEqual(['not_proven'])
    expect(JSON.parse(err).warning.code).toBe('not_proven')
  })

  it('never skips by title and size, whatever else is asked for', async () => {
    const { book, freshMachine, count } = await scene()
    const path = await book('one.epub', {})
    await freshMachine().upload(path)
    for (const args of [[skipExisting], ['--if-changed', 'edition'], ['--if-changed', 'new']]) {
      const { code, receipts } = await freshMachine().upload(path, ...args)
      expect({ code, why: receipts[0]?.why }).toEqual({
        code: 10,
        why: expect.stringMatching(/cannot be proven/),
      })
    }
    expect(await count()).toBe(1)
  })

  it('changes what the service can change, and names what it cannot', async () => {
    const { book, freshMachine, ok, provesContent } = await scene()
    await provesContent()
    const path = await book('one.epub', { title: 'A Tale' })
    const [first] = (await freshMachine().upload(path, skipExisting)).receipts
    const changed = await freshMachine().upload(
      path,
      skipExisting,
      '--language',
      'fr-CA',
      '--description',
      'New.',
    )
    expect(changed).toMatchObject({
      code: 0,
      receipts: [{ outcome: 'updated', publicationId: first?.publicationId }],
    })
    expect((await ok('GET', `/v1/publications/${first?.publicationId}`)).item).toMatchObject({
      language: 'French',
      description: 'New.',
    })
    const again = await freshMachine().upload(path, skipExisting, '--language', 'fr', '--description', 'New.')
    expect(again).toMatchObject({ code: 0, receipts: [{ outcome: 'skipped' }] })
    const blocked = await freshMachine().upload(
      path,
      skipExisting,
      '--title',
      'Other',
      '--publisher',
      'Another',
    )
    expect(blocked).toMatchObject({
      code: 10,
      receipts: [{ outcome: 'conflict', error: { code: 'blocked' } }],
    })
    expect(blocked.receipts[0]?.error?.message).toMatch(/title, publisher/)
  })

  it('uploads the first of two files with the same content, and names it for the other', async () => {
    const { book, folder, freshMachine, count } = await scene()
    const path = await book('b.epub', {})
    for (const name of ['a.epub', 'c.epub']) copyFileSync(path, join(folder, name))
    const { code, receipts } = await freshMachine().upload(folder, skipExisting)
    const why = `it has the same content as ${join(folder, 'a.epub')} in this batch`
    expect(code).toBe(0)
    expect(receipts.map(({ outcome, why }) => ({ outcome, why }))).toEqual([
      { outcome: 'uploaded', why: null },
      { outcome: 'skipped', why },
      { outcome: 'skipped', why },
    ])
    expect({ count: await count(), files: readdirSync(folder).length }).toEqual({ count: 1, files: 3 })
  })

  it('makes one new edition of a publication, and takes another file for it in the batch for a conflict', async () => {
    const { book, folder, freshMachine, editionsOf } = await scene()
    const [first] = (await freshMachine().upload(await book('a.epub', { title: 'A Tale' }))).receipts
    await book('a.epub', { title: 'A Tale', paddingBytes: 100 })
    await book('b.epub', { title: 'A Tale', paddingBytes: 200 })
    const { code, receipts } = await freshMachine().upload(folder, '--if-changed', 'edition')
    expect({ code, outcomes: outcomesOf(receipts) }).toEqual({ code: 10, outcomes: ['uploaded', 'conflict'] })
    expect(receipts[1]?.why).toContain(join(folder, 'a.epub'))
    expect(await editionsOf(first?.publicationId ?? '')).toHaveLength(2)
  })

  it('shows its steps with --dry-run, and only reads', async () => {
    const { book, folder, freshMachine, run, provesContent, ok } = await scene().then(each => ({
      ...each,
      run: each.freshMachine().run,
    }))
    await provesContent()
    const same = await book('same.epub', { title: 'Same' })
    const changed = await book('changed.epub', { title: 'Changed' })
    await freshMachine().upload(same, changed, skipExisting)
    await book('changed.epub', { title: 'Changed', paddingBytes: 100 })
    const fresh = await book('new.epub', { title: 'New' })
    const before = await ok('GET', '/v1/publications')
    const planned = async (...args: string[]) =>
      JSON.parse((await run(['publications', 'upload', folder, ...args, '--dry-run', '--json'])).out)
    expect(await planned(skipExisting)).toMatchObject([
      { action: 'conflict', file: changed, requests: [] },
      {
        action: 'create',
        file: fresh,
        requests: [
          { method: 'POST', body: { edition: { metadata: { sha256: expect.any(String) } } } },
          { method: 'PUT' },
        ],
      },
      { action: 'skip', proof: 'proven', file: same, requests: [] },
    ])
    expect(await planned('--if-changed', 'edition', '--language', 'French')).toMatchObject([
      {
        action: 'edition',
        requests: [{ method: 'POST', url: expect.stringMatching(/\/editions$/) }, { method: 'PUT' }],
      },
      { action: 'create' },
      {
        action: 'update',
        send: { language: 'French' },
        requests: [{ method: 'PATCH', body: { language: 'French' } }],
      },
    ])
    const { items } = await ok('GET', '/v1/publications')
    expect(items).toEqual(before.items)
  })
})

describe('editions upload', () => {
  it.runIf(isSlow)(
    'leaves the language and all else of the publication alone that no flag gives',
    async () => {
      const { book, freshMachine, ok } = await scene()
      const { run, upload } = freshMachine()
      const [first] = (await upload(await book('one.epub', { language: 'fr' }), '--description', 'Old.'))
        .receipts
      const id = first?.publicationId ?? ''
      const second = await book('two.epub', { language: 'de' })
      const [step] = JSON.parse((await run(['editions', 'upload', id, second, '--dry-run', '--json'])).out)
      expect(step).toMatchObject({
        action: 'edition',
        publicationId: id,
        requests: [{ method: 'POST' }, { method: 'PUT' }],
      })
      expect(step.requests[0].body).not.toHaveProperty('language')
      expect((await run(['editions', 'upload', id, second])).code).toBe(0)
      expect((await ok('GET', `/v1/publications/${id}`)).item).toMatchObject({
        language: 'French',
        description: 'Old.',
      })
      const third = await book('three.epub', { language: 'de', paddingBytes: 9 })
      expect((await run(['editions', 'upload', id, third, '--language', 'it-CH'])).code).toBe(0)
      expect((await ok('GET', `/v1/publications/${id}`)).item).toMatchObject({ language: 'Italian' })
    },
  )
})
