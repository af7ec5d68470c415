// Written by: npm run library
import type { CallOptions, ListOptions } from './call-options.ts'

/** The context that every success carries. */
export interface Context {
  path: string
  method: string
  requestId: string
  authentication?: Authentication | null | undefined
}

/** Who the service says the caller is. */
export interface Authentication {
  requestId?: string | null | undefined
  authType?: 'apiKey' | 'idToken' | (string & {}) | null | undefined
  email?: string | null | undefined
  groups?: string | null | undefined
  keyId?: string | null | undefined
  organisationId?: string | null | undefined
  errorCode?: string | null | undefined
  error?: string | null | undefined
  user?: User | null | undefined
  sub: string
  scopeId: string
}

/** A person of the organisation. */
export interface User {
  firstName?: unknown | null | undefined
  lastName?: unknown | null | undefined
  onboarded?: boolean | null | undefined
  userImage?: unknown | null | undefined
  id: string
  sub: string
  email: string
  role: 'Admin' | 'Editor' | 'Viewer' | (string & {})
  status: 'Active' | 'Pending' | 'Inactive' | (string & {})
  billing: Billing | null
}

/** What a user's organisation pays for and has used; byte counts are decimal strings. */
export interface Billing {
  planId?: string | null | undefined
  status?: string | null | undefined
  billingAccessStatus?: string | null | undefined
  billingGracePeriodEndIso?: string | null | undefined
  billingInterval?: string | null | undefined
  trialEndIso?: string | null | undefined
  currentPeriodEndIso?: string | null | undefined
  cancelAtPeriodEnd?: boolean | null | undefined
  publicationLimit?: number | null | undefined
  monthlyBandwidthLimitBytes?: string | null | undefined
  bandwidthPeriodStartIso?: string | null | undefined
  bandwidthPeriodEndIso?: string | null | undefined
  bandwidthPeriodUsedBytes?: string | null | undefined
  bandwidthPeriodCalculatedThroughIso?: string | null | undefined
  bandwidthAccessStatus?: string | null | undefined
}

/** A publication with its editions. */
export interface Publication {
  id?: string | null | undefined
  language?: 'English' | 'French' | 'German' | 'Italian' | 'Spanish' | (string & {}) | null | undefined
  description?: string | null | undefined
  sampleItems?: string[] | null | undefined
  isForInternalReadingInstance?: boolean | null | undefined
  editions?: Edition[] | null | undefined
}

/** A publication as lists show it. */
export interface PublicationSummary {
  publicationId?: string | null | undefined
  title?: string | null | undefined
  author?: string[] | null | undefined
  type?: 'EPUB' | 'PDF' | 'Audio' | (string & {}) | null | undefined
  isReflowable?: boolean | null | undefined
  status?: 'draft' | 'live' | (string & {}) | null | undefined
  uploadStatus?:
    | 'upload_pending'
    | 'uploaded'
    | 'available'
    | 'upload_quarantine'
    | 'upload_failed'
    | (string & {})
    | null
    | undefined
  currentEditionId?: string | null | undefined
  cover?: string | null | undefined
  createdAtIso?: string | null | undefined
  collectionIds?: string[] | null | undefined
}

/** One version of a publication's file. */
export interface Edition {
  id?: string | null | undefined
  type?: 'EPUB' | 'PDF' | 'Audio' | (string & {}) | null | undefined
  isReflowable?: boolean | null | undefined
  editionCreated?: string | null | undefined
  title?: string | null | undefined
  titleSource?: 'user' | (string & {}) | null | undefined
  author?: string[] | null | undefined
  version?: number | null | undefined
  isCurrentVersion?: boolean | null | undefined
  status?: 'draft' | 'live' | (string & {}) | null | undefined
  editionNotes?: string | null | undefined
  key?: string | null | undefined
  uploadStatus?:
    | 'upload_pending'
    | 'uploaded'
    | 'available'
    | 'upload_quarantine'
    | 'upload_failed'
    | (string & {})
    | null
    | undefined
  metadata?: EditionMetadata | null | undefined
  navigationData?: NavigationItem[] | null | undefined
}

