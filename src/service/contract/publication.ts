import { decimalCount, documentedEnum, late, nonEmpty, openEnum, timestamp, tolerant } from './endpoint.ts'
import { languages } from './language.ts'
import { publicationTypes } from './publication-type.ts'
import { z } from './zod.ts'

export const publicationStatuses = ['draft', 'live'] as const

export const uploadStatuses = [
  'upload_pending',
  'uploaded',
  'available',
  'upload_quarantine',
  'upload_failed',
] as const
/** The final states of publications and editions (§3.1); an unknown state is not final. */
export const terminalUploadStatuses = ['available', 'upload_quarantine', 'upload_failed'] as const

/** What the service knows of an edition's file (§2.8); counts are decimal strings. */
export const EditionMetadata = late(() =>
  z.catchall(
    tolerant(
      {
        pageCount: decimalCount(),
        fileSize: decimalCount(),
        epubVersion: z.string(),
        spreadBehaviour: openEnum(['AUTO']),
        layoutType: openEnum(['REFLOWABLE']),
        cover: z.string(),
        coverImageAlt: z.string(),
        isbn: z.string(),
        publisher: z.string(),
      },
      'any',
    ),
    z.unknown(),
  ),
)

/** One line of a table of contents; `path` holds its position at each depth (§2.8). */
export const NavigationItem = late(() =>
  tolerant({
    collectionType: openEnum(['TOC']),
    collectionIndex: z.int(),
    navigationItemId: z.int(),
    title: z.string(),
    depth: z.int(),
    path: z.array(z.int()),
    pathKey: z.string(),
  }),
)

/** One version of a publication's file (§2.8). */
export const Edition = late(() =>
  tolerant(
    {
      id: z.string(),
      type: documentedEnum(publicationTypes),
      isReflowable: z.boolean(),
      editionCreated: timestamp(),
      title: z.string(),
      titleSource: openEnum(['user']),
      author: z.array(z.string()),
      version: z.number(),
      isCurrentVersion: z.boolean(),
      status: documentedEnum(publicationStatuses),
      editionNotes: z.string(),
      key: z.string(),
      uploadStatus: documentedEnum(uploadStatuses),
      metadata: EditionMetadata(),
      navigationData: z.array(NavigationItem()),
    },
    ['isReflowable', 'title', 'titleSource', 'editionNotes'],
  ),
)

/** A publication with its editions (§2.7). */
export const Publication = late(() =>
  tolerant(
    {
      id: z.string(),
      language: openEnum(languages),
      description: z.string(),
      sampleItems: z.array(z.string()),
      isForInternalReadingInstance: z.boolean(),
      editions: z.array(Edition()),
    },
    ['language', 'description'],
  ),
)

export const publicationSummary = () => ({
  publicationId: z.string(),
  title: z.string(),
  author: z.array(z.string()),
  type: documentedEnum(publicationTypes),
  isReflowable: z.boolean(),
  status: documentedEnum(publicationStatuses),
  uploadStatus: documentedEnum(uploadStatuses),
  currentEditionId: z.string(),
  cover: z.string(),
})

/** Fields that a summary lacks until its file was read, or always. */
export const absentInSummary = ['title', 'isReflowable', 'cover'] as const

/** A publication as lists show it (§2.7). */
export const PublicationSummary = late(() =>
  tolerant(
    {
      ...publicationSummary(),
      createdAtIso: timestamp(),
      collectionIds: z.array(z.string()),
    },
    absentInSummary,
  ),
)

/** What creates a publication or an edition (§4.4); `edition.type` must match the kind of the uploaded file. */
export const creation = () => ({
  uploadRequestId: z.uuid(),
  publicationFilename: nonEmpty(),
  edition: z.looseObject({
    title: z.optional(z.string()),
    author: z.optional(z.array(z.string())),
    metadata: z.optional(z.record(z.string(), z.unknown())),
    type: z.enum(publicationTypes),
  }),
  language: z.optional(z.string()),
  description: z.optional(z.string()),
  sampleItems: z.optional(z.array(z.string())),
  isForInternalReadingInstance: z.optional(z.boolean()),
  coverFilename: z.optional(nonEmpty()),
  collectionIds: z.optional(z.array(z.string())),
})
