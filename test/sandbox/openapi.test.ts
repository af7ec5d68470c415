import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService } from '../../src/sandbox/index.ts'
import type { Endpoint } from '../../src/service/contract/endpoint.ts'
import { pathParameters } from '../../src/service/contract/parameters.ts'
import { eicar } from '../support/books/eicar.ts'
import { removeFolder } from '../support/machine/remove-folder.ts'
import { everyEndpoint, type Request, requests, send } from '../support/servers/every-endpoint.ts'
import { documentedStatuses, findingsIn, findingsInNamed } from '../support/servers/openapi-validator.ts'
import { type Answer, clientOf, sandbox } from '../support/servers/sandbox.ts'

// The service's document has no 404 for these, and one for every resource that is missing.
const alsoMissing = ['editions.list', 'editions.create', 'publications.update']

/** What the OpenAPI document has against an answer. */
function findings({ method, path }: Endpoint, { status, body }: Answer): string[] {
  const documented = documentedStatuses(method, path)
  const named = documented.find(each => each === String(status) || each === `${String(status)[0]}XX`)
  return named === undefined ? [`${status} is not documented`] : findingsIn(method, path, named, body)
}

/** One for all that is refused, since that changes nothing. */
let refusing: Awaited<ReturnType<typeof startService>>
const dataDir = mkdtempSync(join(tmpdir(), 'pubctl-openapi-'))
beforeAll(async () => {
  refusing = await startService({ dataDir, processingDelayMs: 1 })
})
afterAll(async () => {
  await refusing.close()
  removeFolder(dataDir)
})
const keyNamed = (wanted: string): string => refusing.keys.find(({ name }) => name === wanted)?.key ?? ''

const filled = (endpoint: Endpoint): string[] => pathParameters(endpoint.path).map(() => 'nowhere')

describe.each(everyEndpoint)(
  'what the sandbox answers to %s is what its OpenAPI document says',
  (name, endpoint) => {
    it('when it succeeds', async () => {
      const service = await sandbox()
      const answer = await send(service, endpoint, await requests[name](service))
      expect(answer.status).toBe(endpoint.status)
      expect(findings(endpoint, answer)).toEqual([])
      if (endpoint.method !== 'DELETE') {
        // Without authentication it would not be a success.
        const { authentication, ...context } = answer.body.context
        expect(findings(endpoint, { ...answer, body: { ...answer.body, context } })).not.toEqual([])
      }
    })

    it('when it refuses', async () => {
      const service = { ...clientOf(refusing.baseUrl, keyNamed('full')), key: keyNamed }
      const request: Request = { path: filled(endpoint), body: endpoint.method === 'GET' ? undefined : {} }
      const as = async (key: string | null, method = endpoint.method as string, query = '') =>
        await send({ ...service, call: (_, path, body) => service.call(method, path, body, key) }, endpoint, {
          ...request,
          query,
        })
      const refusals = [
        await as(null),
        await as(service.key('expired')),
        await as(service.key('restricted')),
        ...(endpoint.method === 'GET' ? [] : [await as(service.key('viewer'))]),
        await as(service.key('full'), 'PUT'),
        await as(service.key('full'), endpoint.method, '?unheardOf=1'),
      ]
      const statuses = [401, 401, 403, ...(endpoint.method === 'GET' ? [] : [403]), 405]
      // The one endpoint that needs no documented 400 takes no parameters.
      expect(refusals.slice(0, -1).map(({ status }) => status)).toEqual(statuses)
      for (const answer of refusals.slice(0, -1)) expect(findings(endpoint, answer)).toEqual([])
      const invalid = refusals.at(-1) as Answer
      expect(invalid).toMatchObject({ status: 400, body: { error: 'ZOD_ERROR' } })
      const { details, ...rest } = invalid.body
      if (endpoint.errors.includes(400)) {
        expect(findings(endpoint, invalid)).toEqual([])
        expect(findings(endpoint, { ...invalid, body: rest })).not.toEqual([])
      } else expect(findingsInNamed('BadRequest', invalid.body)).toEqual([])
    })
  },
)

describe('an answer that a bare request does not give', () => {
  const endpointOf = (name: string): Endpoint => {
    const [, endpoint] = everyEndpoint.find(([each]) => each === name) ?? []
    if (!endpoint) throw new Error(`there is no endpoint ${name}`)
    return endpoint
  }

  it.each<[string, Request]>([
    ['publications.get', { path: ['pub_backlist_faust'] }],
    ['editions.list', { path: ['pub_backlist_sherlock'] }],
    ['editions.get', { path: ['pub_backlist_alice', 'pub_backlist_alice_1'] }],
    ['reader-users.get', { path: ['ru_kiosk'] }],
    ['reader-users.list', { query: '?limit=2.5' }],
    ['analytics.scope', { query: '?granularity=total' }],
    ['analytics.publication', { path: ['pub_backlist_moby'], query: '?granularity=total' }],
    ['apikeys.get', { path: ['key_expired'] }],
  ])('of %s with %j is what the OpenAPI document says', async (name, request) => {
    const endpoint = endpointOf(name)
    const answer = await send(await sandbox(), endpoint, request)
    expect(answer.status).toBe(200)
    expect(findings(endpoint, answer)).toEqual([])
  })

  it('of a book that was quarantined or failed is what the OpenAPI document says', async () => {
    const service = await sandbox()
    for (const bytes of [eicar, 'no book']) {
      const { item } = await service.publish({}, bytes)
      const answer = await send(service, endpointOf('publications.get'), { path: [item.id] })
      expect(findings(endpointOf('publications.get'), answer)).toEqual([])
    }
  })

  it('of a server that fails is what the OpenAPI document says', async () => {
    const service = await sandbox({ faults: { shares: new Map([[500, 1]]), slow: 0 } })
    for (const [, endpoint] of everyEndpoint.filter(([, { errors }]) => errors.includes(500))) {
      const answer = await send(service, endpoint, { path: filled(endpoint) })
      expect(answer.status).toBe(500)
      expect(findings(endpoint, answer)).toEqual([])
    }
  })

  it('would be found out if it were otherwise', async () => {
    const service = await sandbox()
    const endpoint = endpointOf('publications.get')
    const answer = await send(service, endpoint, { path: ['pub_backlist_faust'] })
    const [edition] = answer.body.item.editions
    const { id, ...withoutId } = edition
    for (const [changed, finding] of [
      [withoutId, "/item/editions/0 must have required property 'id'"],
      [
        { ...edition, editionCreated: 'yesterday' },
        '/item/editions/0/editionCreated must match format "date-time"',
      ],
      [
        { ...edition, uploadStatus: 'lost' },
        '/item/editions/0/uploadStatus must be equal to one of the allowed values',
      ],
      [{ ...edition, author: null }, '/item/editions/0/author must be array'],
    ]) {
      const body = { ...answer.body, item: { ...answer.body.item, editions: [changed] } }
      expect(findings(endpoint, { ...answer, body })).toEqual([finding])
    }
  })
})

const byId = everyEndpoint.filter(([, { path }]) => path.includes('{'))

describe.each(byId)('a resource that is missing from %s', (name, endpoint) => {
  it('is answered with 404, as the OpenAPI document says', async () => {
    const service = await sandbox()
    const request = await requests[name](service)
    const answer = await send(service, endpoint, { ...request, path: filled(endpoint) })
    expect(answer).toMatchObject({ status: 404, body: { error: 'EMPTY_RESPONSE' } })
    if (alsoMissing.includes(name)) expect(findingsInNamed('NotFound', answer.body)).toEqual([])
    else expect(findings(endpoint, answer)).toEqual([])
  })
})
