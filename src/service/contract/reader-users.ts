import { byId, endpoint, late, timestamp, tolerant } from './endpoint.ts'
import { itemOf, pageOf } from './envelope.ts'
import { absentInSummary, publicationSummary } from './publication.ts'
import { z } from './zod.ts'

const summary = () => ({
  id: z.string(),
  deviceId: z.string(),
  userId: z.string(),
  lastOrigin: z.string(),
  lastSessionStartedAt: timestamp(),
  numberOfBooksRead: z.int(),
  currentPublicationId: z.string(),
})

/** How far a reader has come; `progression` is the part read, and `pageIndex` counts from 0. */
const position = () => ({
  bookmarkCount: z.int(),
  highlightCount: z.int(),
  progression: z.number(),
  chapterTitle: z.string(),
  pageLabel: z.string(),
  pageIndex: z.int(),
})

const absent = ['userId', 'lastOrigin', 'lastSessionStartedAt', 'currentPublicationId'] as const
const absentInPosition = ['chapterTitle', 'pageLabel', 'pageIndex'] as const

/** A device or user that reads publications, as lists show it (§2.12). */
export const ReaderUserSummary = late(() => tolerant(summary(), absent))

/** A device or user that reads publications, with its reading history (§2.12). */
export const ReaderUser = late(() =>
  tolerant(
    {
      ...summary(),
      origins: z.array(z.string()),
      currentPublication: tolerant(publicationSummary(), absentInSummary),
      readingHistory: z.array(
        tolerant(
          {
            ...publicationSummary(),
            firstReadAtIso: timestamp(),
            lastReadAtIso: timestamp(),
            sessionCount: z.int(),
            ...position(),
            progressUpdatedAtIso: timestamp(),
          },
          [...absentInSummary, ...absentInPosition],
        ),
      ),
      currentReadingState: tolerant(
        { sessionId: z.string(), ...position(), updatedAtIso: timestamp() },
        absentInPosition,
      ),
    },
    [...absent, 'currentPublication', 'currentReadingState'],
  ),
)

export const readerUsers = {
  list: endpoint({
    method: 'GET',
    path: '/v1/reader-users',
    status: 200,
    errors: [400, 401, 403, 405],
    summary: 'List the devices and users that read publications',
    isPaged: true,
    input: () => z.strictObject({ limit: z.optional(z.number()), nextToken: z.optional(z.string()) }),
    output: pageOf(ReaderUserSummary),
  }),
  get: endpoint({
    method: 'GET',
    path: '/v1/reader-users/{id}',
    status: 200,
    errors: [400, 401, 403, 404, 405],
    summary: 'Show a reader user with its reading history',
    input: byId,
    output: itemOf(ReaderUser),
  }),
}
