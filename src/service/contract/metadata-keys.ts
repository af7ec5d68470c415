import {
  byId,
  documentedEnum,
  endpoint,
  late,
  noInput,
  nonEmpty,
  openEnum,
  timestamp,
  tolerant,
} from './endpoint.ts'
import { itemOf, itemsOf } from './envelope.ts'
import { z } from './zod.ts'

const metadataKeyStatuses = ['active', 'archived'] as const

/** A reusable custom metadata key of the scope (§2.6). */
export const MetadataKey = late(() =>
  tolerant(
    {
      id: z.string(),
      scopeId: z.string(),
      key: z.string(),
      label: z.string(),
      // The built-in value is named for the service, whose name the document leaves out.
      origin: openEnum(['custom', 'service']),
      mutability: documentedEnum(['editable', 'immutable']),
      status: documentedEnum(metadataKeyStatuses),
      isInUse: z.boolean(),
      archivedAtIso: timestamp(),
      archivedBySub: z.string(),
      createdAtIso: timestamp(),
      updatedAtIso: timestamp(),
    },
    ['label', 'archivedAtIso', 'archivedBySub'],
  ),
)

export const metadataKeys = {
  list: endpoint({
    method: 'GET',
    path: '/v1/resources/metadata-keys',
    status: 200,
    errors: [400, 401, 403, 405, 500],
    summary: 'List custom metadata keys',
    input: noInput,
    output: itemsOf(MetadataKey),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/resources/metadata-keys',
    status: 201,
    errors: [400, 401, 403, 405],
    summary: 'Create a metadata key',
    input: () => z.strictObject({ key: nonEmpty(), label: z.optional(z.string()) }),
    output: itemOf(MetadataKey),
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/v1/resources/metadata-keys/{id}',
    status: 200,
    errors: [400, 401, 403, 404, 405],
    summary: 'Archive or restore a metadata key',
    input: () => z.extend(byId(), { status: z.enum(metadataKeyStatuses) }),
    output: itemOf(MetadataKey),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/resources/metadata-keys/{id}',
    status: 200,
    errors: [400, 401, 403, 404, 405],
    summary: 'Delete archived metadata keys',
    input: byId,
    output: itemOf(MetadataKey),
  }),
}