/** What the service knows of an edition's file; counts are decimal strings. */
export interface EditionMetadata {
  pageCount?: string | null | undefined
  fileSize?: string | null | undefined
  epubVersion?: string | null | undefined
  spreadBehaviour?: 'AUTO' | (string & {}) | null | undefined
  layoutType?: 'REFLOWABLE' | (string & {}) | null | undefined
  cover?: string | null | undefined
  coverImageAlt?: string | null | undefined
  isbn?: string | null | undefined
  publisher?: string | null | undefined
  [further: string]: unknown
}

/** One line of a table of contents; `path` holds its position at each depth. */
export interface NavigationItem {
  collectionType?: 'TOC' | (string & {}) | null | undefined
  collectionIndex?: number | null | undefined
  navigationItemId?: number | null | undefined
  title?: string | null | undefined
  depth?: number | null | undefined
  path?: number[] | null | undefined
  pathKey?: string | null | undefined
}

/** Where and how to send a book's file and cover; `expiresIn` is in seconds. */
export interface UploadSession {
  uploadRequestId?: string | null | undefined
  uploadMode?: 'single' | (string & {}) | null | undefined
  objectKey?: string | null | undefined
  uploadUrl?: string | null | undefined
  expiresIn?: number | null | undefined
  requiredHeaders?: Record<string, string> | null | undefined
  cover?:
    | {
        objectKey?: string | null | undefined
        uploadUrl?: string | null | undefined
        expiresIn?: number | null | undefined
        requiredHeaders?: Record<string, string> | null | undefined
      }
    | null
    | undefined
}

/** A file that reader instances use, such as a font; `filesize` is in bytes. */
export interface Asset {
  id?: string | null | undefined
  createdBySub?: string | null | undefined
  scopeId?: string | null | undefined
  organisationId?: string | null | undefined
  type?: 'font' | (string & {}) | null | undefined
  filename?: string | null | undefined
  key?: string | null | undefined
  filetype?: string | null | undefined
  filesize?: number | null | undefined
  status?: 'pending' | (string & {}) | null | undefined
  usedByReaderInstances?:
    | {
        id?: string | null | undefined
        name?: string | null | undefined
      }[]
    | null
    | undefined
  createdAtIso?: string | null | undefined
}

/** Where and how to send one asset's file; `expiresIn` is in seconds. */
export interface AssetUpload {
  id?: string | null | undefined
  uploadMode?: 'single' | (string & {}) | null | undefined
  type?: 'font' | (string & {}) | null | undefined
  filename?: string | null | undefined
  key?: string | null | undefined
  uploadUrl?: string | null | undefined
  expiresIn?: number | null | undefined
  requiredHeaders?: Record<string, string> | null | undefined
}

/** A reusable custom metadata key of the scope. */
export interface MetadataKey {
  id?: string | null | undefined
  scopeId?: string | null | undefined
  key?: string | null | undefined
  label?: string | null | undefined
  origin?: 'custom' | 'service' | (string & {}) | null | undefined
  mutability?: 'editable' | 'immutable' | (string & {}) | null | undefined
  status?: 'active' | 'archived' | (string & {}) | null | undefined
  isInUse?: boolean | null | undefined
  archivedAtIso?: string | null | undefined
  archivedBySub?: string | null | undefined
  createdAtIso?: string | null | undefined
  updatedAtIso?: string | null | undefined
}

/** A web domain on which reader instances may be embedded. */
export interface Domain {
  id?: string | null | undefined
  domain?: string | null | undefined
  description?: string | null | undefined
  createdAtIso?: string | null | undefined
  updatedAtIso?: string | null | undefined
  isInUse?: boolean | null | undefined
  readerInstanceIds?: string[] | null | undefined
}

