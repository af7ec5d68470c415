import { hideInside } from '../../cli/output/secrets.ts'
import { type IndexedPublication, isNotReadYet, type PublicationIndex } from '../../plan/known.ts'
import { plainText } from '../../plan/match.ts'
import { type Database, inMemory } from '../../system/database.ts'
import { parseExactly, serialise } from '../../system/exact-json.ts'
import type { Caller } from '../../uploads/journal/caller.ts'
import { damagedIndex, indexFile, openIndexFile, readIndexFile } from './index-file.ts'
import { type ListedPublication, unreadPublication } from './listed.ts'
import { type Listing, listingIn } from './listing.ts'
import { lookupsFor, lookupsOf } from './lookups.ts'

/** An index that can be changed. */
export interface IndexStore extends PublicationIndex {
  readonly listing: Listing
  /** Keeps publications, unless a later reading of one is kept. `listed` is what the listing said. */
  put(read: readonly { publication: IndexedPublication; listed: string | null }[]): void
  /** Keeps of listed publications that they are not read yet. What an earlier reading said is kept to look them up by. */
  putOff(listed: readonly ListedPublication[]): void
  remove(publicationIds: readonly string[]): void
  /** What the listing said of a publication when it was read. */
  listedOf(publicationId: string): string | null
  /** When it was last compared with a whole listing, in milliseconds since 1970; null if never. */
  comparedAt(): number | null
  /** Records that the index was compared with a whole listing. */
  wasCompared(at: number): void
}

/**
 * Opens the index of an organisation, and creates it if there is none. `hide` removes secrets from what is kept; `now` is the time
 * in milliseconds since 1970.
 */
export function openIndex(
  dataDir: string,
  owner: Caller,
  hide: (text: string) => string,
  now: number,
): IndexStore {
  const path = indexFile(dataDir, owner)
  const db = openIndexFile(path)
  distrustLater(db, now)
  for (const name of ['target', 'scopeId'] as const)
    db.run('INSERT OR REPLACE INTO about (name, value) VALUES (?, ?)', name, owner[name])
  return storeIn(db, path, hide)
}

/**
 * What was read later than now was read before the clock was set back, and would be taken for newer than what is sent and read
 * from now on. So it counts as not read yet.
 */
function distrustLater(db: Database, now: number): void {
  if (db.get('SELECT 1 FROM publications WHERE readAt > ? LIMIT 1', now) !== undefined)
    db.run('UPDATE publications SET readAt = 0 WHERE readAt > ?', now)
  const isLater = "name = 'comparedAt' AND CAST(value AS INTEGER) > ?"
  if (db.get(`SELECT 1 FROM about WHERE ${isLater}`, now) !== undefined)
    db.run(`DELETE FROM about WHERE ${isLater}`, now)
}

/** Opens it for reading; an empty one in memory if there is none. */
export function readIndex(dataDir: string, owner: Caller, hide: (text: string) => string): IndexStore {
  const path = indexFile(dataDir, owner)
  const db = readIndexFile(path)
  return db === undefined ? openMemoryIndex(hide) : storeIn(db, path, hide)
}

/** An index that is gone with the process. */
export const openMemoryIndex = (hide: (text: string) => string): IndexStore =>
  storeIn(openIndexFile(inMemory), inMemory, hide)

/** More than are read ahead, which are used while others are asked for. */
const latestLimit = 500

/** How many records are read from the file at a time. */
const pageSize = 200

interface Row {
  readonly record: string
  readonly readAt: number
}

/** Publications that are listed and not read yet. */
const isNotRead = 'readAt = 0 AND unread IS NULL'

