import type { Method } from '../../service/contract/endpoint.ts'
import type { KeyHolder } from '../call.ts'
import { ServiceError } from '../service-error.ts'
import { type ApiKeyRecord, hashOfKey } from '../store/api-keys.ts'
import type { Store } from '../store/cache.ts'
import { organisationId, scopeId } from '../store/organisation.ts'
import { findRecord, saveRecord } from '../store/records.ts'
import type { UserRecord } from '../store/users.ts'

/** Milliseconds: writing `lastUsed` to the disk at each request would cost more than most requests. */
const lastUsedPrecision = 60_000

/** The caller, by the bearer key. Throws 401 for a key that is missing, unknown, inactive, expired or revoked. */
export function authenticate(db: Store, authorization: string | undefined, now: number): KeyHolder {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  if (bearer === undefined) {
    throw unauthenticated('Send an API key: "Authorization: Bearer <API_KEY>".')
  }
  const { key, user } = db.cached(`key ${bearer}`, () => ownerOf(db, bearer))
  if (!key) throw unauthenticated('The API key is not known.')
  if (key.status !== 'active') throw unauthenticated('The API key is inactive.')
  if (key.revoked && Date.parse(key.revoked) <= now) throw unauthenticated('The API key has been revoked.')
  if (key.expires && Date.parse(key.expires) <= now) throw unauthenticated('The API key has expired.')
  if (!user) throw unauthenticated('The user of this API key has been deleted.')
  if (!key.lastUsed || now - Date.parse(key.lastUsed) >= lastUsedPrecision) touch(db, key.id, now)
  return { user, key }
}

function ownerOf(db: Store, bearer: string): Partial<KeyHolder> {
  const row = db.get<{ doc: string }>('SELECT doc FROM api_keys WHERE hash = ?', hashOfKey(bearer))
  if (!row) return {}
  const key = JSON.parse(row.doc) as ApiKeyRecord
  const user = findRecord<UserRecord>(db, 'users', key.userId)
  return user ? { key, user } : { key }
}

function touch(db: Store, id: string, now: number): void {
  db.write(() => {
    // Read again, since another process may have changed or deleted the key.
    const key = findRecord<ApiKeyRecord>(db, 'api_keys', id)
    if (key) saveRecord(db, 'api_keys', { ...key, lastUsed: new Date(now).toISOString() })
  })
}

const scopeOf: Readonly<Record<Method, string>> = {
  GET: 'read',
  POST: 'write',
  PATCH: 'write',
  DELETE: 'delete',
}

/** What each role may do; a role that is not listed may do everything. */
const scopesOfRole: Readonly<Record<string, readonly string[]>> = {
  Viewer: ['read'],
  Editor: ['read', 'write'],
}

/** Throws 403 when the caller's account is restricted, or when neither key nor role allow what the method does. */
export function authorise({ key, user }: KeyHolder, method: Method): void {
  if (user.billing?.billingAccessStatus === 'restricted') {
    throw new ServiceError(403, 'ACCOUNT_RESTRICTED', `The account of ${user.email} is restricted.`)
  }
  const needed = scopeOf[method]
  if (!key.scopes.includes(needed)) throw forbidden(`The API key lacks the scope "${needed}".`)
  if (scopesOfRole[user.role]?.includes(needed) ?? true) return
  throw forbidden(`The role ${user.role} lacks the scope "${needed}".`)
}

/** What the context says of a caller (§2.1). */
export const authenticationOf = ({ user, key }: KeyHolder, requestId: string) => ({
  sub: user.sub,
  scopeId,
  requestId,
  authType: 'apiKey',
  email: user.email,
  keyId: key.keyId ?? key.id,
  organisationId,
  user,
})

const forbidden = (message: string): ServiceError => new ServiceError(403, 'AUTHENTICATION_ERROR', message)

const unauthenticated = (message: string): ServiceError =>
  new ServiceError(401, 'AUTHENTICATION_ERROR', message)
