import { byId, endpoint, late, noInput, nonEmpty, timestamp, tolerant } from './endpoint.ts'
import { itemOf, itemsOf } from './envelope.ts'
import { z } from './zod.ts'

/** A web domain on which reader instances may be embedded (§2.10). */
export const Domain = late(() =>
  tolerant(
    {
      id: z.string(),
      domain: z.string(),
      description: z.string(),
      createdAtIso: timestamp(),
      updatedAtIso: timestamp(),
      isInUse: z.boolean(),
      readerInstanceIds: z.array(z.string()),
    },
    ['description'],
  ),
)

const errors = [400, 401, 403, 404, 405, 500] as const

export const domains = {
  list: endpoint({
    method: 'GET',
    path: '/v1/domains',
    status: 200,
    errors,
    summary: 'List permitted domains',
    input: noInput,
    output: itemsOf(Domain),
  }),
  get: endpoint({
    method: 'GET',
    path: '/v1/domains/{id}',
    status: 200,
    errors,
    summary: 'Show a permitted domain',
    input: byId,
    output: itemOf(Domain),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/domains',
    status: 201,
    errors,
    summary: 'Permit a domain',
    input: () => z.strictObject({ domain: nonEmpty(), description: z.optional(z.string()) }),
    output: itemOf(Domain),
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/v1/domains/{id}',
    status: 200,
    errors,
    summary: "Change a permitted domain's description",
    input: () => z.extend(byId(), { description: z.optional(z.string()) }),
    output: itemOf(Domain),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/domains/{id}',
    status: 200,
    errors,
    summary: 'Delete permitted domains that no reader instance uses',
    input: byId,
    output: itemOf(Domain),
  }),
}
