import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlanStep } from '../../src/plan/plan-step.ts'
import { createStep, planStep } from '../support/catalogues/plan-file.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { usePostgres } from '../support/servers/postgres.ts'
import { queueScene } from '../support/servers/queue-scene.ts'

const postgres = usePostgres()

/** A queue whose rows somebody else has written. */
async function tamperedScene(count: number) {
  const scene = await queueScene(postgres, count)
  const { plan, run, steps, database } = scene
  await run(['queue', 'load', plan])
  const tamper = async (index: number, step: string | PlanStep) => {
    const text = typeof step === 'string' ? step : JSON.stringify(step)
    const id = steps[index]?.uploadRequestId
    await postgres.query(database, `UPDATE pubctl.steps SET step = $row$${text}$row$ WHERE id = '${id}'`)
  }
  const secret = join(temporaryFolder(), 'secret.epub')
  writeFileSync(secret, readFileSync(steps[0]?.file as string))
  const failures = async () =>
    Object.fromEntries(
      (await scene.status()).failures.map(({ id, code, why }: Record<string, string>) => [
        id,
        `${code}: ${why}`,
      ]),
    )
  return { ...scene, tamper, secret, failures }
}

/** The step with another file, as somebody would write it who knows what is in that file. */
const withFile = (step: PlanStep | undefined, file: string): PlanStep => {
  const { key, title, uploadRequestId, send } = step as PlanStep
  return { ...createStep(file, key as string, title as string), uploadRequestId, send }
}

describe('a row of the queue that is no step of a plan', () => {
  it('has failed, with its fault, and the others are carried out', async () => {
    const { run, tamper, steps, failures, status, publications } = await tamperedScene(6)
    const [one] = steps
    const rows: readonly [string | PlanStep, string][] = [
      ['null', 'expected object'],
      ['[]', 'expected object'],
      ['not json', 'it is not JSON'],
      [{ ...planStep({}), action: 'destroy' } as unknown as PlanStep, 'action: '],
      [{ ...(one as PlanStep), bytes: null }, 'bytes: '],
    ]
    for (const [index, [row]] of rows.entries()) await tamper(index, row)
    const { code } = await run(['worker', '--once', '--json'])
    expect(code).toBe(10)
    const found = await failures()
    for (const [index, [, fault]] of rows.entries()) {
      const why = found[steps[index]?.uploadRequestId as string]
      expect(why).toContain('bad_step: the step is not one of a plan: ')
      expect(why?.toLowerCase()).toContain(fault.toLowerCase())
    }
    expect(await status()).toMatchObject({ failed: 5, uploaded: 1, waiting: 0, retrying: 0 })
    expect(await publications()).toHaveLength(1)
  })

  it('is said to have failed where its fault has a character that the database has not', async () => {
    const { run, tamper, steps, failures, status } = await tamperedScene(2)
    const [one] = steps as [PlanStep, PlanStep]
    await tamper(0, { ...one, file: '/elsewhere/\0.epub' })
    expect((await run(['worker', '--once', '--json'])).code).toBe(10)
    expect((await failures())[one.uploadRequestId as string]).toContain('\ufffd')
    expect(await status()).toMatchObject({ failed: 1, uploaded: 1 })
  })

  it.runIf(isSlow)(
    'is not carried out for a service or an organisation that its plan is not for',
    async () => {
      const { run, plan, write, steps, database, status, publications } = await queueScene(postgres, 2)
      write(steps.slice(0, 1))
      await run(['queue', 'load', plan])
      write(steps.slice(1), { scopeId: 'scope_other' })
      await run(['queue', 'load', plan])
      await postgres.query(
        database,
        'UPDATE pubctl_jobs._private_jobs SET task_id = (SELECT min(id) FROM pubctl_jobs._private_tasks)',
      )
      expect((await run(['worker', '--once'])).code).toBe(10)
      const { failures } = await status()
      expect(failures).toMatchObject([{ id: steps[1]?.uploadRequestId, code: 'bad_step' }])
      expect(failures[0].why).toContain('its plan is for another service or organisation')
      expect(await publications()).toHaveLength(1)
    },
  )

  it.runIf(isSlow)('is left alone where a job names none', async () => {
    const { run, database, plan, status } = await queueScene(postgres, 1)
    await run(['queue', 'load', plan])
    await postgres.query(database, `UPDATE pubctl_jobs._private_jobs SET payload = '{"step":"not an id"}'`)
    const { code, err } = await run(['worker', '--once'])
    expect(code).toBe(0)
    expect(err).toContain('A job of the queue names no step')
    expect(await status()).toMatchObject({ waiting: 1, uploaded: 0 })
  })
})

