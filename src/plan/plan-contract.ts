import * as z from 'zod/mini'
import { late, nonEmpty } from '../service/contract/endpoint.ts'
import { creation } from '../service/contract/publication.ts'
import { publicationTypes } from '../service/contract/publication-type.ts'
import { publications } from '../service/contract/publications.ts'
import { inEnglish } from '../service/contract/zod-parts.ts'
import { type Action, actions, planActions } from './actions.ts'
import { CheckedByList } from './checked-by.ts'
import type { PlanHeader, PlanStep } from './plan-step.ts'

const count = () => z.int().check(z.minimum(0))
const sha256 = () => z.string().check(z.regex(/^[0-9a-f]{64}$/))
const text = () => z.nullable(z.string())

const Header = late(() =>
  z.object({
    pubctl: nonEmpty(),
    planId: z.uuid(),
    baseUrl: nonEmpty(),
    scopeId: text(),
    match: nonEmpty(),
    sources: z.array(z.object({ path: z.string(), sha256: sha256() })),
    made: z.string().check(z.refine(value => !Number.isNaN(Date.parse(value)), 'must be a time')),
    counts: z.partialRecord(z.enum(planActions), count()),
    notSent: z.record(z.string(), count()),
    unread: count(),
    // Plans of earlier versions do not say it.
    notReadYet: z.optional(count()),
  }),
)

const Before = late(() =>
  z.object({
    currentEditionId: text(),
    language: z.nullish(z.string()),
    description: z.nullish(z.string()),
    sampleItems: z.nullish(z.array(z.string())),
    isForInternalReadingInstance: z.nullish(z.boolean()),
  }),
)

const Difference = late(() =>
  z.object({
    field: z.string(),
    there: z.nonoptional(z.unknown()),
    wanted: z.nonoptional(z.unknown()),
    sent: z.optional(z.unknown()),
  }),
)

const Changes = late(() =>
  z
    .omit(publications.update.input, { id: true })
    .check(z.refine(value => Object.keys(value).length > 0, 'must change something')),
)

/** What every step has. */
const Facts = late(() =>
  z.object({
    key: text(),
    action: z.enum(planActions),
    why: z.string(),
    hint: text(),
    file: text(),
    sha256: z.nullable(sha256()),
    bytes: z.nullable(count()),
    type: z.nullable(z.enum(publicationTypes)),
    title: text(),
    author: z.optional(z.nullable(z.array(z.string()))),
    publicationId: text(),
    editionId: text(),
    proof: z.nullable(z.enum(['proven', 'unproven'])),
    uploadStatus: z.optional(text()),
    fields: z.nullable(z.array(z.string())),
    differences: z.nullable(z.array(Difference())),
    before: z.nullable(Before()),
    send: z.nullable(z.looseObject({})),
    cover: text(),
    uploadRequestId: z.nullable(z.uuid()),
    warnings: z.optional(z.array(z.looseObject({ code: z.string(), message: z.string() }))),
    checkedBy: z.optional(CheckedByList()),
    from: z.nullable(z.looseObject({})),
  }),
)

/** What an upload has, whatever it becomes. */
const sent = () => ({
  file: nonEmpty(),
  sha256: sha256(),
  bytes: count(),
  send: z.strictObject(creation()),
  uploadRequestId: z.uuid(),
})

/** What a line has, by what the table of actions says of its action. */
const lines: { readonly [line in Action['line']]: () => z.ZodMiniType } = {
  creation: late(() => z.object(sent())),
  edition: late(() => z.object({ ...sent(), publicationId: nonEmpty(), before: Before() })),
  update: late(() => z.object({ publicationId: nonEmpty(), before: Before(), send: Changes() })),
  begun: late(() => z.object({ uploadRequestId: z.uuid() })),
  facts: Facts,
}

/** A checked value, or what is wrong with it. */
type Result<T> = { readonly value: T } | { readonly fault: string }

/** Checks the header of a plan file. */
export const checkHeader = (value: unknown): Result<PlanHeader> => checked(Header(), value)

/** Checks a step of a plan file. */
export function checkStep(value: unknown): Result<PlanStep> {
  const result = checked<PlanStep>(Facts(), value)
  if ('fault' in result) return result
  const { action, send, uploadRequestId } = result.value
  if (send && 'uploadRequestId' in send && send.uploadRequestId !== uploadRequestId)
    return { fault: 'send.uploadRequestId: it is not that of the step' }
  return checked(lines[actions[action].line](), value)
}

function checked<T>(schema: z.ZodMiniType, value: unknown): Result<T> {
  const { success, error } = z.safeParse(schema, value, inEnglish)
  // The value itself is used, because the schema would drop what later versions add.
  if (success) return { value: value as T }
  const [issue] = error.issues
  const place = issue?.path.join('.')
  return { fault: `${place ? `${place}: ` : ''}${issue?.message ?? 'it is not valid'}` }
}
