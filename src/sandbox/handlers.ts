import type { Contract } from '../service/contract/index.ts'
import { analyticsHandlers } from './analytics.ts'
import { apikeyHandlers } from './apikeys.ts'
import { assetHandlers } from './assets.ts'
import type { Handlers } from './call.ts'
import { domainHandlers } from './domains.ts'
import { editionHandlers } from './editions.ts'
import { metadataKeyHandlers } from './metadata-keys.ts'
import { publicationHandlers } from './publications.ts'
import { readerInstanceHandlers } from './reader-instances.ts'
import { readerUserHandlers } from './reader-users.ts'
import { uploadHandlers } from './uploads.ts'
import { userHandlers } from './users.ts'

/** The handlers of every group; one that is missing does not compile. */
export const handlers: { readonly [Name in keyof Contract]: Handlers<Contract[Name]> } = {
  publications: publicationHandlers,
  editions: editionHandlers,
  uploads: uploadHandlers,
  assets: assetHandlers,
  'metadata-keys': metadataKeyHandlers,
  domains: domainHandlers,
  'reader-instances': readerInstanceHandlers,
  'reader-users': readerUserHandlers,
  users: userHandlers,
  analytics: analyticsHandlers,
  apikeys: apikeyHandlers,
}