/** A reader configuration in full; the contents of its configuration objects are the service's own. */
export interface ReaderInstance {
  id?: string | null | undefined
  name?: string | null | undefined
  description?: string | null | undefined
  screenshot?: string | null | undefined
  isSampleOnly?: boolean | null | undefined
  isDefault?: boolean | null | undefined
  securityLevel?: string[] | null | undefined
  createdAtIso?: string | null | undefined
  updatedAtIso?: string | null | undefined
  screenshotUpdatedAtIso?: string | null | undefined
  permittedDomains?: string[] | null | undefined
  createdBySub?: string | null | undefined
  scopeId?: string | null | undefined
  organisationId?: string | null | undefined
  configuration?:
    | {
        plan?: string | null | undefined
        version?: string | null | undefined
        lastUpdated?: string | null | undefined
        addons?: Record<string, unknown> | null | undefined
        layout?:
          | {
              version?: string | null | undefined
              regions?: Record<string, unknown> | null | undefined
            }
          | null
          | undefined
        private?:
          | {
              authentication?:
                | {
                    authType?: string | null | undefined
                  }
                | null
                | undefined
            }
          | null
          | undefined
        public?:
          | {
              settings?: Record<string, unknown> | null | undefined
              fonts?: unknown[] | null | undefined
            }
          | null
          | undefined
      }
    | null
    | undefined
  designerState?:
    | {
        version?: string | null | undefined
        selectedLayout?: number | null | undefined
        featureState?: Record<string, unknown> | null | undefined
        settingsState?: Record<string, unknown> | null | undefined
        iconState?: Record<string, unknown> | null | undefined
        fontState?: Record<string, unknown> | null | undefined
      }
    | null
    | undefined
}

/** A reader configuration as lists show it. */
export interface ReaderInstanceSummary {
  id?: string | null | undefined
  name?: string | null | undefined
  description?: string | null | undefined
  screenshot?: string | null | undefined
  isSampleOnly?: boolean | null | undefined
  isDefault?: boolean | null | undefined
  securityLevel?: string[] | null | undefined
  createdAtIso?: string | null | undefined
  updatedAtIso?: string | null | undefined
  screenshotUpdatedAtIso?: string | null | undefined
}

/** A device or user that reads publications, with its reading history. */
export interface ReaderUser {
  id?: string | null | undefined
  deviceId?: string | null | undefined
  userId?: string | null | undefined
  lastOrigin?: string | null | undefined
  lastSessionStartedAt?: string | null | undefined
  numberOfBooksRead?: number | null | undefined
  currentPublicationId?: string | null | undefined
  origins?: string[] | null | undefined
  currentPublication?:
    | {
        publicationId?: string | null | undefined
        title?: string | null | undefined
        author?: string[] | null | undefined
        type?: 'EPUB' | 'PDF' | 'Audio' | (string & {}) | null | undefined
        isReflowable?: boolean | null | undefined
        status?: 'draft' | 'live' | (string & {}) | null | undefined
        uploadStatus?:
          | 'upload_pending'
          | 'uploaded'
          | 'available'
          | 'upload_quarantine'
          | 'upload_failed'
          | (string & {})
          | null
          | undefined
        currentEditionId?: string | null | undefined
        cover?: string | null | undefined
      }
    | null
    | undefined
  readingHistory?:
    | {
        publicationId?: string | null | undefined
        title?: string | null | undefined
        author?: string[] | null | undefined
        type?: 'EPUB' | 'PDF' | 'Audio' | (string & {}) | null | undefined
        isReflowable?: boolean | null | undefined
        status?: 'draft' | 'live' | (string & {}) | null | undefined
        uploadStatus?:
          | 'upload_pending'
          | 'uploaded'
          | 'available'
          | 'upload_quarantine'
          | 'upload_failed'
          | (string & {})
          | null
          | undefined
        currentEditionId?: string | null | undefined
        cover?: string | null | undefined
        firstReadAtIso?: string | null | undefined
        lastReadAtIso?: string | null | undefined
        sessionCount?: number | null | undefined
        bookmarkCount?: number | null | undefined
        highlightCount?: number | null | undefined
        progression?: number | null | undefined
        chapterTitle?: string | null | undefined
        pageLabel?: string | null | undefined
        pageIndex?: number | null | undefined
        progressUpdatedAtIso?: string | null | undefined
      }[]
    | null
    | undefined
  currentReadingState?:
    | {
        sessionId?: string | null | undefined
        bookmarkCount?: number | null | undefined
        highlightCount?: number | null | undefined
        progression?: number | null | undefined
        chapterTitle?: string | null | undefined
        pageLabel?: string | null | undefined
        pageIndex?: number | null | undefined
        updatedAtIso?: string | null | undefined
      }
    | null
    | undefined
}

