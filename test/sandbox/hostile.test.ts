import { once } from 'node:events'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import type { Endpoint } from '../../src/service/contract/endpoint.ts'
import { contract } from '../../src/service/contract/index.ts'
import { parameterLocations } from '../../src/service/contract/parameters.ts'
import { anyText } from '../support/machine/any-text.ts'
import { isSlow } from '../support/machine/slow.ts'
import { clientOf, dataFolder, sandbox } from '../support/servers/sandbox.ts'
import { startServer } from '../support/servers/sandbox-server.ts'

const endpoints: Endpoint[] = Object.values(contract)
  .flatMap(group => Object.values<Endpoint>(group))
  // They would take the key away from the requests that follow.
  .filter(
    ({ path, method }) =>
      !(path.startsWith('/v1/apikeys/') && method !== 'GET') &&
      !(path === '/v1/users' && method === 'DELETE'),
  )

const seededIds = ['dom_library', 'ri_default', 'ru_noor', 'ast_font_serif', 'pub_backlist_alice', 'key_full']
const oddText = fc.oneof(
  anyText,
  fc.constantFrom(
    '',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '__proto__',
    'constructor',
    "'; DROP TABLE users; --",
    '%',
    'é',
    '9'.repeat(400),
  ),
)
const anything = fc.oneof(
  oddText,
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
  fc.double(),
  fc.constantFrom(null, 1e308, -0),
)

/** A text without halves of characters, which no address can hold. */
const wellFormed = (text: string): string => Buffer.from(text).toString()

const filled = oddText.map(text => `x${text}`)
const someTexts = fc.array(oddText, { maxLength: 3 })
const said = { language: oddText, description: oddText, sampleItems: someTexts, collectionIds: someTexts }

/** A body that an endpoint takes, with odd texts wherever it may hold any text. */
function fitBody({ path, method }: Endpoint): fc.Arbitrary<unknown> {
  if (path.endsWith('/metadata-keys') && method === 'POST') return fc.record({ key: filled, label: oddText })
  if (path.endsWith('/assets')) {
    return fc.record({
      assets: fc.array(fc.record({ type: fc.constant('font'), filename: filled }), {
        minLength: 1,
        maxLength: 3,
      }),
    })
  }
  if (path.endsWith('/publication-uploads')) {
    return fc.record({
      uploadRequestId: fc.uuid(),
      publicationFilename: filled,
      coverFilename: filled,
      publicationType: fc.constant('PDF'),
    })
  }
  if (path === '/v1/publications' || path.endsWith('/editions')) {
    const metadata = fc.dictionary(oddText, fc.jsonValue({ maxDepth: 2 }))
    const edition = fc.record({
      type: fc.constantFrom('EPUB', 'PDF', 'Audio'),
      title: oddText,
      author: someTexts,
      metadata,
    })
    return fc.record({
      uploadRequestId: fc.uuid(),
      publicationFilename: filled,
      coverFilename: filled,
      edition,
      ...said,
    })
  }
  if (path.endsWith('/domains')) return fc.record({ domain: fc.domain(), description: oddText })
  if (path.endsWith('/copy')) return fc.constant({})
  return fc.oneof(
    fc.record(said, { requiredKeys: [] }),
    fc.record({ description: oddText }),
    fc.record({ filename: filled }),
  )
}

/** Requests to an endpoint with its own parameter names and any values, some of them fit. */
const requests = fc.constantFrom(...endpoints).chain(endpoint => {
  const { path, query, body } = parameterLocations(endpoint)
  const values = (names: string[]) =>
    fc.record(Object.fromEntries(names.map(name => [name, anything])), { requiredKeys: [] })
  return fc.record({
    endpoint: fc.constant(endpoint),
    ids: fc.array(
      fc.oneof(
        fc.constantFrom(...seededIds),
        oddText.map(wellFormed).filter(text => text !== ''),
      ),
      {
        minLength: path.length,
        maxLength: path.length,
      },
    ),
    query: values([...query, 'more']),
    body: fc.oneof(fitBody(endpoint), fitBody(endpoint), values([...body, 'more']), anything),
  })
})

/** A value as a query could hold it; an object may have a `toString` of any kind. */
const asText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

