import { listOf, only, orNone, type Statement } from './statement.ts'
import type { Row, View } from './tables.ts'

const columns = [
  ...[
    'uploadRequestId',
    'target',
    'scopeId',
    'fingerprint',
    'file',
    'bytes',
    'modified',
    'sha256',
    'creation',
  ],
  ...['cover', 'editionOf', 'stage', 'publicationId', 'editionId', 'uploadStatus', 'objectKey'],
  ...['coverObjectKey', 'errorCode', 'errorMessage', 'startedAt', 'changedAt'],
] as const

const shown = (row: Row): Row => only(row, ...columns)

const every =
  'SELECT "uploadRequestId", target, "scopeId", fingerprint, file, bytes, modified, sha256, creation, cover, "editionOf", stage, "publicationId", "editionId", "uploadStatus", "objectKey", "coverObjectKey", "errorCode", "errorMessage", "startedAt", "changedAt" FROM pubctl.uploads WHERE'

const uploads = (view: View, isMeant: (row: Row) => boolean): Row[] =>
  view
    .all('uploads')
    .filter(isMeant)
    .sort((one, other) => Number(one['number']) - Number(other['number']))

/** Claims an upload, unless another owner has. */
function claim(view: View, uploadRequestId: unknown, owner: unknown): boolean {
  view.lock('claims', uploadRequestId)
  const known = view.get('claims', uploadRequestId)
  if (known && known['owner'] !== owner) return false
  view.put('claims', uploadRequestId, { uploadRequestId, owner })
  return true
}

/** The statements on the journal that workers share. */
export const journalStatements: readonly Statement[] = [
  {
    name: 'read the journal',
    begins: `${every} "uploadRequestId" = $1`,
    answer: (view, [id]) => uploads(view, row => row['uploadRequestId'] === id).map(shown),
  },
  {
    name: 'find a publication in the journal',
    begins: `${every} target = $1 AND "publicationId" = $2 ORDER BY number DESC`,
    answer: (view, [target, publicationId]) =>
      uploads(view, row => row['target'] === target && row['publicationId'] === publicationId)
        .reverse()
        .map(shown),
  },
  {
    name: 'find what is planned in the journal',
    begins: `${every} stage = 'planned' AND target = $1 ORDER BY number`,
    answer: (view, [target]) =>
      uploads(view, row => row['stage'] === 'planned' && row['target'] === target).map(shown),
  },
  {
    name: 'begin in the journal',
    begins: 'WITH added AS ( INSERT INTO pubctl.uploads',
    answer(view, [uploadRequestId, target, scopeId, fingerprint, file, bytes, ...values]) {
      const known = view.get('uploads', uploadRequestId)
      // PostgreSQL takes a number before it finds that there is a row.
      const number = view.next('uploads')
      const [modified, sha256, creation, cover, editionOf, at, claimant] = values
      const isClaimed = claimant !== null && claim(view, uploadRequestId, claimant)
      if (known) return [{ ...shown(known), isNew: false, isClaimed }]
      const row = {
        ...Object.fromEntries(columns.map(name => [name, null])),
        ...{ number, uploadRequestId, target, scopeId, fingerprint, file, bytes },
        ...{ modified, sha256, creation, cover, editionOf, stage: 'planned', startedAt: at, changedAt: at },
      }
      view.put('uploads', uploadRequestId, row)
      return [{ ...shown(row), isNew: true, isClaimed }]
    },
  },
  {
    name: 'move the file in the journal',
    begins: 'UPDATE pubctl.uploads SET file = $2, bytes = $3, modified = $4, sha256 = $5 WHERE',
    answer(view, [id, file, bytes, modified, sha256]) {
      const row = view.get('uploads', id)
      if (row) view.put('uploads', id, { ...row, file, bytes, modified, sha256 })
      return []
    },
  },
  {
    name: 'write the journal',
    begins: 'UPDATE pubctl.uploads SET "',
    answer(view, [id, owner, ...values], sql) {
      const row = view.get('uploads', id)
      if (!row || view.get('claims', id)?.['owner'] !== owner) return []
      const names = [...sql.matchAll(/"(\w+)" = \$\d+(?=, "|\s+WHERE)/g)].map(([, name]) => name as string)
      const changed = {
        ...row,
        ...Object.fromEntries(names.slice(0, values.length).map((name, index) => [name, values[index]])),
      }
      view.put('uploads', id, changed)
      return [shown(changed)]
    },
  },
  {
    name: 'strike out of the journal',
    begins: 'DELETE FROM pubctl.uploads WHERE "uploadRequestId" = $1 RETURNING number',
    answer(view, [id]) {
      const row = view.get('uploads', id)
      if (!row) return []
      view.put('uploads', id, undefined)
      return [only(row, 'number')]
    },
  },
  {
    name: 'claim an upload',
    begins: 'INSERT INTO pubctl.claims',
    answer: (view, [uploadRequestId, owner]) => (claim(view, uploadRequestId, owner) ? [{ owner }] : []),
  },
  {
    name: 'look who has claimed an upload',
    begins: 'SELECT owner FROM pubctl.claims WHERE "uploadRequestId" = $1 AND owner <> $2',
    answer: (view, [id, owner]) =>
      orNone(view.get('claims', id))
        .filter(row => row['owner'] !== owner)
        .map(row => only(row, 'owner')),
  },
  {
    name: 'release uploads',
    begins: 'DELETE FROM pubctl.claims WHERE "uploadRequestId" = ANY ($1) AND owner = $2',
    answer(view, [ids, owner]) {
      for (const id of listOf(ids))
        if (view.get('claims', id)?.['owner'] === owner) view.put('claims', id, undefined)
      return []
    },
  },
  {
    name: 'release the uploads of a worker',
    begins: 'DELETE FROM pubctl.claims WHERE owner = $1',
    answer(view, [owner]) {
      for (const row of view.all('claims'))
        if (row['owner'] === owner) view.put('claims', row['uploadRequestId'], undefined)
      return []
    },
  },
]