describe('a file that a row of the queue names', () => {
  it("is sent only from below the plan's folder, whatever way leads out of it", async () => {
    const { run, tamper, steps, failures, publications, secret, books } = await tamperedScene(4)
    const link = join(books, 'link.epub')
    symlinkSync(secret, link)
    mkdirSync(join(books, 'x'))
    const ways = [secret, `${books}/x/../../../..${secret}`, link]
    for (const [index, way] of ways.entries())
      await tamper(index, { ...withFile(steps[index], secret), file: way })
    expect((await run(['worker', '--once'])).code).toBe(10)
    const found = await failures()
    for (const [index, way] of ways.entries())
      expect(found[steps[index]?.uploadRequestId as string]).toContain(
        `bad_step: ${way} is not below ${books}`,
      )
    expect(await publications()).toHaveLength(1)
  })

  it('is sent only from below --root, to which its folder was moved', async () => {
    const { run, tamper, steps, failures, publications, secret, books } = await tamperedScene(2)
    const mounted = join(temporaryFolder(), 'mounted')
    renameSync(books, mounted)
    await tamper(0, { ...withFile(steps[0], secret), file: secret })
    await tamper(1, { ...withFile(steps[1], secret), file: `${books}/../../../../..${secret}` })
    expect((await run(['worker', '--once', '--root', mounted])).code).toBe(10)
    const found = Object.values(await failures())
    expect(found).toHaveLength(2)
    for (const why of found) expect(why).toContain('bad_step: ')
    expect(await publications()).toEqual([])
  })

  it.runIf(isSlow)('is sent only from there if the journal in the database names it', async () => {
    const { run, tamper, steps, failures, publications, secret, database, baseUrl, scopeId } =
      await tamperedScene(1)
    const [step] = steps as [PlanStep]
    const { uploadRequestId, send } = step
    const { size, mtimeMs } = statSync(secret)
    const sha256 = createHash('sha256').update(readFileSync(secret)).digest('hex')
    await postgres.query(
      database,
      `INSERT INTO pubctl.uploads ("uploadRequestId", target, "scopeId", fingerprint, file, bytes, modified, sha256, creation,
         cover, stage, "startedAt", "changedAt")
       VALUES ('${uploadRequestId}', '${baseUrl}', '${scopeId}', 'any', '${secret}', ${size}, ${mtimeMs}, '${sha256}',
         $creation$${JSON.stringify(send)}$creation$, 'none', 'planned', ${mtimeMs}::bigint, ${mtimeMs}::bigint)`,
    )
    await tamper(0, planStep({ action: 'resume', uploadRequestId }))
    expect((await run(['worker', '--once'])).code).toBe(10)
    expect(Object.values(await failures())).toEqual([expect.stringContaining('bad_step: ')])
    expect((await publications()).filter(({ uploadStatus }) => uploadStatus !== 'upload_pending')).toEqual([])
  })

  it.runIf(isSlow)('is not its cover from elsewhere either', async () => {
    const { run, tamper, steps, failures, publications } = await tamperedScene(1)
    const cover = join(temporaryFolder(), 'cover.png')
    writeFileSync(cover, 'not for others')
    await tamper(0, { ...(steps[0] as PlanStep), cover })
    expect((await run(['worker', '--once'])).code).toBe(10)
    expect(Object.values(await failures())).toEqual([
      expect.stringContaining(`bad_step: ${cover} is not below`),
    ])
    expect(await publications()).toEqual([])
  })
})
