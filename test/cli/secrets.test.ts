import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hideSecrets, rememberKey, rememberPresignedQuery } from '../../src/cli/output/secrets.ts'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { realWorld, systemClock } from '../../src/system/world.ts'
import { exampleBook } from '../support/books/example-book.ts'
import { fileOf } from '../support/books/make-book.ts'
import { canary, findNoSecret } from '../support/machine/canary.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { json, serve } from '../support/servers/server.ts'

const key = 'canary-secret-key-0123456789abcdef'
const against = (url: string) => machine({ PUBCTL_API_KEY: key, PUBCTL_BASE_URL: url })
const context = { path: '/', method: 'GET', requestId: 'req_42' }

describe('--verbose', () => {
  it('shows each request of an upload with its status, time and request id, the PUT as well', async () => {
    const book = await exampleBook()
    const { code, err } = await machine().sandbox([
      'publications',
      'upload',
      book,
      '--cover',
      'none',
      '-v',
      '-q',
    ])
    expect(code).toBe(0)
    const lines = err.trimEnd().split('\n')
    const id = '[0-9a-f-]{36}'
    const api = String.raw`http://127\.0\.0\.1:\d+/v1/publications`
    expect(lines[0]).toMatch(new RegExp(`^POST ${api} → 201 \\(\\d+ ms, request ${id}\\)$`))
    expect(lines[1]).toMatch(
      /^PUT http:\/\/127\.0\.0\.1:\d+\/uploads\/[^?]+\?\[redacted\] → 200 \(\d+ ms.*\)$/,
    )
    expect(lines.at(-1)).toMatch(new RegExp(`^GET ${api}/\\S+ → 200 \\(\\d+ ms, request ${id}\\)$`))
    expect(err).not.toMatch(/X-Amz-Signature|Bearer/)
  })

  it('shows the query of a request to the service, each attempt, and what went wrong', async () => {
    let count = 0
    const { url } = await serve((_, response) => {
      if (count++ === 0) return void response.writeHead(503, { 'x-request-id': 'from-header' }).end('busy')
      json(response, 200, { items: [], nextToken: null, context })
    })
    const { err } = await against(url).run(['publications', 'list', '--search', 'a b', '-v'])
    expect(err.replaceAll(/\d+ ms/g, 'N ms').replaceAll(url, '')).toBe(
      'GET /v1/publications?limit=50&search=a+b → 503 (N ms, request from-header)\n' +
        'GET /v1/publications?limit=50&search=a+b → 200 (N ms, request req_42)\n',
    )
    const refused = await against('http://127.0.0.1:9').run(['domains', 'create', 'x.example', '-v'])
    expect(refused.err).toMatch(/^POST http:\/\/127\.0\.0\.1:9\/v1\/domains → .*ECONNREFUSED/m)
  })

  it('shows an answer that has no body to read, too', async () => {
    const { url } = await serve((_, response) =>
      response.writeHead(307, { location: 'http://else.example' }).end(),
    )
    expect((await against(url).run(['domains', 'list', '-v'])).err).toMatch(/→ 307 \(\d+ ms\)\n/)
    expect((await against(url).run(['api', 'HEAD', '/v1/domains', '-v'])).err).toMatch(/^HEAD .* → 307/)
  })
})

describe('a key that the service repeats', () => {
  const echo = async (place: 'message' | 'requestId' | 'detail' | 'header' | 'escaped') =>
    await serve(({ headers }, response) => {
      const said = String(headers.authorization)
      const body = {
        error: 'ACCOUNT_RESTRICTED',
        message:
          place === 'message' ? `${said} may not; nor may ${key}.` : place === 'escaped' ? `"${key}"` : 'no',
        context: { ...context, requestId: place === 'requestId' ? key : 'req_1' },
        details: place === 'detail' ? [{ message: key, path: [key], code: key }] : undefined,
      }
      json(response, 403, body, place === 'header' ? { 'x-request-id': key, 'x-echo': said } : {})
    })

  it.each(['message', 'requestId', 'detail', 'header', 'escaped'] as const)(
    'is hidden: in its %s',
    async place => {
      const { url } = await echo(place)
      for (const more of [['--json'], ['-v'], ['-v', '--json'], []]) {
        const { code, err } = await against(url).run(['domains', 'get', 'd', ...more])
        expect(code).toBe(4)
        expect(err).not.toContain(key)
        if (place !== 'header') expect(err).toContain('[redacted]')
      }
      const { err } = await against(url).run(['api', 'GET', '/v1/domains', '--include'])
      expect(err).not.toContain(key)
    },
  )

  it('is hidden in the receipt of an upload, in a batch, and by the doctor', async () => {
    const { url } = await echo('message')
    const book = await exampleBook()
    const upload = await against(url).run(['publications', 'upload', book, '--json'])
    expect(JSON.parse(upload.out).error.message).toContain('[redacted]')
    for (const args of [['domains', 'delete', 'a', 'b', '--yes'], ['doctor', '--json'], ['doctor']]) {
      const { out, err } = await against(url).run(args)
      expect(out + err).not.toContain(key)
    }
  })
})

