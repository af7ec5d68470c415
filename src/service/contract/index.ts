import { analytics } from './analytics.ts'
import { apikeys } from './apikeys.ts'
import { assets } from './assets.ts'
import { domains } from './domains.ts'
import { editions } from './editions.ts'
import { metadataKeys } from './metadata-keys.ts'
import { publications } from './publications.ts'
import { readerInstances } from './reader-instances.ts'
import { readerUsers } from './reader-users.ts'
import { uploads } from './uploads.ts'
import { users } from './users.ts'

/** Every endpoint of the service by its group; a group's name is the name of its file on each layer. */
export const contract = {
  publications,
  editions,
  uploads,
  assets,
  'metadata-keys': metadataKeys,
  domains,
  'reader-instances': readerInstances,
  'reader-users': readerUsers,
  users,
  analytics,
  apikeys,
}
export type Contract = typeof contract
