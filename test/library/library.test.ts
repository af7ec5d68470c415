import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { SandboxOptions } from '../../src/library/sandbox.ts'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { eicar } from '../support/books/eicar.ts'
import { environment } from '../support/machine/bin.ts'
import { bin } from '../support/machine/bin-path.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { serve } from '../support/servers/server.ts'
import { library, startSandbox } from './library.ts'

const {
  createClient,
  inspectBook,
  uploadBook,
  Failure,
  NetworkFailure,
  ServiceFailure,
  UploadFailure,
  UsageFailure,
} = library
const dist = join(import.meta.dirname, '../../dist')

async function sandboxFor(options: SandboxOptions = {}) {
  const sandbox = await startSandbox({ processingDelay: 5, ...options })
  onTestFinished(sandbox.close)
  const client = createClient(sandbox)
  onTestFinished(client.close)
  return { sandbox, client }
}

async function book(name = 'book.epub', title = 'A Book'): Promise<string> {
  const file = join(temporaryFolder(), name)
  writeFileSync(file, await makeExampleEpub({ title }))
  return file
}

/** What a promise rejects with. */
const rejected = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    error => error,
  )

/** Every text in a value, also in what caused an error, apart from the paths in its stack. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value instanceof Error)
    return [value.message, ...[value.cause, { ...value, stack: '' }].flatMap(textsIn)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** Uploads another book of the same title, which cannot be told from the first. */
async function again(client: ReturnType<typeof createClient>) {
  await uploadBook(client, await book('one.epub', 'The Same'))
  return await uploadBook(client, await book('two.epub', 'The Same'), { skipExisting: true })
}

describe('to import the library', () => {
  it.each(['index.js', 'sandbox.js', 'index.mjs', 'sandbox.mjs'])(
    'reads nothing, opens nothing and changes nothing: %s',
    entry => {
      const script = `
      const fs = require('fs')
      const read = []
      const path = require('path')
      for (const name of ['readFileSync', 'openSync', 'statSync', 'lstatSync', 'existsSync', 'writeFileSync', 'mkdirSync']) {
        const original = fs[name]
        fs[name] = (...args) => {
          if (!${JSON.stringify([dist, pathToFileURL(dist).href])}.some(own => String(args[0]).includes(own))) read.push(name + ' ' + args[0])
          return original(...args)
        }
      }
      const variables = []
      process.env = new Proxy(process.env, {
        get: (env, name) => (variables.push(String(name)), env[name]),
        has: (env, name) => (variables.push(String(name)), name in env),
        ownKeys: env => (variables.push('all'), Reflect.ownKeys(env)),
      })
      const state = () => JSON.stringify({
        globals: Reflect.ownKeys(globalThis).map(String),
        listeners: process.eventNames().map(name => [String(name), process.listenerCount(name)]),
        active: process.getActiveResourcesInfo(),
      })
      const load = ${entry.endsWith('.mjs') ? 'path => import(path)' : 'async path => require(path)'}
      void (async () => {
        // What importing takes of Node itself is there before.
        await import('data:text/javascript,0')
        await new Promise(setImmediate)
        const before = state()
        await load(${JSON.stringify(entry.endsWith('.mjs') ? pathToFileURL(join(dist, entry)) : join(dist, entry))})
        // The loader closes what it has read.
        await new Promise(resolve => setTimeout(resolve, 20))
        // Node.js asks for some itself as it loads a file.
        const asked = variables.filter(name => !['NODE_V8_COVERAGE', 'WATCH_REPORT_DEPENDENCIES'].includes(name))
        console.log(JSON.stringify({ read, asked, same: state() === before }))
      })()`
      const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
      expect(JSON.parse(stdout || stderr)).toEqual({ read: [], asked: [], same: true })
    },
  )
})

