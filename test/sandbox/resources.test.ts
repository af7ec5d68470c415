import { describe, expect, it } from 'vitest'
import { gone, invalidRequest, refusalOf, sandbox, zodError } from '../support/servers/sandbox.ts'

type Sandbox = Awaited<ReturnType<typeof sandbox>>

describe('the life of a metadata key', () => {
  const path = '/v1/resources/metadata-keys'
  const create = async ({ ok }: Sandbox, key = 'series') => (await ok('POST', path, { key, label: 'L' })).item

  it('begins active, custom and unused', async () => {
    const service = await sandbox()
    const item = await create(service)
    expect(item).toMatchObject({
      scopeId: 'scope_sandbox',
      key: 'series',
      label: 'L',
      origin: 'custom',
      mutability: 'editable',
      status: 'active',
      isInUse: false,
    })
    expect((await service.ok('GET', path)).items).toEqual([item])
  })

  it('goes from active to archived, which says when and by whom', async () => {
    const service = await sandbox()
    const { id } = await create(service)
    const { item } = await service.ok('PATCH', `${path}/${id}`, { status: 'archived' })
    expect(item).toMatchObject({
      status: 'archived',
      archivedAtIso: item.updatedAtIso,
      archivedBySub: 'sub_ada',
    })
    expect((await service.ok('PATCH', `${path}/${id}`, { status: 'archived' })).item).toEqual(item)
  })

  it('goes back from archived to active', async () => {
    const service = await sandbox()
    const { id } = await create(service)
    await service.ok('PATCH', `${path}/${id}`, { status: 'archived' })
    const { item } = await service.ok('PATCH', `${path}/${id}`, { status: 'active' })
    expect(item.status).toBe('active')
    expect(item).not.toHaveProperty('archivedAtIso')
    expect(item).not.toHaveProperty('archivedBySub')
  })

  it('ends when it is archived and unused', async () => {
    const service = await sandbox()
    const { id } = await create(service)
    const archived = (await service.ok('PATCH', `${path}/${id}`, { status: 'archived' })).item
    expect((await service.ok('DELETE', `${path}/${id}`)).item).toEqual(archived)
    expect((await service.ok('GET', path)).items).toEqual([])
    expect(await refusalOf(service, 'DELETE', `${path}/${id}`)).toEqual(gone)
  })

  it('does not end while it is active', async () => {
    const service = await sandbox()
    const item = await create(service)
    expect(await refusalOf(service, 'DELETE', `${path}/${item.id}`)).toEqual(invalidRequest)
    expect((await service.ok('GET', path)).items).toEqual([item])
  })

  it('does not end while an edition uses it, archived or not', async () => {
    const service = await sandbox()
    const { id } = await create(service)
    const { item: publication } = await service.create({ edition: { metadata: { series: 'x' } } })
    expect((await service.ok('GET', path)).items[0].isInUse).toBe(true)
    const archived = (await service.ok('PATCH', `${path}/${id}`, { status: 'archived' })).item
    expect(archived).toMatchObject({ status: 'archived', isInUse: true })
    expect(await refusalOf(service, 'DELETE', `${path}/${id}`)).toEqual(invalidRequest)
    expect((await service.ok('GET', path)).items).toEqual([archived])
    await service.ok('DELETE', `/v1/publications/${publication.id}`)
    expect((await service.ok('DELETE', `${path}/${id}`)).item.isInUse).toBe(false)
  })

  it('does not begin twice, nor without a key, and is archived by its status alone', async () => {
    const service = await sandbox()
    const { id } = await create(service)
    expect(await refusalOf(service, 'POST', path, { key: 'series' })).toEqual(invalidRequest)
    expect(await refusalOf(service, 'POST', path, { label: 'x' })).toEqual(zodError)
    expect(await refusalOf(service, 'PATCH', `${path}/${id}`, { archived: true })).toEqual(zodError)
    expect(await refusalOf(service, 'PATCH', `${path}/${id}`, { status: 'gone' })).toEqual(zodError)
  })

  it('goes on in use after the book has been read', async () => {
    const service = await sandbox()
    await create(service)
    await service.publish({ edition: { metadata: { series: 'x' } } })
    expect((await service.ok('GET', path)).items[0].isInUse).toBe(true)
  })
})

