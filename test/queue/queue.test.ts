import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/system/world.ts'
import type { Receipt } from '../../src/uploads/receipt.ts'
import { storedHashes } from '../support/books/book-folder.ts'
import { makeBook } from '../support/books/make-book.ts'
import { createStep } from '../support/catalogues/plan-file.ts'
import { epubCheckPackage, isAlive } from '../support/machine/epubcheck-package.ts'
import { programBesidePackages } from '../support/machine/program-copy.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { withoutColours } from '../support/machine/terminal.ts'
import { usePostgres } from '../support/servers/postgres.ts'
import { queueScene } from '../support/servers/queue-scene.ts'
import '../support/machine/plain-snapshots.ts'

const postgres = usePostgres()

/** All tables of a queue as text. */
async function everything(database: string): Promise<string> {
  const tables = await postgres.query(
    database,
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_schema IN ('pubctl', 'pubctl_jobs') AND table_type = 'BASE TABLE'`,
  )
  expect(tables.length).toBeGreaterThan(8)
  const all = tables.map(async ({ name }) =>
    JSON.stringify(await postgres.query(database, `SELECT * FROM ${name}`)),
  )
  return (await Promise.all(all)).join('')
}

/** `npm run check:slow` has more books. */
const count = isSlow ? 24 : 6

describe('a queue', () => {
  it('says who has checked the books of a plan, which its workers need not have', async () => {
    const { run, plan, worker, write, steps, env } = await queueScene(postgres, 1)
    const checkedBy = [{ name: 'EPUBCheck', version: '5.4.0', engine: 'epubcheck-standalone 5.4.0-build3' }]
    write(steps.map(step => ({ ...step, checkedBy })))
    expect((await run(['queue', 'load', plan], { env })).code).toBe(0)
    const { texts, ended } = worker('--once', '-o', 'ndjson')
    expect(await ended).toBe(0)
    expect(JSON.parse(texts.out)).toMatchObject({ outcome: 'uploaded', checkedBy })
  })

  // Linux alone shows the processes of another one in files.
  it.skipIf(process.platform !== 'linux')(
    'has its workers ask EPUBCheck of the books that nobody has checked, in one process that ends with them',
    async () => {
      const { bin } = programBesidePackages('epubcheck-standalone', epubCheckPackage)
      const { run, plan, worker, write, books, env } = await queueScene(postgres, 1, {
        program: bin,
        PATH: '',
      })
      const names = ['a', 'b', 'deadly', 'sound', 'vouched']
      const steps = names.map((name, index) => {
        const file = join(books, `${name}.epub`)
        writeFileSync(
          file,
          makeBook({ metadata: `<dc:title>${name}</dc:title><dc:language>en</dc:language>` }),
        )
        return createStep(file, String(9780000000100 + index), name)
      })
      const vouched = [{ name: 'EPUBCheck', version: '5.4.0', engine: 'epubcheck-standalone 5.4.0-build3' }]
      write(steps.map(step => (step.title === 'vouched' ? { ...step, checkedBy: vouched } : step)))
      await run(['queue', 'load', plan], { env })
      const { texts, ended } = worker('--once', '--epubcheck', '-o', 'ndjson')
      expect(await ended).toBe(10)
      const receipts: Record<string, Receipt> = Object.fromEntries(
        texts.out
          .trimEnd()
          .split('\n')
          .map(line => JSON.parse(line))
          .map(each => [each.title, each]),
      )
      const processOf = (name: string) =>
        /process (\d+)/.exec(JSON.stringify(receipts[name]?.error))?.[1] ?? ''
      expect(receipts).toMatchObject({
        a: { outcome: 'failed', error: { code: 'book_unfit' }, checkedBy: [{ version: '5.9.0' }] },
        deadly: { outcome: 'failed', error: { details: [{ code: 'checker_failed' }] } },
        sound: { outcome: 'uploaded', error: null, checkedBy: [{ version: '5.9.0' }] },
        vouched: { outcome: 'uploaded', checkedBy: vouched },
      })
      const processes = ['a', 'b'].map(processOf)
      // The deadly one may come between the two.
      for (const each of processes)
        expect([each, isAlive(each)]).toEqual([expect.stringMatching(/^\d+$/), false])
      const { failures } = JSON.parse((await run(['queue', 'status', '--json'], { env })).out)
      expect(failures).toHaveLength(3)
    },
  )

  it('has each step once, however often its plan is loaded, and workers carry each out once', async () => {
    const { run, plan, worker, status, publications, dataDir, hashes, titles, database, key } =
      await queueScene(postgres, count)
    const loads = await Promise.all([1, 2, 3].map(() => run(['queue', 'load', plan, '--json'])))
    const loaded = loads.map(({ out }) => JSON.parse(out))
    expect(loads.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(loaded.reduce((sum, { added }) => sum + added, 0)).toBe(count)
    expect(loaded.every(({ added, known }) => added + known === count)).toBe(true)
    expect(await status()).toMatchObject({
      steps: count,
      waiting: count,
      uploaded: 0,
      workers: [],
      failures: [],
    })

    const workers = [1, 2].map(() => worker('--once', '-o', 'ndjson'))
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0])
    const receipts = workers.flatMap(({ texts }) =>
      texts.out
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line)),
    )
    expect(receipts.map(({ outcome, uploadStatus }) => `${outcome} ${uploadStatus}`)).toEqual(
      Array(count).fill('uploaded available'),
    )
    expect((await publications()).map(({ title }) => title).sort()).toEqual(titles)
    expect(storedHashes(dataDir)).toEqual(hashes)
    expect(await status()).toMatchObject({ waiting: 0, underWay: 0, uploaded: count, failed: 0, workers: [] })

    const again = await run(['queue', 'load', plan, '--json'])
    expect(JSON.parse(again.out)).toMatchObject({ added: 0, known: count })
    expect((await run(['worker', '--once'])).code).toBe(0)
    expect(await publications()).toHaveLength(count)

    // No key, and no address of an upload, got into the database.
    const stored = await everything(database)
    expect(stored).toContain('Book 001')
    expect(stored).not.toContain(key)
    expect(stored).not.toMatch(/X-Amz|Signature/i)
  })

  it.runIf(isSlow)('is not done for a worker with --once while a step waits to be tried again', async () => {
    const { run, plan, status, steps, database } = await queueScene(postgres, 2)
    await run(['queue', 'load', plan])
    renameSync(steps[0]?.file as string, join(temporaryFolder(), 'away.epub'))
    // The pauses become longer, and one of more than a quarter of a minute is not waited for.
    await postgres.query(database, 'UPDATE pubctl.steps SET tries = 6')
    for (const tried of ['1 steps carried out, 1 put off.', '0 steps carried out.']) {
      const { code, err } = await run(['worker', '--once'])
      expect({ code, err }).toMatchObject({
        code: 10,
        err: expect.stringContaining("error: 1 of the queue's steps waits to be tried again\n"),
      })
      expect(err).toContain(tried)
    }
    expect(await status()).toMatchObject({ uploaded: 1, retrying: 1, failed: 0 })
  })

  it.runIf(isSlow)(
    'keeps a step whose file a worker has no path to, says why, and gives it to one that has',
    async () => {
      const { run, plan, worker, status, books } = await queueScene(postgres, 2)
      const elsewhere = join(temporaryFolder(), 'mounted')
      renameSync(books, elsewhere)
      await run(['queue', 'load', plan])
      const without = worker('--json')
      await expect.poll(async () => (await status()).failures.length, { interval: 50 }).toBe(2)
      const { retrying, failed, failures } = await status()
      expect({ retrying, failed }).toEqual({ retrying: 2, failed: 0 })
      expect(failures[0]).toMatchObject({
        ...{ state: 'retrying', code: 'file_unreadable', hint: expect.stringMatching(/./) },
        why: expect.stringMatching(/^cannot read .*Book \d+\.epub: there is no such file$/),
        nextTryAtIso: expect.stringMatching(/^2/),
      })
      without.child.kill('SIGTERM')
      expect(await without.ended).toBe(143)
      expect(JSON.parse(without.texts.err).error.code).toBe('interrupted')
      const one = await run(['queue', 'status', '--failures', '1', '--json'])
      expect(JSON.parse(one.out).failures).toHaveLength(1)
      expect((await run(['queue', 'status', '--failures', '1'])).err).toBe(
        '1 more failed; to see them: --failures 2\n',
      )
      expect((await run(['queue', 'status', '--failures', '0'])).err).toBe('')
      expect((await run(['queue', 'retry', '--dry-run', '--json'])).out).toBe('{"retried":2}\n')
      expect(await status()).toMatchObject({ retrying: 2 })

      // What --follow waits for happens while it sleeps.
      const pauses: number[] = []
      const sleep = async (milliseconds: number) => {
        pauses.push(milliseconds)
        await run(['queue', 'retry'])
        expect((await run(['worker', '--once', '--root', elsewhere])).code).toBe(0)
      }
      const followed = await run(['queue', 'status', '--follow'], { clock: { ...systemClock, sleep } })
      expect({ code: followed.code, err: followed.err, pauses }).toEqual({
        code: 0,
        err: '0 of 2 done, 2 to be tried again, 0 a second, 0 workers\n',
        pauses: [2000],
      })
      expect(await status()).toMatchObject({ retrying: 0, uploaded: 2, failures: [] })
    },
  )

  it('says what failed and why, and tries it again when it is asked to', async () => {
    const { run, plan, status, steps, books } = await queueScene(postgres, 3)
    const [first] = steps
    const bytes = readFileSync(first?.file as string)
    writeFileSync(first?.file as string, 'something else')
    await run(['queue', 'load', plan])
    const one = await run(['worker', '--once', '--json'])
    expect(one.code).toBe(10)
    expect(JSON.parse(one.err).error).toMatchObject({
      code: 'part_failed',
      message: '1 of 3 steps failed',
    })
    const { failed, uploaded, failures } = await status()
    expect({ failed, uploaded }).toEqual({ failed: 1, uploaded: 2 })
    expect(failures).toMatchObject([
      {
        id: first?.uploadRequestId,
        key: first?.key,
        state: 'failed',
        outcome: 'stale',
        code: 'stale',
        nextTryAtIso: null,
      },
    ])
    expect(failures[0].why).toMatch(/its file changed since the plan was made$/)
    const followed = await run(['queue', 'status', '--follow', '--json'])
    expect({ code: followed.code, error: JSON.parse(followed.err).error }).toMatchObject({
      code: 10,
      error: {
        ...{ code: 'part_failed', message: '1 of 3 steps failed' },
        hint: 'When you have mended what went wrong: pubctl queue retry',
      },
    })
    expect((await run(['queue', 'status'])).code).toBe(0)
    const shown = async (...args: string[]) => {
      const { out, err } = await run(['queue', 'status', ...args], { columns: 400 })
      const text = withoutColours(out + err).replaceAll(books, '(books)')
      // How fast it was, the id of the plan, and how long the name of the folder is differ.
      return text
        .replace(/^per second .*\n/m, '')
        .replace(/^(plans +).*$/m, '$1(id)')
        .replace(/ {2,}/g, '  ')
    }
    expect(await shown('--fields', 'steps')).toBe('steps  3\n')
    expect((await shown()).replaceAll(`${first?.uploadRequestId}`, '(id)')).toMatchInlineSnapshot(`
      steps  3
      waiting  0
      under way  0
      retrying  0
      failed  1
      uploaded  2
      updated  0
      skipped  0
      plans  (id)
      folders  (books)

      FILE  STATE  TRIES  WHY  HINT  ID
      (books)/Book 000.epub  failed  1  (books)/Book 000.epub was not carried out: its file changed since the plan was made  Plan again with "pubctl catalogue plan", and apply the new plan.  (id)
    `)
    writeFileSync(first?.file as string, bytes)
    const { out } = await run(['queue', 'retry', first?.uploadRequestId as string, '--json'])
    expect(JSON.parse(out)).toEqual({ retried: 1 })
    expect((await run(['worker', '--once'])).code).toBe(0)
    expect(await status()).toMatchObject({ failed: 0, uploaded: 3 })
    const ids = steps.map(({ uploadRequestId }) => uploadRequestId as string)
    const unknown = await run(['queue', 'retry', ids[0] as string, '--json'])
    expect({ code: unknown.code, error: JSON.parse(unknown.err).error }).toMatchObject({
      code: 2,
      error: {
        ...{ code: 'unknown_step', message: `${ids[0]} is no step of the queue that failed` },
        hint: '"pubctl queue status" shows those that did.',
      },
    })
    expect((await run(['queue', 'retry', ...ids])).err).toMatch(
      /^error: [\w-]{36} and 2 more are no step of the queue that failed\n/,
    )
  })

  it.runIf(isSlow)('is only counted by retry --dry-run', async () => {
    const { run, plan, steps, write, status } = await queueScene(postgres, 1)
    write(steps.map(step => ({ ...step, sha256: '0'.repeat(64) })))
    await run(['queue', 'load', plan])
    expect((await run(['worker', '--once'])).code).toBe(10)
    expect((await run(['queue', 'retry', '--dry-run', '--json'])).out).toBe('{"retried":1}\n')
    expect(await status()).toMatchObject({ failed: 1, waiting: 0 })
  })

  it('refuses a worker whose key or address is another than that of the plan', async () => {
    const { run, plan, write, steps } = await queueScene(postgres, 1)
    write(steps, { scopeId: 'scope_other' })
    await run(['queue', 'load', plan])
    const { code, err } = await run(['worker', '--once', '--json'])
    expect({ code, error: JSON.parse(err).error.code }).toEqual({ code: 2, error: 'other_organisation' })
    write(
      steps
        .map(step => ({ ...step, uploadRequestId: '4b6aa668-6336-4631-b0cc-77d59186b759' }))
        .map(step => ({
          ...step,
          send: { ...step.send, uploadRequestId: step.uploadRequestId } as typeof step.send,
        })),
      { baseUrl: 'https://other.example.org' },
    )
    await run(['queue', 'load', plan])
    const other = await run(['worker', '--once', '--json'])
    expect({ code: other.code, error: JSON.parse(other.err).error.code.slice(0, 6) }).toEqual({
      code: 2,
      error: 'other_',
    })
  })

  it.runIf(isSlow)('lets all workers together begin no more than the limit', async () => {
    const { run, plan, worker, database } = await queueScene(postgres, 4)
    const nextAt = async () => {
      const [row] = await postgres.query(
        database,
        'SELECT extract(epoch FROM "nextAt")::float AS at FROM pubctl.rate',
      )
      return row?.['at'] as number
    }
    await run(['queue', 'load', plan])
    expect((await run(['queue', 'limit', '600/m', '--json'])).out).toBe('{"limitPerSecond":10}\n')
    for (const line of [['--json'], ['1/s', '--dry-run', '--json']])
      expect((await run(['queue', 'limit', ...line])).out).toBe('{"limitPerSecond":10}\n')
    expect(withoutColours((await run(['queue', 'limit'], { columns: 80 })).out)).toBe(
      'limit per second  10\n',
    )
    const began = await nextAt()
    await Promise.all([worker('--once').ended, worker('--once').ended])
    // Each step has moved the next turn on by a tenth of a second.
    expect((await nextAt()) - began).toBeGreaterThanOrEqual(0.4 - 1e-6)
    expect((await run(['queue', 'limit', 'none', '--json'])).out).toBe('{"limitPerSecond":null}\n')
  })

  it.runIf(isSlow)('ends at once on Ctrl-C, and another worker goes on', async () => {
    const { run, plan, worker, status, publications } = await queueScene(postgres, 4, {
      processingDelayMs: 1000,
    })
    await run(['queue', 'load', plan])
    const one = worker('-o', 'ndjson')
    await expect.poll(async () => (await publications()).length, { interval: 50 }).toBeGreaterThan(1)
    one.child.kill('SIGINT')
    expect(await one.ended).toBe(130)
    expect(await status()).toMatchObject({ underWay: 0, workers: [] })
    expect((await run(['worker', '--once'])).code).toBe(0)
    expect(await status()).toMatchObject({ uploaded: 4, failed: 0, retrying: 0 })
    expect(await publications()).toHaveLength(4)
  })
})

describe('the address of the database', () => {
  it('must not have a password on the command line, and is not repeated', async () => {
    const { run } = machine({})
    const { code, err, out } = await run([
      'queue',
      'status',
      '--json',
      '--database',
      'postgres://me:hunter2@db/x',
    ])
    expect({ code, out, error: JSON.parse(err).error.code }).toEqual({
      code: 2,
      out: '',
      error: 'secret_in_arguments',
    })
    expect(err).not.toContain('hunter2')
  })

  it.each([
    [{}, 'no_database', 2],
    [{ PUBCTL_DATABASE_URL: 'mysql://me:hunter2@db/x' }, 'bad_database_url', 2],
    [{ PUBCTL_DATABASE_URL: 'not an address hunter2' }, 'bad_database_url', 2],
    [{ PUBCTL_DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/x' }, 'database_unreachable', 8],
  ])('that is %o ends with %s', async (env, code, exitCode) => {
    const { run } = machine(env as Record<string, string>)
    const result = await run(['queue', 'status', '--json'])
    expect({ code: result.code, error: JSON.parse(result.err).error.code }).toEqual({
      code: exitCode,
      error: code,
    })
    expect(result.err).not.toContain('hunter2')
  })

  it('that the server refuses says what is wrong', async () => {
    const url = (await postgres.database()).replace('/test', '/missing')
    const { run } = machine({ PUBCTL_DATABASE_URL: url })
    const { code, err } = await run(['queue', 'status', '--json'])
    expect({ code, error: JSON.parse(err).error }).toMatchObject({
      code: 2,
      error: { code: 'database_refused', message: expect.stringContaining('does not exist') },
    })
  })
})