describe('a key that the service repeats in what is written', () => {
  /** Answers everything with 400 and the whole header, as a gateway may that shows what it was sent. */
  const echo = async () =>
    await serve(({ headers }, response) => {
      const message = `cannot parse the header "Authorization: ${headers.authorization}"`
      json(response, 400, { error: `E_${key}`, message, context })
    })

  it.each<{ more: string[]; columns?: number }>([
    { more: ['--json'] },
    { more: ['-o', 'ndjson'] },
    { more: ['-o', 'csv'] },
    { more: [] },
    { more: [], columns: 80 },
    { more: ['--query', '[].error.message'] },
  ])(
    'is in no receipt, report or failed.csv with $more and $columns columns',
    async ({ more, ...options }) => {
      const { url } = await echo()
      const folder = temporaryFolder()
      const books = ['one', 'two'].map(name => join(folder, `${name}.epub`))
      for (const book of books) writeFileSync(book, await makeExampleEpub({ title: book }))
      for (const form of ['json', 'csv', 'xml', 'html']) {
        const report = join(folder, `report.${form}`)
        const upload = ['publications', 'upload', ...books, '--skip-existing', '--report', report]
        const { code, out, err } = await against(url).run([...upload, ...more], options)
        expect(code).toBeGreaterThan(0)
        for (const text of [
          out,
          err,
          readFileSync(report, 'utf8'),
          readFileSync(join(folder, 'failed.csv'), 'utf8'),
        ])
          expect(text).not.toContain(key.slice(0, 12))
        expect(readFileSync(report, 'utf8')).toContain('[redacted]')
        if (more.includes('--json')) expect(JSON.parse(out)).toHaveLength(2)
      }
    },
  )

  it.each([
    ['an ordinary one', 'canary-secret-key-0123456789abcdef'],
    ['one with quotes and backslashes', 'canary"secret\\key,0123456789'],
    ['one of digits, told as a number', '12345678901234'],
  ])('is in no record, and JSON stays JSON: %s', async (_, key) => {
    const { url } = await serve((_, response) => {
      const item = {
        id: key,
        domain: `d ${key}`,
        isInUse: false,
        numbers: [Number(key) || 1, -12.5e3],
        [`x ${key}`]: null,
      }
      json(response, 200, { item, items: [item], context })
    })
    for (const more of [
      ['--json'],
      ['-o', 'ndjson'],
      ['-o', 'csv'],
      [],
      ['--query', '@'],
      ['--fields', 'domain'],
    ])
      for (const options of [{}, { columns: 60 }])
        for (const args of [
          ['domains', 'get', 'd'],
          ['domains', 'list'],
        ]) {
          const { run } = machine({ PUBCTL_API_KEY: key, PUBCTL_BASE_URL: url })
          const { code, out, err } = await run([...args, ...more], options)
          expect({ code, err }).toEqual({ code: 0, err: '' })
          expect(out).toContain('[redacted]')
          expect(out.replaceAll(/[\\"]+/g, '')).not.toContain(key.replaceAll(/[\\"]+/g, ''))
          if (more.includes('--json')) JSON.parse(out)
          if (more.includes('ndjson')) for (const line of out.trimEnd().split('\n')) JSON.parse(line)
        }
  })

  it('is left in no file by an upload whose ids are the key', async () => {
    const { url } = await serve(({ method }, response) => {
      if (method === 'PUT') return void response.writeHead(500).end(key)
      const session = { uploadUrl: `${url}/put?X-Amz-Signature=0123456789`, requiredHeaders: {} }
      json(response, 201, { item: { id: key, editions: [{ id: key }] }, result: session, context })
    })
    const { run } = against(url)
    // It is the machine of the test that looks for the key in all that is kept.
    const { out } = await run(['publications', 'upload', await exampleBook({ cover: false }), '--json'], {
      clock: { ...systemClock, now: Date.now, monotonic: Date.now, sleep: async () => undefined },
    })
    expect(JSON.parse(out)).toMatchObject({ publicationId: '[redacted]', editionId: '[redacted]' })
  })

  it('is in no part where a message or a cell is cut', async () => {
    for (let length = 4096 - key.length; length <= 4096; length += 7) {
      const text = `${'. '.repeat(2048).slice(0, length)}${key}${'. '.repeat(100)}`
      const { url } = await serve(({ url }, response) =>
        url.endsWith('/refused')
          ? json(response, 400, { error: 'E', message: text, details: [{ message: text }], context })
          : json(response, 200, { item: { id: 'd', description: text }, context }),
      )
      for (const options of [{}, { columns: 80 }]) {
        const refused = await against(url).run(['domains', 'get', 'refused'], options)
        const shown = await against(url).run(['domains', 'get', 'd'], options)
        expect(refused.err + shown.out).not.toContain(key.slice(0, 4))
      }
    }
  })

  it('hides nothing of an upload session that is asked for', async () => {
    const result = {
      uploadUrl: 'https://s3.example/k?X-Amz-Credential=abc&X-Amz-Signature=0123456789',
      requiredHeaders: { 'x-amz-meta-upload': 'keyHash: 0123' },
      expiresIn: 900,
    }
    const { url } = await serve((_, response) => json(response, 201, { result, context }))
    const { code, out } = await against(url).run(['uploads', 'create', await exampleBook(), '--json'])
    expect({ code, printed: JSON.parse(out) }).toEqual({ code: 0, printed: result })
  })
})

