import { describe, expect, it } from 'vitest'
import { machine } from '../support/machine/pubctl.ts'
import { context } from '../support/servers/book-service.ts'
import { json, serve } from '../support/servers/server.ts'

describe('a service that answers a look-up with item: null', () => {
  it.each([
    ['publications get p1'],
    ['publications wait p1'],
    ['publications wait p1 p2'],
    ['editions get p1 e1'],
    ['editions wait p1 e1'],
    ['domains get d1'],
    ['reader-instances get r1'],
    ['reader-users get u1'],
    ['apikeys get k1'],
    ['analytics publication p1'],
    ['analytics activity p1 --from 2026-01-01 --to 2026-01-31'],
  ])('is told as not found by %s', async line => {
    const { url } = await serve((_, response) => json(response, 200, { item: null, context }))
    const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
    const { code, err } = await run([...line.split(' '), '--json', '--timeout', '3s'])
    const isBatch = / p1 p2$/.test(line)
    expect({ code, error: JSON.parse(err).error.code }).toEqual(
      isBatch ? { code: 10, error: 'part_failed' } : { code: 5, error: 'not_found' },
    )
  })
})

it.each(['publications get p1', 'domains get d1', 'editions get p1 e1'])(
  'an answer that lacks its item is told as not found by %s',
  async line => {
    const { url } = await serve((_, response) => json(response, 200, { context }))
    const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
    const { code, err } = await run([...line.split(' '), '--json'])
    expect({ code, error: JSON.parse(err).error.code }).toEqual({ code: 5, error: 'not_found' })
  },
)

describe('publications update', () => {
  it('says the language in the service’s words, as upload does', async () => {
    let body = ''
    const { url } = await serve((request, response) => {
      body = request.body.toString()
      json(response, 200, { item: { id: 'p1' }, context })
    })
    const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
    expect((await run(['publications', 'update', 'p1', '--language', 'en-GB'])).code).toBe(0)
    expect(JSON.parse(body)).toEqual({ language: 'English' })
  })
})
