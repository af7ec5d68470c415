import type { Creation } from '../plan/creation.ts'
import { parseExactly, serialise } from '../system/exact-json.ts'
import type { Clock } from '../system/world.ts'
import { ownershipOf } from '../uploads/journal/caller.ts'
import { type Change, type Entry, type NewEntry, noSession } from '../uploads/journal/entry.ts'
import type { Begun, Journal } from '../uploads/journal/journal.ts'
import { struckOut, takenOver } from '../uploads/journal/taken-over.ts'
import type { Query } from './postgres/postgres.ts'

interface SharedJournalOptions {
  /** Repeats a statement while the database cannot be reached. */
  readonly query: Query
  /** The id of this process. What it has claimed is its own until `freeClaims` is called with it. */
  readonly owner: string
  readonly clock: Pick<Clock, 'now' | 'after'>
  /** Removes secrets from what is stored of the service's answers. */
  readonly hide: (text: string) => string
}

/** What of a change is stored. */
type Stored = Omit<Change, 'session' | 'sessionEnds'>

type Row = Omit<Entry, 'creation' | 'session' | 'sessionEnds' | 'keyDigest'> & { readonly creation: string }

/**
 * Whether a change says only how far processing is, which the service says again to whoever asks: it is written with the next one.
 */
const isOnTheWay = ({ stage, uploadStatus, errorCode }: Stored): boolean =>
  uploadStatus !== undefined && stage === undefined && errorCode === undefined

/** Within how many milliseconds others get what was released. */
const releasedWithin = 250

/**
 * A journal that several machines share, in PostgreSQL. Upload sessions stay in the memory of the process that has them,
 * because their addresses are secrets.
 */
export function openSharedJournal({ query, owner, clock, hide }: SharedJournalOptions): Journal {
  /** What this process carries out, and the session that it has for it. */
  const mine = new Map<string, Pick<Entry, 'session' | 'sessionEnds'>>()
  /** What this process wrote last of what it carries out, and what it has not written yet. */
  const latest = new Map<string, { readonly entry: Entry; readonly unwritten: Stored }>()
  /** What this process has claimed and does not carry out any more. */
  const released = new Set<string>()
  let givingBack: Promise<void> = Promise.resolve()
  let endWaiting: (() => void) | undefined
  /** Together, since a statement for each would be a tenth of all of them. */
  const giveBack = (): void => {
    endWaiting = undefined
    const ids = [...released]
    released.clear()
    const given = query('DELETE FROM pubctl.claims WHERE "uploadRequestId" = ANY ($1) AND owner = $2', [
      ids,
      owner,
    ])
    // What cannot be given back is freed with all claims of the worker.
    givingBack = Promise.allSettled([givingBack, given]).then(() => undefined)
  }
  const entryOf = ({ creation, ...row }: Row): Entry => ({
    ...row,
    keyDigest: null,
    creation: parseExactly(creation) as Creation,
    ...(mine.get(row.uploadRequestId) ?? noSession),
  })
  const read = async (where: string, ...values: string[]): Promise<Entry[]> =>
    (await query<Row>(`SELECT ${columns} FROM pubctl.uploads WHERE ${where}`, values)).map(entryOf)
  const get = async (uploadRequestId: string) => (await read('"uploadRequestId" = $1', uploadRequestId))[0]

  /** Who claims an upload: this process, unless it has; null then. */
  const toClaim = async (uploadRequestId: string): Promise<string | null> => {
    if (mine.has(uploadRequestId)) return null
    // Known at once, since the same upload may be asked for again before the database has answered.
    mine.set(uploadRequestId, noSession)
    // What is being given back must not take the new claim with it.
    released.delete(uploadRequestId)
    await givingBack
    return owner
  }

  const claim = async (uploadRequestId: string): Promise<boolean> => {
    if ((await toClaim(uploadRequestId)) === null) return false
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

  /** Adds an upload unless there is one with its id, returns that in either case, and claims it if this process has not. */
  const addOrGet = async (entry: NewEntry): Promise<Entry & Pick<Begun, 'isNew' | 'isClaimed'>> => {
    const { uploadRequestId, target, scopeId, fingerprint, file, bytes, modified, sha256, cover, editionOf } =
      entry
    const creation = serialise({ ...entry.creation, uploadRequestId })
    const claimant = await toClaim(uploadRequestId)
    for (;;) {
      const [row] = await query<Row & Pick<Begun, 'isNew' | 'isClaimed'>>(
        `WITH added AS (
           INSERT INTO pubctl.uploads ("uploadRequestId", target, "scopeId", fingerprint, file, bytes, modified, sha256,
             creation, cover, "editionOf", stage, "startedAt", "changedAt")
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'planned', $12, $12)
           ON CONFLICT ("uploadRequestId") DO NOTHING RETURNING ${columns}
         ), claimed AS (
           INSERT INTO pubctl.claims ("uploadRequestId", owner) SELECT $1, $13::uuid WHERE $13::uuid IS NOT NULL
           ON CONFLICT ("uploadRequestId") DO UPDATE SET owner = excluded.owner WHERE claims.owner = excluded.owner
           RETURNING owner
         )
         SELECT *, EXISTS (SELECT FROM claimed) AS "isClaimed" FROM (
           SELECT ${columns}, true AS "isNew" FROM added
           UNION ALL SELECT ${columns}, false FROM pubctl.uploads WHERE "uploadRequestId" = $1
         ) AS begun`,
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
        ].concat(editionOf, clock.now(), claimant),
      ).catch(error => {
        if (claimant !== null) mine.delete(uploadRequestId)
        throw error
      })
      // Without a row, another process has added it since the statement began, so the next one sees it.
      if (row) {
        const { isNew, isClaimed, ...rest } = row
        if (claimant !== null && !isClaimed) mine.delete(uploadRequestId)
        return { ...entryOf(rest), isNew, isClaimed }
      }
    }
  }

  const change = async (
    uploadRequestId: string,
    { session, sessionEnds, ...given }: Change,
  ): Promise<Entry> => {
    const known = mine.get(uploadRequestId)
    const before = latest.get(uploadRequestId)
    const stored: Stored = { ...before?.unwritten, ...given }
    if (before && isOnTheWay(given)) {
      const entry = { ...before.entry, ...given }
      latest.set(uploadRequestId, { entry, unwritten: stored })
      return entry
    }
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
    const entry = entryOf(row)
    latest.set(uploadRequestId, { entry, unwritten: {} })
    return entry
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
      const { isNew, isClaimed, ...known } = await addOrGet(entry)
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
    changeSoon: (uploadRequestId, what) => change(uploadRequestId, what),
    changeWhenFree: (uploadRequestId, what) => change(uploadRequestId, what),
    async forget(uploadRequestId) {
      const gone = await query('DELETE FROM pubctl.uploads WHERE "uploadRequestId" = $1 RETURNING number', [
        uploadRequestId,
      ])
      return gone.length > 0
    },
    release(uploadRequestId) {
      mine.delete(uploadRequestId)
      latest.delete(uploadRequestId)
      released.add(uploadRequestId)
      endWaiting ??= clock.after(releasedWithin, giveBack)
    },
    // Claims last as long as their worker is there.
    renew: () => undefined,
    async close() {
      mine.clear()
      endWaiting?.()
      await givingBack
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