describe('the key in the environment', () => {
  it('is hidden before anything asks for it, where a file or an argument has it', async () => {
    const { run } = machine({ PUBCTL_API_KEY: key, PUBCTL_BASE_URL: 'http://127.0.0.1:9' })
    const sheet = fileOf(`file,${key}\n`, 'sheet.csv')
    for (const args of [
      ['publications', 'upload', '--manifest', sheet, '--dry-run'],
      [key],
      ['inspect', `${key}.epub`],
    ]) {
      const { code, out, err } = await run(args)
      expect({ code, shows: `${out}${err}`.includes(key), hides: err.includes('[redacted]') }).toEqual({
        code: 2,
        shows: false,
        hides: true,
      })
    }
  })
})

describe('a key with capitals in the first row of a sheet', () => {
  const withCapitals = 'Ab-Cd-A-Canary-Of-Sheets-0123456789'
  it.each([
    ['sheet.csv', `file,${withCapitals}\nx.epub,y\n`],
    ['sheet.json', JSON.stringify([{ file: 'x.epub', [withCapitals]: 'y' }])],
    ['sheet.yaml', `- file: x.epub\n  ${withCapitals}: y\n`],
  ])('is in no form shown, of %s', async (name, text) => {
    const { run } = machine({ PUBCTL_API_KEY: withCapitals, PUBCTL_BASE_URL: 'http://127.0.0.1:9' })
    const sheet = fileOf(text, name)
    for (const args of [
      ['publications', 'upload', '--manifest', sheet, '--dry-run'],
      ['catalogue', 'plan', sheet],
    ]) {
      for (const more of [[], ['--json']]) {
        const { out, err } = await run([...args, ...more])
        expect(`${out}${err}`.toLowerCase()).not.toContain(withCapitals.toLowerCase())
      }
    }
  })
})

describe('a secret that is not the key in the environment', () => {
  it('is hidden when a command printed it', async () => {
    const { url } = await serve((_, response) =>
      json(response, 401, { error: 'E', message: `not ${key}`, context }),
    )
    const { run } = machine()
    await run(['profile', 'setup', 'work', '--base-url', url, '--key-command', `echo ${key}`, '--no-verify'])
    const { code, err } = await run(['domains', 'list', '-v'])
    expect(code).toBe(3)
    expect(err).toContain('not [redacted]')
    expect(err).not.toContain(key)
  })

  it('is hidden when it is the query of a presigned address', async () => {
    const { url } = await serve((request, response) =>
      response
        .writeHead(403)
        .end(
          `<Error><Code>Denied</Code><Message>no: ${request.url.slice(request.url.indexOf('?') + 1)}</Message></Error>`,
        ),
    )
    const session = JSON.stringify({
      uploadUrl: `${url}/put?token=0123456789abcdef&sig=fedcba`,
      requiredHeaders: {},
    })
    const { err } = await against(url).run(['uploads', 'put', fileOf('x'), '--session', '-', '-v'], {
      stdin: session,
    })
    expect(err).toMatch(/PUT .*\/put\?\[redacted\] → 403/)
    expect(err).toMatch(/no: \[redacted\] \(Denied\)/)
    expect(err).not.toMatch(/0123456789abcdef|fedcba/)
  })
})

