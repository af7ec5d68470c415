import { byId, endpoint, late, noInput, tolerant } from './endpoint.ts'
import { itemOf, itemsOf } from './envelope.ts'
import { z } from './zod.ts'

const month = () => z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'expected a month written YYYY-MM'))
const day = () =>
  z.string().check(z.refine(isDay, 'expected a day written YYYY-MM-DD'), z.meta({ format: 'date' }))

/** Whether a text is a day of the calendar, written YYYY-MM-DD. */
function isDay(text: string): boolean {
  const instant = Date.parse(`${text}T00:00:00Z`)
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    !Number.isNaN(instant) &&
    new Date(instant).toISOString().startsWith(text)
  )
}

const count = () => z.int().check(z.minimum(0))
const monthOf = () => z.string().check(z.meta({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$' }))
const dayOf = () => z.string().check(z.meta({ format: 'date' }))
const period = () => tolerant({ from: monthOf(), to: monthOf() })
const scopeCounters = () => ({ publicationsRead: count(), totalViews: count(), activeReaders: count() })
const reads = () => ({
  totalReads: count(),
  averageReadTimeMs: z.number().check(z.minimum(0)),
  averageCompletion: z.number().check(z.minimum(0), z.maximum(1)),
  completionRate: z.number().check(z.minimum(0), z.maximum(1)),
})

/** Views and readers of the whole scope (§2.13). */
export const ScopeAnalytics = late(() =>
  tolerant(
    {
      period: period(),
      totals: tolerant(scopeCounters()),
      monthly: z.array(tolerant({ month: monthOf(), ...scopeCounters() })),
    },
    ['monthly'],
  ),
)

export const PopularPublication = late(() =>
  tolerant({ publicationId: z.string(), title: z.string(), views: count() }),
)

/** Reads of one publication (§2.13); times are in milliseconds, completion is a part of 1. */
export const PublicationAnalytics = late(() =>
  tolerant(
    {
      publicationId: z.string(),
      period: period(),
      totals: tolerant(reads()),
      monthly: z.array(tolerant({ month: monthOf(), ...reads() })),
    },
    ['monthly'],
  ),
)

/** Views of one publication day by day (§2.13). */
export const DailyActivity = late(() =>
  tolerant({
    publicationId: z.string(),
    period: tolerant({ from: dayOf(), to: dayOf() }),
    daily: z.array(tolerant({ day: dayOf(), views: count() })),
  }),
)

export const granularities = ['total', 'month'] as const

const errors = [400, 401, 403, 404, 405, 500] as const
const span = () => ({
  from: z.optional(month()),
  to: z.optional(month()),
  granularity: z.optional(z.enum(granularities)),
})

export const analytics = {
  scope: endpoint({
    method: 'GET',
    path: '/v1/analytics',
    status: 200,
    errors,
    summary: 'Show views and readers of the whole scope',
    input: () => z.strictObject(span()),
    output: itemOf(ScopeAnalytics),
  }),
  popular: endpoint({
    method: 'GET',
    path: '/v1/analytics/publications/popular',
    status: 200,
    errors,
    summary: 'List the most viewed publications',
    input: noInput,
    output: itemsOf(PopularPublication),
  }),
  publication: endpoint({
    method: 'GET',
    path: '/v1/analytics/publications/{id}',
    status: 200,
    errors,
    summary: 'Show how a publication is read',
    input: () => z.extend(byId(), span()),
    output: itemOf(PublicationAnalytics),
  }),
  activity: endpoint({
    method: 'GET',
    path: '/v1/analytics/publications/{id}/activity',
    status: 200,
    errors,
    summary: "Show a publication's views day by day",
    input: () => z.extend(byId(), { from: day(), to: day() }),
    output: itemOf(DailyActivity),
  }),
}