describe('a client', () => {
  it('makes the requests of the service, and gives its answers', async () => {
    const { client } = await sandboxFor()
    const { item, context } = await client.domains.create({ domain: 'reader.example.org' })
    expect(context?.authentication?.scopeId).toEqual(expect.any(String))
    expect((await client.domains.get({ id: item?.id ?? '' })).item).toEqual(item)
    expect((await client.metadataKeys.list()).items).toEqual(expect.any(Array))
  })

  it('gives the items of a list page by page, up to a limit', async () => {
    const answers: string[] = []
    const { url } = await serve((request, response) => {
      answers.push(request.url ?? '')
      const last = answers.length === 3
      const items = [{ publicationId: `p${answers.length}a` }, { publicationId: `p${answers.length}b` }]
      response.end(JSON.stringify({ items, ...(last ? {} : { nextToken: `t${answers.length}` }) }))
    })
    const client = createClient({ baseUrl: url, key: 'a-key-of-some-length', multiValue: 'comma' })
    const ids: unknown[] = []
    for await (const { publicationId } of client.publications.each({ formats: ['pdf', 'audio'] }))
      ids.push(publicationId)
    expect(ids).toEqual(['p1a', 'p1b', 'p2a', 'p2b', 'p3a', 'p3b'])
    expect(answers[1]).toBe('/v1/publications?limit=50&nextToken=t1&formats=pdf%2Caudio')
    answers.length = 0
    const few: unknown[] = []
    for await (const { publicationId } of client.publications.each({}, { limit: 3 })) few.push(publicationId)
    expect(few).toEqual(['p1a', 'p1b', 'p2a'])
  })

  it.each([
    [{ baseUrl: 'example.com', key: 'k' }, 'unfit_address'],
    [{ baseUrl: 'http://example.com', key: 'a-key' }, 'insecure_address'],
    [{ baseUrl: 'https://example.com', key: '' }, 'unfit_key'],
    [{ baseUrl: 'https://example.com', key: 'two words' }, 'unfit_key'],
    [{ baseUrl: 'https://example.com', key: 'a-key', timeout: -1 }, 'usage'],
    [{ baseUrl: 'https://example.com' }, 'usage'],
  ])('is not made with %j', (options, code) => {
    expect(() => createClient(options as Parameters<typeof createClient>[0])).toThrow(
      expect.objectContaining({ name: 'UsageFailure', code, exitCode: 2 }),
    )
  })

  it('rejects with a few classes of errors, which have what the command line shows', async () => {
    const { sandbox, client } = await sandboxFor()
    const absent = await rejected(client.publications.get({ id: 'pub_none' }))
    expect(absent).toBeInstanceOf(ServiceFailure)
    expect(absent).toMatchObject({
      name: 'ServiceFailure',
      exitCode: 5,
      status: 404,
      requestId: expect.any(String),
    })
    const readOnly = sandbox.keys.find(({ name }) => name === 'read-only')?.key ?? ''
    const forbidden = createClient({ baseUrl: sandbox.baseUrl, key: readOnly }).domains.create({
      domain: 'a.example',
    })
    expect(await rejected(forbidden)).toMatchObject({ name: 'ServiceFailure', exitCode: 4 })
    const nowhere = createClient({ baseUrl: 'http://127.0.0.1:9', key: 'a-key-of-some-length', timeout: 50 })
    const down = await rejected(nowhere.domains.list())
    expect(down).toBeInstanceOf(NetworkFailure)
    expect(down).toMatchObject({ name: 'NetworkFailure', exitCode: 8 })
    const unfit = client.domains.create({ domain: 5 } as unknown as { domain: string })
    expect(await rejected(unfit)).toMatchObject({ code: 'invalid_request', exitCode: 2 })
    for (const error of [absent, down]) expect(error).toBeInstanceOf(Failure)
  })

  it('names the fields that an error is about in its message, once', async () => {
    const { client } = await sandboxFor()
    const unfit = (await rejected(
      client.domains.create({ domain: 5 } as unknown as { domain: string }),
    )) as Error
    expect(unfit.message).toMatch(/^the service would not take this: POST \/v1\/domains \(domain: [^;]+\)$/)
    expect(unfit.stack).toContain(unfit.message)
    const details = ['a', 'b', 'c', 'd'].map(name => ({ message: 'is odd', path: ['editions', 0, name] }))
    const { url } = await serve((_, response) => {
      response.statusCode = 400
      response.end(JSON.stringify({ error: 'ZOD_ERROR', message: 'not valid', details }))
    })
    const other = createClient({ baseUrl: url, key: 'a-key-of-some-length' })
    const named = 'editions.0.a: is odd; editions.0.b: is odd; editions.0.c: is odd; and 1 more in details'
    for (const listed of [other.publications.list(), other.publications.each().next()])
      expect(await rejected(listed)).toMatchObject({ message: `not valid (${named})`, details })
    const failed = (await rejected(uploadBook(other, await book()))) as Error
    expect(failed.message).toBe(`not valid (${named})`)
    expect(failed.cause).toMatchObject({ message: `not valid (${named})` })
  })

  it('gives hints that fit a program, and none of the command line', async () => {
    const { sandbox, client } = await sandboxFor()
    const key = 'a-key-of-some-length'
    const answering = async (status: number, headers = {}) => {
      const { url } = await serve((_, response) => void response.writeHead(status, headers).end('{}'))
      return createClient({ baseUrl: url, key })
    }
    const { url: silent } = await serve(() => undefined)
    const { url: same } = await serve((_, response) => {
      response.end(JSON.stringify({ items: [{ publicationId: 'p' }], nextToken: 't' }))
    })
    const all = async (of: ReturnType<typeof createClient>) => {
      for await (const _ of of.publications.each());
    }
    const file = await book('named.pdf')
    const nowhere = createClient({ baseUrl: 'http://127.0.0.1:9', key, timeout: 50 })
    const insecure = async () => createClient({ baseUrl: 'http://example.com', key })
    const warnings: unknown[] = []
    const uploaded = await uploadBook(client, await book(), { onWarning: each => void warnings.push(each) })
    const told: unknown[] = [uploaded, warnings, await inspectBook(file)]
    const cases: [code: string, failing: () => Promise<unknown>, hint: RegExp][] = [
      ['insecure_address', insecure, /Use https/],
      ['http_401', async () => await (await answering(401)).domains.list(), /createClient/],
      ['http_403', async () => await (await answering(403)).domains.list(), /scope/],
      ['http_404', async () => await (await answering(404)).domains.list(), /the list of its group/],
      [
        'redirected',
        async () => await (await answering(302, { location: sandbox.baseUrl })).domains.list(),
        /baseUrl/,
      ],
      ['bad_reply', async () => await all(createClient({ baseUrl: same, key })), /report it/],
      [
        'timeout',
        async () => await createClient({ baseUrl: silent, key, timeout: 50 }).domains.list(),
        /option timeout/,
      ],
      ['network', async () => await nowhere.domains.list(), /make the call again/],
      [
        'invalid_request',
        async () => await client.domains.create({ domain: 5 } as never),
        /named in details/,
      ],
      ['book_unfit', async () => await uploadBook(client, file), /check: "off"/],
      ['book_unfit', async () => await uploadBook(client, await book(), { type: 'PDF' }), /check: "off"/],
      ['conflict', async () => await again(client), /skipExisting/],
    ]
    for (const [code, failing, hint] of cases) {
      const error = await rejected(failing())
      expect(error).toMatchObject({ code, hint: expect.stringMatching(hint) })
      told.push(error)
    }
    for (const text of told.flatMap(textsIn)) expect(text).not.toMatch(/--[a-z]|"pubctl |: pubctl |command/)
  })

  it('shows its key in no error, whatever the service answers', async () => {
    const key = 'a-key-that-nobody-may-see'
    const { url } = await serve((_, response) => {
      response.statusCode = 400
      response.end(
        JSON.stringify({
          error: 'ZOD_ERROR',
          message: `the key ${key} is odd`,
          details: [{ message: `not ${key}`, path: [key] }],
          context: { requestId: key, path: '/', method: 'GET' },
        }),
      )
    })
    const error = (await rejected(createClient({ baseUrl: url, key }).domains.list())) as Error
    const { inspect } = await import('node:util')
    expect(error).toBeInstanceOf(ServiceFailure)
    expect(error.message).toContain('[redacted]')
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(key)
  })

  it('stops when its signal says so, with the reason of the signal', async () => {
    const { url } = await serve(() => undefined)
    const client = createClient({ baseUrl: url, key: 'a-key-of-some-length' })
    onTestFinished(client.close)
    const stop = new AbortController()
    const listing = rejected(client.domains.list({}, { signal: stop.signal }))
    const reason = new Error('enough')
    stop.abort(reason)
    expect(await listing).toBe(reason)
    expect(await rejected(client.domains.list({}, { signal: stop.signal }))).toBe(reason)
  })

  it('keeps no process from ending', async () => {
    const { sandbox } = await sandboxFor()
    const script = `
      const { createClient } = require(${JSON.stringify(join(dist, 'index.js'))})
      createClient(${JSON.stringify(sandbox)}).domains.list().then(({ items }) => console.log(items.length))`
    const { stdout } = await execa(process.execPath, ['-e', script], { timeout: 30_000 })
    expect(stdout).toMatch(/^\d+$/)
  })
})

describe('uploadBook', () => {
  it('uploads a book, tells how far it is, and gives the receipt', async () => {
    const { client } = await sandboxFor()
    const file = await book()
    const steps: unknown[] = []
    const receipt = await uploadBook(client, file, {
      fields: { isbn: '978-3-16-148410-0', language: 'en-GB', author: ['A. Author'] },
      onProgress: step => void steps.push(step),
    })
    expect(receipt).toMatchObject({ file, outcome: 'uploaded', uploadStatus: 'available', type: 'EPUB' })
    const { length } = readFileSync(file)
    expect(steps).toContainEqual({ step: 'sending', sent: 0, total: length })
    expect(steps).toContainEqual({ step: 'sending', sent: length, total: length })
    expect(steps.at(-1)).toEqual({ step: 'state', sent: length, total: length, text: expect.any(String) })
    const { item } = await client.publications.get({ id: receipt.publicationId ?? '' })
    expect(item).toMatchObject({
      language: 'English',
      editions: [{ author: ['A. Author'], metadata: { isbn: '9783161484100' } }],
    })
    const again = await uploadBook(client, file, {
      ...{ editionOf: receipt.publicationId ?? '', fields: { title: 'Second' }, wait: false },
    })
    expect(again).toMatchObject({ publicationId: receipt.publicationId, outcome: 'uploaded' })
  })

  it('gives the same receipt as the command', async () => {
    const { sandbox, client } = await sandboxFor()
    const file = await book()
    const receipt = await uploadBook(client, file)
    const { stdout } = await execa(
      process.execPath,
      [bin, 'publications', 'upload', file, '--json', '--base-url', sandbox.baseUrl],
      { env: environment({ PUBCTL_API_KEY: sandbox.key }), extendEnv: false },
    )
    const ids = { publicationId: 'p', editionId: 'e', uploadRequestId: 'u' }
    expect({ ...receipt, ...ids }).toEqual({ ...JSON.parse(stdout), ...ids })
  })

  it('continues an upload of its journal, and otherwise writes nothing', async () => {
    const { client } = await sandboxFor()
    const file = await book()
    const journal = join(temporaryFolder(), 'uploads.db')
    const stop = new AbortController()
    const first = uploadBook(client, file, {
      ...{ journal, signal: stop.signal },
      onProgress: ({ step }) => step === 'state' && stop.abort(),
    })
    expect(await rejected(first)).toMatchObject({ name: 'AbortError' })
    const receipt = await uploadBook(client, file, { journal })
    expect(receipt).toMatchObject({ outcome: 'uploaded', uploadStatus: 'available' })
    expect(await uploadBook(client, file, { journal })).toMatchObject({
      ...{ outcome: 'skipped', publicationId: receipt.publicationId },
    })
    expect((await client.publications.list({ search: 'A Book' })).items).toHaveLength(1)
    expect(existsSync(journal)).toBe(true)
  })

  it.runIf(isSlow)(
    'takes bytes, a Blob, a File and a stream of known length as it takes a path',
    async () => {
      const { client } = await sandboxFor()
      const file = await book()
      const content = readFileSync(file)
      const { length } = content
      const pieces = async function* () {
        for (let at = 0; at < length; at += 1000) yield content.subarray(at, at + 1000)
      }
      const before = readdirSync(tmpdir()).filter(name => name.startsWith('pubctl-book-'))
      const wanted = { outcome: 'uploaded', uploadStatus: 'available', bytes: length, type: 'EPUB' }
      const filename = 'given.epub'
      const steps: unknown[] = []
      expect(await uploadBook(client, file)).toMatchObject({ ...wanted, file })
      for (const source of [
        content,
        new Uint8Array(content),
        new Blob([content]),
        new File([content], 'another.epub'),
        { stream: pieces(), bytes: length },
        { stream: createReadStream(file), bytes: length },
        { stream: new Blob([content]).stream(), bytes: length },
      ]) {
        const onProgress = (step: unknown) => void steps.push(step)
        const receipt = await uploadBook(client, source, { filename, onProgress })
        expect(receipt).toMatchObject({ ...wanted, file: filename })
        const { item } = await client.publications.get({ id: receipt.publicationId ?? '' })
        expect(item?.editions?.[0]?.metadata?.fileSize).toBe(String(length))
      }
      expect(steps).toContainEqual({ step: 'sending', sent: length, total: length })
      const named = await uploadBook(client, new File([content], 'named.epub'), { editionOf: undefined })
      expect(named.file).toBe('named.epub')
      expect(readdirSync(tmpdir()).filter(name => name.startsWith('pubctl-book-'))).toEqual(before)
    },
  )

  it.each([
    ['no name', { stream: [], bytes: 3 }, {}, /filename must be the name/],
    ['a name that is a path', Buffer.from('abc'), { filename: '../a.epub' }, /filename must be the name/],
    ['too few bytes', { bytes: 4 }, { filename: 'a.epub' }, /^the stream of a.epub had 3 of the 4 bytes/],
    ['too many bytes', { bytes: 2 }, { filename: 'a.epub' }, /^the stream of a.epub had more than the 2/],
    ['no length', { bytes: undefined }, { filename: 'a.epub' }, /bytes must be the length of the stream/],
    ['what is no book', Buffer.from('abc'), { filename: 'a.epub' }, /^a\.epub /],
    [
      'a journal',
      Buffer.from('abc'),
      { filename: 'a.epub', journal: 'j.db' },
      /must be a path where a journal/,
    ],
    ['a number', 5, { filename: 'a.epub' }, /file must be the path of a file, a Uint8Array/],
  ])('refuses a source with %s, and sends nothing', async (_, source, options, message) => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:9', key: 'a-key-of-some-length' })
    const stream = Readable.from([Buffer.from('abc')])
    const given =
      Object(source) === source && !(source instanceof Uint8Array) ? { ...Object(source), stream } : source
    const error = await rejected(uploadBook(client, given, options))
    expect(error).toBeInstanceOf(UsageFailure)
    expect((error as Error).message).toMatch(message)
    expect(JSON.stringify(error) + (error as Error).stack).not.toContain('pubctl-book-')
  })

  it('rejects with what a stream fails with, and ends with its signal', async () => {
    const { client } = await sandboxFor()
    const broken = async function* () {
      yield Buffer.from('PK')
      throw new Error('the disk is gone')
    }
    const filename = 'a.epub'
    const failed = await rejected(uploadBook(client, { stream: broken(), bytes: 9 }, { filename }))
    expect(failed).toMatchObject({ code: 'file_unreadable', cause: { message: 'the disk is gone' } })
    const stop = new AbortController()
    const endless = new Readable({ read() {} })
    const waiting = rejected(
      uploadBook(client, { stream: endless, bytes: 9 }, { filename, signal: stop.signal }),
    )
    stop.abort(new Error('enough'))
    expect(await waiting).toMatchObject({ message: 'enough' })
  })

  it('needs no database unless a journal is named', async () => {
    const { sandbox } = await sandboxFor()
    const script = `
      const { Module } = require('node:module')
      const resolve = Module._resolveFilename
      Module._resolveFilename = (name, ...more) => {
        if (name === 'libsql') throw Object.assign(new Error('there is no libsql'), { code: 'MODULE_NOT_FOUND' })
        return resolve(name, ...more)
      }
      const { createClient, uploadBook } = require(${JSON.stringify(join(dist, 'index.js'))})
      const client = createClient(${JSON.stringify(sandbox)})
      const file = ${JSON.stringify(await book())}
      const skipExisting = true
      const told = async options => await uploadBook(client, file, options).then(({ outcome }) => outcome, ({ code }) => code)
      told({ skipExisting }).then(async first => console.log(first, await told({ journal: file + '.db' })))`
    const { stdout } = await execa(process.execPath, ['-e', script], { timeout: 30_000 })
    expect(stdout).toBe('uploaded no_database_driver')
  })

  it('compares with the service if it is asked to', async () => {
    const { client } = await sandboxFor()
    const file = await book('one.epub', 'The Same')
    await client.metadataKeys.create({ key: 'sha256' })
    const one = await uploadBook(client, file, { skipExisting: true })
    expect(await uploadBook(client, file, { skipExisting: true })).toMatchObject({
      ...{ outcome: 'skipped', publicationId: one.publicationId },
    })
  })

  it('tells how far a failed upload came', async () => {
    const { sandbox, client } = await sandboxFor()
    const failed = await rejected(
      uploadBook(createClient({ baseUrl: sandbox.baseUrl, key: 'a-key-of-nobody' }), await book()),
    )
    expect(failed).toBeInstanceOf(UploadFailure)
    expect(failed).toMatchObject({ exitCode: 3, receipt: { outcome: 'failed', publicationId: null } })
    expect((failed as Error).cause).toBeInstanceOf(ServiceFailure)
    const file = join(temporaryFolder(), 'infected.epub')
    writeFileSync(file, await makeExampleEpub({ extraEntries: { 'notes.txt': eicar } }))
    const quarantined = await rejected(uploadBook(client, file))
    expect(quarantined).toMatchObject({
      ...{ name: 'UploadFailure', code: 'upload_quarantine', exitCode: 11 },
      receipt: { publicationId: expect.any(String), uploadStatus: 'upload_quarantine' },
    })
  })

  it.each([
    [{ fields: { titel: 'A' } }, /there is no field "titel"/],
    [{ fields: { title: 5 } }, /the field title must be a text/],
    [{ fields: { isbn: '123' } }, /is not an ISBN/],
    [{ check: 'sometimes' }, /check must be one of/],
    [{ ifChanged: 'maybe' }, /ifChanged must be one of/],
    [{ timeout: '1m' }, /timeout must be a number/],
  ])('refuses %j and sends nothing', async (options, message) => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:9', key: 'a-key-of-some-length' })
    const error = await rejected(uploadBook(client, await book(), options as object))
    expect(error).toBeInstanceOf(UsageFailure)
    expect((error as Error).message).toMatch(message)
  })

  it('rejects with what a callback throws', async () => {
    const { client } = await sandboxFor()
    const mine = new Error('mine')
    const onProgress = () => {
      throw mine
    }
    expect(await rejected(uploadBook(client, await book(), { onProgress }))).toBe(mine)
  })
})

