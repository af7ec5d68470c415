import * as z from 'zod/mini'
import { late } from '../service/contract/endpoint.ts'
import type { readerUsers } from '../service/contract/reader-users.ts'
import type { Handlers } from './call.ts'
import type { ReaderUserRecord } from './store/reader-users.ts'
import { pageOfRecords, recordOf } from './store/records.ts'
import { parseAs } from './validate.ts'

// The document calls the limit a number and gives it no bounds; these are the sandbox's. Of 2.5 readers two are shown.
const Limit = late(() => z.object({ limit: z._default(z.number().check(z.minimum(1), z.maximum(1000)), 50) }))

export const readerUserHandlers: Handlers<typeof readerUsers> = {
  list: ({ limit: wanted, nextToken }, call) => {
    const now = call.clock.now()
    const { limit } = parseAs(Limit(), { limit: wanted })
    const page = pageOfRecords<ReaderUserRecord>(call, 'reader_users', Math.floor(limit), nextToken)
    return { ...page, items: page.items.map(record => summaryOf(broughtUpTo(now, record))) }
  },
  get: ({ id }, { db, clock }) => ({
    item: broughtUpTo(clock.now(), recordOf<ReaderUserRecord>(db, 'reader_users', id)),
  }),
}

/** So that weekdays stay. */
const yearMilliseconds = 364 * 86_400_000

/** A reader as of now: what the store says of a year happens in every year, so that each one has read something lately. */
function broughtUpTo(now: number, record: ReaderUserRecord): ReaderUserRecord {
  const years = Math.floor((now - Date.parse(record.lastSessionStartedAt ?? '')) / yearMilliseconds)
  if (!(years > 0)) return record
  const later = (iso: string) => new Date(Date.parse(iso) + years * yearMilliseconds).toISOString()
  const isTime = (name: string) => name.endsWith('Iso') || name === 'lastSessionStartedAt'
  return JSON.parse(JSON.stringify(record), (name, value) =>
    isTime(name) && typeof value === 'string' ? later(value) : value,
  )
}

const summaryOf = ({
  origins,
  currentPublication,
  readingHistory,
  currentReadingState,
  ...summary
}: ReaderUserRecord) => summary
