import { records } from './hostile-records.ts'

/** Who asks, as the service says in every answer. */
export const authentication = {
  sub: 'sub_1',
  scopeId: 'scope_1',
  authType: 'apiKey',
  keyId: 'kid_1',
  user: {
    id: 'usr_1',
    sub: 'sub_1',
    email: 'ada@example.org',
    role: 'Admin',
    status: 'Active',
    billing: null,
  },
}

type Body = Record<string, unknown>
interface Route {
  method: string
  path: RegExp
  status: number
  /** What the answer holds beside `context`; `origin` is where uploads go. */
  answer(origin: string): Body
}

const put = (origin: string) => ({
  objectKey: 'objects/ed_1.epub',
  uploadUrl: `${origin}/put/objects/ed_1.epub?X-Amz-Expires=900&X-Amz-Signature=5ec4e7`,
  expiresIn: 900,
  requiredHeaders: { 'Content-Type': 'application/epub+zip' },
})
const session = (origin: string) => ({
  uploadRequestId: '00000000-0000-4000-8000-000000000000',
  uploadMode: 'single',
  ...put(origin),
  cover: put(origin),
})
const descriptor = (origin: string) => ({
  id: 'as_1',
  uploadMode: 'single',
  type: 'font',
  filename: 'Lora.woff2',
  key: 'assets/as_1',
  uploadUrl: put(origin).uploadUrl,
  expiresIn: 900,
  requiredHeaders: { 'Content-Type': 'font/woff2' },
})

const route = (method: string, path: string, answer: (origin: string) => Body, status = 200): Route => ({
  method,
  path: new RegExp(`^${path.replaceAll('{id}', '[^/]+')}$`),
  status,
  answer,
})
const item = (one: unknown) => () => ({ item: one })
const items = (one: unknown) => () => ({ items: [one, one] })
const page = (one: unknown) => () => ({ items: [one, one], nextToken: null })

const {
  apiKey,
  asset,
  metadataKey,
  summary,
  publication,
  edition,
  domain,
  readerInstance,
  readerUser,
  user,
} = records

/** All 38 endpoints of the document's §4, in its order. */
export const routes: readonly Route[] = [
  route('GET', '/v1/apikeys', items(apiKey)),
  route('GET', '/v1/apikeys/{id}', item(apiKey)),
  route('PATCH', '/v1/apikeys/{id}', item(apiKey)),
  route('DELETE', '/v1/apikeys/{id}', item(apiKey)),
  route('GET', '/v1/resources/assets', items(asset)),
  route('POST', '/v1/resources/assets', origin => ({ result: [descriptor(origin)] }), 201),
  route('PATCH', '/v1/resources/assets/{id}', item(asset)),
  route('DELETE', '/v1/resources/assets/{id}', item(asset)),
  route('GET', '/v1/resources/metadata-keys', items(metadataKey)),
  route('POST', '/v1/resources/metadata-keys', item(metadataKey), 201),
  route('PATCH', '/v1/resources/metadata-keys/{id}', item(metadataKey)),
  route('DELETE', '/v1/resources/metadata-keys/{id}', item(metadataKey)),
  route('GET', '/v1/publications', () => ({
    ...page(summary)(),
    defaultPublicationId: 'pub_1',
    stats: { publicationCount: 2, publicationEditionCount: 2, months: { '2026-03': 2 } },
  })),
  route('POST', '/v1/publication-uploads', origin => ({ result: session(origin) }), 201),
  route('POST', '/v1/publications', origin => ({ item: publication, result: session(origin) }), 201),
  route('GET', '/v1/publications/{id}', item(publication)),
  route('PATCH', '/v1/publications/{id}', item(publication)),
  route('DELETE', '/v1/publications/{id}', item(publication)),
  route('GET', '/v1/publications/{id}/editions', items(edition)),
  route(
    'POST',
    '/v1/publications/{id}/editions',
    origin => ({ item: publication, result: session(origin) }),
    201,
  ),
  route('GET', '/v1/publications/{id}/editions/{id}', item(edition)),
  route('GET', '/v1/domains', items(domain)),
  route('GET', '/v1/domains/{id}', item(domain)),
  route('POST', '/v1/domains', item(domain), 201),
  route('PATCH', '/v1/domains/{id}', item(domain)),
  route('DELETE', '/v1/domains/{id}', item(domain)),
  route('GET', '/v1/reader-instances', page(records.readerInstanceSummary)),
  route('GET', '/v1/reader-instances/{id}', item(readerInstance)),
  route('DELETE', '/v1/reader-instances/{id}', item(readerInstance)),
  route('POST', '/v1/reader-instances/{id}/copy', item(readerInstance), 201),
  route('GET', '/v1/reader-users', page(records.readerUserSummary)),
  route('GET', '/v1/reader-users/{id}', item(readerUser)),
  route('GET', '/v1/users', items(user)),
  route('DELETE', '/v1/users', () => ({ result: { success: true, error: '' } })),
  route('GET', '/v1/analytics', item(records.scopeAnalytics)),
  route('GET', '/v1/analytics/publications/popular', items(records.popular)),
  route('GET', '/v1/analytics/publications/{id}', item(records.publicationAnalytics)),
  route('GET', '/v1/analytics/publications/{id}/activity', item(records.activity)),
]
