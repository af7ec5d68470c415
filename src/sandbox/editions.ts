import type { editions } from '../service/contract/editions.ts'
import type { Handlers } from './call.ts'
import { createEdition } from './create-edition.ts'
import { missing } from './service-error.ts'
import { backlistPublication } from './store/backlist.ts'
import { editionsOf, findEdition, publicationRow } from './store/publications.ts'

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
