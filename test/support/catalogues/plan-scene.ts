import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PlanHeader, PlanStep } from '../../../src/plan/plan-step.ts'
import type { ServiceOptions } from '../../../src/sandbox/index.ts'
import type { ExampleOptions } from '../../../src/sandbox/seed/example-epub/book.ts'
import { makeExampleEpub } from '../../../src/sandbox/seed/example-epub/index.ts'
import type { Receipt } from '../../../src/uploads/receipt.ts'
import { machine, type Options, temporaryFolder } from '../machine/pubctl.ts'
import { sandbox } from '../servers/sandbox.ts'
import { beforeOf, createStep, planStep, writePlan } from './plan-file.ts'

/** A service, a plan file for it, and machines that know nothing of one another. */
export async function planScene(options: Partial<ServiceOptions> = {}) {
  const service = await sandbox(options)
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
    const apply = async (more: readonly string[] = [], options: Options = {}) => {
      const { code, out, err } = await run(['catalogue', 'apply', plan, '--json', ...more], options)
      const receipts: Receipt[] = out === '' ? [] : JSON.parse(out)
      return { code, err, receipts, outcomes: receipts.map(({ outcome }) => outcome) }
    }
    return { run, apply, home }
  }
  const publication = async (id: string) => (await service.ok('GET', `/v1/publications/${id}`)).item
  /** A book that somebody has uploaded, and the state that a plan is made on. */
  const published = async (title: string, isbn: string, content?: Buffer) => {
    const bytes = content ?? (await makeExampleEpub({ title, cover: false }))
    const { item } = await service.publish(
      { edition: { title, metadata: { isbn } }, description: 'As it was' },
      bytes,
    )
    return { id: item.id as string, before: beforeOf(item) }
  }
  /** What a plan notes of a publication. */
  const beforeNow = async (id: string) => beforeOf(await publication(id))
  /** A step that makes a file an edition of a publication. */
  const editionStep = async (file: string, key: string, id: string): Promise<PlanStep> =>
    createStep(file, key, 'A Tale', {
      ...{ action: 'edition', publicationId: id, before: await beforeNow(id) },
    })
  /** A step that gives a publication another description. */
  const updateStep = async (key: string, id: string, description: string): Promise<PlanStep> =>
    planStep({
      ...{ key, action: 'update', publicationId: id, before: await beforeNow(id) },
      ...{ fields: ['description'], send: { description } },
    })
  return {
    ...{ ...service, env, folder, plan, book, scopeId, freshMachine, publication, published },
    ...{ editionStep, updateStep, ...freshMachine() },
    write: (steps: readonly PlanStep[], header: Partial<PlanHeader> = {}) =>
      writePlan(plan, { baseUrl: service.baseUrl, scopeId, ...header }, steps),
    listed: async () => (await service.ok('GET', '/v1/publications?limit=50')).items,
    editionsOf: async (id: string) => (await publication(id)).editions,
  }
}
