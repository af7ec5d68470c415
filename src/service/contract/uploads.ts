import { endpoint, late, nonEmpty, openEnum, promised, tolerant, uuid } from './endpoint.ts'
import { resultOf } from './envelope.ts'
import { publicationTypes } from './publication-type.ts'
import { z } from './zod.ts'

export const uploadModes = ['single'] as const
export const requiredHeaders = () => z.record(z.string(), z.string())

const target = () => ({
  objectKey: z.string(),
  uploadUrl: z.string(),
  expiresIn: z.int(),
  requiredHeaders: requiredHeaders(),
})

/** Where and how to send a book's file and cover (§2.9); `expiresIn` is in seconds. */
export const UploadSession = late(() =>
  tolerant(
    {
      uploadRequestId: uuid(),
      uploadMode: openEnum(uploadModes),
      ...target(),
      cover: tolerant(target()),
    },
    ['uploadRequestId', 'cover'],
  ),
)

export const uploads = {
  create: endpoint({
    method: 'POST',
    path: '/v1/publication-uploads',
    status: 201,
    errors: [400, 401, 403, 405, 500],
    summary: 'Ask for an upload session for a file',
    isRepeatable: true,
    input: () =>
      z.strictObject({
        uploadRequestId: z.uuid(),
        publicationFilename: nonEmpty(),
        coverFilename: z.optional(nonEmpty()),
        publicationType: z.enum(publicationTypes),
      }),
    output: resultOf(() => z.extend(UploadSession(), { uploadRequestId: promised(uuid()) })),
  }),
}
