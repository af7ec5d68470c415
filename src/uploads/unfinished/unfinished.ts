import type { Context } from '../../cli/context.ts'
import { isImagePath } from '../../plan/book-fields.ts'
import { publications } from '../../service/contract/publications.ts'
import { exitCodes, Failure, UsageFailure } from '../../system/errors.ts'
import { type MayRead, outsideRoot } from '../../system/may-read.ts'
import { readQueued } from '../file-options.ts'
import { type Caller, ownershipOf } from '../journal/caller.ts'
import type { Entry } from '../journal/entry.ts'
import type { LocalJournalReader } from '../journal/local-reader.ts'
import type { Queued } from '../journal/queue.ts'
import { notOwn } from '../journal/taken-over.ts'

/** Uploads of the journal, and files of its queue. */
export interface Found {
  readonly entries: readonly Entry[]
  readonly queued: readonly Queued[]
}

/** The uploads of files that may be read. An agent is told how many others there are, and nothing else about them. */
export async function readableUploads<T extends Entry | Queued>(
  context: Context,
  uploads: readonly T[],
): Promise<T[]> {
  const readable = uploads.filter(each => isReadable(each, context.world.mayRead))
  const left = uploads.length - readable.length
  if (left > 0) {
    await context.warn({
      code: 'outside_root',
      message: `${countOf(left)} left out, of files that are not in the folder that may be read`,
      hint: 'Whoever starts the server for agents chooses the folder with --root.',
    })
  }
  return readable
}

const isReadable = (upload: Entry | Queued, mayRead: MayRead): boolean =>
  mayRead(upload.file) && !('cover' in upload && isImagePath(upload.cover) && !mayRead(upload.cover))

/** The uploads with these ids; throws if one is unknown, belongs to someone else, or is of a file that may not be read. */
export function namedUploads(
  { world: { mayRead } }: Pick<Context, 'world'>,
  journal: LocalJournalReader,
  ids: readonly string[],
  caller?: Caller,
): Found {
  const entries: Entry[] = []
  const queued: Queued[] = []
  for (const id of new Set(ids)) {
    const entry = journal.get(id)
    const waiting = journal.queue.list({}).find(({ uploadRequestId }) => uploadRequestId === id)
    const found = entry ?? waiting
    if (found === undefined) {
      if (journal.hasForeign(id)) throw notOwn(id)
      throw new UsageFailure(`the journal has no upload ${id}`, {
        code: 'unknown_upload',
        hint: '"pubctl uploads list" shows those it has.',
      })
    }
    if (!isReadable(found, mayRead))
      throw outsideRoot(`the upload ${id} is of a file that is not in the folder that may be read`)
    if (caller && found.target !== caller.target) {
      throw new UsageFailure(`the upload ${id} goes to another service`, {
        hint: `Choose the profile of ${found.target}.`,
      })
    }
    if (caller && ownershipOf(found, caller) === 'foreign') {
      throw new UsageFailure(`the upload ${id} of ${found.file} was begun for another organisation`, {
        code: 'other_organisation',
        hint: `Choose the profile of the scope ${found.scopeId}; the key that is used is of ${caller.scopeId}.`,
      })
    }
    if (entry) entries.push(entry)
    else if (waiting) queued.push(waiting)
  }
  return { entries, queued }
}

/**
 * The caller's unfinished uploads that no process is carrying out. Warns of uploads that are left out because they belong,
 * or may belong, to another organisation.
 */
export async function unfinishedUploads(
  context: Context,
  journal: LocalJournalReader,
  caller: Caller,
): Promise<Found> {
  const { target } = caller
  const isFree = ({ uploadRequestId }: Entry | Queued) => !journal.isTaken(uploadRequestId)
  const free = [...journal.list({ all: false, target }), ...journal.queue.list({ target })].filter(isFree)
  const owners = new Map<Entry | Queued, ReturnType<typeof ownershipOf>>()
  for (const each of await readableUploads(context, free)) {
    const owner = ownershipOf(each, caller)
    const publicationId = 'publicationId' in each ? each.publicationId : null
    const isAsked = owner === 'not known' && publicationId !== null
    owners.set(each, isAsked ? await ownerByService(context, publicationId) : owner)
  }
  const ofOwner = (owner: string) => [...owners.keys()].filter(each => owners.get(each) === owner)
  const [foreign, unclear] = [ofOwner('foreign'), ofOwner('not known')]
  if (foreign.length > 0) {
    await context.warn({
      code: 'other_organisation',
      message: `${countOf(foreign.length)} left alone, begun for another organisation: ${namesOf(foreign)}`,
      hint: 'Choose the profile of that organisation to continue them.',
    })
  }
  if (unclear.length > 0) {
    await context.warn({
      code: 'unknown_organisation',
      message: `${countOf(unclear.length)} left alone, since it is not known for which organisation: ${namesOf(unclear)}`,
      hint: 'If it is that of this key, name them: pubctl uploads resume <id>',
    })
  }
  const own = ofOwner('own')
  return {
    entries: own.filter((each): each is Entry => 'stage' in each),
    queued: own.filter((each): each is Queued => !('stage' in each)),
  }
}

const countOf = (count: number): string => (count === 1 ? 'one upload is' : `${count} uploads are`)

/** The first of them by their files and ids. */
const namesOf = (uploads: readonly (Entry | Queued)[]): string => {
  const names = uploads.slice(0, 5).map(({ file, uploadRequestId }) => `${file} (${uploadRequestId})`)
  return [...names, ...(uploads.length > 5 ? [`and ${uploads.length - 5} more`] : [])].join(', ')
}

/** Whether a publication of an old journal belongs to this key: the service shows only those of its scope. */
async function ownerByService({ call }: Context, id: string): Promise<'own' | 'foreign'> {
  try {
    await call(publications.get, { id })
    return 'own'
  } catch (error) {
    if (error instanceof Failure && error.exitCode === exitCodes.notFound) return 'foreign'
    throw error
  }
}

/** An upload of the journal or its queue as it is shown. */
export const shownUpload = (upload: Entry | Queued) =>
  'stage' in upload ? shown(upload) : shownQueued(upload)

/** An upload as it is shown, without its session, which is a secret. */
const shown = ({
  session: _,
  sessionEnds: __,
  objectKey: ____,
  coverObjectKey: _____,
  fingerprint: ___,
  keyDigest: ______,
  startedAt,
  changedAt,
  creation,
  ...entry
}: Entry) => ({
  ...entry,
  title: creation.edition.title ?? null,
  startedAtIso: new Date(startedAt).toISOString(),
  changedAtIso: new Date(changedAt).toISOString(),
})

/** A file of the queue in the same form. */
const shownQueued = ({ uploadRequestId, target, scopeId, file, editionOf, request, queuedAt }: Queued) => ({
  uploadRequestId,
  target,
  scopeId,
  file,
  editionOf,
  stage: 'queued',
  ...{ bytes: null, modified: null, sha256: null, publicationId: null, editionId: null, uploadStatus: null },
  ...{ errorCode: null, errorMessage: null, cover: null },
  title: readQueued({ file, request }).row.overrides.title ?? null,
  startedAtIso: new Date(queuedAt).toISOString(),
  changedAtIso: new Date(queuedAt).toISOString(),
})
