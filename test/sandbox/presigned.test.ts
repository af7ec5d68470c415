import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { SaxesParser } from 'saxes'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { errorOf, presignedServer, rawHead, send, sendRaw } from '../support/servers/presigned-server.ts'

let server: Awaited<ReturnType<typeof presignedServer>>
beforeEach(async () => {
  server = await presignedServer()
})
afterEach(() => server.close())

/** Waits until no body is left that has not become an object. */
const nothingLeft = () => vi.waitFor(async () => expect(await server.leftovers()).toEqual([]))

describe('a presigned URL', () => {
  test('takes the file with every required header and answers with its MD5', async () => {
    const { uploadUrl, expiresIn, requiredHeaders } = server.grant('books/a b/ü(1).epub')
    const file = randomBytes(300_000)
    const answer = await send(uploadUrl, requiredHeaders, file)
    const md5 = createHash('md5').update(file).digest('hex')
    expect(answer).toMatchObject({
      status: 200,
      body: '',
      headers: {
        etag: `"${md5}"`,
        'content-length': '0',
        'x-amz-request-id': expect.stringMatching(/^\w{16}$/),
      },
    })
    expect(expiresIn).toBe(900)
    expect(await server.content('books/a b/ü(1).epub')).toEqual(file)
    expect(server.stored).toMatchObject([
      { objectKey: 'books/a b/ü(1).epub', bytes: 300_000, md5, contentType: 'application/epub+zip' },
    ])
    await nothingLeft()
  })

  test('is made like those of S3, and signs neither host nor port', () => {
    const url = new URL(server.grant('k').uploadUrl)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Date': '20260131T120000Z',
      'X-Amz-Expires': '900',
      'X-Amz-SignedHeaders': 'content-type;x-amz-meta-upload;x-amz-server-side-encryption',
      'X-Amz-Signature': expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  test('is good at another server that has the same secret', async () => {
    const secret = randomBytes(32)
    const [first, second] = await Promise.all([presignedServer({ secret }), presignedServer({ secret })])
    const { uploadUrl, requiredHeaders } = first.grant('k')
    const elsewhere = uploadUrl.replace(new URL(uploadUrl).origin, new URL(second.grant().uploadUrl).origin)
    expect((await send(elsewhere, requiredHeaders, 'x')).status).toBe(200)
    expect(second.stored).toHaveLength(1)
    await Promise.all([first.close(), second.close()])
  })

  test('takes an empty file', async () => {
    const { uploadUrl, requiredHeaders } = server.grant('empty')
    expect((await send(uploadUrl, requiredHeaders, '')).status).toBe(200)
    expect(server.stored).toMatchObject([{ bytes: 0, md5: 'd41d8cd98f00b204e9800998ecf8427e' }])
  })

  test('serves several files over one connection', async () => {
    const first = server.grant('one')
    const second = server.grant('two')
    const put = (grant: typeof first, more = {}) =>
      `${rawHead(grant.uploadUrl, { ...grant.requiredHeaders, 'Content-Length': '3', ...more })}abc`
    const both = put(first) + put(second, { Connection: 'close' })
    expect(
      (await sendRaw(first.uploadUrl, both, { thenEnd: false })).match(/HTTP\/1.1 200 OK/g),
    ).toHaveLength(2)
    expect(server.stored).toHaveLength(2)
  })

  test('lasts until its last second and no longer', async () => {
    const { uploadUrl, requiredHeaders } = server.grant()
    server.clock.time += 899_999
    expect((await send(uploadUrl, requiredHeaders, 'x')).status).toBe(200)
    server.clock.time += 1
    const answer = await send(uploadUrl, requiredHeaders, 'x')
    expect(answer.status).toBe(403)
    expect(errorOf(answer)).toEqual({ code: 'AccessDenied', message: 'Request has expired' })
    expect(answer.body).toContain('<Expires>2026-01-31T12:15:00Z</Expires>')
    expect(server.stored).toHaveLength(1)
  })
})

describe('what is signed', () => {
  type Change = (url: URL, headers: Record<string, string>) => void
  const changes: Record<string, Change> = {
    'a changed signature': url => {
      const signature = url.searchParams.get('X-Amz-Signature') as string
      url.searchParams.set('X-Amz-Signature', (signature.startsWith('0') ? '1' : '0') + signature.slice(1))
    },
    'a missing signature': url => url.searchParams.delete('X-Amz-Signature'),
    'a signature of another length': url => url.searchParams.set('X-Amz-Signature', 'ä'),
    'no query at all': url => {
      url.search = ''
    },
    'another object': url => {
      url.pathname += '2'
    },
    'a longer life': url => url.searchParams.set('X-Amz-Expires', '9000'),
    'a life without end': url => url.searchParams.set('X-Amz-Expires', '9'.repeat(40)),
    'a later date': url => url.searchParams.set('X-Amz-Date', '20260131T130000Z'),
    'a date that is none': url => url.searchParams.set('X-Amz-Date', 'tomorrow'),
    'a further parameter': url => url.searchParams.set('versionId', '1'),
    'a repeated parameter': url => url.searchParams.append('X-Amz-Expires', '900'),
    'fewer signed headers': url => url.searchParams.set('X-Amz-SignedHeaders', 'content-type'),
    'another content type': (_, headers) => {
      headers['Content-Type'] = 'application/pdf'
    },
    'no content type': (_, headers) => {
      delete headers['Content-Type']
    },
    'another required header': (_, headers) => {
      headers['x-amz-server-side-encryption'] = 'aws:kms'
    },
    'an empty required header': (_, headers) => {
      headers['x-amz-meta-upload'] = ''
    },
    'no required header': (_, headers) => {
      delete headers['x-amz-meta-upload']
    },
  }
  for (const [what, change] of Object.entries(changes)) {
    test(`is refused with ${what}`, async () => {
      const { uploadUrl, requiredHeaders } = server.grant()
      const url = new URL(uploadUrl)
      change(url, requiredHeaders)
      const answer = await send(url.href, requiredHeaders, 'x')
      expect(answer.status).toBe(403)
      expect(errorOf(answer).code).toBe('SignatureDoesNotMatch')
      expect(server.stored).toEqual([])
    })
  }

  test('does not cover the case of header names or the order of parameters', async () => {
    const { uploadUrl, requiredHeaders } = server.grant()
    const url = new URL(uploadUrl)
    const swapped = new URLSearchParams([...url.searchParams].reverse())
    const shouted = Object.fromEntries(Object.entries(requiredHeaders).map(([k, v]) => [k.toUpperCase(), v]))
    expect((await send(`${url.origin}${url.pathname}?${swapped}`, shouted, 'x')).status).toBe(200)
  })
})

describe('like S3, the target', () => {
  test('refuses a second credential without repeating it', async () => {
    const { uploadUrl, requiredHeaders } = server.grant()
    const answer = await send(uploadUrl, { ...requiredHeaders, Authorization: 'Bearer stray-key' }, 'x')
    expect(answer.status).toBe(400)
    expect(errorOf(answer).code).toBe('InvalidArgument')
    expect(answer.body).not.toContain('stray-key')
  })

  test('refuses chunked encoding', async () => {
    const { uploadUrl, requiredHeaders } = server.grant()
    const answer = await send(uploadUrl, requiredHeaders, Readable.from(['a', 'b']))
    expect(answer.status).toBe(501)
    expect(errorOf(answer).code).toBe('NotImplemented')
    expect(answer.body).toContain('<Header>Transfer-Encoding</Header>')
  })

  test('wants to know the length', async () => {
    const { uploadUrl, requiredHeaders } = server.grant()
    const answer = await sendRaw(uploadUrl, rawHead(uploadUrl, requiredHeaders), { thenEnd: false })
    expect(answer).toMatch(/^HTTP\/1.1 411 /)
    expect(errorOf({ body: answer }).code).toBe('MissingContentLength')
  })

  test.each([
    ['at its first bytes', 3],
    ['in the middle', 500_000],
    ['at its last byte', 999_999],
  ])('stores nothing of a file that ends early, %s, and says so', async (_, sent) => {
    const { uploadUrl, requiredHeaders } = server.grant()
    const head = rawHead(uploadUrl, { ...requiredHeaders, 'Content-Length': '1000000' })
    const answer = await sendRaw(uploadUrl, head + 'x'.repeat(sent), { thenEnd: true })
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(answer.match(/HTTP\/1.1/g)).toHaveLength(1)
    expect(errorOf({ body: answer }).code).toBe('IncompleteBody')
    await nothingLeft()
    expect(server.stored).toEqual([])
  })

  test.each(['GET', 'POST', 'DELETE', 'PATCH', 'OPTIONS'])('has no %s', async method => {
    const { uploadUrl, requiredHeaders } = server.grant()
    const answer = await send(uploadUrl, requiredHeaders, 'x', method)
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'PUT' } })
    expect(errorOf(answer).code).toBe('MethodNotAllowed')
  })

  test('refuses a header of its own that was not signed', async () => {
    const { uploadUrl, requiredHeaders } = server.grant()
    const answer = await send(uploadUrl, { ...requiredHeaders, 'x-amz-acl': 'public-read' }, 'x')
    expect(answer.status).toBe(403)
    expect(answer.body).toContain('<HeadersNotSigned>x-amz-acl</HeadersNotSigned>')
  })

  test('takes at most 5 GiB at once, and refuses before the body', async () => {
    const { uploadUrl, requiredHeaders } = server.grant()
    const head = rawHead(uploadUrl, { ...requiredHeaders, 'Content-Length': String(5 * 2 ** 30 + 1) })
    const answer = await sendRaw(uploadUrl, head, { thenEnd: true })
    expect(errorOf({ body: answer }).code).toBe('EntityTooLarge')
  })

  test('checks a Content-MD5', async () => {
    const { uploadUrl, requiredHeaders } = server.grant()
    const put = (md5: string) => send(uploadUrl, { ...requiredHeaders, 'Content-MD5': md5 }, 'body')
    expect(errorOf(await put('nonsense')).code).toBe('InvalidDigest')
    expect(errorOf(await put(createHash('md5').update('other').digest('base64'))).code).toBe('BadDigest')
    expect(server.stored).toEqual([])
    expect((await put(createHash('md5').update('body').digest('base64'))).status).toBe(200)
    await nothingLeft()
  })

  test('says of a path it cannot read that it cannot', async () => {
    const { origin } = new URL(server.grant().uploadUrl)
    const answer = await send(`${origin}/uploads/%E0%A4%A`, {}, 'x')
    expect(answer.status).toBe(400)
    expect(errorOf(answer).code).toBe('InvalidURI')
  })

  test('answers every error as well-formed XML, whatever the request holds', async () => {
    const { uploadUrl } = server.grant('<&"\'\u0001]]>')
    const answer = await send(uploadUrl, { 'Content-Type': '<!DOCTYPE x>&amp;' }, 'x')
    const names: string[] = []
    const parser = new SaxesParser()
    parser.on('error', error => {
      throw error
    })
    parser.on('opentag', ({ name }) => names.push(name))
    parser.write(answer.body).close()
    expect(names).toEqual(['Error', 'Code', 'Message', 'CanonicalRequest', 'RequestId', 'HostId'])
    expect(answer.headers).toMatchObject({ 'content-type': 'application/xml', connection: 'close' })
    expect(answer.body).toContain(`<RequestId>${answer.headers['x-amz-request-id']}</RequestId>`)
  })
})
