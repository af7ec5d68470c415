import { describe, expect, it } from 'vitest'
import { exampleBook } from '../support/books/example-book.ts'
import { machine } from '../support/machine/pubctl.ts'
import { limitPublications } from '../support/servers/publication-limit.ts'
import { creation, sandbox } from '../support/servers/sandbox.ts'

describe('the publicationLimit of the caller', () => {
  it('refuses one publication more with 403, and still takes editions and repeated requests', async () => {
    const { call, create, ok, dataDir } = await sandbox()
    limitPublications(dataDir, 2)
    const first = await create()
    const repeated = creation()
    await create(repeated)
    const { status, body } = await call('POST', '/v1/publications', creation())
    expect({ status, error: body.error, message: body.message }).toEqual({
      status: 403,
      error: 'ACCOUNT_RESTRICTED',
      message: 'The limit of 2 publications is reached.',
    })
    expect((await call('POST', '/v1/publications', repeated)).status).toBe(201)
    expect((await call('POST', `/v1/publications/${first.item.id}/editions`, creation())).status).toBe(201)
    expect((await ok('GET', '/v1/publications')).stats.publicationCount).toBe(2)
    await ok('DELETE', `/v1/publications/${first.item.id}`)
    expect((await call('POST', '/v1/publications', creation())).status).toBe(201)
  })

  it('is said by an upload that it stops, which ends with 4', async () => {
    const { baseUrl, key, dataDir } = await sandbox()
    limitPublications(dataDir, 0)
    const { run } = machine({ PUBCTL_API_KEY: key('full'), PUBCTL_BASE_URL: baseUrl })
    const { code, err } = await run(['publications', 'upload', await exampleBook(), '--json'])
    expect({ code, error: JSON.parse(err).error.message }).toMatchObject({
      code: 4,
      error: expect.stringContaining('The limit of 0 publications is reached.'),
    })
  })
})

describe('the metadata of an edition', () => {
  it('is given back as it was sent, by keys that are active, archived or none', async () => {
    const { ok, publish } = await sandbox()
    const { item: active } = await ok('POST', '/v1/resources/metadata-keys', { key: 'a.b' })
    const { item: archived } = await ok('POST', '/v1/resources/metadata-keys', { key: 'old' })
    await ok('PATCH', `/v1/resources/metadata-keys/${archived.id}`, { status: 'archived' })
    const metadata = {
      ...{ 'a.b': 'x; y', old: '', none: 5, list: ['1', 2], nested: { a: true } },
      isbn: '978-3-16-148410-0',
    }
    const { item } = await publish({ edition: { metadata } })
    expect(item.editions[0].metadata).toMatchObject(metadata)
    expect((await ok('GET', `/v1/publications/${item.id}/editions`)).items[0].metadata).toMatchObject(
      metadata,
    )
    const keys: { id: string; isInUse: boolean }[] = (await ok('GET', '/v1/resources/metadata-keys')).items
    expect(keys.map(({ id, isInUse }) => [id, isInUse])).toEqual([
      [active.id, true],
      [archived.id, true],
    ])
  })
})
