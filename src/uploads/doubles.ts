import { editions } from '../contract/editions.ts'
import { publications } from '../contract/publications.ts'
import { Failure, Interrupted } from '../errors.ts'
import type { Entry } from './entry.ts'
import { textOf } from './outcome.ts'
import type { Tools } from './tools.ts'

interface Made {
  readonly publicationId: string | null
  readonly editionId: string | null
}

/** The service's clock may be off from this machine's by so many milliseconds. */
const skew = 5 * 60_000

/**
 * Warns when a service has made the publication or edition of an upload twice, which one that honours upload request
 * ids never does. An upload is not failed by this: what could not be looked up is told.
 */
export async function warnOfDoubles(entry: Entry, tools: Tools): Promise<void> {
  const { creation, editionOf, file } = entry
  const { title } = creation.edition
  try {
    for (const { publicationId, editionId } of await doublesOf(entry, tools)) {
      const [what, id] = editionOf === null ? ['publication', publicationId] : ['edition', editionId]
      tools.onWarning({
        code: 'made_twice',
        message: `an answer was lost, and the service has made "${title}" twice: look at the ${what} ${id} and delete it if it is not yours`,
      })
    }
  } catch (error) {
    if (!(error instanceof Failure) || error instanceof Interrupted) throw error
    tools.onWarning({
      code: 'made_twice_unknown',
      message: `an answer was lost, and whether the service has made ${file} twice could not be looked up: ${error.message}`,
    })
  }
}

/** What the service lists of the same title, made since the upload began, that the journal knows nothing of. */
export async function doublesOf(entry: Entry, tools: Tools): Promise<Made[]> {
  const { editionOf, startedAt, target } = entry
  const { title } = entry.creation.edition
  if (!title) return []
  await othersMade(entry, tools)
  const known = tools.journal
    .list({ all: true, target })
    .filter(each => each.uploadRequestId !== entry.uploadRequestId)
  if (editionOf !== null) {
    const { items } = await tools.limits.ask(() => tools.call(editions.list, { id: editionOf }))
    const ours = new Set([entry.editionId, ...known.map(each => each.editionId)])
    return (Array.isArray(items) ? items : [])
      .filter(
        item =>
          item?.title === title &&
          !ours.has(textOf(item.id)) &&
          Date.parse(item.editionCreated ?? '') >= startedAt - skew,
      )
      .map(item => ({ publicationId: editionOf, editionId: textOf(item.id) }))
  }
  const { items } = await tools.limits.ask(() =>
    tools.call(publications.list, {
      search: title,
      limit: 50,
      sortBy: 'createdAtIso',
      sortDirection: 'desc',
    }),
  )
  const ours = new Set([entry.publicationId, ...known.map(each => each.publicationId)])
  return (Array.isArray(items) ? items : [])
    .filter(
      item =>
        item?.title === title &&
        item.uploadStatus !== 'available' &&
        !ours.has(textOf(item.publicationId)) &&
        Date.parse(item.createdAtIso ?? '') >= startedAt - skew,
    )
    .map(item => ({ publicationId: textOf(item.publicationId), editionId: textOf(item.currentEditionId) }))
}

/** Waits until no other upload of the same title is between its creation and the journal, where it would look alien. */
async function othersMade(
  { uploadRequestId, creation, target }: Entry,
  { journal, clock, signal }: Tools,
): Promise<void> {
  const isBeingMade = () =>
    journal
      .list({ all: false, target })
      .some(
        each =>
          each.uploadRequestId !== uploadRequestId &&
          each.stage === 'planned' &&
          each.creation.edition.title === creation.edition.title,
      )
  for (let turn = 0; turn < 4 && isBeingMade(); turn++) await clock.sleep(250, signal)
}
