import type { Creation } from '../plan/creation.ts'
import { parseExactly, serialise } from '../system/exact-json.ts'
import type { Clock } from '../system/world.ts'
import { ownershipOf } from '../uploads/journal/caller.ts'
import { type Change, type Entry, type NewEntry, noSession } from '../uploads/journal/entry.ts'
import type { Journal } from '../uploads/journal/journal.ts'
import { struckOut, takenOver } from '../uploads/journal/taken-over.ts'
import type { Query } from './postgres/postgres.ts'

interface SharedJournalOptions {
  /** Repeats a statement while the database cannot be reached. */
  readonly query: Query
  /** The id of this process. What it has claimed is its own until `freeClaims` is called with it. */
  readonly owner: string
  readonly clock: Pick<Clock, 'now'>
  /** Removes secrets from what is stored of the service's answers. */
  readonly hide: (text: string) => string
}

type Row = Omit<Entry, 'creation' | 'session' | 'sessionEnds' | 'keyDigest'> & { readonly creation: string }

/**
 * A journal that several machines share, in PostgreSQL. Upload sessions stay in the memory of the process that has them,
 * because their addresses are secrets.
 */
export function openSharedJournal({ query, owner, clock, hide }: SharedJournalOptions): Journal {
  /** What this process carries out, and the session that it has for it. */
  const mine = new Map<string, Pick<Entry, 'session' | 'sessionEnds'>>()
  const entryOf = ({ creation, ...row }: Row): Entry => ({
    ...row,
    keyDigest: null,
    creation: parseExactly(creation) as Creation,
    ...(mine.get(row.uploadRequestId) ?? noSession),
  })
  const read = async (where: string, ...values: string[]): Promise<Entry[]> =>
    (await query<Row>(`SELECT ${columns} FROM pubctl.uploads WHERE ${where}`, values)).map(entryOf)
  const get = async (uploadRequestId: string) => (await read('"uploadRequestId" = $1', uploadRequestId))[0]

  const claim = async (uploadRequestId: string): Promise<boolean> => {
    if (mine.has(uploadRequestId)) return false
    // Known at once, since the same upload may be asked for again before the database has answered.
    mine.set(uploadRequestId, noSession)
    const taken = await query(
      `INSERT INTO pubctl.claims ("uploadRequestId", owner) VALUES ($1, $2)
       ON CONFLICT ("uploadRequestId") DO UPDATE SET owner = excluded.owner WHERE claims.owner = excluded.owner
       RETURNING owner`,
      [uploadRequestId, owner],
    ).catch(error => {
      mine.delete(uploadRequestId)
      throw error
    })
    if (taken.length === 0) mine.delete(uploadRequestId)
    return taken.length > 0
  }

  /** Adds an upload unless there is one with its id; returns that in either case. */
  const addOrGet = async (entry: NewEntry): Promise<Entry & { readonly isNew: boolean }> => {
    const { uploadRequestId, target, scopeId, fingerprint, file, bytes, modified, sha256, cover, editionOf } =
      entry
    const creation = serialise({ ...entry.creation, uploadRequestId })
    for (;;) {
      const [row] = await query<Row & { isNew: boolean }>(
        `WITH added AS (
           INSERT INTO pubctl.uploads ("uploadRequestId", target, "scopeId", fingerprint, file, bytes, modified, sha256,
             creation, cover, "editionOf", stage, "startedAt", "changedAt")
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'planned', $12, $12)
           ON CONFLICT ("uploadRequestId") DO NOTHING RETURNING ${columns}
         )
         SELECT ${columns}, true AS "isNew" FROM added
         UNION ALL SELECT ${columns}, false FROM pubctl.uploads WHERE "uploadRequestId" = $1`,
        [
          uploadRequestId,
          target,
          scopeId,
          fingerprint,
          file,
          bytes,
          modified,
          sha256,
          creation,
          cover,
        ].concat(editionOf, clock.now()),
      )
      // Without a row, another process has added it since the statement began, so the next one sees it.
      if (row) {
        const { isNew, ...rest } = row
        return { ...entryOf(rest), isNew }
      }
    }
  }

  const change = async (
    uploadRequestId: string,
    { session, sessionEnds, ...stored }: Change,
  ): Promise<Entry> => {
    const known = mine.get(uploadRequestId)
    const columnsToSet = Object.entries({ ...stored, changedAt: clock.now() })
    const [row] = await query<Row>(
      `UPDATE pubctl.uploads SET ${columnsToSet.map(([name], index) => `"${name}" = $${index + 3}`).join(', ')}
       WHERE "uploadRequestId" = $1
         AND EXISTS (SELECT FROM pubctl.claims WHERE "uploadRequestId" = $1 AND owner = $2) RETURNING ${columns}`,
      [
        uploadRequestId,
        owner,
        ...columnsToSet.map(([, value]) => (typeof value === 'string' ? hide(value) : value)),
      ],
    )
    if (row === undefined) throw lost(uploadRequestId, await get(uploadRequestId))
    if (session !== undefined && known)
      mine.set(uploadRequestId, { session, sessionEnds: sessionEnds ?? null })
    return entryOf(row)
  }

  return {
    get,
    claim,
    change,
    isTaken: async uploadRequestId =>
      (
        await query('SELECT owner FROM pubctl.claims WHERE "uploadRequestId" = $1 AND owner <> $2', [
          uploadRequestId,
          owner,
        ])
      ).length > 0,
    findPublication: async (caller, publicationId) =>
      (
        await read('target = $1 AND "publicationId" = $2 ORDER BY number DESC', caller.target, publicationId)
      ).filter(each => ownershipOf(each, caller) !== 'foreign'),
    listPlanned: target => read(`stage = 'planned' AND target = $1 ORDER BY number`, target),
    async begin(entry) {
      const { uploadRequestId, file, bytes, modified, sha256 } = entry
      const { isNew, ...known } = await addOrGet(entry)
      const isClaimed = await claim(uploadRequestId)
      const isChanged = known.bytes !== bytes || known.modified !== modified
      if (isClaimed && (isChanged || known.file !== file)) {
        await query(
          'UPDATE pubctl.uploads SET file = $2, bytes = $3, modified = $4, sha256 = $5 WHERE "uploadRequestId" = $1',
          [uploadRequestId, file, bytes, modified, sha256],
        )
      }
      // It may have been changed until it was claimed.
      const now = isNew ? known : await get(uploadRequestId)
      if (now === undefined) throw struckOut(uploadRequestId)
      return { entry: now, isClaimed, isNew, isChanged }
    },
    // The statements themselves wait until the database can be reached.
    changeWhenFree: (uploadRequestId, what) => change(uploadRequestId, what),
    async forget(uploadRequestId) {
      const gone = await query('DELETE FROM pubctl.uploads WHERE "uploadRequestId" = $1 RETURNING number', [
        uploadRequestId,
      ])
      return gone.length > 0
    },
    async release(uploadRequestId) {
      mine.delete(uploadRequestId)
      await query('DELETE FROM pubctl.claims WHERE "uploadRequestId" = $1 AND owner = $2', [
        uploadRequestId,
        owner,
      ])
    },
    // Claims last as long as their worker is there.
    renew: () => undefined,
    async close() {
      mine.clear()
      await freeClaims(query, owner)
    },
  }
}

/** Frees what a process had claimed. If it is alive after all, it notices with its next change. */
export async function freeClaims(query: Query, owner: string): Promise<void> {
  await query('DELETE FROM pubctl.claims WHERE owner = $1', [owner])
}

const lost = (uploadRequestId: string, entry: Entry | undefined) =>
  entry ? takenOver(entry) : struckOut(uploadRequestId)

const columns = `"uploadRequestId", target, "scopeId", fingerprint, file, bytes, modified, sha256, creation, cover,
  "editionOf", stage, "publicationId", "editionId", "uploadStatus", "objectKey", "coverObjectKey", "errorCode",
  "errorMessage", "startedAt", "changedAt"`
