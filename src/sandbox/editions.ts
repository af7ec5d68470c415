import type { editions } from '../contract/editions.ts'
import { backlistPublication } from './backlist.ts'
import { createEdition } from './creation.ts'
import type { Handlers } from './handlers.ts'
import { editionsOf, findEdition, publicationRow } from './publication-store.ts'
import { missing } from './service-error.ts'

export const editionHandlers: Handlers<typeof editions> = {
  list: ({ id }, { db }) => {
    const published = backlistPublication(id)
    if (published) return { items: published.editions }
    publicationRow(db, id)
    return { items: editionsOf(db, id) }
  },
  create: ({ id, ...input }, call) => createEdition(call, input, id),
  get: ({ id, editionid }, { db }) => {
    const published = backlistPublication(id)?.editions.find(edition => edition.id === editionid)
    if (published) return { item: published }
    const found = findEdition(db, editionid)
    if (found?.publicationId !== id) throw missing(`edition ${editionid} of the publication ${id}`)
    return { item: found.edition }
  },
}
