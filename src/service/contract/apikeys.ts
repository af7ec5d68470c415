import { byId, documentedEnum, endpoint, late, noInput, timestamp, tolerant } from './endpoint.ts'
import { itemOf, itemsOf } from './envelope.ts'
import { z } from './zod.ts'

export const apiKeyScopes = ['read', 'write', 'delete'] as const
export const apiKeyStatuses = ['active', 'inactive'] as const

/** An API key's record; the key itself is never part of it (§2.4). */
export const ApiKey = late(() =>
  tolerant(
    {
      id: z.string(),
      name: z.string(),
      organisationId: z.string(),
      userId: z.string(),
      keyId: z.string(),
      prefix: z.string(),
      keyHash: z.string(),
      suffix: z.string(),
      scopes: z.array(documentedEnum(apiKeyScopes)),
      revoked: timestamp(),
      expires: timestamp(),
      created: timestamp(),
      lastUsed: timestamp(),
      createdByUserId: z.string(),
      status: documentedEnum(apiKeyStatuses),
    },
    ['revoked', 'expires', 'lastUsed'],
  ),
)

const errors = [400, 401, 403, 404, 405] as const

export const apikeys = {
  list: endpoint({
    method: 'GET',
    path: '/v1/apikeys',
    status: 200,
    errors,
    summary: 'List your API keys',
    input: noInput,
    output: itemsOf(ApiKey),
  }),
  get: endpoint({
    method: 'GET',
    path: '/v1/apikeys/{id}',
    status: 200,
    errors,
    summary: 'Show an API key',
    input: byId,
    output: itemOf(ApiKey),
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/v1/apikeys/{id}',
    status: 200,
    errors,
    summary: 'Rename an API key, change its scopes, or switch it on or off',
    input: () =>
      z.extend(byId(), {
        name: z.optional(z.string()),
        scopes: z.optional(z.array(z.enum(apiKeyScopes))),
        status: z.optional(z.enum(apiKeyStatuses)),
      }),
    output: itemOf(ApiKey),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/apikeys/{id}',
    status: 200,
    errors,
    summary: 'Delete API keys',
    input: byId,
    output: itemOf(ApiKey),
  }),
}
