import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeBooks } from '../support/books/book-folder.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { changeJournal } from '../support/machine/reseal-journal.ts'
import { isSlow } from '../support/machine/slow.ts'
import { bookService } from '../support/servers/book-service.ts'
import { json, serve } from '../support/servers/server.ts'

// biome-ignore lint/suspicious/noExplicitAny: what is printed is what the tests are about.
type Json = any

const keys = { one: 'canary-key-one-0123456789', two: 'canary-key-two-0123456789' }

/** One address with two organisations, each with a key; the first one refuses files as long as it is told to. */
async function scene({ tellsScopes = true } = {}) {
  const state = { isRefusingKeys: false }
  const one = await bookService({
    ...{ to: 'PUT', status: 400, body: '<Error><Code>InvalidArgument</Code></Error>' },
  })
  const two = await bookService()
  const log: string[] = []
  const { url } = await serve(async ({ method, url: path, headers, body }, response) => {
    const isOne = headers.authorization === `Bearer ${keys.one}`
    log.push(`${method} ${path.split('?')[0]}`)
    if (isOne && state.isRefusingKeys)
      return json(response, 401, { error: 'AUTHENTICATION_ERROR', message: 'Not today.' })
    const init = { method, headers: { authorization: 'Bearer inner' } }
    const answer = await fetch((isOne ? one : two).url + path, method === 'GET' ? init : { ...init, body })
    const told = (await answer.json()) as Json
    const authentication = tellsScopes ? { sub: 's', scopeId: isOne ? 'scope-one' : 'scope-two' } : undefined
    json(response, answer.status, { ...told, context: { ...told.context, authentication } })
  })
  const self = machine({ PUBCTL_BASE_URL: url })
  const as =
    (key: string) =>
    async (...args: string[]) => {
      const { code, out, err } = await self.run([...args, '--json'], { env: { PUBCTL_API_KEY: key } })
      const lines = err
        .split('\n')
        .filter(Boolean)
        .map((line): Json => JSON.parse(line))
      return {
        code,
        out: JSON.parse(out || 'null') as Json,
        error: lines.find(({ error }) => error)?.error,
        warnings: lines.flatMap(({ warning }) => (warning ? [warning.code] : [])),
        messages: lines.flatMap(({ warning }) => (warning ? [warning.message] : [])),
        hints: lines.flatMap(({ warning }) => (warning ? [warning.hint] : [])),
      }
    }
  const books = join(temporaryFolder(), 'books')
  await makeBooks(books, 3)
  const report = ['--report', join(temporaryFolder(), 'report.json')]
  const breakOff = [
    'publications',
    'upload',
    books,
    '--cover',
    'none',
    '--concurrency',
    '1',
    '--stop-on-error',
    ...report,
  ]
  return { state, one, two, log, books, breakOff, home: self.home, asOne: as(keys.one), asTwo: as(keys.two) }
}

/** Puts the files of a journal into its queue once more, as if further batches had been broken off; the first as an edition. */
function queueAgain(home: string): void {
  changeJournal(
    home,
    `INSERT INTO queue (uploadRequestId, target, scopeId, keyDigest, file, editionOf, request, queuedAt)
    SELECT '4b6aa668-6336-4631-b0cc-77d59186b75' || rowid, target, scopeId, keyDigest, file,
      CASE rowid WHEN 1 THEN 'pub_9' END, '{"overrides":{},"check":true}', 1 FROM uploads ORDER BY rowid`,
  )
}

const list = ['uploads', 'list']
const resume = ['uploads', 'resume']

