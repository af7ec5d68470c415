import type { publications } from '../service/contract/publications.ts'
import type { Database } from '../system/database.ts'
import type { Handlers } from './call.ts'
import { createEdition, withFields } from './create-edition.ts'
import { backlistPublication } from './store/backlist.ts'
import { listPublications } from './store/publication-list.ts'
import {
  publicationRow,
  publicationWithEditions,
  removePublication,
  savePublication,
} from './store/publications.ts'

export const publicationHandlers: Handlers<typeof publications> = {
  list: (input, call) => ({
    ...listPublications(call, input),
    defaultPublicationId: oldestPublication(call.db),
    // The counts are for the complete scope, so the first page is enough.
    ...(input.nextToken === undefined && { stats: statsOf(call.db) }),
  }),
  create: (input, call) => createEdition(call, input),
  get: ({ id }, { db }) => ({ item: backlistPublication(id) ?? publicationWithEditions(db, id) }),
  update: ({ id, ...fields }, { db }) =>
    db.write(() => {
      savePublication(db, withFields(publicationRow(db, id).record, fields))
      return { item: publicationWithEditions(db, id) }
    }),
  delete: ({ id }, { db, objects }) => {
    const { item, files } = db.write(() => ({
      item: publicationWithEditions(db, id),
      files: removePublication(db, id),
    }))
    objects.deleteFiles(files)
    return { item }
  },
}

const oldestPublication = (db: Database): string =>
  db.get<{ id: string }>('SELECT id FROM publications ORDER BY seq LIMIT 1')?.id ?? ''

function statsOf(db: Database) {
  const counts = db.all<{ name: string; n: number }>('SELECT name, n FROM counts')
  const counted = (wanted: string): number => counts.find(({ name }) => name === wanted)?.n ?? 0
  return {
    publicationCount: counted('publications'),
    publicationEditionCount: counted('editions'),
    months: Object.fromEntries(
      counts.filter(({ name, n }) => /^\d{4}-\d\d$/.test(name) && n > 0).map(({ name, n }) => [name, n]),
    ),
  }
}
