import { isbn13 } from '../../plan/match.ts'
import { clockSkew } from '../../service/client/clock-skew.ts'
import { pagesOf } from '../../service/client/pages.ts'
import { publications } from '../../service/contract/publications.ts'
import { addTo } from '../../system/add-to.ts'
import { asText } from '../../system/exact-json.ts'
import { once } from '../../system/once.ts'
import { knownPublication } from '../../uploads/lookup/known-publication.ts'
import { readPublication } from '../../uploads/lookup/read-publication.ts'
import type { ExamineContext } from './examine-context.ts'

/** The publications that were created after a plan was made, by the values of their metadata. */
export interface CreatedSince {
  /** Whether a publication of this time of creation counts; one without a time does. In milliseconds since 1970. */
  includes(createdAt: number | null): boolean
  /** The ids of those that have a value. The service is asked with the first call. */
  withValue(value: string): Promise<readonly string[]>
}

/** `made` is when the plan was made, in milliseconds since 1970. */
export function openCreatedSince(made: number, context: ExamineContext): CreatedSince {
  const includes = countsSince(made)
  // A failure belongs to the step that meets it; the next one asks again.
  const values = once(() => valuesCreatedSince(includes, context))
  return { includes, withValue: async value => (await values()).get(value) ?? [] }
}

/** Whether a publication of this time of creation counts as one that is newer than a plan. */
export const countsSince =
  (made: number): CreatedSince['includes'] =>
  createdAt =>
    createdAt === null || createdAt >= made - clockSkew

/** The ids of the publications that count, by the values of their metadata. */
export async function valuesCreatedSince(
  includes: CreatedSince['includes'],
  { call, limits, journal, caller }: ExamineContext,
): Promise<Map<string, string[]>> {
  const paced: typeof call = (endpoint, input) => limits.ask(() => call(endpoint, input))
  const values = new Map<string, string[]>()
  const keep = async (id: string) => {
    const item = await readPublication(paced, id)
    const known = item && knownPublication(id, item, await journal.findPublication(caller, id))
    const metadata = (known?.editions ?? []).flatMap(({ fields }) => Object.values(fields.metadata ?? {}))
    for (const value of new Set(metadata.map(each => isbn13(each) ?? asText(each)))) addTo(values, value, id)
  }
  const sorting = { sortBy: 'createdAtIso', sortDirection: 'desc' }
  for await (const page of pagesOf(paced, publications.list, sorting, { limit: Number.POSITIVE_INFINITY })) {
    const counted = page.value.filter(({ createdAtIso }) => includes(timeOf(createdAtIso)))
    await Promise.all(counted.map(async ({ publicationId: id }) => id !== null && (await keep(id))))
    // A service may not sort, but a page of older ones means that the rest was there before as well.
    if (counted.length < page.value.length) break
  }
  return values
}

function timeOf(text: string | null): number | null {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? null : time
}