describe('permitted domains', () => {
  it('are kept in one spelling, and only once', async () => {
    const service = await sandbox()
    const { item } = await service.ok('POST', '/v1/domains', { domain: 'Reader.BÜCHER.example' })
    expect(item).toMatchObject({
      domain: 'reader.xn--bcher-kva.example',
      description: '',
      isInUse: false,
      readerInstanceIds: [],
    })
    for (const domain of ['reader.bücher.example', 'READER.xn--bcher-kva.EXAMPLE']) {
      expect(await refusalOf(service, 'POST', '/v1/domains', { domain })).toEqual(invalidRequest)
    }
  })

  it.each([
    '',
    'https://a.example',
    'a.example/x',
    'a b',
    'a..b',
    '-a.example',
    'a.example.',
    'a.example:80',
    `${'a'.repeat(64)}.b`,
  ])('are host names: %j is none', async domain => {
    const { call } = await sandbox()
    const { status, body } = await call('POST', '/v1/domains', { domain })
    expect({ status, error: body.error, path: body.details?.[0].path }).toEqual({
      ...zodError,
      path: ['domain'],
    })
  })

  it('change their description and nothing else', async () => {
    const service = await sandbox()
    const { item: before } = await service.ok('GET', '/v1/domains/dom_library')
    expect((await service.ok('PATCH', '/v1/domains/dom_library', {})).item).toEqual(before)
    const { item } = await service.ok('PATCH', '/v1/domains/dom_library', { description: 'New' })
    expect(item).toEqual({ ...before, description: 'New', updatedAtIso: expect.any(String) })
    expect(item.updatedAtIso > before.updatedAtIso).toBe(true)
    const body = { domain: 'other.example' }
    expect(await refusalOf(service, 'PATCH', '/v1/domains/dom_library', body)).toEqual(zodError)
  })

  it('stay as long as a reader instance uses them', async () => {
    const service = await sandbox()
    expect((await service.ok('GET', '/v1/domains/dom_school')).item).toMatchObject({
      isInUse: true,
      readerInstanceIds: ['ri_school'],
    })
    expect(await refusalOf(service, 'DELETE', '/v1/domains/dom_school')).toEqual(invalidRequest)
    const copy = (await service.ok('POST', '/v1/reader-instances/ri_school/copy')).item
    await service.ok('DELETE', '/v1/reader-instances/ri_school')
    expect(await refusalOf(service, 'DELETE', '/v1/domains/dom_school')).toEqual(invalidRequest)
    await service.ok('DELETE', `/v1/reader-instances/${copy.id}`)
    expect((await service.ok('DELETE', '/v1/domains/dom_school')).item.isInUse).toBe(false)
    expect((await service.ok('GET', '/v1/domains')).items).toHaveLength(2)
  })
})

describe('reader instances', () => {
  it('are copied whole, under another name and never as the default', async () => {
    const service = await sandbox()
    const { item: original } = await service.ok('GET', '/v1/reader-instances/ri_default')
    const { item } = await service.ok('POST', '/v1/reader-instances/ri_default/copy')
    expect(item).toEqual({
      ...original,
      id: expect.stringMatching(/^ri_/),
      name: 'Copy of Library reader',
      isDefault: false,
      createdAtIso: expect.any(String),
      updatedAtIso: expect.any(String),
    })
    expect((await service.ok('GET', `/v1/reader-instances/${item.id}`)).item).toEqual(item)
  })

  it('can be copied without a body, and not with one that says something', async () => {
    const service = await sandbox()
    const path = '/v1/reader-instances/ri_school/copy'
    expect((await service.call('POST', path)).status).toBe(201)
    expect((await service.call('POST', path, {})).status).toBe(201)
    expect(await refusalOf(service, 'POST', path, { name: 'x' })).toEqual(zodError)
  })

  it('are deleted, the default one excepted', async () => {
    const service = await sandbox()
    expect(await refusalOf(service, 'DELETE', '/v1/reader-instances/ri_default')).toEqual(invalidRequest)
    const { item } = await service.ok('DELETE', '/v1/reader-instances/ri_samples')
    expect(item).toMatchObject({ id: 'ri_samples', configuration: { version: '1.0.0' } })
    expect(await refusalOf(service, 'GET', '/v1/reader-instances/ri_samples')).toEqual(gone)
  })
})

