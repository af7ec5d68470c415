import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { createStep, planStep, writePlan } from '../support/catalogues/plan-file.ts'
import { planScene } from '../support/catalogues/plan-scene.ts'
import { startBin } from '../support/machine/bin.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow, share } from '../support/machine/slow.ts'
import { faultyServer } from '../support/proxies/faulty-server.ts'
import { bookService } from '../support/servers/book-service.ts'

const count = 12

/** A plan of so many new books. */
async function scene() {
  const own = await planScene()
  const steps = []
  for (let number = 1; number <= count; number++) {
    const file = await own.book(`${number}.epub`, { title: `Book ${number}`, paddingBytes: 5000 * number })
    steps.push(createStep(file, String(9780000000000 + number), `Book ${number}`))
  }
  own.write(steps)
  const titles = async () => (await own.listed()).map(({ title }: { title: string }) => title).sort()
  return { ...own, steps, titles, wanted: steps.map(({ title }) => title).sort() }
}

describe('a plan', () => {
  it.runIf(isSlow)(
    'that two commands of one machine and one of another carry out at once has each book once',
    async () => {
      const { apply, freshMachine, titles, wanted, editionsOf } = await scene()
      const done = await Promise.all([apply(), apply(), freshMachine().apply()])
      for (const { code, err } of done) expect({ code, err }).toEqual({ code: 0, err: '' })
      const [one, two, other] = done.map(({ outcomes }) => outcomes)
      // Of the two that share a journal, one uploads a book, and the other waits for it; or both find that of the other machine.
      for (let index = 0; index < count; index++) {
        const ofThese = [one?.[index], two?.[index]].sort()
        if (other?.[index] === 'skipped') expect(ofThese).toEqual(['skipped', 'uploaded'])
        else expect([['skipped', 'uploaded'].join(), ['skipped', 'skipped'].join()]).toContain(ofThese.join())
        expect(['uploaded', 'skipped']).toContain(other?.[index])
      }
      expect(await titles()).toEqual(wanted)
      for (const { publicationId } of done.flatMap(({ receipts }) => receipts))
        expect(await editionsOf(publicationId ?? '')).toHaveLength(1)
    },
  )

  it.runIf(isSlow)(
    'that Ctrl-C interrupts is continued by the same command, which the hint names',
    async () => {
      const { plan, apply, titles, wanted, baseUrl, env, write, steps } = await scene()
      const interrupt = () => void child.kill('SIGINT')
      const { url } = await faultyServer(
        { to: 'PUT', when: 'sending', after: 2, times: 1, meanwhile: interrupt },
        { before: baseUrl },
      )
      write(steps, { baseUrl: url })
      const there = { ...env, PUBCTL_BASE_URL: url }
      const child = startBin(['catalogue', 'apply', plan, '--concurrency', '1'], there)
      const { exitCode, stderr } = await child
      expect({ exitCode, stderr }).toEqual({
        exitCode: 130,
        stderr: expect.stringContaining(`pubctl catalogue apply ${plan}`),
      })
      expect((await titles()).length).toBeLessThan(count)
      expect(await apply([], { env: there })).toMatchObject({ code: 0, err: '' })
      expect(await titles()).toEqual(wanted)
    },
  )

  it.each(
    share(
      [
        ['the service', (text: string) => text],
        [
          'a service that names no objects',
          (text: string) => text.replace(/"(?:key|objectKey)":"[^"]*",/g, ''),
        ],
      ],
      2,
    ),
  )('that was killed while %s created a book has it once', async (_, change) => {
    const { plan, baseUrl, env, write, steps, titles } = await scene()
    const kill = () => void child.kill('SIGKILL')
    const { url } = await faultyServer(
      [{ to: 'POST', times: 1, when: 'done', meanwhile: kill, does: 'hang' }, { change }],
      { before: baseUrl },
    )
    write(steps.slice(0, 1), { baseUrl: url })
    const there = { ...env, PUBCTL_BASE_URL: url, HOME: temporaryFolder() }
    const child = startBin(['catalogue', 'apply', plan, '--json'], there)
    await child
    expect(await titles()).toEqual(['Book 1'])
    const { exitCode, stdout, stderr } = await startBin(['catalogue', 'apply', plan, '--json'], there)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject([{ outcome: 'uploaded', uploadStatus: 'available' }])
    expect(await titles()).toEqual(['Book 1'])
  })

  it('stops with the first failure when asked to, and says how to begin the rest', async () => {
    const { plan, run, steps, write, titles } = await scene()
    write([planStep({ ...steps[0], file: '/none/none.epub' }), ...steps.slice(1)])
    const { code, err } = await run([
      ...['catalogue', 'apply', plan, '--stop-on-error', '--concurrency', '1'],
    ])
    expect(code).toBe(10)
    expect(err).toMatch(/\d+ of 12 were not begun. To begin them: pubctl catalogue apply /)
    expect((await titles()).length).toBeLessThan(count)
  })

  it('at a service that is down ends at once, and at a key that may only read changes nothing', async () => {
    const { apply, env, titles, key, close, freshMachine } = await scene()
    const readOnly = await freshMachine().apply([], { env: { ...env, PUBCTL_API_KEY: key('read-only') } })
    expect(readOnly.code).toBe(10)
    expect(new Set(readOnly.receipts.map(({ error }) => error?.code))).toEqual(
      new Set(['AUTHENTICATION_ERROR']),
    )
    expect(await titles()).toEqual([])
    expect((await apply([], { env: { ...env, PUBCTL_API_KEY: 'canary-key-0123456789' } })).code).toBe(3)
    await close()
    expect((await apply(['--timeout', '1s'])).code).toBe(8)
  })

  it('has bytes that are sent only if they were hashed', async () => {
    const service = await planScene()
    const file = await service.book('book.epub', { title: 'A Tale', paddingBytes: 100_000 })
    const other = await makeExampleEpub({ title: 'A Lie', cover: false, paddingBytes: 100_000 })
    const own = await bookService({
      // Between the check and the sending, another program writes to the file.
      ...{ to: 'POST /v1/publications', times: 1, meanwhile: () => writeFileSync(file, other) },
    })
    const plan = join(temporaryFolder(), 'plan.ndjson')
    writePlan(plan, { baseUrl: own.url, scopeId: 'x' }, [createStep(file, '9780000000019', 'A Tale')])
    const { code, out } = await machine(own.env).run(['catalogue', 'apply', plan, '--json'])
    expect(code).toBe(10)
    expect(JSON.parse(out)).toMatchObject([{ outcome: 'failed', error: { code: 'file_changed' } }])
    expect(own.made.map(({ puts }) => puts)).toEqual([0])
  })

  it.runIf(isSlow)('leaves a receipt in each form, and shows each step as it ends', async () => {
    const { plan, run, apply, folder, steps, write } = await scene()
    write([...steps, planStep({ key: 'x', action: 'conflict', why: 'two rows have this key' })])
    const report = (name: string) => join(folder, name)
    const ndjson = await run(['catalogue', 'apply', plan, '-o', 'ndjson', '--report', report('r.html')])
    expect(ndjson.out.trimEnd().split('\n')).toHaveLength(count + 1)
    expect(readFileSync(report('r.html'), 'utf8')).toContain('two rows have this key')
    const csv = await run(['catalogue', 'apply', plan, '-o', 'csv', '--report', report('r.csv')])
    expect(csv.out).toMatch(/^key,file,/)
    expect(readFileSync(report('r.csv'), 'utf8')).toContain('two rows have this key')
    expect((await apply(['--report', report('r.xml')])).code).toBe(0)
    expect(readFileSync(report('r.xml'), 'utf8')).toContain(
      `tests="${count + 1}" failures="1" skipped="${count}"`,
    )
    expect((await apply(['--report', report('r.json')])).code).toBe(0)
    expect(JSON.parse(readFileSync(report('r.json'), 'utf8'))).toHaveLength(count + 1)
    const table = await run(['catalogue', 'apply', plan])
    expect(table.err).toContain(`0 uploaded, ${count} skipped, 1 conflict.`)
    expect(table.err).not.toContain('failed.csv')
  })

  it('shows with --dry-run what it would do now, and sends nothing', async () => {
    const { write, plan, book, run, published, updateStep, ok, listed, home } = await planScene()
    const { id } = await published('One', '9780000000019')
    const two = await published('Two', '9780000000026')
    const file = await book('new.epub', { title: 'New' })
    write([
      createStep(file, '9780000000033', 'New'),
      await updateStep('9780000000019', id, 'As it shall be'),
      await updateStep('9780000000026', two.id, 'As it shall be'),
    ])
    await ok('PATCH', `/v1/publications/${two.id}`, { description: 'By another hand' })
    const { code, out } = await run(['catalogue', 'apply', plan, '--dry-run', '--json'])
    expect(code).toBe(10)
    expect(JSON.parse(out)).toMatchObject([
      { action: 'create', file, requests: [{ method: 'POST' }, { method: 'PUT' }] },
      { action: 'update', requests: [{ method: 'PATCH', body: { description: 'As it shall be' } }] },
      { action: 'stale', requests: [] },
    ])
    expect(await listed()).toHaveLength(2)
    expect(existsSync(join(home, '.local/share/pubctl/uploads.db'))).toBe(false)
  })
})
