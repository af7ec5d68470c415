import { byId, endpoint, nonEmpty } from './endpoint.ts'
import { createdWith, itemOf, itemsOf } from './envelope.ts'
import { creation, Edition, Publication } from './publication.ts'
import { UploadSession } from './uploads.ts'
import { z } from './zod.ts'

export const editions = {
  list: endpoint({
    method: 'GET',
    path: '/v1/publications/{id}/editions',
    status: 200,
    errors: [400, 401, 403, 405],
    summary: 'List the editions of a publication',
    input: byId,
    output: itemsOf(Edition),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/publications/{id}/editions',
    status: 201,
    errors: [400, 401, 403, 405, 500],
    summary: 'Create an edition of a publication and ask for its upload session',
    isRepeatable: true,
    input: () => z.extend(byId(), creation()),
    output: createdWith(Publication, UploadSession),
  }),
  get: endpoint({
    method: 'GET',
    path: '/v1/publications/{id}/editions/{editionid}',
    status: 200,
    // The document says of this endpoint alone that its error statuses are not shown.
    errors: [],
    summary: 'Show an edition',
    input: () => z.extend(byId(), { editionid: nonEmpty() }),
    output: itemOf(Edition),
  }),
}
