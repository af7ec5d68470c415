import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/system/world.ts'
import { exampleBook } from '../support/books/example-book.ts'
import { startBin } from '../support/machine/bin.ts'
import { sleeplessClock } from '../support/machine/clock.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { bookService, context } from '../support/servers/book-service.ts'
import { json, serve } from '../support/servers/server.ts'

// biome-ignore lint/suspicious/noExplicitAny: what is printed is what the tests are about.
type Json = any

const creation = 'POST /v1/publications'

/** A machine at a service that loses the answers to its first creations, or forgets their ids, or refuses its first files. */
async function service({ dropCreates = 0, isForgetful = false, refusePuts = 0, expiresIn = 900 } = {}) {
  const forget = () => {
    if (isForgetful) for (const book of own.made) book.request = ''
  }
  const own = await bookService(
    [
      { to: /^PUT .put/, times: refusePuts, status: 503 },
      { to: creation, meanwhile: forget },
      { to: creation, times: dropCreates, when: 'done', does: 'drop' },
    ],
    { expiresIn },
  )
  return { ...own, ...machine(own.env) }
}

describe('the journal', () => {
  it('skips what was uploaded before, and says so', async () => {
    const { sandbox } = machine()
    const path = await exampleBook()
    const first = JSON.parse((await sandbox(['publications', 'upload', path, '--json'])).out)
    const again = await sandbox(['publications', 'upload', path, '--json'])
    expect(again.code).toBe(0)
    expect(JSON.parse(again.out)).toEqual({
      ...first,
      outcome: 'skipped',
      why: `${first.publicationId} has the same content`,
    })
    expect((await sandbox(['publications', 'upload', path])).err).toMatch(
      /book\.epub was skipped: \w+ has the same content\.\nTo upload once more what was skipped: --again\n$/,
    )
    expect(JSON.parse((await sandbox(['publications', 'list', '--json'])).out)).toHaveLength(1)
  })

  it.runIf(isSlow)('says nothing any more of what an upload met before it was finished', async () => {
    const { run, sandbox } = machine()
    const path = await exampleBook()
    const env = { PUBCTL_SANDBOX_DELAY: '4s' }
    const waited = await sandbox(['publications', 'upload', path, '--timeout', '2s', '--json'], { env })
    expect(waited.code).toBe(13)
    const told = async () =>
      JSON.parse((await run(['uploads', 'list', '--finished', '--json'])).out).map(
        ({ stage, errorCode, errorMessage }: Record<string, unknown>) => [stage, errorCode, errorMessage],
      )
    expect(await told()).toEqual([['sent', 'wait_exhausted', expect.any(String)]])
    expect((await sandbox(['uploads', 'resume', '--json'])).code).toBe(0)
    expect(await told()).toEqual([['finished', null, null]])
  })

  it('is made by uploads alone, and not by what only reads it', async () => {
    const { home, run, sandbox } = machine()
    for (const args of [
      ['uploads', 'list'],
      ['uploads', 'resume'],
      ['uploads', 'resume', '--dry-run'],
    ]) {
      const { code, out } = await sandbox([...args, '--json'])
      expect({ args, code, out }).toEqual({ args, code: 0, out: '[]\n' })
    }
    expect(await run(['__complete', 'uploads', ''])).toMatchObject({ code: 0, out: '' })
    expect(existsSync(join(home, '.local/share/pubctl/uploads.db'))).toBe(false)
  })

  it.skipIf(process.platform === 'win32')('is not called empty where it cannot be read', async () => {
    const { home, run, sandbox } = machine()
    // What lies below a file can be read by nobody, not even by root.
    writeFileSync(join(home, '.local'), '')
    const { code, out, err } = await run(['uploads', 'list', '--json'])
    expect({ code, out, error: JSON.parse(err).error.code }).toEqual({
      code: 2,
      out: '',
      error: 'journal_unwritable',
    })
    const planned = await sandbox(['publications', 'upload', await exampleBook(), '--dry-run'])
    expect(planned.code).toBe(0)
    expect(planned.err).toMatch(/warning: the journal of uploads .* cannot be opened/)
  })

  it('takes a change that changes nothing, as two of them within a millisecond may be', async () => {
    const { sandbox } = machine()
    const now = Date.now()
    const clock = { ...systemClock, now: () => now }
    const receipt = JSON.parse((await sandbox(['publications', 'upload', await exampleBook(), '--json'])).out)
    const again = await exampleBook({ title: 'Another Text' })
    const { code, err } = await sandbox(['editions', 'upload', receipt.publicationId, again], { clock })
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('available') })
  })

  it('uploads anew what was deleted since, and what is said to be another book with --again alone', async () => {
    const { sandbox } = machine()
    const path = await exampleBook()
    const upload = async (...more: string[]) =>
      JSON.parse((await sandbox(['publications', 'upload', path, '--json', ...more])).out)
    const first = await upload()
    await sandbox(['publications', 'delete', first.publicationId, '--yes'])
    expect((await upload()).outcome).toBe('uploaded')
    expect(await upload('--title', 'Other')).toMatchObject({
      outcome: 'conflict',
      error: { code: 'blocked' },
    })
    expect((await upload('--title', 'Other', '--again')).outcome).toBe('uploaded')
  })

  it('is for its owner alone, and keeps no address of an upload that is over', async () => {
    const { sandbox, home } = machine()
    await sandbox(['publications', 'upload', await exampleBook(), '--json'])
    const path = join(home, '.local/share/pubctl/uploads.db')
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
    for (const file of [path, `${path}-wal`]) {
      if (existsSync(file)) expect(readFileSync(file, 'latin1')).not.toMatch(/sbx_[a-z]{4}_/)
    }
    expect((await sandbox(['uploads', 'list', '--finished', '--json'])).out).not.toMatch(/X-Amz|uploadUrl/)
  })

  it('goes on where an upload was broken off: nothing is created twice', async () => {
    const { run, made, log } = await service({ refusePuts: 8 })
    const path = await exampleBook()
    const broken = await run(['publications', 'upload', path, '--json'], { clock: sleeplessClock() })
    expect(broken.code).toBe(8)
    const [entry] = JSON.parse((await run(['uploads', 'list', '--json'])).out)
    expect(entry).toMatchObject({ file: path, stage: 'created', publicationId: 'p0', errorCode: 'http_503' })
    log.length = 0
    const resumed = await run(['uploads', 'resume', '--json'])
    expect(resumed.code).toBe(0)
    expect(JSON.parse(resumed.out)[0]).toMatchObject({
      outcome: 'uploaded',
      uploadStatus: 'available',
      publicationId: 'p0',
    })
    expect(log).not.toContain('POST /v1/publications')
    expect(made).toHaveLength(1)
    expect(made[0]?.sent?.equals(readFileSync(path))).toBe(true)
    expect((await run(['uploads', 'list', '--json'])).out).toBe('[]\n')
  })

  it('repeats a creation whose answer was lost with the same id, so that nothing is doubled', async () => {
    const { run, made } = await service({ dropCreates: 2 })
    const { code, out, err } = await run(['publications', 'upload', await exampleBook()])
    expect({ code, made: made.length }).toEqual({ code: 0, made: 1 })
    expect(out).toMatch(/available/)
    expect(err).not.toMatch(/twice/)
  })

  it('fails where a service does not honour the id, and names what it has made twice', async () => {
    const { run, made } = await service({ dropCreates: 1, isForgetful: true })
    const { code, out, err } = await run(['publications', 'upload', await exampleBook(), '--json'])
    expect({ code, made: made.length }).toEqual({ code: 10, made: 2 })
    const said = {
      code: 'made_twice',
      message: expect.stringMatching(/twice: the publication p0 is the other one/),
    }
    const { outcome, uploadStatus, warnings, error } = JSON.parse(out)
    expect({ outcome, uploadStatus, warnings, error }).toEqual({
      outcome: 'uploaded',
      uploadStatus: 'available',
      warnings: [{ ...said, hint: expect.stringMatching(/delete it/) }],
      error: { ...said, hint: expect.stringMatching(/delete it/), exitCode: 10 },
    })
    const [warning, failure] = err
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(warning).toEqual({ warning: { ...said, hint: expect.any(String) } })
    expect(failure.error).toMatchObject({ ...said, exitCode: 10 })
    const quiet = await service({ dropCreates: 1, isForgetful: true })
    const told = await quiet.run(['publications', 'upload', await exampleBook(), '--json', '-q'])
    expect({ code: told.code, error: JSON.parse(told.err).error.code }).toEqual({
      code: 10,
      error: 'made_twice',
    })
  })

  it('fails a batch of which one was made twice, and lists it not among what is to be tried again', async () => {
    const { run, made } = await service({ dropCreates: 1, isForgetful: true })
    const folder = temporaryFolder()
    const [one, two] = [await exampleBook({ title: 'One' }), await exampleBook({ title: 'Two' })]
    const report = join(folder, 'report.json')
    const { code, out } = await run([
      ...['publications', 'upload', one, two, '--json', '--report', report, '--concurrency', '1'],
    ])
    expect({ code, made: made.length, kept: existsSync(join(folder, 'failed.csv')) }).toEqual({
      code: 10,
      made: 3,
      kept: false,
    })
    const said = JSON.parse(out).map(({ outcome, error }: Json) => `${outcome} ${error?.code}`)
    expect(said.sort()).toEqual(['uploaded made_twice', 'uploaded undefined'])
  })

  it('goes on with what a killed process had created, where the service refuses its id a second time', async () => {
    const body = { error: 'INVALID_REQUEST', message: 'This upload request was used before.', context }
    const { env, made, log } = await bookService([
      { to: creation, after: 1, status: 400, body },
      // The process is gone before the answer comes.
      { to: creation, when: 'done', does: 'hang' },
    ])
    const home = temporaryFolder()
    const path = await exampleBook({ cover: false })
    const args = ['publications', 'upload', path, '--json']
    const child = startBin(args, { HOME: home, ...env })
    await expect.poll(() => made.length).toBe(1)
    child.kill('SIGKILL')
    await child
    log.length = 0
    const { exitCode, stdout } = await startBin(args, { HOME: home, ...env })
    expect({ exitCode, receipt: JSON.parse(stdout) }).toMatchObject({
      exitCode: 0,
      receipt: { outcome: 'uploaded', publicationId: 'p0', warnings: [{ code: 'answer_lost' }] },
    })
    expect(made.map(({ puts }) => puts)).toEqual([1])
    expect(log.filter(route => route === 'POST /v1/publications')).toHaveLength(1)
  })

  it.each([
    { content: 'the same', more: 0, exit: 0, receipt: { outcome: 'uploaded', publicationId: 'p0' } },
    { content: 'another', more: 1, exit: 6, receipt: { outcome: 'failed', publicationId: null } },
  ])(
    'goes on with what has a file already of $content size, where the service refuses its id a second time',
    async ({ more, exit, receipt }) => {
      const path = await exampleBook({ cover: false })
      const content = readFileSync(path)
      const body = { error: 'INVALID_REQUEST', message: 'This upload request was used before.', context }
      const metadata = { fileSize: `${content.length + more}` }
      const item = { id: 'p0', editions: [{ id: 'ep0', uploadStatus: 'available', metadata }] }
      const { env, made } = await bookService([
        { to: creation, after: 1, status: 400, body },
        { to: creation, when: 'done', does: 'hang' },
        { to: 'GET /v1/publications/p0', status: 200, body: { item, context } },
      ])
      const home = temporaryFolder()
      const args = ['publications', 'upload', path, '--json']
      const child = startBin(args, { HOME: home, ...env })
      await expect.poll(() => made.length).toBe(1)
      child.kill('SIGKILL')
      await child
      // As of a process whose machine has stopped, and has lost that it was sent.
      for (const book of made) book.sent = content
      const { exitCode, stdout } = await startBin(args, { HOME: home, ...env })
      expect({ exitCode, receipt: JSON.parse(stdout) }).toMatchObject({ exitCode: exit, receipt })
      expect(made.map(({ puts }) => puts)).toEqual([0])
    },
  )

  it('names what a creation whose id is refused may have made, where it cannot tell which', async () => {
    const body = { error: 'INVALID_REQUEST', message: 'This upload request was used before.', context }
    const { env, made } = await bookService([
      { to: creation, after: 1, status: 409, body },
      { to: creation, when: 'done', does: 'hang' },
    ])
    const home = temporaryFolder()
    const args = ['publications', 'upload', await exampleBook({ cover: false }), '--json']
    const child = startBin(args, { HOME: home, ...env })
    await expect.poll(() => made.length).toBe(1)
    child.kill('SIGKILL')
    await child
    // Somebody else has made one of the same title meanwhile.
    made.push({ id: 'p1', request: '', title: made[0]?.title ?? '', sent: undefined, puts: 0 })
    const { exitCode, stderr } = await startBin(args, { HOME: home, ...env })
    const { error } = JSON.parse(stderr.split('\n').at(-1) ?? '')
    expect({ exitCode, error }).toMatchObject({
      exitCode: 6,
      error: {
        code: 'made_unclear',
        message: expect.stringMatching(/may have made each of the publications p0, p1$/),
        hint: expect.stringContaining(`pubctl uploads forget ${made[0]?.request}`),
      },
    })
    expect(made.map(({ puts }) => puts)).toEqual([0, 0])
  })

  it('gets a fresh session for one that has ended meanwhile', async () => {
    const { run, log } = await service({ refusePuts: 8, expiresIn: 0 })
    const path = await exampleBook({ cover: false })
    const clock = sleeplessClock()
    expect((await run(['publications', 'upload', path], { clock })).code).toBe(8)
    log.length = 0
    expect((await run(['publications', 'upload', path], { clock })).code).toBe(0)
    expect(
      log
        .filter(route => route.startsWith('POST') || route.startsWith('PUT'))
        .map(route => route.split('/p')[0]),
    ).toEqual(['POST /v1', 'PUT '])
  })

  it('does not keep a creation that the service refused', async () => {
    const { url } = await serve((_, response) =>
      json(response, 400, { error: 'ZOD_ERROR', message: 'No.', context }),
    )
    const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
    expect((await run(['publications', 'upload', await exampleBook()])).code).toBe(2)
    expect((await run(['uploads', 'list', '--finished', '--json'])).out).toBe('[]\n')
  })

  it('lets one of two commands at once upload a file, and the other one skip it', async () => {
    const { sandbox } = machine({ PUBCTL_SANDBOX_DELAY: '300ms' })
    const path = await exampleBook()
    const results = await Promise.all(
      [1, 2, 3].map(() => sandbox(['publications', 'upload', path, '--json'])),
    )
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(results.map(({ out }) => JSON.parse(out).outcome).sort()).toEqual([
      'skipped',
      'skipped',
      'uploaded',
    ])
    expect(JSON.parse((await sandbox(['publications', 'list', '--json'])).out)).toHaveLength(1)
  })

  it('does so if the clock is set back meanwhile', async () => {
    const { sandbox } = machine({ PUBCTL_SANDBOX_DELAY: '300ms' })
    const path = await exampleBook()
    let set = 0
    const clock = {
      ...systemClock,
      now: () => Date.now() + set,
      async sleep(milliseconds: number, signal?: AbortSignal) {
        // So long waits a command for the one that has the file, before it looks again.
        if (milliseconds === 250) set = -3_600_000
        await systemClock.sleep(milliseconds, signal)
      },
    }
    const results = await Promise.all(
      [1, 2].map(() => sandbox(['publications', 'upload', path, '--json'], { clock })),
    )
    expect(set).toBeLessThan(0)
    expect(results.map(({ out }) => JSON.parse(out).outcome).sort()).toEqual(['skipped', 'uploaded'])
    expect(JSON.parse((await sandbox(['publications', 'list', '--json'])).out)).toHaveLength(1)
  })

  it('forgets what it is told to', async () => {
    const { run } = await service({ refusePuts: 8 })
    await run(['publications', 'upload', await exampleBook()], { clock: sleeplessClock() })
    const [{ uploadRequestId }] = JSON.parse((await run(['uploads', 'list', '--json'])).out)
    expect((await run(['uploads', 'forget', uploadRequestId, '--json'])).code).toBe(0)
    expect((await run(['uploads', 'forget', uploadRequestId])).code).toBe(2)
    expect((await run(['uploads', 'resume', '--json'])).out).toBe('[]\n')
  })
})