describe('whatever is sent to the sandbox', () => {
  it('is answered with an envelope, and never with a fault', async () => {
    const { baseUrl, key } = await sandbox()
    const headers = { authorization: `Bearer ${key('full')}` }
    const statuses: Record<number, number> = {}
    await fc.assert(
      fc.asyncProperty(requests, async ({ endpoint, ids, query, body }) => {
        let at = 0
        const path = endpoint.path.replace(/\{\w+\}/g, () => encodeURIComponent(ids[at++] ?? ''))
        const parameters = Object.entries(query).map(
          ([name, value]) => [name, wellFormed(asText(value))] as [string, string],
        )
        const hasBody = endpoint.method === 'POST' || endpoint.method === 'PATCH'
        const search = hasBody ? '' : `?${new URLSearchParams(parameters)}`
        const answer = await fetch(baseUrl + path + search, {
          method: endpoint.method,
          headers,
          ...(hasBody && { body: JSON.stringify(body) ?? '' }),
        })
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
        const envelope = (await answer.json()) as {
          context: { requestId: string }
          error?: string
          message?: string
        }
        expect(envelope.context.requestId).toBe(answer.headers.get('x-request-id'))
        expect({ status: answer.status < 500, message: envelope.message }).toMatchObject({ status: true })
        expect(envelope.error !== undefined).toBe(answer.status >= 400)
      }),
      { numRuns: isSlow ? 1500 : 400 },
    )
    // Requests that were fit were among them.
    for (const status of [200, 201, 400, 404])
      expect({ status, often: (statuses[status] ?? 0) > (isSlow ? 10 : 1) }).toMatchObject({
        status,
        often: true,
      })
  })

  it('in names that the database keeps alike is kept as it was', async () => {
    const { create } = await sandbox()
    const metadata = { '\ufffd': 'one', '\u0000': 'two', '\ud800': 'three', '\ud801': 'four' }
    const { item } = await create({ edition: { title: 'Odd', metadata } })
    expect(Object.values(item.editions[0].metadata)).toEqual(expect.arrayContaining(Object.values(metadata)))
  })

  it('in text that is odd comes back as it was', async () => {
    const { create, ok } = await sandbox()
    for (const title of ['a\u0000b', '\u202e‮', 'ｆｕｌｌ', '🜁 𝔘', "Robert'); DROP TABLE publications;--"]) {
      const { item } = await create({ edition: { title, metadata: { [title]: title } } })
      const { item: again } = await ok('GET', `/v1/publications/${item.id}`)
      expect(again.editions[0]).toMatchObject({ title, metadata: { [title]: title } })
      const { items } = await ok('GET', `/v1/publications?search=${encodeURIComponent(title)}&limit=50`)
      expect(items.map(({ publicationId }: { publicationId: string }) => publicationId)).toContain(item.id)
    }
  })
})

describe.runIf(isSlow)('a sandbox that is killed over and over', () => {
  it('keeps every publication it has told of, and gives every book it has taken one outcome', async () => {
    const dataDir = dataFolder()
    const bytes = await makeExampleEpub()
    const created: string[] = []
    const taken: string[] = []
    for (const round of isSlow ? [0, 1, 2, 3, 4, 5, 6, 7] : [0, 4, 7]) {
      const { child, baseUrl, key } = await startServer(dataDir, ['--processing-delay', '20ms'])
      const client = clientOf(baseUrl, key)
      // From the first answer on, or a busy machine would kill it before it has done anything.
      let stop: NodeJS.Timeout | undefined
      await Promise.allSettled(
        Array.from({ length: 8 }, async () => {
          for (;;) {
            const { item, result } = await client.create()
            created.push(item.id)
            stop ??= setTimeout(() => child.kill('SIGKILL'), 20 + 40 * round)
            if ((await client.put(result, bytes)) === 200) taken.push(item.id)
          }
        }),
      )
      clearTimeout(stop)
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
    const service = await sandbox({ dataDir })
    expect(taken.length).toBeGreaterThan(5)
    for (const id of created) expect((await service.call('GET', `/v1/publications/${id}`)).status).toBe(200)
    for (const id of taken) expect((await service.settled(id)).edition.uploadStatus).toBe('available')
  })
})