describe('inspectBook', () => {
  it('gives what the command gives', async () => {
    const file = await book('book.pdf')
    const { stdout } = spawnSync(process.execPath, [bin, 'inspect', file, '--json'], {
      encoding: 'utf8',
      env: environment(),
    })
    const inspected = await inspectBook(file)
    const told = JSON.parse(stdout)
    const problems = told.problems.map((each: object) => ({ ...each, hint: expect.any(String) }))
    expect(inspected).toEqual({ ...told, problems })
    expect(inspected.problems).not.toEqual([])
    expect(await rejected(inspectBook(import.meta.filename))).toMatchObject({ code: 'not_a_book' })
  })
})

describe('startSandbox', () => {
  it('is closed at the end of a block, as a client is', async () => {
    let outside: { readonly dataDir: string } | undefined
    {
      await using sandbox = await startSandbox({ processingDelay: 5 })
      await using client = createClient(sandbox)
      expect((await client.domains.list()).items).toEqual(expect.any(Array))
      outside = sandbox
      await sandbox.close()
    }
    expect(existsSync(outside.dataDir)).toBe(false)
  })

  it('runs several at a time, each with its own data, and leaves nothing', async () => {
    const [one, two] = await Promise.all([startSandbox({ processingDelay: 5 }), startSandbox()])
    await createClient(one).domains.create({ domain: 'only.example.org' })
    const names = async (sandbox: typeof one) =>
      (await createClient(sandbox).domains.list()).items.map(({ domain }) => domain)
    expect(await names(one)).toContain('only.example.org')
    expect(await names(two)).not.toContain('only.example.org')
    await Promise.all([one.close(), two.close()])
    expect([one, two].map(({ dataDir }) => existsSync(dataDir))).toEqual([false, false])
  })

  it('keeps the data of a folder that is named', async () => {
    const dataDir = join(temporaryFolder(), 'data')
    const before = await startSandbox({ dataDir })
    await before.close()
    const after = await startSandbox({ dataDir })
    onTestFinished(after.close)
    expect(after.keys).toEqual(before.keys)
  })

  it('fails on purpose, and not otherwise than it says', async () => {
    const { client } = await sandboxFor({ faults: { 500: 1 } })
    // What may have been carried out is not repeated.
    const failed = client.domains.create({ domain: 'reader.example.org' })
    expect(await rejected(failed)).toMatchObject({ status: 500, exitCode: 8 })
    for (const faults of [{ 503: 2 }, { slow: -1 }, { fire: 0.5 }])
      expect(await rejected(startSandbox({ faults }))).toBeInstanceOf(UsageFailure)
    expect(await rejected(startSandbox({ port: 70_000 }))).toBeInstanceOf(UsageFailure)
  })

  it('does what the document leaves open in the other way', async () => {
    const { client } = await sandboxFor({ variants: ['new-object-keys'] })
    const intent = {
      uploadRequestId: randomUUID(),
      publicationFilename: 'a.epub',
      publicationType: 'EPUB' as const,
    }
    const [one, two] = [await client.uploads.create(intent), await client.uploads.create(intent)]
    expect(one.result?.objectKey).not.toBe(two.result?.objectKey)
    expect(await rejected(startSandbox({ variants: ['always' as 'new-object-keys'] }))).toMatchObject({
      message: 'variants: "always" is not a variant',
    })
  })
})