describe('two organisations at one address', () => {
  it('each go on with their own uploads alone', async () => {
    const { one, two, books, breakOff, asOne, asTwo } = await scene()
    expect((await asOne(...breakOff)).code).toBe(10)
    const left = (await asOne(...list)).out
    // How far the others have come when the first one fails differs.
    expect(left.map(({ stage }: Json) => stage)).toContain('created')
    expect(left.map(({ scopeId }: Json) => scopeId)).toEqual(Array(3).fill('scope-one'))
    for (const [limit, warnings] of [
      ['2', ['listing_cut']],
      ['3', []],
      ['4', []],
    ] as const)
      expect(await asOne(...list, '--limit', limit)).toMatchObject({
        out: left.slice(0, Number(limit)),
        warnings,
      })

    expect(await asTwo(...resume)).toMatchObject({ code: 0, out: [], warnings: ['other_organisation'] })
    expect(await asTwo(...resume, '--dry-run')).toMatchObject({
      code: 0,
      out: [],
      warnings: ['other_organisation'],
    })
    const steps = (await asOne(...resume, '--dry-run')).out
    const byFile = (a: Json, b: Json) => a.file.localeCompare(b.file)
    expect(steps.sort(byFile)).toMatchObject(
      left.sort(byFile).map(({ file, stage, uploadRequestId }: Json) => ({
        ...(stage === 'queued' ? { action: 'create' } : { action: 'resume', uploadRequestId }),
        ...{ file, from: { file }, why: expect.any(String) },
        requests: [...(stage === 'created' ? [] : [{ method: 'POST' }]), { method: 'PUT' }],
      })),
    )
    for (const { uploadRequestId } of left)
      expect(await asTwo(...resume, uploadRequestId)).toMatchObject({
        code: 2,
        error: {
          code: 'other_organisation',
          message: expect.stringMatching(
            /^the upload [\w-]{36} of \S+ \d+\.epub was begun for another organisation$/,
          ),
          hint: 'Choose the profile of the scope scope-one; the key that is used is of scope-two.',
        },
      })
    expect({ made: two.made.length, left: (await asTwo(...list)).out.length }).toEqual({ made: 0, left: 3 })

    // What is uploaded for one is not there for the other.
    const both = await asTwo('publications', 'upload', books, '--skip-existing')
    expect({ code: both.code, outcomes: both.out.map(({ outcome }: Json) => outcome) }).toEqual({
      code: 0,
      outcomes: ['uploaded', 'uploaded', 'uploaded'],
    })
    expect(two.made).toHaveLength(3)
    one.faults.length = 0
    expect(await asOne(...resume)).toMatchObject({ code: 0, warnings: [] })
    expect(one.made.map(({ puts }) => puts)).toEqual([1, 1, 1])
    expect((await asOne(...list)).out).toEqual([])
  })

  it('each leave the other what is still in the queue', async () => {
    const { two, breakOff, home, asOne, asTwo } = await scene()
    await asOne(...breakOff)
    queueAgain(home)
    const left: Json[] = (await asOne(...list)).out
    expect(
      left
        .map(({ stage }) => stage)
        .sort()
        .slice(-3),
    ).toEqual(Array(3).fill('queued'))
    const { out, messages, hints } = await asTwo(...resume)
    expect({ out, made: two.made, hints }).toEqual({
      ...{ out: [], made: [] },
      hints: ['Choose the profile of that organisation to continue them.'],
    })
    expect(messages).toEqual([
      expect.stringMatching(
        /^6 uploads are left alone, begun for another organisation: (?:\S+ \d+\.epub \([\w-]{36}\), ){5}and 1 more$/,
      ),
    ])
    const steps: Json[] = (await asOne(...resume, '--dry-run')).out
    expect(steps.slice(-3).map(({ action, publicationId }) => [action, publicationId])).toEqual([
      ['edition', 'pub_9'],
      ['create', null],
      ['create', null],
    ])
    const [last, ...others] = left
    for (const { uploadRequestId } of others) await asOne('uploads', 'forget', uploadRequestId)
    // Whether it is known for which depends on how far the first upload had come.
    const [message = ''] = (await asTwo(...resume)).messages
    expect(message.replace(/ organisation: .*/, '')).toMatch(
      /^one upload is left alone, (?:begun for another|since it is not known for which)$/,
    )
    expect(message).toContain(` organisation: ${last.file} (${last.uploadRequestId})`)
  })

  it('are told apart before the first answer as well', async () => {
    const { state, one, two, breakOff, asOne, asTwo } = await scene()
    one.faults.length = 0
    state.isRefusingKeys = true
    expect((await asOne(...breakOff)).code).toBe(3)
    expect((await asOne(...list)).out.map(({ scopeId }: Json) => scopeId)).toEqual([null, null, null])
    const others = await asTwo(...resume)
    expect(others).toMatchObject({ code: 0, out: [], warnings: ['unknown_organisation'] })
    expect(others.messages).toEqual([
      expect.stringMatching(
        /^3 uploads are left alone, since it is not known for which organisation: (?:\S+ \d+\.epub \([\w-]{36}\)(?:, |$)){3}$/,
      ),
    ])
    expect(others.hints).toEqual(['If it is that of this key, name them: pubctl uploads resume <id>'])
    expect(two.made).toEqual([])
    state.isRefusingKeys = false
    expect(await asOne(...resume)).toMatchObject({ code: 0, warnings: [] })
    expect(one.made.map(({ puts }) => puts)).toEqual([1, 1, 1])
  })

  it.runIf(isSlow)('are one where the service does not tell scopes', async () => {
    const { two, breakOff, asOne, asTwo } = await scene({ tellsScopes: false })
    await asOne(...breakOff)
    const { out, warnings } = await asTwo(...resume)
    // Of what was created the second key knows nothing.
    const outcomes = out.map(({ outcome, error }: Json) => error?.code ?? outcome)
    expect({ warnings, number: outcomes.length }).toEqual({ warnings: [], number: 3 })
    expect(outcomes).toContain('upload_gone')
    expect(two.made).toHaveLength(outcomes.filter((each: string) => each === 'uploaded').length)
  })

  it('cost no request where there is one key', async () => {
    const { one, books, log, asOne } = await scene()
    one.faults.length = 0
    for (const book of ['Book 000.epub', 'Book 001.epub'])
      expect((await asOne('publications', 'upload', join(books, book), '--cover', 'none')).code).toBe(0)
    expect(log).toEqual([
      ...['POST /v1/publications', 'GET /v1/publications/p0/editions/ep0'],
      ...['POST /v1/publications', 'GET /v1/publications/p1/editions/ep1'],
    ])
  })
})