describe('assets', () => {
  it('are pending until their file has arrived', async () => {
    const service = await sandbox()
    const { result } = await service.ok('POST', '/v1/resources/assets', {
      assets: [
        { type: 'font', filename: 'One.otf' },
        { type: 'font', filename: 'Two.woff2' },
      ],
    })
    expect(result).toHaveLength(2)
    expect(result[1]).toMatchObject({
      uploadMode: 'single',
      type: 'font',
      filename: 'Two.woff2',
      expiresIn: 900,
      requiredHeaders: { 'Content-Type': 'font/woff2' },
    })
    expect(await service.put(result[1], 'twelve bytes')).toBe(200)
    const { items } = await service.ok('GET', '/v1/resources/assets')
    expect(items.slice(1)).toMatchObject([
      { id: result[0].id, status: 'pending', filesize: 0, filetype: 'font/otf', key: result[0].key },
      {
        id: result[1].id,
        status: 'available',
        filesize: 12,
        filetype: 'font/woff2',
        usedByReaderInstances: [],
      },
    ])
  })

  it('are renamed', async () => {
    const service = await sandbox()
    const { item } = await service.ok('PATCH', '/v1/resources/assets/ast_font_serif', {
      filename: 'New.woff2',
    })
    expect(item).toMatchObject({
      filename: 'New.woff2',
      filetype: 'font/woff2',
      key: 'assets/ast_font_serif',
    })
    expect(await refusalOf(service, 'PATCH', '/v1/resources/assets/ast_font_serif', {})).toEqual(zodError)
  })

  it('stay as long as a reader instance uses them', async () => {
    const service = await sandbox()
    const { items } = await service.ok('GET', '/v1/resources/assets')
    expect(items[0].usedByReaderInstances).toEqual([{ id: 'ri_default', name: 'Library reader' }])
    expect(await refusalOf(service, 'DELETE', '/v1/resources/assets/ast_font_serif')).toEqual(invalidRequest)
    const { result } = await service.ok('POST', '/v1/resources/assets', {
      assets: [{ type: 'font', filename: 'a' }],
    })
    await service.put(result[0], 'bytes')
    expect((await service.ok('DELETE', `/v1/resources/assets/${result[0].id}`)).item.id).toBe(result[0].id)
    expect((await service.ok('GET', '/v1/resources/assets')).items).toHaveLength(1)
    // Whoever still has the session may use it, as at S3, to no effect.
    expect(await service.put(result[0], 'bytes')).toBe(200)
    expect((await service.ok('GET', '/v1/resources/assets')).items).toHaveLength(1)
  })

  it('are asked for by at least one, and each of a type and a name', async () => {
    const service = await sandbox()
    const refusal = (assets: unknown) => refusalOf(service, 'POST', '/v1/resources/assets', { assets })
    expect(await refusal([])).toEqual(zodError)
    expect(await refusal([{ type: 5, filename: 'a' }])).toEqual(zodError)
    expect(await refusal([{ type: 'font', filename: 'a' }, { type: 'font' }])).toEqual(zodError)
    expect((await service.ok('GET', '/v1/resources/assets')).items).toHaveLength(1)
  })
})