/** A device or user that reads publications, as lists show it. */
export interface ReaderUserSummary {
  id?: string | null | undefined
  deviceId?: string | null | undefined
  userId?: string | null | undefined
  lastOrigin?: string | null | undefined
  lastSessionStartedAt?: string | null | undefined
  numberOfBooksRead?: number | null | undefined
  currentPublicationId?: string | null | undefined
}

/** Views and readers of the whole scope. */
export interface ScopeAnalytics {
  period?:
    | {
        from?: string | null | undefined
        to?: string | null | undefined
      }
    | null
    | undefined
  totals?:
    | {
        publicationsRead?: number | null | undefined
        totalViews?: number | null | undefined
        activeReaders?: number | null | undefined
      }
    | null
    | undefined
  monthly?:
    | {
        month?: string | null | undefined
        publicationsRead?: number | null | undefined
        totalViews?: number | null | undefined
        activeReaders?: number | null | undefined
      }[]
    | null
    | undefined
}

export interface PopularPublication {
  publicationId?: string | null | undefined
  title?: string | null | undefined
  views?: number | null | undefined
}

/** Reads of one publication; times are in milliseconds, completion is a part of 1. */
export interface PublicationAnalytics {
  publicationId?: string | null | undefined
  period?:
    | {
        from?: string | null | undefined
        to?: string | null | undefined
      }
    | null
    | undefined
  totals?:
    | {
        totalReads?: number | null | undefined
        averageReadTimeMs?: number | null | undefined
        averageCompletion?: number | null | undefined
        completionRate?: number | null | undefined
      }
    | null
    | undefined
  monthly?:
    | {
        month?: string | null | undefined
        totalReads?: number | null | undefined
        averageReadTimeMs?: number | null | undefined
        averageCompletion?: number | null | undefined
        completionRate?: number | null | undefined
      }[]
    | null
    | undefined
}

/** Views of one publication day by day. */
export interface DailyActivity {
  publicationId?: string | null | undefined
  period?:
    | {
        from?: string | null | undefined
        to?: string | null | undefined
      }
    | null
    | undefined
  daily?:
    | {
        day?: string | null | undefined
        views?: number | null | undefined
      }[]
    | null
    | undefined
}

/** An API key's record; the key itself is never part of it. */
export interface ApiKey {
  id?: string | null | undefined
  name?: string | null | undefined
  organisationId?: string | null | undefined
  userId?: string | null | undefined
  keyId?: string | null | undefined
  prefix?: string | null | undefined
  keyHash?: string | null | undefined
  suffix?: string | null | undefined
  scopes?: ('read' | 'write' | 'delete' | (string & {}))[] | null | undefined
  revoked?: string | null | undefined
  expires?: string | null | undefined
  created?: string | null | undefined
  lastUsed?: string | null | undefined
  createdByUserId?: string | null | undefined
  status?: 'active' | 'inactive' | (string & {}) | null | undefined
}

