import * as z from 'zod'
import { byId, endpoint, tolerant } from './endpoint.ts'
import { createdWith, itemOf, pageOf } from './envelope.ts'
import { creation, Publication, PublicationSummary, publicationStatuses } from './publication.ts'
import { UploadSession } from './uploads.ts'

export const publicationFormats = ['epub-reflowable', 'epub-fixed', 'pdf', 'audio'] as const
export const publicationSorts = ['title', 'author', 'createdAtIso'] as const

/** Counts that a publication list may carry (§2.7). */
const Stats = tolerant({
  publicationCount: z.int(),
  publicationEditionCount: z.int(),
  months: z.record(z.string(), z.unknown()),
})

/** What a publication list carries beside its items (§2.7). */
export const PublicationStats = z.object({ defaultPublicationId: z.string(), stats: Stats.nullish() })

export const publications = {
  list: endpoint({
    method: 'GET',
    path: '/v1/publications',
    status: 200,
    errors: [400, 401, 403, 405],
    summary: 'List publications',
    input: z.strictObject({
      limit: z.int().min(1).max(50).optional(),
      nextToken: z.string().optional(),
      search: z.string().optional(),
      collectionId: z.string().optional(),
      statuses: z.array(z.enum(publicationStatuses)).optional(),
      formats: z.array(z.enum(publicationFormats)).optional(),
      sortBy: z.enum(publicationSorts).optional(),
      sortDirection: z.enum(['asc', 'desc']).optional(),
    }),
    output: pageOf(PublicationSummary).extend(PublicationStats.shape),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/publications',
    status: 201,
    errors: [400, 401, 403, 405, 500],
    summary: 'Create a publication and ask for its upload session',
    isRepeatable: true,
    input: z.strictObject(creation),
    output: createdWith(Publication, UploadSession),
  }),
  get: endpoint({
    method: 'GET',
    path: '/v1/publications/{id}',
    status: 200,
    errors: [400, 401, 403, 404, 405],
    summary: 'Show a publication with its editions',
    input: byId,
    output: itemOf(Publication),
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/v1/publications/{id}',
    status: 200,
    errors: [400, 401, 403, 405, 500],
    summary: 'Change the language, description, samples or audience of a publication',
    input: byId.extend({
      language: z.string().optional(),
      description: z.string().optional(),
      sampleItems: z.array(z.string()).optional(),
      isForInternalReadingInstance: z.boolean().optional(),
    }),
    output: itemOf(Publication),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/publications/{id}',
    status: 200,
    errors: [400, 401, 403, 404, 405],
    summary: 'Delete publications with their editions',
    input: byId,
    output: itemOf(Publication),
  }),
}
