import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exampleCover } from '../../src/sandbox/seed/example-epub/cover.ts'
import { eicar } from '../support/books/eicar.ts'
import { exampleBook } from '../support/books/example-book.ts'
import { fileOf, makeBook } from '../support/books/make-book.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { bookService, context } from '../support/servers/book-service.ts'

describe('publications upload', () => {
  it('brings a book to the sandbox and shows it available', async () => {
    const path = await exampleBook({ title: 'A Tale', authors: ['Ada', 'Bob'], language: 'en-GB' })
    const { sandbox } = machine()
    const { code, out, err } = await sandbox(['publications', 'upload', path, '--json'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const receipt = JSON.parse(out)
    expect(receipt).toEqual({
      file: path,
      title: 'A Tale',
      author: ['Ada', 'Bob'],
      sha256: createHash('sha256').update(readFileSync(path)).digest('hex'),
      bytes: readFileSync(path).length,
      type: 'EPUB',
      publicationId: expect.any(String),
      editionId: expect.any(String),
      uploadRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      uploadStatus: 'available',
      outcome: 'uploaded',
      why: null,
      warnings: [],
      error: null,
    })
    const got = JSON.parse((await sandbox(['publications', 'get', receipt.publicationId, '--json'])).out)
    expect(got).toMatchObject({ id: receipt.publicationId, language: 'English' })
    expect(got.editions[0]).toMatchObject({
      title: 'A Tale',
      author: ['Ada', 'Bob'],
      uploadStatus: 'available',
    })
    expect(got.editions[0].metadata.fileSize).toBe(String(receipt.bytes))
    const listed = JSON.parse((await sandbox(['publications', 'list', '--json'])).out)
    expect(listed.map((each: { publicationId: string }) => each.publicationId)).toEqual([
      receipt.publicationId,
    ])
  })

  it('lets flags override what the file says', async () => {
    const { sandbox } = machine()
    const flags = [
      '--title',
      'Other',
      '--author',
      'C, D',
      '--author',
      'E',
      '--language',
      'fr-CA',
      '--description',
      'About.',
    ]
    const more = [
      '--isbn',
      '978-3-16-148410-0',
      '--publisher',
      'P',
      '--metadata',
      'series=One',
      '--internal',
      '--sample-item',
      's1',
    ]
    const { out } = await sandbox([
      'publications',
      'upload',
      await exampleBook(),
      ...flags,
      ...more,
      '--json',
    ])
    const item = JSON.parse(
      (await sandbox(['publications', 'get', JSON.parse(out).publicationId, '--json'])).out,
    )
    expect(item).toMatchObject({
      language: 'French',
      description: 'About.',
      isForInternalReadingInstance: true,
      sampleItems: ['s1'],
    })
    expect(item.editions[0]).toMatchObject({ title: 'Other', titleSource: 'user', author: ['C, D', 'E'] })
    expect(item.editions[0].metadata).toMatchObject({ isbn: '9783161484100', publisher: 'P', series: 'One' })
  })

  it('keeps a language that the service has no name for', async () => {
    const { sandbox } = machine()
    const { out } = await sandbox([
      'publications',
      'upload',
      await exampleBook({ language: 'nl-BE' }),
      '--json',
    ])
    const item = JSON.parse(
      (await sandbox(['publications', 'get', JSON.parse(out).publicationId, '--json'])).out,
    )
    expect(item.language).toBe('nl-BE')
  })

  it('tells quarantine, failure and an exhausted wait apart by exit code, with a receipt each', async () => {
    const { sandbox } = machine()
    const infected = await exampleBook({ extraEntries: { 'EPUB/odd.bin': eicar } })
    const quarantined = await sandbox(['publications', 'upload', infected, '--json'])
    expect(quarantined.code).toBe(11)
    expect(JSON.parse(quarantined.out)).toMatchObject({
      uploadStatus: 'upload_quarantine',
      outcome: 'failed',
    })
    expect(JSON.parse(quarantined.err).error).toMatchObject({ code: 'upload_quarantine', exitCode: 11 })

    const slow = await sandbox(['publications', 'upload', await exampleBook(), '--timeout', '2s', '--json'], {
      env: { PUBCTL_SANDBOX_DELAY: '1h' },
    })
    expect(slow.code).toBe(13)
    expect(JSON.parse(slow.out)).toMatchObject({ outcome: 'uploaded', error: { code: 'wait_exhausted' } })

    const broken = fileOf(makeBook({ rawEntries: [{ name: '../outside.xhtml', content: 'x' }] }))
    const failed = await sandbox(['publications', 'upload', broken, '--no-check', '--json'])
    expect({ code: failed.code, status: JSON.parse(failed.out).uploadStatus }).toEqual({
      code: 12,
      status: 'upload_failed',
    })
  })

  it('does not wait with --no-wait; publications wait does', async () => {
    const { sandbox } = machine()
    const { out, code } = await sandbox([
      'publications',
      'upload',
      await exampleBook(),
      '--no-wait',
      '--json',
    ])
    expect(code).toBe(0)
    const { publicationId, uploadStatus, outcome } = JSON.parse(out)
    expect(outcome).toBe('uploaded')
    expect(uploadStatus).not.toBe('available')
    const waited = await sandbox(['publications', 'wait', publicationId, '--json'])
    expect(waited.code).toBe(0)
    expect(JSON.parse(waited.out).editions[0].uploadStatus).toBe('available')
  })

  it('needs --title for a book without one where nobody can be asked', async () => {
    const { sandbox } = machine()
    const path = await exampleBook({ title: '' })
    const { code, out, err } = await sandbox(['publications', 'upload', path, '--json'])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    const [warning, failure] = err.trim().split('\n')
    expect(JSON.parse(warning ?? '')).toMatchObject({ warning: { code: 'title_missing' } })
    expect(JSON.parse(failure ?? '').error).toMatchObject({
      code: 'no_title',
      hint: expect.stringContaining('--title'),
    })
    expect((await sandbox(['publications', 'upload', path, '--title', 'Named', '--json'])).code).toBe(0)
  })

  it('sends a cover of its own, the one in the book, or none', async () => {
    const cover = join(temporaryFolder(), 'cover.png')
    writeFileSync(cover, exampleCover())
    for (const [wish, expected] of [
      [cover, 'cover.png'],
      ['none', undefined],
    ] as const) {
      const { out } = await machine().sandbox([
        'publications',
        'upload',
        await exampleBook(),
        '--cover',
        wish,
        '--dry-run',
        '--json',
      ])
      expect(JSON.parse(out)[0].requests[0].body.coverFilename).toBe(expected)
    }
    const { code } = await machine().sandbox([
      'publications',
      'upload',
      await exampleBook(),
      '--cover',
      cover,
      '--json',
    ])
    expect(code).toBe(0)
  })

  it.each([
    ['a file that is not there', '/nonexistent/book.epub', 'file_unreadable'],
    ['a folder without books', import.meta.dirname, 'no_books'],
    ['a file that is no book', import.meta.filename, 'not_a_book'],
  ])('refuses %s before anything is sent', async (_, path, code) => {
    const result = await machine().sandbox(['publications', 'upload', path, '--json'])
    expect(result).toMatchObject({ code: 2, out: '' })
    expect(JSON.parse(result.err).error.code).toBe(code)
  })

  it('uploads several files, and goes on when one of them fails', async () => {
    const { sandbox } = machine()
    const files = [
      await exampleBook({ title: 'One' }),
      await exampleBook({ extraEntries: { x: eicar } }),
      await exampleBook({ title: 'Three' }),
    ]
    const report = join(temporaryFolder(), 'receipt.json')
    const { code, out, err } = await sandbox([
      'publications',
      'upload',
      ...files,
      '--json',
      '--report',
      report,
    ])
    expect(code).toBe(10)
    expect(JSON.parse(out).map((each: { outcome: string }) => each.outcome)).toEqual([
      'uploaded',
      'failed',
      'uploaded',
    ])
    expect(JSON.parse(err).error.details).toHaveLength(1)
  })

  it('prints with --dry-run what it would send, and sends nothing', async () => {
    const { sandbox } = machine()
    const { code, out } = await sandbox([
      'publications',
      'upload',
      await exampleBook({ title: 'Dry' }),
      '--dry-run',
      '--json',
    ])
    expect(code).toBe(0)
    const [step, ...others] = JSON.parse(out)
    expect(others).toEqual([])
    expect(step).toMatchObject({
      action: 'create',
      why: expect.any(String),
      type: 'EPUB',
      publicationId: null,
    })
    expect(step.requests.map((each: { method: string }) => each.method)).toEqual(['POST', 'PUT', 'PUT'])
    expect((await sandbox(['publications', 'list', '--json'])).out).toBe('[]\n')
  })

  it('gets a fresh session when the first one is refused, at most twice', async () => {
    const body = '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>'
    for (const [times, exitCode] of [
      [2, 0],
      [9, 4],
    ] as const) {
      const { env, log } = await bookService({ to: 'PUT', times, status: 403, body }, { expiresIn: 1 })
      const { code } = await machine(env).run([
        ...['publications', 'upload', await exampleBook({ cover: false }), '--no-wait', '--json'],
      ])
      const intents = log.filter(route => route === 'POST /v1/publication-uploads').length
      expect({ code, intents }).toEqual({ code: exitCode, intents: 2 })
    }
  })

  it('takes an unknown state for one that will change', async () => {
    const body = { item: { id: 'ep0', uploadStatus: 'upload_rejoicing' }, context }
    const { env, log } = await bookService([
      { to: 'POST', change: text => text.replace('"upload_pending"', 'null') },
      { to: 'GET', times: 2, status: 200, body },
    ])
    const { code, out } = await machine(env).run([
      ...['publications', 'upload', await exampleBook(), '--cover', 'none', '--json'],
    ])
    expect(code).toBe(0)
    expect(JSON.parse(out).uploadStatus).toBe('available')
    expect(log.filter(route => route.startsWith('GET'))).toHaveLength(3)
  })
})

describe('editions upload', () => {
  it('adds an edition to a publication', async () => {
    const { sandbox } = machine()
    const first = JSON.parse(
      (await sandbox(['publications', 'upload', await exampleBook({ title: 'First' }), '--json'])).out,
    )
    const second = await sandbox([
      'editions',
      'upload',
      first.publicationId,
      await exampleBook({ title: 'Second' }),
      '--json',
    ])
    expect(second.code).toBe(0)
    const receipt = JSON.parse(second.out)
    expect(receipt).toMatchObject({ publicationId: first.publicationId, uploadStatus: 'available' })
    expect(receipt.editionId).not.toBe(first.editionId)
    const editions = JSON.parse((await sandbox(['editions', 'list', first.publicationId, '--json'])).out)
    expect(editions).toHaveLength(2)
    const got = await sandbox(['editions', 'get', first.publicationId, receipt.editionId, '--json'])
    expect(JSON.parse(got.out)).toMatchObject({ title: 'Second', isCurrentVersion: true })
  })
})

describe('an upload step by step', () => {
  it('goes from uploads create to uploads put through a file', async () => {
    const { sandbox } = machine()
    const path = await exampleBook()
    const created = await sandbox(['uploads', 'create', path, '--json'])
    expect(created.code).toBe(0)
    const put = await sandbox(['uploads', 'put', path, '--session', '-', '--json'], { stdin: created.out })
    // The embedded service of the second command has to serve the address that the first one gave out.
    expect(put).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(put.out)).toMatchObject({ outcome: 'uploaded' })
  })
})
