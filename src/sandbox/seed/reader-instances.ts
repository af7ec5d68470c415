import type { AssetRecord } from '../store/assets.ts'
import type { DomainRecord } from '../store/domains.ts'
import { organisationId, scopeId } from '../store/organisation.ts'
import type { InstanceRecord } from '../store/reader-instances.ts'
import { seededUsers } from './users.ts'

const [{ sub: createdBySub }] = seededUsers
const createdAt = '2025-01-15T10:00:00.000Z'
const updatedAt = '2025-03-03T14:20:00.000Z'

export const seededDomains: readonly DomainRecord[] = [
  domain('dom_library', 'library.publisher.example', 'The public library'),
  domain('dom_school', 'school.publisher.example', 'Books for schools'),
  domain('dom_staging', 'staging.publisher.example', 'Not used by any reader so far'),
]

function domain(id: string, name: string, description: string): DomainRecord {
  return { id, domain: name, description, createdAtIso: createdAt, updatedAtIso: createdAt }
}

const font = 'ast_font_serif'

export const seededAssets: readonly AssetRecord[] = [
  {
    id: font,
    createdBySub,
    scopeId,
    organisationId,
    type: 'font',
    filename: 'PublisherSerif-Regular.woff2',
    key: `assets/${font}`,
    filetype: 'font/woff2',
    filesize: 48_212,
    status: 'available',
    createdAtIso: createdAt,
  },
]

export const seededInstances: readonly InstanceRecord[] = [
  instance('ri_default', 'Library reader', 'Shows every book in full', {
    isDefault: true,
    permittedDomains: ['library.publisher.example'],
    fonts: [{ family: 'Publisher Serif', assetId: font }],
  }),
  instance('ri_samples', 'Sample reader', 'Shows the samples of a book', {
    isSampleOnly: true,
    permittedDomains: ['library.publisher.example'],
  }),
  instance('ri_school', 'School reader', 'For signed-in pupils', {
    permittedDomains: ['school.publisher.example'],
    authType: 'token',
  }),
]

interface InstanceOptions {
  isDefault?: boolean
  isSampleOnly?: boolean
  permittedDomains: string[]
  fonts?: { family: string; assetId: string }[]
  authType?: string
}

function instance(
  id: string,
  name: string,
  description: string,
  {
    isDefault = false,
    isSampleOnly = false,
    permittedDomains,
    fonts = [],
    authType = 'none',
  }: InstanceOptions,
): InstanceRecord {
  return {
    id,
    name,
    description,
    screenshot: `screenshots/${id}.png`,
    isSampleOnly,
    isDefault,
    securityLevel: authType === 'none' ? ['domain'] : ['domain', authType],
    createdAtIso: createdAt,
    updatedAtIso: updatedAt,
    screenshotUpdatedAtIso: updatedAt,
    permittedDomains,
    createdBySub,
    scopeId,
    organisationId,
    configuration: {
      plan: 'sandbox',
      version: '1.0.0',
      lastUpdated: updatedAt,
      addons: { search: { enabled: true }, bookmarks: { enabled: !isSampleOnly } },
      layout: { version: '1.0.0', regions: { top: ['title'], left: ['toc'], bottom: ['progress'] } },
      private: { authentication: { authType } },
      public: { settings: { theme: 'paper', fontSize: 100 }, fonts },
    },
    designerState: {
      version: '1.0.0',
      selectedLayout: 0,
      featureState: { search: true },
      settingsState: { theme: 'paper' },
      iconState: {},
      fontState: fonts.length > 0 ? { body: 'Publisher Serif' } : {},
    },
  }
}
