import { byId, endpoint, largestPage, late, pageLimit, tolerant } from './endpoint.ts'
import { createdWith, itemOf, pageOf } from './envelope.ts'
import { creation, Publication, PublicationSummary, publicationStatuses } from './publication.ts'
import { UploadSession } from './uploads.ts'
import { z } from './zod.ts'

export const publicationFormats = ['epub-reflowable', 'epub-fixed', 'pdf', 'audio'] as const
export const publicationSorts = ['title', 'author', 'createdAtIso'] as const

/** Counts that a publication list may carry (§2.7). */
const Stats = late(() =>
  tolerant({
    publicationCount: z.int(),
    publicationEditionCount: z.int(),
    months: z.record(z.string(), z.unknown()),
  }),
)

/** What a publication list carries beside its items (§2.7). */
export const PublicationStats = late(() =>
  z.object({ defaultPublicationId: z.string(), stats: z.nullish(Stats()) }),
)

export const publications = {
  list: endpoint({
    method: 'GET',
    path: '/v1/publications',
    status: 200,
    errors: [400, 401, 403, 405],
    summary: 'List publications',
    isPaged: true,
    mostItems: largestPage,
    input: () =>
      z.strictObject({
        limit: pageLimit(),
        nextToken: z.optional(z.string()),
        search: z.optional(z.string()),
        collectionId: z.optional(z.string()),
        statuses: z.optional(z.array(z.enum(publicationStatuses))),
        formats: z.optional(z.array(z.enum(publicationFormats))),
        sortBy: z.optional(z.enum(publicationSorts)),
        sortDirection: z.optional(z.enum(['asc', 'desc'])),
      }),
    output: () => z.extend(pageOf(PublicationSummary)(), PublicationStats().shape),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/publications',
    status: 201,
    errors: [400, 401, 403, 405, 500],
    summary: 'Create a publication and ask for its upload session',
    isRepeatable: true,
    input: () => z.strictObject(creation()),
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
    input: () =>
      z.extend(byId(), {
        language: z.optional(z.string()),
        description: z.optional(z.string()),
        sampleItems: z.optional(z.array(z.string())),
        isForInternalReadingInstance: z.optional(z.boolean()),
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
