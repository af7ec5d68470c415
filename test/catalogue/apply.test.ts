import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlanStep } from '../../src/plan/plan-step.ts'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import type { Receipt } from '../../src/uploads/receipt.ts'
import { startBin } from '../support/machine/bin.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { faultyServer } from '../support/proxies/faulty-server.ts'
import { sandbox } from '../support/servers/sandbox.ts'

const isbns = ['9783161484100', '9780306406157', '9780198526636'] as const

/** A publisher with a sheet, and machines at one service. */
async function publisher(env: Record<string, string> = {}) {
  const service = await sandbox()
  const key = service.key('full')
  const folder = join(temporaryFolder(), 'catalogue')
  mkdirSync(folder)
  const [sheet, plan] = [join(folder, 'books.csv'), join(folder, 'plan.ndjson')]
  const write = (...lines: string[]) => writeFileSync(sheet, `${lines.join('\n')}\n`)
  const book = async (name: string, title: string, paddingBytes = 0) =>
    writeFileSync(join(folder, name), await makeExampleEpub({ title, paddingBytes }))
  const station = () => {
    const { run, home } = machine({ PUBCTL_API_KEY: key, PUBCTL_BASE_URL: service.baseUrl, ...env })
    const json = async (args: readonly string[]) => {
      const { code, out, err } = await run([...args, '--json'])
      return { code, err, list: out === '' ? [] : JSON.parse(out) }
    }
    return {
      ...{ run, home },
      plan: async (source = sheet, ...more: string[]) => {
        const { list, ...result } = await json(['catalogue', 'plan', source, '--out', plan, ...more])
        return { ...result, steps: list as PlanStep[], actions: list.map(({ action }: PlanStep) => action) }
      },
      apply: async (...more: string[]) => {
        const { list, ...result } = await json(['catalogue', 'apply', plan, ...more])
        return {
          ...result,
          receipts: list as Receipt[],
          outcomes: list.map(({ outcome }: Receipt) => outcome),
        }
      },
    }
  }
  const publication = async (id: string | null | undefined) =>
    (await service.ok('GET', `/v1/publications/${id}`)).item
  return { ...service, key, folder, sheet, planFile: plan, write, book, station, publication, ...station() }
}

const header = 'file,title,isbn,description'

