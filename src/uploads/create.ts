import { attempts, backoff } from '../client/retry.ts'
import { editions } from '../contract/editions.ts'
import type { Input } from '../contract/endpoint.ts'
import { publications } from '../contract/publications.ts'
import { NetworkFailure, ServiceFailure } from '../errors.ts'
import type { Entry } from './journal.ts'
import { newestEdition, textOf } from './outcome.ts'
import { readSession, type Session } from './session.ts'
import type { Tools } from './tools.ts'

export interface Created {
  readonly publicationId: string | null
  readonly editionId: string | null
  readonly uploadStatus: string | null
  readonly session: Session
}

/**
 * Creates the publication or the edition of an upload. An unclear answer, such as a lost connection, is repeated with
 * the same upload request id, for which the service gives the same publication again; afterwards it is looked for a
 * second one, in case the service does not honour the id.
 */
export async function create({ creation, editionOf, startedAt }: Entry, tools: Tools): Promise<Created> {
  let wasUnclear = false
  for (let attempt = 1; ; attempt++) {
    try {
      const reply =
        editionOf === null
          ? await tools.call(publications.create, creation)
          : await tools.call(editions.create, { id: editionOf, ...creation })
      const edition = newestEdition(reply.item)
      const publicationId = textOf(reply.item?.id) ?? editionOf
      if (wasUnclear && editionOf === null) await lookForDoubles(creation, publicationId, startedAt, tools)
      return {
        publicationId,
        editionId: textOf(edition?.id),
        uploadStatus: textOf(edition?.uploadStatus),
        session: readSession(reply.result),
      }
    } catch (error) {
      if (attempt === attempts || !isUnclear(error)) throw error
      wasUnclear = true
      await tools.clock.sleep(backoff(attempt + 1, undefined, tools.clock), tools.signal)
    }
  }
}

/** Whether a failed request may have been carried out all the same. */
const isUnclear = (error: unknown): boolean =>
  (error instanceof NetworkFailure && ['network', 'timeout', 'bad_reply'].includes(error.code)) ||
  (error instanceof ServiceFailure && (error.status ?? 0) >= 500)

async function lookForDoubles(
  { edition: { title } }: Input<typeof publications.create>,
  publicationId: string | null,
  startedAt: number,
  { call, journal, onWarning }: Tools,
): Promise<void> {
  if (!title) return
  const { items } = await call(publications.list, { search: title, limit: 50 })
  const ours = new Set([publicationId, ...journal.list({ all: true }).map(entry => entry.publicationId)])
  const doubles = (Array.isArray(items) ? items : []).filter(
    item =>
      item?.title === title &&
      !ours.has(item.publicationId ?? null) &&
      Date.parse(item.createdAtIso ?? '') >= startedAt - 1000,
  )
  for (const { publicationId: id } of doubles) {
    onWarning(
      `an answer was lost, and the service has made "${title}" twice: look at ${id} and delete it if it is not yours`,
    )
  }
}
