import { describe, expect, it } from 'vitest'
import { machine } from '../support/machine/pubctl.ts'
import { isSlow, share } from '../support/machine/slow.ts'
import { usePostgres } from '../support/servers/postgres.ts'
import { queueScene } from '../support/servers/queue-scene.ts'

const postgres = usePostgres()

/** The address of a database by another role. */
const as = (url: string, user: string) => url.replace('postgres://postgres@', `postgres://${user}@`)

/** A database in which `mallory` and `alice` may make schemas, as in any before PostgreSQL 15. */
async function shared(database: string) {
  const name = new URL(database).pathname.slice(1)
  const [alice, mallory] = [`alice_${name}`, `mallory_${name}`]
  await postgres.query(database, `CREATE ROLE ${alice} LOGIN; CREATE ROLE ${mallory} LOGIN`)
  await postgres.query(database, `GRANT CREATE ON DATABASE ${name} TO ${alice}, ${mallory}`)
  const status = async (user: string) => {
    const { run } = machine({ PUBCTL_DATABASE_URL: as(database, user) })
    const { code, err } = await run(['queue', 'status', '--json'])
    return { code, error: code === 0 ? undefined : JSON.parse(err).error }
  }
  return { database, alice, mallory, status }
}

const sharedDatabase = async () => await shared(await postgres.database())

describe('what another user of the database has put in the place of a queue', () => {
  it.each(
    share(
      [
        ['the schema pubctl', 'CREATE SCHEMA pubctl; GRANT ALL ON SCHEMA pubctl TO PUBLIC'],
        ['the schema pubctl_jobs', 'CREATE SCHEMA pubctl_jobs; GRANT ALL ON SCHEMA pubctl_jobs TO PUBLIC'],
      ],
      2,
    ),
  )('is refused before it is used: %s', async (what, sql) => {
    const { database, alice, mallory, status } = await sharedDatabase()
    await postgres.query(as(database, mallory), sql)
    for (const user of [alice, 'postgres']) {
      const { code, error } = await status(user)
      expect({ code, error }).toMatchObject({
        code: 2,
        error: {
          ...{ code: 'other_owner', hint: expect.stringContaining('a database of its own') },
          message: `${what} in the database of the queue belongs to ${mallory}, not to ${user}`,
        },
      })
    }
  })

  it.each(
    share(
      [
        ['a table', 'pubctl.trap', 'CREATE TABLE pubctl.trap (x integer)'],
        [
          'a function',
          'pubctl_jobs.add_jobs',
          'CREATE FUNCTION pubctl_jobs.add_jobs(text) RETURNS integer LANGUAGE sql AS $$SELECT 1$$',
        ],
      ],
      2,
    ),
  )('is refused as well where the schema is the own one: %s', async (_, what, sql) => {
    const { database, alice, mallory, status } = await sharedDatabase()
    expect(await status(alice)).toEqual({ code: 0, error: undefined })
    await postgres.query(as(database, alice), `GRANT ALL ON SCHEMA pubctl, pubctl_jobs TO ${mallory}`)
    await postgres.query(as(database, mallory), sql)
    const { code, error } = await status(alice)
    expect({ code, message: error.message }).toEqual({
      code: 2,
      message: `${what} in the database of the queue belongs to ${mallory}, not to ${alice}`,
    })
  })

  it.runIf(isSlow)(
    'is used where it belongs to a role that the own one is a member of, or to a superuser',
    async () => {
      const { database, alice, mallory, status } = await sharedDatabase()
      expect((await status(alice)).code).toBe(0)
      expect((await status(mallory)).error).toMatchObject({ code: 'other_owner' })
      await postgres.query(database, `GRANT ${alice} TO ${mallory}`)
      expect((await status(mallory)).code).toBe(0)

      const other = await sharedDatabase()
      expect((await other.status('postgres')).code).toBe(0)
      const { error } = await other.status(other.alice)
      expect(error.code).toBe('database_unusable')
    },
  )

  it('is not called by the name of a function of PostgreSQL', async () => {
    const { run, plan, ...scene } = await queueScene(postgres, 1)
    const { alice, mallory, database } = await shared(scene.database)
    await postgres.query(
      database,
      `GRANT CREATE ON SCHEMA public TO ${mallory};
       CREATE TABLE public.trapped (by text);
       GRANT INSERT ON public.trapped TO PUBLIC`,
    )
    await postgres.query(
      as(database, mallory),
      `CREATE FUNCTION public.json_build_object(text, text) RETURNS json LANGUAGE plpgsql AS
         $$BEGIN INSERT INTO public.trapped VALUES (current_user); RETURN '{}'; END$$`,
    )
    const loaded = await run(['queue', 'load', plan, '--json'], {
      env: { PUBCTL_DATABASE_URL: as(database, alice) },
    })
    expect(JSON.parse(loaded.out)).toMatchObject({ added: 1 })
    expect(await postgres.query(database, 'SELECT * FROM public.trapped')).toEqual([])
  })
})
