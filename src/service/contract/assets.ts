import { byId, endpoint, late, noInput, nonEmpty, openEnum, timestamp, tolerant } from './endpoint.ts'
import { itemOf, itemsOf, resultOf } from './envelope.ts'
import { requiredHeaders, uploadModes } from './uploads.ts'
import { z } from './zod.ts'

const assetTypes = ['font'] as const

/** A file that reader instances use, such as a font (§2.5); `filesize` is in bytes. */
export const Asset = late(() =>
  tolerant({
    id: z.string(),
    createdBySub: z.string(),
    scopeId: z.string(),
    organisationId: z.string(),
    type: openEnum(assetTypes),
    filename: z.string(),
    key: z.string(),
    filetype: z.string(),
    filesize: z.int(),
    status: openEnum(['pending']),
    usedByReaderInstances: z.array(tolerant({ id: z.string(), name: z.string() })),
    createdAtIso: timestamp(),
  }),
)

/** Where and how to send one asset's file (§2.5); `expiresIn` is in seconds. */
export const AssetUpload = late(() =>
  tolerant({
    id: z.string(),
    uploadMode: openEnum(uploadModes),
    type: openEnum(assetTypes),
    filename: z.string(),
    key: z.string(),
    uploadUrl: z.string(),
    expiresIn: z.int(),
    requiredHeaders: requiredHeaders(),
  }),
)

const errors = [400, 401, 403, 404, 405] as const

export const assets = {
  list: endpoint({
    method: 'GET',
    path: '/v1/resources/assets',
    status: 200,
    errors: [401, 403, 405],
    summary: 'List assets',
    input: noInput,
    output: itemsOf(Asset),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/resources/assets',
    status: 201,
    errors,
    summary: 'Upload assets such as fonts',
    input: () =>
      z.strictObject({
        assets: z
          .array(z.strictObject({ type: openEnum(assetTypes), filename: nonEmpty() }))
          .check(z.minLength(1)),
      }),
    output: resultOf(() => z.array(AssetUpload())),
  }),
  rename: endpoint({
    method: 'PATCH',
    path: '/v1/resources/assets/{id}',
    status: 200,
    errors,
    summary: 'Rename an asset',
    input: () => z.extend(byId(), { filename: nonEmpty() }),
    output: itemOf(Asset),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/resources/assets/{id}',
    status: 200,
    errors,
    summary: 'Delete assets',
    input: byId,
    output: itemOf(Asset),
  }),
}
