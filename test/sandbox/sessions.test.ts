import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { creation, dataFolder, sandbox } from '../support/servers/sandbox.ts'

type Sandbox = Awaited<ReturnType<typeof sandbox>>
// biome-ignore lint/suspicious/noExplicitAny: what the service answers is what the tests are about.
type Json = any

const statusOf = async ({ ok }: Sandbox, id: string) =>
  (await ok('GET', `/v1/publications/${id}`)).item.editions[0].uploadStatus
const summaryOf = async ({ ok }: Sandbox, id: string): Promise<Json> =>
  (await ok('GET', '/v1/publications?limit=50')).items.find((item: Json) => item.publicationId === id)

describe('a cover', () => {
  it('has a session of its own when its name was given, and becomes the cover of the publication', async () => {
    const service = await sandbox()
    const { item, result } = await service.create({ coverFilename: 'front.jpg' })
    expect(result.cover).toEqual({
      objectKey: expect.any(String),
      uploadUrl: expect.stringContaining('/uploads/covers/'),
      expiresIn: 900,
      requiredHeaders: expect.objectContaining({ 'Content-Type': 'image/jpeg' }),
    })
    expect(await service.put(result.cover, 'image')).toBe(200)
    await service.put(result, await makeExampleEpub())
    const { edition } = await service.settled(item.id)
    expect(edition.metadata.cover).toBe(result.cover.objectKey)
    expect((await summaryOf(service, item.id)).cover).toBe(result.cover.objectKey)
  })

  it('replaces the one in the book though it is sent after the book', async () => {
    const service = await sandbox()
    const { item, result } = await service.create({ coverFilename: 'front.jpg' })
    await service.put(result, await makeExampleEpub())
    expect((await service.settled(item.id)).edition.metadata.cover).not.toBe(result.cover.objectKey)
    await service.put(result.cover, 'image')
    expect((await summaryOf(service, item.id)).cover).toBe(result.cover.objectKey)
    expect(await statusOf(service, item.id)).toBe('available')
  })

  it('has no session when its name was not given, and a book without one has no cover', async () => {
    const service = await sandbox()
    const { item, result } = await service.create()
    expect(result).not.toHaveProperty('cover')
    await service.put(result, await makeExampleEpub({ cover: false }))
    expect((await service.settled(item.id)).edition.metadata).not.toHaveProperty('cover')
  })
})

