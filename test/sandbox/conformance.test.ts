import { describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import { ErrorEnvelope } from '../../src/service/contract/envelope.ts'
import { contract } from '../../src/service/contract/index.ts'
import { everyEndpoint, requests, send } from '../support/servers/every-endpoint.ts'
import { sandbox } from '../support/servers/sandbox.ts'
import { strict } from '../support/servers/strict.ts'

const issuesOf = (schema: z.ZodMiniType, value: unknown) =>
  strict(schema).safeParse(value).error?.issues ?? []

describe('what the service answers', () => {
  it('is tried for every endpoint of the contract', () => {
    expect(everyEndpoint).toHaveLength(38)
  })

  it.each(everyEndpoint)('to %s is what the contract says, and nothing else', async (name, endpoint) => {
    const service = await sandbox()
    const answer = await send(service, endpoint, await requests[name](service))
    expect(answer.status).toBe(endpoint.status)
    expect(issuesOf(endpoint.output, answer.body)).toEqual([])
    const content = answer.body.items ?? answer.body.item ?? answer.body.result
    expect(Array.isArray(content) ? content.length : Object.keys(content).length).toBeGreaterThan(0)
  })

  it('to an error is the envelope, and nothing else', async () => {
    const { call } = await sandbox()
    const answers = [
      await call('GET', '/v1/users', undefined, null),
      await call('GET', '/v1/nowhere'),
      await call('PATCH', '/v1/users'),
      await call('POST', '/v1/domains', { domain: 1 }),
      await call('DELETE', '/v1/domains/dom_library'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 404, 405, 400, 400])
    for (const { body } of answers) expect(issuesOf(ErrorEnvelope(), body)).toEqual([])
  })

  it('would be found out if it said more', () => {
    const [domain] = [{ id: 'a', domain: 'b', surprise: 1 }]
    const context = { path: '/', method: 'GET', requestId: '1' }
    expect(issuesOf(contract.domains.get.output, { item: domain, context })).toMatchObject([
      { code: 'unrecognized_keys', path: ['item'] },
    ])
  })
})
