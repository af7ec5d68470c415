import type { ChangeableFields } from '../../plan/book-fields.ts'
import { changeableDifferencesOf, namesOf } from '../../plan/differences.ts'
import type { Before, PlanStep } from '../../plan/plan-step.ts'
import { exitCodes, Failure } from '../../system/errors.ts'
import type { Ready } from '../../uploads/execute.ts'
import { currentEdition } from './before.ts'
import { done, findPublication, stale } from './examine.ts'
import type { ExamineContext } from './examine-context.ts'

/** What the service is sent for a field that had no value; a language cannot be taken away. */
const none = { description: '', sampleItems: [], isForInternalReadingInstance: false } as const

/**
 * Makes the undoing of an update ready: its fields get the values that they had when it was planned. If one of them is neither
 * that nor what the update made it, somebody has changed it since, and nothing of the publication is undone.
 */
export async function readyRevert(step: PlanStep, context: ExamineContext): Promise<Ready> {
  const { publicationId } = step
  const found = await findPublication(publicationId as string, context)
  if (found === undefined) return stale(step, `${publicationId} is no longer at the service`)
  const there: ChangeableFields = { ...none, ...given(found.known.fields) }
  const sent = step.send as ChangeableFields
  const { currentEditionId: _, ...before } = step.before as Before
  const former: ChangeableFields = { ...none, ...given(before) }
  const names = Object.keys(sent) as (keyof ChangeableFields)[]
  const has = (values: ChangeableFields, name: keyof ChangeableFields) =>
    there[name] === undefined || changeableDifferencesOf({ [name]: values[name] }, there).length === 0
  const changed = names.filter(name => !has(sent, name) && !has(former, name))
  if (changed.length > 0)
    return stale(
      step,
      `the ${changed.join(', ')} of ${publicationId} changed after the plan was carried out`,
      `It stays as it is. To change it all the same: pubctl publications update ${publicationId}`,
    )
  const differing = names.filter(name => there[name] === undefined || !has(former, name))
  if (differing.length === 0) {
    const why = `${publicationId} has its former values already`
    return { ...done(step, found, currentEdition(found.known), why), isAwaited: false }
  }
  const lost = differing.filter(name => former[name] === undefined)
  if (lost.length > 0) return withoutValue(step, lost)
  const send = Object.fromEntries(differing.map(name => [name, former[name]])) as ChangeableFields
  const differences = changeableDifferencesOf(send, sent)
  const why = `${publicationId} gets its former ${namesOf(differences).join(', ')}`
  return {
    ...{
      by: 'update',
      publicationId: found.known.publicationId,
      send,
      formerlySent: sentBefore(step, differing),
    },
    step: { ...step, why, send, differences, fields: namesOf(differences) },
  }
}

/** What had been sent before the update, so that what had drifted has drifted again. */
const sentBefore = ({ differences }: PlanStep, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    (differences ?? []).flatMap(({ field, sent }) =>
      sent !== undefined && names.includes(field) ? [[field, sent]] : [],
    ),
  )

/** The values that there are. */
const given = (fields: ChangeableFields): ChangeableFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))

const withoutValue = (step: PlanStep, names: readonly string[]): Ready => ({
  ...{ by: 'people', step, outcome: 'conflict' },
  failure: new Failure(
    `${step.publicationId} had no ${names.join(', ')} before, and the service cannot take it away`,
    {
      code: 'not_revertible',
      exitCode: exitCodes.partFailed,
    },
  ),
})
