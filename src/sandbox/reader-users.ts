import * as z from 'zod/mini'
import { late } from '../contract/endpoint.ts'
import type { readerUsers } from '../contract/reader-users.ts'
import type { Handlers } from './call.ts'
import type { ReaderUserRecord } from './store/reader-users.ts'
import { pageOfRecords, recordOf } from './store/records.ts'
import { parseAs } from './validate.ts'

// The document calls the limit a number and gives it no bounds; these are the sandbox's. Of 2.5 readers two are shown.
const Limit = late(() => z.object({ limit: z._default(z.number().check(z.minimum(1), z.maximum(1000)), 50) }))

export const readerUserHandlers: Handlers<typeof readerUsers> = {
  list: ({ limit: wanted, nextToken }, call) => {
    const { limit } = parseAs(Limit(), { limit: wanted })
    const page = pageOfRecords<ReaderUserRecord>(call, 'reader_users', Math.floor(limit), nextToken)
    return { ...page, items: page.items.map(summaryOf) }
  },
  get: ({ id }, { db }) => ({ item: recordOf<ReaderUserRecord>(db, 'reader_users', id) }),
}

const summaryOf = ({
  origins,
  currentPublication,
  readingHistory,
  currentReadingState,
  ...summary
}: ReaderUserRecord) => summary