/** The requests of the service by its groups. Each resolves with the service's answer, unchanged. */
export interface Service {
  readonly publications: {
    /** List publications: `GET /v1/publications`. */
    list(
      input?: {
        limit?: number | undefined
        nextToken?: string | undefined
        search?: string | undefined
        collectionId?: string | undefined
        statuses?: ('draft' | 'live')[] | undefined
        formats?: ('epub-reflowable' | 'epub-fixed' | 'pdf' | 'audio')[] | undefined
        sortBy?: 'title' | 'author' | 'createdAtIso' | undefined
        sortDirection?: 'asc' | 'desc' | undefined
      },
      options?: CallOptions,
    ): Promise<{
      items: PublicationSummary[]
      nextToken?: string | null | undefined
      context: Context
      defaultPublicationId: string
      stats?:
        | {
            publicationCount?: number | null | undefined
            publicationEditionCount?: number | null | undefined
            months?: Record<string, unknown> | null | undefined
          }
        | null
        | undefined
    }>
    /** The items of all pages, which are requested as they are read. */
    each(
      filters?: {
        search?: string | undefined
        collectionId?: string | undefined
        statuses?: ('draft' | 'live')[] | undefined
        formats?: ('epub-reflowable' | 'epub-fixed' | 'pdf' | 'audio')[] | undefined
        sortBy?: 'title' | 'author' | 'createdAtIso' | undefined
        sortDirection?: 'asc' | 'desc' | undefined
      },
      options?: ListOptions,
    ): AsyncGenerator<PublicationSummary, void, undefined>
    /** Create a publication and ask for its upload session: `POST /v1/publications`. */
    create(
      input: {
        uploadRequestId: string
        publicationFilename: string
        edition: {
          title?: string | undefined
          author?: string[] | undefined
          metadata?: Record<string, unknown> | undefined
          type: 'EPUB' | 'PDF' | 'Audio'
          [further: string]: unknown
        }
        language?: string | undefined
        description?: string | undefined
        sampleItems?: string[] | undefined
        isForInternalReadingInstance?: boolean | undefined
        coverFilename?: string | undefined
        collectionIds?: string[] | undefined
      },
      options?: CallOptions,
    ): Promise<{
      item?: Publication | null | undefined
      result: UploadSession
      context: Context
    }>
    /** Show a publication with its editions: `GET /v1/publications/{id}`. */
    get(
      input: {
        id: string
      },
      options?: CallOptions,
    ): Promise<{
      item?: Publication | null | undefined
      context: Context
    }>
    /** Change the language, description, samples or audience of a publication: `PATCH /v1/publications/{id}`. */
    update(
      input: {
        id: string
        language?: string | undefined
        description?: string | undefined
        sampleItems?: string[] | undefined
        isForInternalReadingInstance?: boolean | undefined
      },
      options?: CallOptions,
    ): Promise<{
      item?: Publication | null | undefined
      context: Context
    }>
    /** Delete publications with their editions: `DELETE /v1/publications/{id}`. */
    delete(
      input: {
        id: string
      },
      options?: CallOptions,
    ): Promise<{
      item?: Publication | null | undefined
      context: Context
    }>
  }
  readonly editions: {
    /** List the editions of a publication: `GET /v1/publications/{id}/editions`. */
    list(
      input: {
        id: string
      },
      options?: CallOptions,
    ): Promise<{
      items: Edition[]
      context: Context
    }>
    /** Create an edition of a publication and ask for its upload session: `POST /v1/publications/{id}/editions`. */
    create(
      input: {
        id: string
        uploadRequestId: string
        publicationFilename: string
        edition: {
          title?: string | undefined
          author?: string[] | undefined
          metadata?: Record<string, unknown> | undefined
          type: 'EPUB' | 'PDF' | 'Audio'
          [further: string]: unknown
        }
        language?: string | undefined
        description?: string | undefined
        sampleItems?: string[] | undefined
        isForInternalReadingInstance?: boolean | undefined
        coverFilename?: string | undefined
        collectionIds?: string[] | undefined
      },
      options?: CallOptions,
    ): Promise<{
      item?: Publication | null | undefined
      result: UploadSession
      context: Context
    }>
    /** Show an edition: `GET /v1/publications/{id}/editions/{editionid}`. */
    get(
      input: {
        id: string
        editionid: string
      },
      options?: CallOptions,
    ): Promise<{
      item?: Edition | null | undefined
      context: Context
    }>
  }
  readonly uploads: {
    /** Ask for an upload session for a file: `POST /v1/publication-uploads`. */
    create(
      input: {
        uploadRequestId: string
        publicationFilename: string
        coverFilename?: string | undefined
        publicationType: 'EPUB' | 'PDF' | 'Audio'
      },
      options?: CallOptions,
    ): Promise<{
      result: {
        uploadRequestId?: string | null | undefined
        uploadMode?: 'single' | (string & {}) | null | undefined
        objectKey?: string | null | undefined
        uploadUrl?: string | null | undefined
        expiresIn?: number | null | undefined
        requiredHeaders?: Record<string, string> | null | undefined
        cover?:
          | {
              objectKey?: string | null | undefined
              uploadUrl?: string | null | undefined
              expiresIn?: number | null | undefined
              requiredHeaders?: Record<string, string> | null | undefined
            }
          | null
          | undefined
      }
      context: Context
    }>
  }
  readonly assets: {
    /** List assets: `GET /v1/resources/assets`. */
    list(
      input?: Record<string, never>,
      options?: CallOptions,
    ): Promise<{
      items: Asset[]
      context: Context
    }>
    /** Upload assets such as fonts: `POST /v1/resources/assets`. */
    create(
      input: {
        assets: {
          type: 'font' | (string & {})
          filename: string
        }[]
      },
      options?: CallOptions,
    ): Promise<{
      result: AssetUpload[]
      context: Context
    }>
    /** Rename an asset: `PATCH /v1/resources/assets/{id}`. */
    rename(
      input: {
        id: string
        filename: string
      },
      options?: CallOptions,
    ): Promise<{
      item?: Asset | null | undefined
      context: Context
    }>
    /** Delete assets: `DELETE /v1/resources/assets/{id}`. */
    delete(
      input: {
        id: string
      },
      options?: CallOptions,
    ): Promise<{
      item?: Asset | null | undefined
      context: Context
    }>
  }
  readonly metadataKeys: {
    /** List custom metadata keys: `GET /v1/resources/metadata-keys`. */
    list(
      input?: Record<string, never>,
      options?: CallOptions,
    ): Promise<{
      items: MetadataKey[]
      context: Context
    }>
    /** Create a metadata key: `POST /v1/resources/metadata-keys`. */
    create(
      input: {
        key: string
        label?: string | undefined
      },
      options?: CallOptions,
    ): Promise<{
      item?: MetadataKey | null | undefined
      context: Context
    }>
    /** Archive or restore a metadata key: `PATCH /v1/resources/metadata-keys/{id}`. */
    update(
      input: {
        id: string
        status: 'active' | 'archived'
      },
      options?: CallOptions,
    ): Promise<{
      item?: MetadataKey | null | undefined
      context: Context
    }>
    /** Delete archived metadata keys: `DELETE /v1/resources/metadata-keys/{id}`. */
    delete(
      input: {
        id: string
      },
      options?: CallOptions,
    ): Promise<{
      item?: MetadataKey | null | undefined
      context: Context
    }>
  }
  readonly domains: {
    /** List permitted domains: `GET /v1/domains`. */
    list(
      input?: Record<string, never>,
      options?: CallOptions,
    ): Promise<{
      items: Domain[]
      context: Context
    }>
    /** Show a permitted domain: `GET /v1/domains/{id}`. */
    get(
      input: {
        id: string
      },
      options?: CallOptions,
    ): Promise<{
      item?: Domain | null | undefined
      context: Context
    }>
    /** Permit a domain: `POST /v1/domains`. */
    create(
      input: {
        domain: string
        description?: string | undefined
      },
      options?: CallOptions,
    ): Promise<{
      item?: Domain | null | undefined
      context: Context
    }>
    /** Change a permitted domain's description: `PATCH /v1/domains/{id}`. */
    update(
      input: {
        id: string
        description?: string | undefined
      },
      options?: CallOptions,
    ): Promise<{
      item?: Domain | null | undefined
      context: Context
    }>
    /** Delete permitted domains that no reader instance uses: `DELETE /v1/domains/{id}`. */
    delete(
      input: {
        id: string
      },
      options?: CallOptions,
    ): Promise<{
      item?: Domain | null | undefined
      context: Context
    }>
  }
  readonly readerInstances: {
    /** List reader instances: `GET /v1/reader-instances`. */
    list(
      input?: {
        limit?: number | undefined
        nextToken?: string | undefined
      },
      options?: CallOptions,
    ): Promise<{
      items: ReaderInstanceSummary[]
      nextToken?: string | null | undefined
      context: Context
    }>
    /** The items of all pages, which are requested as they are read. */
    each(
      filters?: Record<string, never>,
      options?: ListOptions,
    ): AsyncGenerator<ReaderInstanceSummary, void, undefined>
    /** Show a reader instance: `GET /v1/reader-instances/{id}`. */
    get(
      input: {
        id: string
      },
      options?: CallOptions,
    ): Promise<{
      item?: ReaderInstance | null | undefined
      context: Context
    }>
    /** Delete reader instances: `DELETE /v1/reader-instances/{id}`. */
    delete(
      input: {
        id: string
      },
      options?: CallOptions,
    ): Promise<{
      item?: ReaderInstance | null | undefined
      context: Context
    }>
    /** Copy a reader instance: `POST /v1/reader-instances/{id}/copy`. */
    copy(
      input: {
        id: string
      },
      options?: CallOptions,
    ): Promise<{
      item?: ReaderInstance | null | undefined
      context: Context
    }>
  }
  readonly readerUsers: {
    /** List the devices and users that read publications: `GET /v1/reader-users`. */
    list(
      input?: {
        limit?: number | undefined
        nextToken?: string | undefined
      },
      options?: CallOptions,
    ): Promise<{
      items: ReaderUserSummary[]
      nextToken?: string | null | undefined
      context: Context
    }>
    /** The items of all pages, which are requested as they are read. */
    each(
      filters?: Record<string, never>,
      options?: ListOptions,
    ): AsyncGenerator<ReaderUserSummary, void, undefined>
    /** Show a reader user with its reading history: `GET /v1/reader-users/{id}`. */
    get(
      input: {
        id: string
      },
      options?: CallOptions,
    ): Promise<{
      item?: ReaderUser | null | undefined
      context: Context
    }>
  }
  readonly users: {
    /** List the users of the organisation: `GET /v1/users`. */
    list(
      input?: {
        searchTerm?: string | undefined
      },
      options?: CallOptions,
    ): Promise<{
      items: User[]
      context: Context
    }>
    /** Delete the current user: `DELETE /v1/users`. */
    deleteMe(
      input?: Record<string, never>,
      options?: CallOptions,
    ): Promise<{
      result: {
        success?: boolean | null | undefined
        error?: string | null | undefined
      }
      context: Context
    }>
  }
  readonly analytics: {
    /** Show views and readers of the whole scope: `GET /v1/analytics`. */
    scope(
      input?: {
        from?: string | undefined
        to?: string | undefined
        granularity?: 'total' | 'month' | undefined
      },
      options?: CallOptions,
    ): Promise<{
      item?: ScopeAnalytics | null | undefined
      context: Context
    }>
    /** List the most viewed publications: `GET /v1/analytics/publications/popular`. */
    popular(
      input?: Record<string, never>,
      options?: CallOptions,
    ): Promise<{
      items: PopularPublication[]
      context: Context
    }>
    /** Show how a publication is read: `GET /v1/analytics/publications/{id}`. */
    publication(
      input: {
        id: string
        from?: string | undefined
        to?: string | undefined
        granularity?: 'total' | 'month' | undefined
      },
      options?: CallOptions,
    ): Promise<{
      item?: PublicationAnalytics | null | undefined
      context: Context
    }>
    /** Show a publication's views day by day: `GET /v1/analytics/publications/{id}/activity`. */
    activity(
      input: {
        id: string
        from: string
        to: string
      },
      options?: CallOptions,
    ): Promise<{
      item?: DailyActivity | null | undefined
      context: Context
    }>
  }
  readonly apikeys: {
    /** List your API keys: `GET /v1/apikeys`. */
    list(
      input?: Record<string, never>,
      options?: CallOptions,
    ): Promise<{
      items: ApiKey[]
      context: Context
    }>
    /** Show an API key: `GET /v1/apikeys/{id}`. */
    get(
      input: {
        id: string
      },
      options?: CallOptions,
    ): Promise<{
      item?: ApiKey | null | undefined
      context: Context
    }>
    /** Rename an API key, change its scopes, or switch it on or off: `PATCH /v1/apikeys/{id}`. */
    update(
      input: {
        id: string
        name?: string | undefined
        scopes?: ('read' | 'write' | 'delete')[] | undefined
        status?: 'active' | 'inactive' | undefined
      },
      options?: CallOptions,
    ): Promise<{
      item?: ApiKey | null | undefined
      context: Context
    }>
    /** Delete API keys: `DELETE /v1/apikeys/{id}`. */
    delete(
      input: {
        id: string
      },
      options?: CallOptions,
    ): Promise<{
      item?: ApiKey | null | undefined
      context: Context
    }>
  }
}
