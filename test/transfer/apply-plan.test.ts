import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlanStep } from '../../src/plan/plan-step.ts'
import type { ExampleOptions } from '../../src/sandbox/seed/example-epub/book.ts'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { createStep, planStep, writePlan } from '../support/plan-file.ts'
import { machine, temporaryFolder } from '../support/pubctl.ts'
import { sandbox } from '../support/sandbox.ts'

/** A service, and machines that know nothing of one another. */
async function scene() {
  const service = await sandbox()
  const env = { PUBCTL_API_KEY: service.key('full'), PUBCTL_BASE_URL: service.baseUrl }
  const { context } = await service.ok('GET', '/v1/publications?limit=1')
  const { scopeId } = context.authentication
  const folder = temporaryFolder()
  const plan = join(folder, 'plan.ndjson')
  const book = async (name: string, options: ExampleOptions): Promise<string> => {
    const path = join(folder, name)
    writeFileSync(path, await makeExampleEpub({ cover: false, ...options }))
    return path
  }
  const freshMachine = () => {
    const { run, home } = machine(env)
    const apply = async (...args: string[]) => {
      const { code, out, err } = await run(['catalogue', 'apply', plan, '--json', ...args])
      const receipts = out === '' ? [] : JSON.parse(out)
      return { code, err, receipts, outcomes: receipts.map((each: { outcome: string }) => each.outcome) }
    }
    return { run, apply, home }
  }
  return {
    ...{ ...service, env, folder, plan, book, freshMachine, ...freshMachine(), scopeId },
    write: (steps: readonly PlanStep[], header = {}) =>
      writePlan(plan, { baseUrl: service.baseUrl, scopeId, ...header }, steps),
    listed: async () => (await service.ok('GET', '/v1/publications?limit=50')).items,
  }
}

describe('catalogue apply', () => {
  it('uploads new books, and does nothing the second time', async () => {
    const { book, write, apply, listed, freshMachine } = await scene()
    const one = await book('one.epub', { title: 'One' })
    const two = await book('two.epub', { title: 'Two' })
    write([
      createStep(one, '9780000000019', 'One'),
      createStep(two, '9780000000026', 'Two'),
      planStep({ key: '3', action: 'skip' }),
    ])
    const first = await apply()
    expect(first).toMatchObject({ code: 0, err: '', outcomes: ['uploaded', 'uploaded'] })
    expect(first.receipts[0]).toMatchObject({ file: one, key: '9780000000019', uploadStatus: 'available' })
    expect(await apply()).toMatchObject({ code: 0, err: '', outcomes: ['skipped', 'skipped'] })
    expect(await freshMachine().apply()).toMatchObject({ code: 0, outcomes: ['skipped', 'skipped'] })
    expect(await listed()).toHaveLength(2)
  })
})
