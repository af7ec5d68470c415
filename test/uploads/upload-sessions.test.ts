import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { makePdf } from '../support/books/make-pdf.ts'
import { sleeplessClock } from '../support/machine/clock.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { assetService } from '../support/servers/asset-service.ts'
import { bookService, context } from '../support/servers/book-service.ts'
import { type Answer, json, serve } from '../support/servers/server.ts'

interface Sessions {
  /** What the creation says of the session, and what an upload intent says of it later, beside the address. */
  creation?: object
  intent?: object
  /** The status with which the store answers each PUT, 200 once they are used up. */
  refusals?: number[]
}

/** A service that makes one book, with sessions as the test says, and the paths of what was sent to its store. */
async function scene({ creation = {}, intent = {}, refusals = [] }: Sessions) {
  const sent: string[] = []
  const asked: string[] = []
  const left = [...refusals]
  const answer: Answer = ({ method, url: path, body }, response) => {
    const session = (name: string) => ({
      uploadUrl: `${url}/put/${name}?sig=hidden`,
      requiredHeaders: {},
      expiresIn: 900,
    })
    if (method === 'PUT') {
      const status = left.shift() ?? 200
      if (status === 200) sent.push(path.split('?')[0] as string)
      return void response.writeHead(status).end()
    }
    asked.push(`${method} ${path}`)
    const { uploadRequestId } = method === 'POST' ? JSON.parse(body.toString()) : { uploadRequestId: '' }
    const item = {
      id: 'p0',
      editions: [{ id: 'e0', uploadStatus: sent.length > 0 ? 'available' : 'upload_pending' }],
    }
    if (path === '/v1/publications')
      return json(response, 201, { item, result: { ...session('book'), ...creation }, context })
    if (path === '/v1/publication-uploads')
      return json(response, 201, { result: { uploadRequestId, ...session('fresh'), ...intent }, context })
    json(response, 200, { item: path.includes('/editions/') ? item.editions[0] : item, context })
  }
  const { url } = await serve(answer)
  const self = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
  const book = join(temporaryFolder(), 'book.epub')
  writeFileSync(book, await makeExampleEpub({ cover: true }))
  const upload = async (...args: string[]) => {
    const { code, err } = await self.run(['publications', 'upload', book, '--json', ...args], {
      clock: sleeplessClock(),
    })
    return { code, error: err === '' ? undefined : JSON.parse(err.trim().split('\n').at(-1) as string).error }
  }
  return { sent, asked, upload, ...self }
}

const badSession = (message: RegExp) => ({
  code: 8,
  error: expect.objectContaining({ code: 'bad_session', message: expect.stringMatching(message) }),
})

describe('an upload session', () => {
  it('that is fresh, for another object and of no upload request is not used, in this run or in a later one', async () => {
    const { upload, sent } = await scene({
      creation: { objectKey: 'scope/mine.epub' },
      intent: { objectKey: 'scope/other.epub', uploadRequestId: null },
      refusals: [403, 403],
    })
    const wanted = badSession(
      /for the object "scope\/other\.epub", and the upload began with "scope\/mine\.epub"/,
    )
    expect(await upload('--cover', 'none')).toEqual(wanted)
    expect(await upload('--cover', 'none')).toEqual(wanted)
    expect(sent).toEqual([])
  })

  it.each<[string, object, RegExp]>([
    [
      'another upload request',
      { uploadRequestId: '00000000-0000-4000-8000-000000000000' },
      /for the upload request/,
    ],
    [
      'another object for the cover',
      {
        ...{ objectKey: 'a', uploadRequestId: null },
        cover: { objectKey: 'c2', uploadUrl: 'http://127.0.0.1:9/' },
      },
      /for the object for the cover "c2"/,
    ],
    ['no cover any more', { objectKey: 'a' }, /a cover was asked for/],
  ])('that is fresh and for %s is not used', async (_, intent, message) => {
    const cover = (at: string) => ({ objectKey: 'c1', uploadUrl: at, requiredHeaders: {} })
    const store = await serve((_, response) => void response.writeHead(403).end())
    const { upload, sent } = await scene({ creation: { objectKey: 'a', cover: cover(store.url) }, intent })
    expect(await upload('--cover', 'auto')).toEqual(badSession(message))
    expect(sent).toEqual([])
  })

  it.each([
    ['does not say what it is for', { uploadRequestId: null }],
    ['is of the upload request and for another object', { objectKey: 'b' }],
  ])('that is fresh and %s is used', async (_, intent) => {
    const { upload, sent } = await scene({ creation: { objectKey: 'a' }, intent, refusals: [403] })
    expect(await upload('--cover', 'none')).toEqual({ code: 0, error: undefined })
    expect(sent).toEqual(['/put/fresh'])
  })

  it.each<[string, object, string, RegExp]>([
    [
      'wants the file in parts',
      { uploadMode: 'multipart' },
      'none',
      /asks for a way of sending that pubctl does not know \("multipart"\)/,
    ],
    [
      'has no place for the cover',
      {},
      'auto',
      /a cover was asked for, and the upload session has no place for it/,
    ],
  ])('that %s is said to be unfit before anything is sent', async (_, creation, cover, message) => {
    const { upload, sent } = await scene({ creation })
    expect(await upload('--cover', cover)).toEqual(badSession(message))
    expect(sent).toEqual([])
  })
})

