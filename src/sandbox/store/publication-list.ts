import type * as z from 'zod/mini'
import type { Checked } from '../../service/contract/endpoint.ts'
import type { PublicationSummary } from '../../service/contract/publication.ts'
import type { publications } from '../../service/contract/publications.ts'
import type { Database, SqlValue } from '../../system/database.ts'
import { searchText } from './search-text.ts'
import type { Tokens } from './tokens.ts'

type Summary = Checked<typeof PublicationSummary>
type ListInput = z.output<(typeof publications)['list']['input']>

const defaultLimit = 10
const columns = { createdAtIso: 'by_created', title: 'by_title', author: 'by_author' } as const

/**
 * One page of the publications. By default the newest come first, and titles and authors from A to Z. A page costs
 * the same wherever it lies, since it begins at a key of the index by which the list is sorted.
 */
export function listPublications({ db, tokens }: { db: Database; tokens: Tokens }, input: ListInput) {
  const { limit = defaultLimit, nextToken, sortBy = 'createdAtIso' } = input
  const { sortDirection = sortBy === 'createdAtIso' ? 'desc' : 'asc' } = input
  const column = columns[sortBy]
  const { conditions, values } = filtersOf(input)
  const listing = ['publications', column, sortDirection, conditions, values]
  const after = nextToken === undefined ? undefined : tokens.read(listing, nextToken)
  const goesOn = after === undefined ? [] : [`${column} ${sortDirection === 'asc' ? '>' : '<'} ?`]
  const where = [...conditions, ...goesOn].join(' AND ')
  const rows = db.all<{ summary: string; position: string }>(
    `SELECT summary, ${column} AS position FROM publications
     ${where === '' ? '' : `WHERE ${where}`}
     ORDER BY ${column} ${sortDirection} LIMIT ?`,
    ...values,
    ...(after === undefined ? [] : [after]),
    limit + 1,
  )
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    items: rows.slice(0, limit).map(({ summary }) => JSON.parse(summary) as Summary),
    nextToken: last ? tokens.make(listing, last.position) : null,
  }
}

function filtersOf({ search, collectionId, statuses, formats }: ListInput) {
  const conditions: string[] = []
  const values: SqlValue[] = []
  const add = (condition: string, ...more: SqlValue[]): void => {
    conditions.push(condition)
    values.push(...more)
  }
  const anyOf = (column: string, wanted: string[] | undefined): void => {
    if (wanted) add(`${column} IN (${[...new Set(wanted)].map(() => '?').join(', ')})`, ...new Set(wanted))
  }
  anyOf('status', statuses)
  anyOf('format', formats)
  if (search !== undefined && searchText(search) !== '') add('instr(search, ?) > 0', searchText(search))
  if (collectionId !== undefined) {
    add('id IN (SELECT publication_id FROM collected WHERE collection_id = ?)', collectionId)
  }
  return { conditions, values }
}
