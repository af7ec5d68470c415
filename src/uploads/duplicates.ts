import { isReceived } from '../plan/match.ts'
import { clockSkew } from '../service/client/clock-skew.ts'
import { editions } from '../service/contract/editions.ts'
import { largestPage } from '../service/contract/endpoint.ts'
import { publications } from '../service/contract/publications.ts'
import { exitCodes, Failure, Interrupted } from '../system/errors.ts'
import type { Entry } from './journal/entry.ts'
import type { TransferContext } from './transfer-context.ts'

interface Made {
  readonly publicationId: string | null
  readonly editionId: string | null
}

/**
 * Checks whether the service has created the publication or edition of an upload twice, as one that ignores upload request
 * ids does. The upload continues, and then ends with the returned failure. A failed lookup is only a warning.
 */
export async function findDuplicates(entry: Entry, context: TransferContext): Promise<Failure | undefined> {
  const { creation, editionOf, file } = entry
  const { title } = creation.edition
  try {
    // What a lost answer named never got a file; what was there before has one.
    const [first] = await madeSince(entry, context, status => !isReceived(status))
    if (first === undefined) return undefined
    const [what, id] =
      editionOf === null ? ['publication', first.publicationId] : ['edition', first.editionId]
    const failure = new Failure(
      `an answer was lost, and the service has made "${title}" twice: the ${what} ${id} is the other one`,
      {
        code: 'made_twice',
        exitCode: exitCodes.partFailed,
        hint:
          editionOf === null
            ? 'The upload itself is intact. Look at the other one, and delete it if nobody else has made it.'
            : 'The upload itself is intact. The other one has no file, and an edition cannot be deleted by itself.',
      },
    )
    context.onWarning({ code: failure.code, message: failure.message, hint: failure.hint })
    return failure
  } catch (error) {
    if (!(error instanceof Failure) || error instanceof Interrupted) throw error
    context.onWarning({
      code: 'made_twice_unknown',
      message: `an answer was lost, and whether the service has made ${file} twice could not be looked up: ${error.message}`,
    })
    return undefined
  }
}

/** What the service lists under the same title since the upload began, in a state that is meant, except what the journal knows. */
export async function madeSince(
  entry: Entry,
  context: TransferContext,
  isMeant: (uploadStatus: string | null) => boolean,
): Promise<Made[]> {
  const { editionOf, startedAt, uploadRequestId } = entry
  const { title } = entry.creation.edition
  if (!title) return []
  const isSuspect = (
    item: { readonly title: string | null; readonly uploadStatus: string | null },
    created: string | null,
  ) =>
    item.title === title && Date.parse(created ?? '') >= startedAt - clockSkew && isMeant(item.uploadStatus)
  const search = {
    ...{ search: title, limit: largestPage },
    ...({ sortBy: 'createdAtIso', sortDirection: 'desc' } as const),
  }
  const { ask } = context.limits
  const listed =
    editionOf === null
      ? (await ask(() => context.call(publications.list, search))).value.items
          .filter(item => isSuspect(item, item.createdAtIso))
          .map(item => ({ publicationId: item.publicationId, editionId: item.currentEditionId }))
      : (await ask(() => context.call(editions.list, { id: editionOf }))).value.items
          .filter(item => isSuspect(item, item.editionCreated))
          .map(item => ({ publicationId: editionOf, editionId: item.id }))
  if (listed.length > 0) await waitForOtherCreations(entry, context)
  // What concurrent uploads created is in the journal by now.
  const name = editionOf === null ? 'publicationId' : 'editionId'
  const isOurs = async (made: Made): Promise<boolean> => {
    if (made[name] === entry[name]) return true
    if (made[name] === null || made.publicationId === null) return false
    const known = await context.journal.findPublication(context.caller, made.publicationId)
    return known.some(each => each.uploadRequestId !== uploadRequestId && each[name] === made[name])
  }
  const ours = await Promise.all(listed.map(isOurs))
  return listed.filter((_, index) => !ours[index])
}

/** Waits until other uploads of the same title have stored what they created; it would look like a duplicate. */
async function waitForOtherCreations(
  { uploadRequestId, creation, target }: Entry,
  { journal, creating, clock, signal }: TransferContext,
): Promise<void> {
  const isBeingMade = async (): Promise<boolean> => {
    for (const each of await journal.listPlanned(target)) {
      if (each.uploadRequestId === uploadRequestId) continue
      if (each.creation.edition.title !== creation.edition.title) continue
      if (creating.has(each.uploadRequestId) || (await journal.isTaken(each.uploadRequestId))) return true
    }
    return false
  }
  for (let turn = 0; turn < 20 && (await isBeingMade()); turn++) await clock.sleep(250, signal)
}