describe('catalogue plan and apply', () => {
  it('make the service equal to a sheet, week by week, and send only what changed', async () => {
    const { write, book, plan, apply, publication, station, ok } = await publisher()
    await ok('POST', '/v1/resources/metadata-keys', { key: 'sha256' })
    await book('sea.epub', 'Sea')
    await book('land.epub', 'Land')
    write(header, `sea.epub,The Sea,${isbns[0]},First`, `land.epub,The Land,${isbns[1]},Second`)
    expect((await plan()).actions).toEqual(['create', 'create'])
    const first = await apply()
    expect(first).toMatchObject({ code: 0, err: '', outcomes: ['uploaded', 'uploaded'] })
    expect((await plan()).actions).toEqual(['skip', 'skip'])
    expect(await apply()).toMatchObject({ code: 0, receipts: [] })

    // The next week: a corrected file, another description, and a new book.
    await book('sea.epub', 'Sea', 500)
    await book('sky.epub', 'Sky')
    write(
      header,
      `sea.epub,The Sea,${isbns[0]},First`,
      `land.epub,The Land,${isbns[1]},Rewritten`,
      `sky.epub,The Sky,${isbns[2]},Third`,
    )
    const { actions, steps } = await plan()
    expect(actions).toEqual(['edition', 'update', 'create'])
    expect(steps[1]?.send).toEqual({ description: 'Rewritten' })
    const [sea, land] = first.receipts.map(({ publicationId }) => publicationId)
    expect(await apply()).toMatchObject({
      code: 0,
      receipts: [
        { outcome: 'uploaded', publicationId: sea },
        { outcome: 'updated', publicationId: land },
        { outcome: 'uploaded' },
      ],
    })
    expect((await publication(sea)).editions).toHaveLength(2)
    expect(await publication(land)).toMatchObject({ description: 'Rewritten', editions: [{}] })
    expect((await plan()).actions).toEqual(['skip', 'skip', 'skip'])
    expect((await station().plan()).steps).toMatchObject(Array(3).fill({ action: 'skip', proof: 'proven' }))
  })

  it('leave a file that changed after planning alone, and what another hand changed', async () => {
    const { write, book, plan, apply, ok, publication, sheet } = await publisher()
    await book('sea.epub', 'Sea')
    await book('land.epub', 'Land')
    write(header, `sea.epub,The Sea,${isbns[0]},First`)
    await plan()
    const [sea] = (await apply()).receipts
    write(header, `sea.epub,The Sea,${isbns[0]},Rewritten`, `land.epub,The Land,${isbns[1]},Second`)
    expect((await plan()).actions).toEqual(['update', 'create'])
    await ok('PATCH', `/v1/publications/${sea?.publicationId}`, { description: 'By another hand' })
    await book('land.epub', 'Land', 500)
    expect(await apply()).toMatchObject({ code: 10, outcomes: ['stale', 'stale'] })
    expect(await publication(sea?.publicationId)).toMatchObject({ description: 'By another hand' })
    expect((await plan()).actions).toEqual(['drifted', 'create'])
    expect((await plan(sheet, '--overwrite-drifted')).actions).toEqual(['update', 'create'])
    expect(await apply()).toMatchObject({ code: 0, outcomes: ['updated', 'uploaded'] })
  })

  it('give back by export what plan finds nothing to do about', async () => {
    const { write, book, plan, apply, run, folder } = await publisher()
    await book('sea.epub', 'Sea')
    write(`${header},author,metadata.publisher`, `sea.epub,"The Sea, Again",${isbns[0]},First,Ann; Bo,House`)
    await plan()
    expect((await apply()).code).toBe(0)
    const exported = join(folder, 'exported.csv')
    expect((await run(['catalogue', 'export', '--out', exported])).code).toBe(0)
    expect(await plan(exported, '--detailed-exitcode')).toMatchObject({ code: 0, actions: ['skip'] })
  })

  it.runIf(isSlow)('say by a receipt what they leave to people', async () => {
    const { write, book, plan, apply } = await publisher()
    await book('sea.epub', 'Sea')
    write(header, `sea.epub,The Sea,${isbns[0]},First`)
    await plan()
    await apply()
    write(
      header,
      `sea.epub,Another Title,${isbns[0]},First`,
      `,Without a File,${isbns[1]},Second`,
      `,One,${isbns[2]},`,
      `,Two,${isbns[2]},`,
    )
    expect((await plan()).actions).toEqual(['blocked', 'no-file', 'conflict', 'conflict'])
    const { code, receipts } = await apply()
    expect(code).toBe(0)
    expect(receipts.map(({ outcome, error }) => [outcome, error?.code])).toEqual([
      ['conflict', 'blocked'],
      ['conflict', 'no_file'],
      ['conflict', 'conflict'],
      ['conflict', 'conflict'],
    ])
  })

  it.runIf(isSlow).each([
    ['the machine that was stopped', true],
    ['another machine', false],
  ])('continue on %s what was begun', async (_, isSame) => {
    const { write, book, planFile, sheet, baseUrl, key, ok, folder } = await publisher()
    await book('sea.epub', 'Sea')
    write(header, `sea.epub,The Sea,${isbns[0]},First`)
    const kill = () => void child?.kill('SIGKILL')
    const { url } = await faultyServer({ to: 'PUT', when: 'sending', meanwhile: kill }, { before: baseUrl })
    const env = { PUBCTL_API_KEY: key, PUBCTL_BASE_URL: url, HOME: temporaryFolder() }
    let child: ReturnType<typeof startBin> | undefined = startBin(
      ['publications', 'upload', '--manifest', sheet],
      env,
    )
    await child
    child = undefined
    const planned = await startBin(['catalogue', 'plan', sheet, '--out', planFile, '--json'], env)
    expect(JSON.parse(planned.stdout)).toMatchObject([{ action: 'resume' }])
    const home = isSame ? env.HOME : temporaryFolder()
    const applied = await startBin(['catalogue', 'apply', planFile, '--json'], { ...env, HOME: home })
    expect({ code: applied.exitCode, err: applied.stderr }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(applied.stdout)).toMatchObject([{ outcome: 'uploaded', uploadStatus: 'available' }])
    const { items } = await ok('GET', '/v1/publications')
    expect(items).toMatchObject([{ title: 'The Sea', uploadStatus: 'available' }])
    expect(readFileSync(join(folder, 'plan.ndjson'), 'utf8')).not.toMatch(/Signature|canary/)
  })
})
