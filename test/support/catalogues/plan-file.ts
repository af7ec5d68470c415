import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
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
  publicationId: null,
  editionId: null,
  proof: null,
  fields: null,
  before: null,
  send: null,
  cover: null,
  uploadRequestId: null,
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
