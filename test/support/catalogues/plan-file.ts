import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Creation } from '../../../src/plan/creation.ts'
import type { PlanHeader, PlanStep } from '../../../src/plan/plan-step.ts'

const step: PlanStep = {
  key: null,
  action: 'skip',
  why: 'a test says so',
  hint: null,
  file: null,
  sha256: null,
  bytes: null,
  type: null,
  title: null,
  author: null,
  publicationId: null,
  editionId: null,
  proof: null,
  fields: null,
  differences: null,
  before: null,
  send: null,
  cover: null,
  uploadRequestId: null,
  warnings: [],
  from: null,
}

/** A step of a plan; what is not given is null. */
export const planStep = (more: Partial<PlanStep>): PlanStep => ({ ...step, ...more })

/** A step that uploads a file as a publication of its own. The key is its ISBN. */
export function createStep(file: string, key: string, title: string, more: Partial<PlanStep> = {}): PlanStep {
  const content = readFileSync(file)
  const uploadRequestId = randomUUID()
  const sha256 = createHash('sha256').update(content).digest('hex')
  return planStep({
    ...{ key, action: 'create', file, sha256, bytes: content.length, type: 'EPUB', title, uploadRequestId },
    cover: 'none',
    send: {
      uploadRequestId,
      publicationFilename: basename(file),
      edition: { type: 'EPUB', title, author: ['The Makers of pubctl'], metadata: { isbn: key } },
    },
    ...more,
  })
}

/** A step that tells the service the SHA-256 of its file, as in a scope that has a metadata key for it. */
export function recorded(step: PlanStep): PlanStep {
  const { edition, ...send } = step.send as Creation
  const metadata = { ...edition.metadata, sha256: step.sha256 }
  return { ...step, send: { ...send, edition: { ...edition, metadata } } }
}

/** What a plan notes of a publication. */
// biome-ignore lint/suspicious/noExplicitAny: it is what the service answers.
export const beforeOf = ({ editions, ...item }: any) => ({
  currentEditionId: editions.find(({ isCurrentVersion }: { isCurrentVersion: boolean }) => isCurrentVersion)
    .id,
  language: item.language,
  description: item.description,
  sampleItems: item.sampleItems,
  isForInternalReadingInstance: item.isForInternalReadingInstance,
})

/** Writes a plan file as `catalogue plan --out` does. */
export function writePlan(
  path: string,
  header: Pick<PlanHeader, 'baseUrl' | 'scopeId'> & Partial<PlanHeader>,
  steps: readonly PlanStep[],
): void {
  const counts: { [action: string]: number } = {}
  for (const { action } of steps) counts[action] = (counts[action] ?? 0) + 1
  const whole = {
    ...{
      pubctl: '0.1.0',
      planId: randomUUID(),
      match: 'isbn',
      sources: [],
      notSent: {},
      unread: 0,
      made: new Date().toISOString(),
      counts,
    },
    ...header,
  }
  writeFileSync(path, [whole, ...steps].map(each => `${JSON.stringify(each)}\n`).join(''))
}
