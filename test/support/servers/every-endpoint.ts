import { randomUUID } from 'node:crypto'
import type { Endpoint } from '../../../src/service/contract/endpoint.ts'
import { contract } from '../../../src/service/contract/index.ts'
import { pathParameters } from '../../../src/service/contract/parameters.ts'
import { type Answer, creation, type sandbox } from './sandbox.ts'

type Sandbox = Awaited<ReturnType<typeof sandbox>>
type Names = {
  [G in keyof typeof contract]: `${G}.${Extract<keyof (typeof contract)[G], string>}`
}[keyof typeof contract]

/** Everything that a request to an endpoint needs to succeed. */
export interface Request {
  path?: string[]
  query?: string
  body?: unknown
}

const published = async ({ publish }: Sandbox) => (await publish()).item
const archivedKey = async ({ ok }: Sandbox) => {
  const { item } = await ok('POST', '/v1/resources/metadata-keys', { key: 'series' })
  return (await ok('PATCH', `/v1/resources/metadata-keys/${item.id}`, { status: 'archived' })).item.id
}
const newAsset = async ({ ok }: Sandbox) =>
  (await ok('POST', '/v1/resources/assets', { assets: [{ type: 'font', filename: 'a.otf' }] })).result[0].id

/** How each endpoint is brought to answer with success, and with as much as it can. */
export const requests: Record<Names, (service: Sandbox) => Promise<Request> | Request> = {
  'publications.list': async service => {
    await service.publish({ collectionIds: ['c1'] })
    await service.create()
    return {}
  },
  'publications.create': () => ({ body: creation({ coverFilename: 'cover.png' }) }),
  'publications.get': async service => ({ path: [(await published(service)).id] }),
  'publications.update': async service => ({
    path: [(await published(service)).id],
    body: { sampleItems: ['a'] },
  }),
  'publications.delete': async service => ({ path: [(await published(service)).id] }),
  'editions.list': async service => ({ path: [(await published(service)).id] }),
  'editions.create': async service => ({ path: [(await published(service)).id], body: creation() }),
  'editions.get': async service => {
    const { id, editions } = await published(service)
    return { path: [id, editions[0].id] }
  },
  'uploads.create': () => ({
    body: {
      uploadRequestId: randomUUID(),
      publicationFilename: 'a.pdf',
      coverFilename: 'a.jpg',
      publicationType: 'PDF',
    },
  }),
  'assets.list': async service => {
    await newAsset(service)
    return {}
  },
  'assets.create': () => ({ body: { assets: [{ type: 'font', filename: 'a.otf' }] } }),
  'assets.rename': () => ({ path: ['ast_font_serif'], body: { filename: 'b.woff2' } }),
  'assets.delete': async service => ({ path: [await newAsset(service)] }),
  'metadata-keys.list': async service => {
    await archivedKey(service)
    return {}
  },
  'metadata-keys.create': () => ({ body: { key: 'series', label: 'Series' } }),
  'metadata-keys.update': async service => ({
    path: [await archivedKey(service)],
    body: { status: 'active' },
  }),
  'metadata-keys.delete': async service => ({ path: [await archivedKey(service)] }),
  'domains.list': () => ({}),
  'domains.get': () => ({ path: ['dom_library'] }),
  'domains.create': () => ({ body: { domain: 'new.example', description: 'x' } }),
  'domains.update': () => ({ path: ['dom_library'], body: { description: 'y' } }),
  'domains.delete': () => ({ path: ['dom_staging'] }),
  'reader-instances.list': () => ({}),
  'reader-instances.get': () => ({ path: ['ri_default'] }),
  'reader-instances.delete': () => ({ path: ['ri_school'] }),
  'reader-instances.copy': () => ({ path: ['ri_default'] }),
  'reader-users.list': () => ({}),
  'reader-users.get': () => ({ path: ['ru_noor'] }),
  'users.list': () => ({}),
  'users.deleteMe': () => ({}),
  'analytics.scope': () => ({}),
  'analytics.popular': () => ({}),
  'analytics.publication': () => ({ path: ['pub_backlist_alice'] }),
  'analytics.activity': () => ({ path: ['pub_backlist_alice'], query: '?from=2026-01-01&to=2026-02-01' }),
  'apikeys.list': () => ({}),
  'apikeys.get': () => ({ path: ['key_full'] }),
  'apikeys.update': () => ({ path: ['key_read_only'], body: { name: 'reader' } }),
  'apikeys.delete': () => ({ path: ['key_inactive'] }),
}

export const everyEndpoint = Object.entries(contract).flatMap(([group, endpoints]) =>
  Object.entries<Endpoint>(endpoints).map(
    ([name, endpoint]) => [`${group}.${name}` as Names, endpoint] as const,
  ),
)

export async function send(
  { call }: Pick<Sandbox, 'call'>,
  endpoint: Endpoint,
  { path = [], query = '', body }: Request,
): Promise<Answer> {
  const filled = pathParameters(endpoint.path).reduce(
    (text, name, at) => text.replace(`{${name}}`, path[at] ?? ''),
    endpoint.path as string,
  )
  return await call(endpoint.method, filled + query, body)
}