function storeIn(db: Database, path: string, hide: (text: string) => string): IndexStore {
  const publicationOf = ({ record, readAt }: Row): IndexedPublication => {
    try {
      // Most records have no integer that could be rounded.
      const read = (/\d{16}/.test(record) ? parseExactly(record) : JSON.parse(record)) as IndexedPublication
      return { ...read, readAt }
    } catch (error) {
      throw damagedIndex(path, error)
    }
  }
  /** The latest records: a plan asks for the same one several times in a row. */
  const latest = new Map<string, IndexedPublication>()
  let notRead: number | undefined
  const changes = (work: () => void) =>
    db.write(() => {
      latest.clear()
      notRead = undefined
      work()
    })
  const get = (publicationId: string) => {
    const known = latest.get(publicationId)
    if (known) return known
    const row = db.get<Row>('SELECT record, readAt FROM publications WHERE publicationId = ?', publicationId)
    const found = row && publicationOf(row)
    if (latest.size >= latestLimit) latest.clear()
    if (found) latest.set(publicationId, found)
    return found
  }

  function* pages<R extends { publicationId: string }>(columns: string): Generator<R[]> {
    for (let after = ''; ; ) {
      const rows = db.all<R>(
        `SELECT ${columns} FROM publications WHERE publicationId > ? ORDER BY publicationId LIMIT ${pageSize}`,
        after,
      )
      const last = rows.at(-1)
      if (last === undefined) return
      yield rows
      after = last.publicationId
    }
  }

  function* ids(): Generator<string[]> {
    for (const rows of pages('publicationId')) yield rows.map(({ publicationId }) => publicationId)
  }

  function* all(): Generator<IndexedPublication> {
    for (const rows of pages<Row & { publicationId: string }>('publicationId, record, readAt'))
      yield* rows.map(publicationOf)
  }

  function putOne(publication: IndexedPublication, listed: string | null): void {
    const { publicationId, readAt, unread } = publication
    const kept = db.get<{ number: number }>(
      `INSERT INTO publications (publicationId, readAt, unread, listed, record) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (publicationId) DO UPDATE SET readAt = excluded.readAt, unread = excluded.unread,
         listed = excluded.listed, record = excluded.record WHERE excluded.readAt >= readAt
       RETURNING CAST(number AS INTEGER) AS number`,
      ...[publicationId, readAt, unread, listed, serialise(withoutSecrets(publication, hide))],
    )
    if (kept === undefined) return
    db.run('DELETE FROM lookups WHERE number = ?', kept.number)
    for (const [field, value] of lookupsOf(publication))
      db.run(
        'INSERT OR IGNORE INTO lookups (field, value, number) VALUES (?, ?, ?)',
        field,
        value,
        kept.number,
      )
  }

  function putOffOne(listed: ListedPublication): void {
    const { publicationId, title } = listed
    const text = JSON.stringify(listed)
    const kept = db.get<{ number: number; wasRead: number }>(
      "SELECT number, record ->> 'readAt' > 0 AS wasRead FROM publications WHERE publicationId = ?",
      publicationId,
    )
    if (!kept?.wasRead) {
      putOne(unreadPublication(listed, null, 0), text)
      return
    }
    db.run('UPDATE publications SET readAt = 0, listed = ? WHERE number = ?', text, kept.number)
    if (title !== null)
      db.run(
        "INSERT OR IGNORE INTO lookups (field, value, number) VALUES ('title', ?, ?)",
        ...[plainText(title), kept.number],
      )
  }

  return {
    get size() {
      return db.get<{ count: number }>('SELECT count(*) AS count FROM publications')?.count ?? 0
    },
    get,
    readAhead(ids) {
      if (latest.size + ids.length > latestLimit) latest.clear()
      const rows = db.all<Row>(
        'SELECT record, readAt FROM publications WHERE publicationId IN (SELECT value FROM json_each(?))',
        JSON.stringify(ids.filter(id => !latest.has(id))),
      )
      for (const each of rows.map(publicationOf)) latest.set(each.publicationId, each)
    },
    find(query) {
      const found = new Map<string, IndexedPublication>()
      const named = query.publicationId && get(query.publicationId)
      if (named) found.set(named.publicationId, named)
      for (const [field, value] of lookupsFor(query)) {
        const rows = db.all<Row>(
          `SELECT record, readAt FROM lookups JOIN publications USING (number) WHERE field = ? AND value = ?
           ORDER BY number`,
          ...[field, value],
        )
        for (const each of rows.map(publicationOf)) found.set(each.publicationId, each)
      }
      return [...found.values()]
    },
    ids,
    all,
    notReadYet() {
      notRead ??=
        db.get<{ count: number }>(`SELECT count(*) AS count FROM publications WHERE ${isNotRead}`)?.count ?? 0
      return notRead
    },
    mayMean(query) {
      const { publicationId } = query
      const named = publicationId ? get(publicationId) : undefined
      const found = new Set(named && isNotReadYet(named) ? [named.publicationId] : [])
      for (const [field, value] of lookupsFor(query)) {
        const rows = db.all<{ publicationId: string }>(
          `SELECT publicationId FROM lookups JOIN publications USING (number)
           WHERE field = ? AND value = ? AND ${isNotRead}`,
          ...[field, value],
        )
        for (const each of rows) found.add(each.publicationId)
      }
      return [...found]
    },
    nextNotRead: limit =>
      db
        .all<{ publicationId: string }>(
          `SELECT publicationId FROM publications WHERE ${isNotRead} ORDER BY number LIMIT ?`,
          limit,
        )
        .map(({ publicationId }) => publicationId),
    examplesOf: (field, limit) =>
      db
        .all<Row>(
          `SELECT record, readAt FROM lookups JOIN publications USING (number)
           WHERE field = ? AND readAt > 0 AND unread IS NULL LIMIT ?`,
          ...[field, limit],
        )
        .map(publicationOf),
    listing: listingIn(db),
    put: read =>
      changes(() => {
        for (const { publication, listed } of read) putOne(publication, listed)
      }),
    putOff: listed =>
      changes(() => {
        for (const each of listed) putOffOne(each)
      }),
    remove: ids =>
      changes(() => {
        for (const id of ids) db.run('DELETE FROM publications WHERE publicationId = ?', id)
      }),
    listedOf: id =>
      db.get<{ listed: string | null }>('SELECT listed FROM publications WHERE publicationId = ?', id)
        ?.listed ?? null,
    comparedAt() {
      const value = db.get<{ value: string }>("SELECT value FROM about WHERE name = 'comparedAt'")?.value
      return value === undefined ? null : Number(value)
    },
    wasCompared: at =>
      void db.run("INSERT OR REPLACE INTO about (name, value) VALUES ('comparedAt', ?)", String(at)),
    close: db.close,
  }
}

/** The same record with what looks like a key or a presigned address hidden. */
function withoutSecrets(publication: IndexedPublication, hide: (text: string) => string): IndexedPublication {
  const json = serialise(publication)
  return hide(json) === json ? publication : hideInside(publication, hide)
}
