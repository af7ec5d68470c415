import { compareContent, isReceived } from '../plan/match.ts'
import { exitCodes, Failure } from '../system/errors.ts'
import { madeSince } from './duplicates.ts'
import type { Entry } from './journal/entry.ts'
import { knownPublication } from './lookup/known-publication.ts'
import { readPublication } from './lookup/read-publication.ts'
import { sha256OfSent } from './sha256-of-sent.ts'
import type { TransferContext } from './transfer-context.ts'

interface MadeBefore {
  readonly publicationId: string | null
  readonly editionId: string | null
  /** Whether the service has its file, too. */
  readonly hasFile: boolean
}

/**
 * What an upload had made whose creation is refused, since it was made before: the only publication, or edition, of its title since
 * it began that is nobody else's. One that has a file must have one of the same content, as far as the service says: then another
 * machine that carries out the same plan has sent it, or this one, whose journal has lost that in a power cut. Undefined where that
 * is not certain.
 */
export async function madeBefore(entry: Entry, context: TransferContext): Promise<MadeBefore | undefined> {
  const own = { ...entry, publicationId: null, editionId: null }
  const [unsent, ...others] = await madeSince(own, context, status => !isReceived(status))
  if (others.length > 0) return undefined
  if (unsent) return { ...unsent, hasFile: false }
  const [sent, ...more] = await madeSince(own, context, isReceived)
  if (sent === undefined || more.length > 0) return undefined
  const { publicationId, editionId } = sent
  const item = publicationId === null ? undefined : await readPublication(context.call, publicationId)
  if (publicationId === null || item === undefined) return undefined
  const edition = knownPublication(publicationId, item, []).editions.find(
    each => each.editionId === editionId,
  )
  if (edition === undefined) return undefined
  const sha256 = entry.sha256 ?? (edition.sha256 === null ? null : await sha256OfSent(entry, context))
  const content = compareContent({ sha256, bytes: entry.bytes }, edition)
  return content === 'same' || content === 'same size' ? { ...sent, hasFile: true } : undefined
}

/**
 * The failure of an upload whose creation is refused, since it was made before, where several publications, or editions, could be
 * what it has made; undefined where there are not several.
 */
export async function severalMade(entry: Entry, context: TransferContext): Promise<Failure | undefined> {
  const { uploadRequestId, editionOf, file } = entry
  const made = await madeSince({ ...entry, publicationId: null, editionId: null }, context, () => true)
  if (made.length < 2) return undefined
  const [what, ids] =
    editionOf === null
      ? ['publications', made.map(({ publicationId }) => publicationId)]
      : ['editions', made.map(({ editionId }) => editionId)]
  return new Failure(
    `the upload request of ${file} is refused, since it was made before, and it may have made each of the ${what} ${ids.join(', ')}`,
    {
      code: 'made_unclear',
      exitCode: exitCodes.refused,
      hint: `Look at them. If one has the file: pubctl uploads forget ${uploadRequestId}. If none has it, do that, and upload it again.`,
    },
  )
}
