import { readQueued } from '../file-options.ts'
import type { Entry } from '../journal/entry.ts'
import type { Queued } from '../journal/queue.ts'

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
