import { execa } from 'execa'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/queue/postgres/postgres.ts'
import { systemClock } from '../../src/system/world.ts'
import { programBesidePackages } from '../support/machine/program-copy.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow, share } from '../support/machine/slow.ts'
import { faultyServer } from '../support/proxies/faulty-server.ts'
import { usePostgres } from '../support/servers/postgres.ts'
import { queueScene } from '../support/servers/queue-scene.ts'

const postgres = usePostgres()
const often = { interval: 50 }

describe.runIf(isSlow)('a worker whose database has trouble', () => {
  it('goes on when finished jobs could not be stored, and ends when it is told to', async () => {
    const { run, plan, worker, steps, write, status, database } = await queueScene(postgres, 4)
    write(steps.slice(0, 2))
    await run(['queue', 'load', plan])
    // As if PostgreSQL were restarted at just this moment. A sequence counts also what is rolled back.
    await postgres.query(
      database,
      `CREATE SEQUENCE refused;
       CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$BEGIN PERFORM nextval('public.refused'); RAISE EXCEPTION 'the database system is shutting down' USING ERRCODE = '57P03'; END$$;
       CREATE TRIGGER refuse BEFORE DELETE ON pubctl_jobs._private_jobs FOR EACH ROW EXECUTE FUNCTION refuse()`,
    )
    const one = worker()
    const refused = async () =>
      (await postgres.query(database, 'SELECT is_called FROM refused'))[0]?.['is_called']
    await expect.poll(refused, often).toBe(true)
    await postgres.query(database, 'DROP TRIGGER refuse ON pubctl_jobs._private_jobs')
    write(steps)
    await run(['queue', 'load', plan])
    await expect.poll(async () => (await status()).uploaded, often).toBe(4)
    const left = async () => await postgres.query(database, 'SELECT id FROM pubctl_jobs.jobs')
    await expect.poll(left, often).toEqual([])
    one.child.kill('SIGTERM')
    expect(await one.ended).toBe(143)
  })

  it('carries out what it was given in an answer that was lost', async () => {
    const { run, plan, worker, status, database, publications } = await queueScene(postgres, 2)
    const one = worker()
    const workers = async () => (await status()).workers.length
    await expect.poll(workers, often).toBe(1)
    const listening = `FROM pg_stat_activity WHERE datname = current_database() AND query ILIKE 'listen%'`
    const listeners = async () => (await postgres.query(database, `SELECT pid ${listening}`)).length
    await expect.poll(listeners, often).toBe(1)
    one.child.kill('SIGSTOP')
    await run(['queue', 'load', plan])
    await postgres.query(
      database,
      `UPDATE pubctl_jobs._private_jobs SET locked_at = now(), locked_by = (SELECT id::text FROM pubctl.workers)`,
    )
    await postgres.query(database, `SELECT pg_terminate_backend(pid) ${listening}`)
    one.child.kill('SIGCONT')
    await expect.poll(async () => (await status()).uploaded, often).toBe(2)
    expect(await publications()).toHaveLength(2)
    one.child.kill('SIGTERM')
    expect(await one.ended).toBe(143)
  })

  it('goes on when its connection breaks while it takes its own lock', async () => {
    const { run, plan, worker, status, database } = await queueScene(postgres, 1)
    await run(['queue', 'load', plan])
    const other = new pg.Client({ connectionString: database })
    await other.connect()
    // That of the first worker, which waits for it.
    await other.query('SELECT pg_advisory_lock(1886745186, 1)')
    const one = worker('--once')
    const cut = async () =>
      (
        await postgres.query(
          database,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE wait_event = 'advisory' AND datname = current_database()`,
        )
      ).length
    await expect.poll(cut, often).toBe(1)
    await other.end()
    expect({ code: await one.ended, ...one.texts }).toMatchObject({ code: 0 })
    expect(await status()).toMatchObject({ uploaded: 1, workers: [] })
  })

  it('goes on when its connection breaks just before it looks for jobs for the first time', async () => {
    const { run, plan, worker, status, database } = await queueScene(postgres, 1)
    await run(['queue', 'load', plan])
    await postgres.query(
      database,
      `CREATE SEQUENCE named;
       CREATE FUNCTION refuse_once() RETURNS trigger LANGUAGE plpgsql AS
         $$BEGIN IF nextval('public.named') = 1 THEN RAISE EXCEPTION 'terminating connection' USING ERRCODE = '57P01';
         END IF; RETURN NEW; END$$;
       CREATE TRIGGER refuse_once BEFORE INSERT ON pubctl_jobs._private_tasks
         FOR EACH ROW EXECUTE FUNCTION refuse_once()`,
    )
    const one = worker('--once')
    expect({ code: await one.ended, ...one.texts }).toMatchObject({ code: 0 })
    expect(await status()).toMatchObject({ uploaded: 1, workers: [] })
  })

  it('ends at its start if the database is not there', async () => {
    const { baseUrl, key } = await queueScene(postgres, 1)
    const { run } = machine({ PUBCTL_BASE_URL: baseUrl, PUBCTL_API_KEY: key })
    const { code, err } = await run(['worker', '--json', '--database', 'postgres://127.0.0.1:1/pubctl'])
    expect({ code, error: JSON.parse(err).error.code }).toEqual({ code: 8, error: 'database_unreachable' })
  })

  it.each(['query', 'connect'] as const)(
    'is missed by the server within half a minute when its machine is gone, which TCP keepalive tells: %s',
    async way => {
      const opened = await openPostgres({
        url: postgres.tcp(await postgres.database()),
        ...{ connections: 1, env: {}, home: temporaryFolder() },
        clock: systemClock,
        signal: new AbortController().signal,
      })
      const client = way === 'connect' ? await opened.connect(async () => undefined) : opened.pool
      const { rows } = await client.query(
        `SELECT current_setting('tcp_keepalives_idle')::integer AS idle,
           current_setting('tcp_keepalives_interval')::integer AS interval,
           current_setting('tcp_keepalives_count')::integer AS count`,
      )
      await client.end()
      if (way === 'connect') await opened.close()
      expect(rows).toEqual([{ idle: 10, interval: 5, count: 3 }])
    },
  )
})

describe.runIf(isSlow)('a worker whose service stops answering before it has answered about a step', () => {
  /** A worker with a queue of so many books, once it has said that the service is away. When that comes back, it takes its time. */
  async function worksWithService(count: number) {
    const scene = await queueScene(postgres, count)
    const { run, plan, steps, write, baseUrl, worker } = scene
    let isAway = true
    const { url } = await faultyServer(
      [{ to: /\?limit=50&/, does: 'hang', isDue: () => isAway }, { delay: 20 }],
      { before: baseUrl },
    )
    write(steps, { baseUrl: url })
    expect(await run(['queue', 'load', plan], { env: { PUBCTL_BASE_URL: url } })).toMatchObject({ code: 0 })
    const one = worker('--once', '--base-url', url)
    const isTold = () => one.texts.err.includes('The service cannot be reached; waiting until it can.')
    await expect.poll(isTold, { ...often, timeout: 40_000 }).toBe(true)
    const comesBack = () => {
      isAway = false
    }
    return { ...scene, ...one, comesBack }
  }

  it('goes on when the service is there', { timeout: 120_000 }, async () => {
    const { comesBack, ended, texts, status } = await worksWithService(2)
    comesBack()
    expect({ code: await ended, ...texts }).toMatchObject({ code: 0 })
    expect(texts.err).toContain('The service can be reached again.')
    expect(await status()).toMatchObject({ uploaded: 2, failed: 0, waiting: 0 })
  })

  it('goes on when the step that was to try again has been carried out elsewhere', {
    timeout: 120_000,
  }, async () => {
    const { comesBack, ended, texts, status, database } = await worksWithService(8)
    const others = `id <> (SELECT max(id::text)::uuid FROM pubctl.steps)`
    await postgres.query(
      database,
      `UPDATE pubctl.steps SET state = 'done', outcome = 'skipped' WHERE ${others}`,
    )
    comesBack()
    expect({ code: await ended, ...texts }).toMatchObject({ code: 0 })
    expect(await status()).toMatchObject({ uploaded: 1, failed: 0, waiting: 0 })
  })
})

it.runIf(isSlow)(
  'a worker whose key is refused ends, and its steps are carried out by one that has another key',
  async () => {
    const { run, plan, worker, ok, keys, status, publications } = await queueScene(postgres, 3, {
      processingDelayMs: 1000,
    })
    const other = keys.find(({ name }) => name === 'inactive')?.key as string
    await ok('PATCH', '/v1/apikeys/key_inactive', { status: 'active' })
    await run(['queue', 'load', plan])
    const one = worker('--json')
    await expect.poll(async () => (await publications()).length, often).toBe(3)
    await ok('PATCH', '/v1/apikeys/key_full', { status: 'inactive' })
    expect(await one.ended).toBe(3)
    expect(JSON.parse(one.texts.err).error).toMatchObject({
      code: 'AUTHENTICATION_ERROR',
      hint: expect.any(String),
    })
    expect(await status()).toMatchObject({ waiting: 3, underWay: 0, failed: 0, retrying: 0, workers: [] })
    const { code } = await run(['worker', '--once'], { env: { PUBCTL_API_KEY: other } })
    expect({ code, ...(await status()) }).toMatchObject({ code: 0, uploaded: 3, waiting: 0 })
  },
)

it.runIf(isSlow)(
  'a worker ends with a clear error where no waiting helps, as in the database of a later library',
  async () => {
    const { run, worker, database } = await queueScene(postgres, 1)
    await run(['queue', 'status'])
    await postgres.query(database, 'INSERT INTO pubctl_jobs.migrations (id, breaking) VALUES (1000000, true)')
    const { ended, texts } = worker('--json')
    expect(await ended).toBe(2)
    expect(JSON.parse(texts.err).error).toMatchObject({
      ...{ code: 'database_unusable', message: expect.stringContaining('schema revision 1000000') },
      hint: 'All machines need the same versions of pubctl and graphile-worker.',
    })
  },
)

describe('without the packages of the queue', () => {
  it.each(share(['graphile-worker', 'pg'], 2))('%s, a command says what to install', async name => {
    const { folder, bin } = programBesidePackages(name)
    const { exitCode, stderr } = await execa(
      process.execPath,
      [bin, 'queue', 'status', '--json', '--database', 'postgres://127.0.0.1:1/x'],
      { env: { HOME: folder, PATH: process.env['PATH'] ?? '' }, extendEnv: false, reject: false },
    )
    expect({ exitCode, error: JSON.parse(stderr).error }).toMatchObject({
      exitCode: 2,
      error: {
        code: 'no_queue_driver',
        message: `the package ${name} is not installed, and a queue needs it`,
        hint: expect.stringContaining('npm install --global graphile-worker@0.17 pg@8'),
      },
    })
  })
})