describe('an upload session', () => {
  it.each([
    ['EPUB', 'a.epub', 'application/epub+zip'],
    ['EPUB', 'a.bin', 'application/epub+zip'],
    ['PDF', 'a.pdf', 'application/pdf'],
    ['Audio', 'a.lpf', 'application/lpf+zip'],
    ['Audio', 'a.mp3', 'audio/mpeg'],
    ['Audio', 'a', 'application/lpf+zip'],
  ])('for %s in %s asks for %s', async (publicationType, publicationFilename, type) => {
    const { ok } = await sandbox({ sessionSeconds: 77 })
    const { result } = await ok('POST', '/v1/publication-uploads', {
      uploadRequestId: randomUUID(),
      publicationType,
      publicationFilename,
    })
    expect(result).toMatchObject({
      uploadMode: 'single',
      expiresIn: 77,
      requiredHeaders: { 'Content-Type': type },
    })
  })

  it('is given afresh for the same uploadRequestId, and the publication stays the same', async () => {
    const service = await sandbox()
    const body = creation({ edition: { title: 'One' } })
    const first = await service.call('POST', '/v1/publications', body)
    const second = await service.call('POST', '/v1/publications', {
      ...body,
      uploadRequestId: body.uploadRequestId.toUpperCase(),
    })
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body.item).toEqual(first.body.item)
    expect(second.body.result.objectKey).toBe(first.body.result.objectKey)
    expect(second.body.result.uploadUrl).not.toBe(first.body.result.uploadUrl)
    for (const { body } of [first, second])
      expect(await service.put(body.result, await makeExampleEpub())).toBe(200)
    expect((await service.ok('GET', '/v1/publications')).items).toHaveLength(1)
  })

  it('for another object leaves the file of an edition that is available where it is', async () => {
    const service = await sandbox({ variants: ['new-object-keys'] })
    const body = creation()
    const { item, result } = await service.ok('POST', '/v1/publications', body)
    await service.put(result, await makeExampleEpub())
    await service.settled(item.id)
    const { uploadRequestId, publicationFilename } = body
    const intent = await service.ok('POST', '/v1/publication-uploads', {
      uploadRequestId,
      publicationFilename,
      publicationType: 'EPUB',
    })
    expect(intent.result.objectKey).not.toBe(result.objectKey)
    expect(await service.put(intent.result, await makeExampleEpub())).toBe(200)
    const again = await service.ok('POST', '/v1/publications', body)
    expect(again.result.objectKey).toBe(result.objectKey)
    expect(again.item.editions[0]).toMatchObject({ key: result.objectKey, uploadStatus: 'available' })
  })

  it('is given once for creations at the same time, in two processes of one sandbox', async () => {
    const dataDir = dataFolder()
    const [one, two] = [await sandbox({ dataDir }), await sandbox({ dataDir })]
    const body = creation()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => (at % 2 ? one : two).ok('POST', '/v1/publications', body)),
    )
    expect(
      new Set(answers.map(({ item }) => `${item.id} ${item.editions.map(({ id }: Json) => id)}`)).size,
    ).toBe(1)
    expect((await one.ok('GET', '/v1/publications')).items).toHaveLength(1)
  })

  it('is given by an intent for a publication that was created', async () => {
    const service = await sandbox()
    const body = creation()
    const { item, result } = await service.ok('POST', '/v1/publications', body)
    const { uploadRequestId, publicationFilename } = body
    const intent = await service.ok('POST', '/v1/publication-uploads', {
      uploadRequestId,
      publicationFilename,
      publicationType: 'EPUB',
      coverFilename: 'late.png',
    })
    expect(intent.result).toMatchObject({ uploadRequestId, objectKey: result.objectKey })
    await service.put(intent.result.cover, 'image')
    await service.put(intent.result, await makeExampleEpub())
    const { edition } = await service.settled(item.id)
    expect(edition).toMatchObject({
      uploadStatus: 'available',
      metadata: { cover: intent.result.cover.objectKey },
    })
  })

  it('may come before the publication, which takes over what was sent', async () => {
    const service = await sandbox()
    const body = creation()
    const { uploadRequestId, publicationFilename } = body
    const { result } = await service.ok('POST', '/v1/publication-uploads', {
      uploadRequestId,
      publicationFilename,
      publicationType: 'EPUB',
      coverFilename: 'c.png',
    })
    await service.put(result, await makeExampleEpub({ title: 'Sent first' }))
    await service.put(result.cover, 'image')
    const { item } = await service.ok('POST', '/v1/publications', body)
    expect((await service.settled(item.id)).edition).toMatchObject({
      title: 'Sent first',
      key: result.objectKey,
      metadata: { cover: result.cover.objectKey },
    })
  })

  it('keeps to the type of its uploadRequestId', async () => {
    const { ok, call } = await sandbox()
    const body = creation()
    await ok('POST', '/v1/publications', body)
    const { uploadRequestId, publicationFilename } = body
    for (const [path, other] of [
      ['/v1/publications', { ...body, edition: { type: 'PDF' } }],
      ['/v1/publication-uploads', { uploadRequestId, publicationFilename, publicationType: 'PDF' }],
    ] as const) {
      const answer = await call('POST', path, other)
      expect({ status: answer.status, error: answer.body.error }).toEqual({
        status: 400,
        error: 'INVALID_REQUEST',
      })
    }
  })

  it('is refused for an uploadRequestId that was used with other content, which is named', async () => {
    const { ok, call } = await sandbox()
    const body = creation({
      language: 'English',
      edition: { title: 'One', metadata: { isbn: '1', series: [1] } },
    })
    const { item } = await ok('POST', '/v1/publications', body)
    const { uploadRequestId, publicationFilename } = body
    const edition = { ...body.edition }
    for (const [path, other, ...fields] of [
      ['/v1/publications', { ...body, edition: { ...edition, title: 'Two' } }, 'edition.title'],
      ['/v1/publications', { ...body, publicationFilename: 'b.epub' }, 'publicationFilename'],
      ['/v1/publications', { ...body, sampleItems: [], language: 'German' }, 'language', 'sampleItems'],
      [
        `/v1/publications/${item.id}/editions`,
        { ...body, edition: { ...edition, metadata: { isbn: '1', series: [2] } } },
        'edition.metadata.series',
      ],
      [
        '/v1/publication-uploads',
        { uploadRequestId, publicationFilename: 'b.epub', publicationType: 'EPUB' },
        'publicationFilename',
      ],
      [
        '/v1/publication-uploads',
        { uploadRequestId, publicationFilename, publicationType: 'PDF' },
        'publicationType',
      ],
    ] as [string, Json, ...string[]][]) {
      const answer = await call('POST', path, other)
      expect({ status: answer.status, error: answer.body.error }).toEqual({
        status: 400,
        error: 'INVALID_REQUEST',
      })
      expect(answer.body.message).toContain(`used before with other content (${fields.join(', ')})`)
      expect(answer.body.details.map((each: Json) => each.path.join('.'))).toEqual(fields)
    }
    expect((await ok('GET', `/v1/publications/${item.id}`)).item).toEqual(item)
    // Order is no content, and a cover may be asked for later.
    const again = await ok('POST', '/v1/publications', {
      ...Object.fromEntries(Object.entries(body).reverse()),
      coverFilename: 'late.png',
    })
    expect(again.item).toEqual(item)
  })

  it('makes a new publication once the old one of its uploadRequestId was deleted', async () => {
    const { ok } = await sandbox()
    const body = creation()
    const first = await ok('POST', '/v1/publications', body)
    await ok('DELETE', `/v1/publications/${first.item.id}`)
    const second = await ok('POST', '/v1/publications', body)
    expect(second.item.id).not.toBe(first.item.id)
    expect(second.result.objectKey).not.toBe(first.result.objectKey)
  })
})