describe('uploads put', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const files = async () => {
    const folder = temporaryFolder()
    const write = (name: string, content: string | Uint8Array) => {
      writeFileSync(join(folder, name), content)
      return join(folder, name)
    }
    return {
      write,
      epub: write('book.epub', await makeExampleEpub({ cover: false })),
      pdf: write('book.pdf', makePdf()),
      png: write('book.png', png),
      woff: write('a.woff2', 'wOF2font'),
      text: write('a.txt', 'text'),
    }
  }

  it.each([
    ['application/epub+zip', 'epub', ['pdf', 'png', 'woff', 'text']],
    ['application/pdf', 'pdf', ['epub', 'png', 'text']],
    ['image/png', 'png', ['epub', 'pdf', 'text']],
    ['font/woff2; charset=binary', 'woff', ['epub', 'png', 'text']],
  ] as const)('sends to a session for %s no other kind of file', async (type, fit, others) => {
    const { url, received } = await serve((_, response) => void response.writeHead(200).end())
    const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
    const all = await files()
    const session = { uploadUrl: `${url}/put?secret`, requiredHeaders: { 'content-type': type } }
    const at = all.write('session.json', JSON.stringify(session))
    for (const other of others) {
      const refused = await run(['uploads', 'put', all[other], '--session', at, '--json'])
      expect({ code: refused.code, error: JSON.parse(refused.err).error.code }).toEqual({
        code: 2,
        error: 'wrong_kind',
      })
    }
    expect(received).toEqual([])
    expect((await run(['uploads', 'put', all[fit], '--session', at])).code).toBe(0)
    expect(received).toHaveLength(1)
  })

  it('sends any file to a session that does not say what it is for', async () => {
    const { url, received } = await serve((_, response) => void response.writeHead(200).end())
    const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
    const all = await files()
    for (const requiredHeaders of [
      {},
      { 'Content-Type': 'application/octet-stream' },
      { 'Content-Type': 'audio/mpeg' },
    ]) {
      const at = all.write('session.json', JSON.stringify({ uploadUrl: `${url}/put`, requiredHeaders }))
      expect((await run(['uploads', 'put', all.text, '--session', at])).code).toBe(0)
    }
    expect(received).toHaveLength(3)
  })
})

describe('an asset that was created and not sent', () => {
  it('is named, and can be sent after all', async () => {
    const { env, received, faults } = await assetService({ to: 'PUT', status: 507 })
    const { run } = machine(env)
    const font = join(temporaryFolder(), 'Lora.woff2')
    writeFileSync(font, 'wOF2font')
    const failed = await run(['assets', 'upload', font, '--json'], { clock: sleeplessClock() })
    const { error } = JSON.parse(failed.err)
    expect({ code: failed.code, message: error.message }).toEqual({
      code: 8,
      message: expect.stringMatching(
        /^the asset as_1 was created, and .*Lora\.woff2 was not sent: the upload store/,
      ),
    })
    const [, line = ''] = /: pubctl (uploads put .*)$/.exec(error.hint) ?? []
    faults.length = 0
    expect((await run(line.split(' '))).code).toBe(0)
    expect(received.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  it('is named also where its session cannot be kept', async () => {
    const { env } = await assetService({ to: 'PUT', status: 413 })
    const { run, home } = machine(env)
    // A file where the folder should be holds root back too.
    writeFileSync(join(home, '.local'), '')
    const font = join(home, 'Lora.woff2')
    writeFileSync(font, 'wOF2font')
    const { code, err } = await run(['assets', 'upload', font, '--json'])
    expect({ code, error: JSON.parse(err).error }).toMatchObject({
      code: 6,
      error: {
        message: expect.stringMatching(/^the asset as_1 was created/),
        hint: expect.stringMatching(/: pubctl assets delete as_1$/),
      },
    })
  })
})

describe('a refusal of the store', () => {
  const xml = (code: string) => `<Error><Code>${code}</Code><Message>No.</Message></Error>`
  it.each<[number, string, RegExp]>([
    [413, '', /does not accept files of this size/],
    [400, xml('EntityTooLarge'), /does not accept files of this size/],
    [400, xml('AuthorizationHeaderMalformed'), /another region/],
    [301, xml('PermanentRedirect'), /another region/],
    [404, xml('NoSuchBucket'), /does not exist/],
    [403, xml('RequestTimeTooSkewed'), /A clock is wrong/],
    [403, xml('SignatureDoesNotMatch'), /not what the service signed/],
    [403, xml('AccessDenied'), /refuses new upload sessions too/],
    [507, '', /is full/],
    [400, xml('Novelty'), /report it to the service/],
  ])('%i %s has a hint of its own', async (status, body, hint) => {
    const { env } = await bookService({ to: 'PUT', status, body })
    const { run } = machine(env)
    const book = join(temporaryFolder(), 'book.epub')
    writeFileSync(book, await makeExampleEpub({ cover: false }))
    const { err } = await run(['publications', 'upload', book, '--json'], { clock: sleeplessClock() })
    expect(JSON.parse(err).error.hint).toMatch(hint)
  })
})
