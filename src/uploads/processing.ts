import { poll } from '../service/client/poll.ts'
import { editions } from '../service/contract/editions.ts'
import { publications } from '../service/contract/publications.ts'
import { ServiceFailure } from '../system/errors.ts'
import { type Change, type Entry, finishedChange } from './journal/entry.ts'
import { failureOfStatus, isFinalStatus, newestEdition } from './outcome.ts'
import type { TransferContext } from './transfer-context.ts'

/** The upload status of an earlier upload; null if it has none, `gone` if the service does not know it. */
export type State = string | null | 'gone'

export async function uploadStateOf(entry: Entry, context: TransferContext): Promise<State> {
  try {
    return await statusOf(entry, context)
  } catch (error) {
    if (error instanceof ServiceFailure && error.status === 404) return 'gone'
    throw error
  }
}

/** Whether the service has the file. */
export const hasArrived = (state: State): boolean => state === 'uploaded' || isFinalStatus(state)

async function statusOf(
  { publicationId, editionId }: Pick<Entry, 'publicationId' | 'editionId'>,
  { call, limits }: TransferContext,
  timeout?: number,
): Promise<string | null> {
  if (publicationId === null) return null
  const edition = await limits.ask(async () =>
    editionId === null
      ? newestEdition((await call(publications.get, { id: publicationId }, { timeout })).value.item)
      : (await call(editions.get, { id: publicationId, editionid: editionId }, { timeout })).value.item,
  )
  return edition?.uploadStatus ?? null
}

/** Polls the upload status until processing has ended; throws if it failed. `note` stores each that is another than before. */
export async function waitUntilProcessed(
  entry: Pick<Entry, 'publicationId' | 'editionId' | 'editionOf' | 'file'>,
  name: string,
  context: TransferContext,
  note: (change: Change) => Promise<void>,
): Promise<void> {
  let noted: string | null | undefined
  const ask = async (left: number) => {
    const uploadStatus = await statusOf(entry, context, left)
    if (uploadStatus !== noted)
      await note({ uploadStatus, ...(isFinalStatus(uploadStatus) ? finishedChange : {}) })
    noted = uploadStatus
    context.onStep(entry.file, { step: 'state', text: uploadStatus ?? 'waiting' })
    return uploadStatus
  }
  const failure = failureOfStatus(
    await poll(ask, isFinalStatus, { ...context, timeout: context.processingTimeout }),
    name,
    entry,
  )
  if (failure) throw failure
}