describe('a new edition', () => {
  it('becomes the current one when it is available, and counts up', async () => {
    const service = await sandbox()
    const { item, edition: first } = await service.publish({}, await makeExampleEpub({ title: 'First' }))
    const path = `/v1/publications/${item.id}/editions`
    const created = await service.ok('POST', path, creation({ language: 'Spanish' }))
    const [, second] = created.item.editions
    expect(created.item.language).toBe('Spanish')
    expect(second).toMatchObject({ version: 2, isCurrentVersion: false, uploadStatus: 'upload_pending' })
    expect(await summaryOf(service, item.id)).toMatchObject({
      currentEditionId: first.id,
      uploadStatus: 'available',
    })
    await service.put(created.result, await makeExampleEpub({ title: 'Second' }))
    await service.settled(item.id, second.id)
    const { items } = await service.ok('GET', path)
    expect(items.map(({ id, isCurrentVersion }: Json) => [id, isCurrentVersion])).toEqual([
      [first.id, false],
      [second.id, true],
    ])
    expect(await summaryOf(service, item.id)).toMatchObject({ currentEditionId: second.id, title: 'Second' })
    expect((await service.ok('GET', `${path}/${second.id}`)).item).toEqual(items[1])
    expect((await service.ok('GET', '/v1/publications')).stats).toMatchObject({
      publicationCount: 1,
      publicationEditionCount: 2,
    })
  })

  it('does not become the current one when it failed, nor when a newer one was ready before it', async () => {
    const service = await sandbox()
    const { item } = await service.publish()
    const path = `/v1/publications/${item.id}/editions`
    const [failed, late, early] = [
      await service.ok('POST', path, creation()),
      await service.ok('POST', path, creation()),
      await service.ok('POST', path, creation()),
    ]
    const [, two, three, four] = early.item.editions.map(({ id }: Json) => id)
    await service.put(failed.result, 'nothing')
    expect((await service.settled(item.id, two)).edition).toMatchObject({ isCurrentVersion: false })
    await service.put(early.result, await makeExampleEpub())
    expect((await service.settled(item.id, four)).edition).toMatchObject({ isCurrentVersion: true })
    await service.put(late.result, await makeExampleEpub())
    expect((await service.settled(item.id, three)).edition).toMatchObject({
      uploadStatus: 'available',
      isCurrentVersion: false,
    })
    expect((await summaryOf(service, item.id)).currentEditionId).toBe(four)
  })

  it('is created once for an uploadRequestId, and not with one of another publication', async () => {
    const service = await sandbox()
    const [one, two] = [(await service.create()).item, (await service.create()).item]
    const body = creation()
    const path = `/v1/publications/${one.id}/editions`
    const first = await service.ok('POST', path, body)
    const second = await service.ok('POST', path, body)
    expect(second.item).toEqual(first.item)
    expect(second.item.editions).toHaveLength(2)
    const answer = await service.call('POST', `/v1/publications/${two.id}/editions`, body)
    expect({ status: answer.status, error: answer.body.error }).toEqual({
      status: 400,
      error: 'INVALID_REQUEST',
    })
  })

  it('is found under its own publication alone', async () => {
    const service = await sandbox()
    const [one, two] = [(await service.create()).item, (await service.create()).item]
    const answer = await service.call('GET', `/v1/publications/${one.id}/editions/${two.editions[0].id}`)
    expect(answer.status).toBe(404)
  })
})

describe('a publication', () => {
  it('is changed where a field is given, and only there', async () => {
    const { create, ok, call } = await sandbox()
    const { item } = await create({ language: 'English', description: 'a', collectionIds: ['x'] })
    const path = `/v1/publications/${item.id}`
    const changed = await ok('PATCH', path, {
      sampleItems: ['one', 'two'],
      isForInternalReadingInstance: true,
    })
    expect(changed.item).toEqual({ ...item, sampleItems: ['one', 'two'], isForInternalReadingInstance: true })
    expect((await ok('PATCH', path, {})).item).toEqual(changed.item)
    expect((await ok('GET', path)).item).toEqual(changed.item)
    const refused = await call('PATCH', path, { title: 'x' })
    expect({ status: refused.status, error: refused.body.error }).toEqual({ status: 400, error: 'ZOD_ERROR' })
    expect((await ok('GET', '/v1/publications?collectionId=x')).items).toHaveLength(1)
  })
})
