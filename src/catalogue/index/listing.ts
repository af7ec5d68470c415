import type { Database } from '../../system/database.ts'
import { listingTables } from './schema.ts'

/** What the listing says of a publication, as text that is compared with the text of an earlier listing. */
interface Listed {
  readonly publicationId: string
  readonly listed: string
}

/** Why a publication is to be read. `missing`: it is kept, and the listing does not have it. */
type OutdatedKind = 'new' | 'changed' | 'missing'

interface Outdated {
  readonly number: number
  readonly publicationId: string
  readonly kind: OutdatedKind
  /** Null for those that are missing in the listing. */
  readonly listed: string | null
  /** Why it could not be read the last time; null if it could, or was not tried. */
  readonly unread: string | null
}

/** A listing of the service, compared with the index. Both stay on the disk. */
export interface Listing {
  /** Begins an empty one. */
  begin(): void
  add(page: readonly Listed[]): void
  /**
   * Finds what is to be read: everything with `all`, or else what is new or listed otherwise than when it was read, what
   * could not be read, what is missing in the listing, and `changed`; and with `notReadYet`, what is not read since an earlier
   * listing. Records that were read after `began` are up to date.
   */
  compare(options: {
    all: boolean
    notReadYet: boolean
    changed: readonly string[]
    began: number
  }): ListingCounts
  /** The next of those to be read, after the one with this number. */
  outdated(after: number, limit: number): Outdated[]
  /** Takes publications off those to be read. */
  leave(publicationIds: readonly string[]): void
}

export type ListingCounts = { readonly [kind in OutdatedKind]: number }

export function listingIn(db: Database): Listing {
  const insert = "INSERT OR IGNORE INTO outdated (publicationId, kind) SELECT publicationId, '"
  return {
    begin() {
      // In a file, because this is as large as the listing.
      db.get('PRAGMA temp_store = FILE')
      for (const statement of listingTables.split(';').filter(each => each.trim() !== '')) db.run(statement)
    },
    add: page =>
      void db.run(
        `INSERT OR REPLACE INTO listing (publicationId, listed)
         SELECT value ->> 'publicationId', value ->> 'listed' FROM json_each(?)`,
        JSON.stringify(page),
      ),
    compare({ all, notReadYet, changed, began }) {
      const isDue = `kept.readAt < ${Number(began)}`
      db.write(() => {
        db.run(
          `${insert}new' FROM listing WHERE publicationId NOT IN (SELECT publicationId FROM publications)`,
        )
        db.run(
          `${insert}changed' FROM listing JOIN publications AS kept USING (publicationId)
           WHERE ${isDue} AND (? OR kept.listed IS NOT listing.listed OR kept.unread IS NOT NULL
             OR ? AND kept.readAt = 0 OR publicationId IN (SELECT value FROM json_each(?)))`,
          ...[all ? 1 : 0, notReadYet ? 1 : 0, JSON.stringify(changed)],
        )
        db.run(
          `${insert}missing' FROM publications AS kept
           WHERE ${isDue} AND publicationId NOT IN (SELECT publicationId FROM listing)`,
        )
      })
      const counts = new Map(
        db
          .all<{ kind: OutdatedKind; count: number }>(
            'SELECT kind, count(*) AS count FROM outdated GROUP BY kind',
          )
          .map(({ kind, count }) => [kind, count]),
      )
      return {
        new: counts.get('new') ?? 0,
        changed: counts.get('changed') ?? 0,
        missing: counts.get('missing') ?? 0,
      }
    },
    outdated: (after, limit) =>
      db.all<Outdated>(
        `SELECT outdated.number, publicationId, kind, listing.listed, unread FROM outdated
         LEFT JOIN listing USING (publicationId) LEFT JOIN publications USING (publicationId)
         WHERE outdated.number > ? ORDER BY outdated.number LIMIT ?`,
        ...[after, limit],
      ),
    leave: ids =>
      void db.run(
        'DELETE FROM outdated WHERE publicationId IN (SELECT value FROM json_each(?))',
        JSON.stringify(ids),
      ),
  }
}