describe('hiding many secrets in a text', () => {
  const query = (number: number) => `part=a b&token=canary-${String(number).padStart(9, '0')}`

  it('knows the latest queries, each in all of its forms, and the key for good', () => {
    const owner = {}
    const hide = hideSecrets(owner)
    rememberKey(owner, 'the key of 2026')
    for (let number = 0; number < 300; number++) rememberPresignedQuery(owner, query(number))
    for (const number of [44, 45, 170, 299]) {
      expect(hide(`at ${query(number)}.`)).toBe('at [redacted].')
      expect(hide(`at ${encodeURIComponent(query(number))}.`)).toBe('at [redacted].')
    }
    expect(hide(query(43))).toBe(query(43))
    expect(hide(encodeURIComponent(query(43)))).toBe(encodeURIComponent(query(43)))
    expect(hide('with the key of 2026')).toBe('with [redacted]')
  })

  it('finds a query in a text that is no longer than it, and one that came after another text', () => {
    const owner = {}
    const hide = hideSecrets(owner)
    rememberPresignedQuery(owner, query(1))
    expect(hide(query(1))).toBe('[redacted]')
    rememberPresignedQuery(owner, 'short=canary')
    rememberPresignedQuery(owner, query(2))
    expect(hide('short=canary')).toBe('[redacted]')
    expect(hide(query(2))).toBe('[redacted]')
  })

  it.each([[['canary-of', 'a canary-of-2026']], [['a canary-of-2026', 'canary-of']]])(
    'hides a longer one as a whole, of %j',
    secrets => {
      const owner = {}
      for (const secret of secrets) rememberKey(owner, secret)
      expect(hideSecrets(owner)('it is a canary-of-2026 and canary-of')).toBe(
        'it is [redacted] and [redacted]',
      )
    },
  )
})

describe('hiding secrets in a text', () => {
  const world = realWorld(() => new AbortController().signal)
  const hide = hideSecrets(world)

  it.each([
    ['Authorization: Bearer abcdefgh12345', 'Authorization: Bearer [redacted]'],
    ['authorization=abcdefgh12345, next', 'authorization=[redacted], next'],
    ['{"authorization":"Bearer abcdefgh12345","a":1}', '{"authorization":"Bearer [redacted]","a":1}'],
    ['{\\"keyHash\\":\\"c0ffee\\"}', '{\\"keyHash\\":\\"[redacted]\\"}'],
    ['keyHash: c0ffee', 'keyHash: [redacted]'],
    [
      'at https://s3.example/a/b?X-Amz-Date=1&X-Amz-Signature=5ec4e7 now',
      'at https://s3.example/a/b?[redacted] now',
    ],
    ['X-Amz-Signature=5ec4e7&x=1', 'X-Amz-Signature=[redacted]&x=1'],
    ['https://s3.example/a?x=1?X-Amz-Signature=5ec4e7', 'https://s3.example/a?x=1?[redacted]'],
    ['Authorization:\\n Bearer abcdefgh12345', 'Authorization:\\n Bearer [redacted]'],
    ['X-Amz-Security-Token=abc', 'X-Amz-Security-Token=[redacted]'],
    ['GET https://api.example/v1/publications?search=a', 'GET https://api.example/v1/publications?search=a'],
    [
      'a bearer credential is needed, no authorization was given',
      'a bearer credential is needed, no authorization was given',
    ],
  ])('by pattern: %s', (text, hidden) => {
    expect(hide(text)).toBe(hidden)
  })

  it('by value, also inside JSON and URLs, and in no other world', () => {
    const secret = 'p"q\\r/s+t=0123'
    rememberKey(world, secret)
    for (const text of [secret, JSON.stringify({ secret }), encodeURIComponent(secret)])
      expect(hide(`<${text}>`)).toMatch(/^<.*\[redacted\].*>$/)
    expect(hideSecrets({ ...world })(secret)).toBe(secret)
  })
})

describe('the canary', () => {
  it('would be found in what is printed and in what is kept', () => {
    const home = temporaryFolder()
    writeFileSync(join(home, '.kept'), `x ${canary} y`)
    expect(() => findNoSecret([canary], `so ${canary}`, temporaryFolder(), 'x')).toThrow(/printed/)
    expect(() => findNoSecret([canary], '', home, 'x')).toThrow(/left/)
    expect(() => findNoSecret([canary], '', temporaryFolder(), 'x')).not.toThrow()
  })
})
