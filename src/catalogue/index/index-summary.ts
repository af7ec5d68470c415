import { readIndexFile } from './index-file.ts'

/** What is known of an index as a whole. Times are milliseconds since 1970. */
export interface IndexSummary {
  readonly target: string
  readonly scopeId: string | null
  readonly file: string
  readonly publications: number
  /** Those that could not be read. */
  readonly unread: number
  /** Those that are listed and not read yet. */
  readonly notReadYet: number
  /** When it was last compared with a whole listing; null if never. */
  readonly comparedAt: number | null
  /** When the record was read that was read longest ago. */
  readonly oldestAt: number | null
}

/** The summary of the index in a file; undefined if it holds none. */
export function summaryOf(file: string): IndexSummary | undefined {
  const db = readIndexFile(file)
  if (db === undefined) return undefined
  try {
    const about = new Map(
      db
        .all<{ name: string; value: string | null }>('SELECT name, value FROM about')
        .map(row => [row.name, row.value]),
    )
    const target = about.get('target')
    const counts = db.get<Pick<IndexSummary, 'publications' | 'unread' | 'notReadYet' | 'oldestAt'>>(
      `SELECT count(*) AS publications, count(unread) AS unread, min(nullif(readAt, 0)) AS oldestAt,
         count(*) FILTER (WHERE readAt = 0 AND unread IS NULL) AS notReadYet FROM publications`,
    )
    if (!target || !counts) return undefined
    const comparedAt = about.get('comparedAt')
    const { publications, unread, notReadYet, oldestAt } = counts
    return {
      ...{ target, scopeId: about.get('scopeId') ?? null, file, publications, unread, notReadYet },
      oldestAt: timeOf(oldestAt),
      comparedAt: timeOf(comparedAt ? Number(comparedAt) : null),
    }
  } finally {
    db.close()
  }
}

/** A time as it is stored; null for one that no date has, as of a file that was damaged. */
const timeOf = (time: number | null): number | null =>
  time === null || Number.isNaN(new Date(time).getTime()) ? null : time
