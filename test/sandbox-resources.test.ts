import { describe, expect, it } from 'vitest'
import { systemClock } from '../src/world.ts'
import { creation, sandbox } from './support/sandbox.ts'

type Sandbox = Awaited<ReturnType<typeof sandbox>>

async function refusalOf({ call }: Sandbox, method: string, path: string, body?: unknown) {
  const answer = await call(method, path, body)
  return { status: answer.status, error: answer.body.error }
}
const invalidRequest = { status: 400, error: 'INVALID_REQUEST' }
const zodError = { status: 400, error: 'ZOD_ERROR' }
const gone = { status: 404, error: 'EMPTY_RESPONSE' }

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

  it('are asked for by at least one, and of a known type', async () => {
    const service = await sandbox()
    const refusal = (assets: unknown) => refusalOf(service, 'POST', '/v1/resources/assets', { assets })
    expect(await refusal([])).toEqual(zodError)
    expect(await refusal([{ type: 'video', filename: 'a' }])).toEqual(zodError)
    expect(await refusal([{ type: 'font', filename: 'a' }, { type: 'font' }])).toEqual(zodError)
    expect((await service.ok('GET', '/v1/resources/assets')).items).toHaveLength(1)
  })
})

describe('API keys', () => {
  it("are the caller's own; another user's are as if they did not exist", async () => {
    const service = await sandbox()
    const { items } = await service.ok('GET', '/v1/apikeys')
    expect(items.map(({ id }: { id: string }) => id)).toEqual(['key_full', 'key_read_only', 'key_inactive'])
    expect(JSON.stringify(items)).not.toContain(service.key('full'))
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? {} : undefined
      expect(await refusalOf(service, method, '/v1/apikeys/key_editor', body)).toEqual(gone)
    }
  })

  it('change at once in name, scopes and status', async () => {
    const service = await sandbox()
    const path = '/v1/apikeys/key_inactive'
    const { item } = await service.ok('PATCH', path, {
      name: 'n',
      scopes: ['read', 'read'],
      status: 'active',
    })
    expect(item).toMatchObject({
      name: 'n',
      scopes: ['read'],
      status: 'active',
      revoked: null,
      expires: null,
    })
    expect((await service.call('GET', '/v1/users', undefined, service.key('inactive'))).status).toBe(200)
    expect((await service.ok('PATCH', path, {})).item).toMatchObject({ name: 'n', status: 'active' })
    expect(await refusalOf(service, 'PATCH', path, { scopes: ['admin'] })).toEqual(zodError)
  })

  it('can be deleted, the one in use as well, and then stop working', async () => {
    const service = await sandbox()
    expect((await service.ok('DELETE', '/v1/apikeys/key_full')).item.id).toBe('key_full')
    expect((await service.call('GET', '/v1/users')).status).toBe(401)
  })
})

describe('users', () => {
  it('are found by any part of name or address', async () => {
    const { ok } = await sandbox()
    const found = async (term: string) =>
      (await ok('GET', `/v1/users?searchTerm=${encodeURIComponent(term)}`)).items.map(
        ({ id }: { id: string }) => id,
      )
    expect(await found('')).toEqual(['user_ada', 'user_emil', 'user_vera'])
    expect(await found('ZAK')).toEqual(['user_emil'])
    expect(await found('ada ber')).toEqual(['user_ada'])
    expect(await found('@publisher')).toHaveLength(3)
    expect(await found('nobody')).toEqual([])
  })

  it('delete themselves, and their keys stop working', async () => {
    const service = await sandbox()
    expect((await service.ok('DELETE', '/v1/users')).result).toEqual({ success: true, error: '' })
    for (const name of ['full', 'read-only']) {
      expect((await service.call('GET', '/v1/users', undefined, service.key(name))).status).toBe(401)
    }
  })
})

describe('analytics', () => {
  const clock = { ...systemClock, now: () => Date.UTC(2026, 2, 15, 12) }
  const sum = (items: Record<string, number>[], name: string) =>
    items.reduce((total, item) => total + (item[name] ?? 0), 0)

  it('of the scope are by default those of the last twelve months, and their totals agree', async () => {
    const { ok } = await sandbox({ clock })
    const { item } = await ok('GET', '/v1/analytics')
    expect(item.period).toEqual({ from: '2025-04', to: '2026-03' })
    expect(item.monthly).toHaveLength(12)
    expect(item.monthly[0].month).toBe('2025-04')
    expect(item.totals.totalViews).toBe(sum(item.monthly, 'totalViews'))
    expect(item.totals.totalViews).toBeGreaterThan(0)
    expect(item.totals.publicationsRead).toBe(6)
    const readers = item.monthly.map(({ activeReaders }: { activeReaders: number }) => activeReaders)
    expect(item.totals.activeReaders).toBeGreaterThanOrEqual(Math.max(...readers))
    expect(item.totals.activeReaders).toBeLessThanOrEqual(sum(item.monthly, 'activeReaders'))
    const total = await ok('GET', '/v1/analytics?granularity=total')
    expect(total.item).toEqual({ period: item.period, totals: item.totals })
  })

  it('of the publications add up to those of the scope, month by month and day by day', async () => {
    const { ok } = await sandbox({ clock })
    const span = 'from=2026-02&to=2026-03'
    const { item: scope } = await ok('GET', `/v1/analytics?${span}`)
    const { items: popular } = await ok('GET', '/v1/analytics/publications/popular')
    const monthly = [0, 0]
    for (const { publicationId } of popular) {
      const { item } = await ok('GET', `/v1/analytics/publications/${publicationId}?${span}`)
      expect(item.totals.totalReads).toBe(sum(item.monthly, 'totalReads'))
      for (const [at, { totalReads }] of item.monthly.entries()) monthly[at] += totalReads
      const activity = `/v1/analytics/publications/${publicationId}/activity`
      const { item: days } = await ok('GET', `${activity}?from=2026-02-01&to=2026-02-28`)
      expect(days.daily).toHaveLength(28)
      expect(sum(days.daily, 'views')).toBe(item.monthly[0].totalReads)
    }
    expect(monthly).toEqual(scope.monthly.map(({ totalViews }: { totalViews: number }) => totalViews))
  })

  it('are the same each time, and there is nothing before the beginning or after today', async () => {
    const [one, two] = [await sandbox({ clock }), await sandbox({ clock })]
    const path = '/v1/analytics/publications/pub_backlist_faust'
    const { item } = await one.ok('GET', path)
    expect((await two.ok('GET', path)).item).toEqual(item)
    expect(item.totals.averageCompletion).toBeGreaterThan(0.2)
    expect(item.totals.averageCompletion).toBeLessThanOrEqual(1)
    const views = async (from: string, to: string) =>
      (await one.ok('GET', `${path}/activity?from=${from}&to=${to}`)).item.daily.map(
        ({ views }: { views: number }) => views > 0,
      )
    expect(await views('2024-12-31', '2025-01-01')).toEqual([false, true])
    expect(await views('2026-03-15', '2026-03-16')).toEqual([true, false])
    expect((await one.ok('GET', '/v1/analytics?from=2020-01&to=2020-02')).item.totals).toEqual({
      publicationsRead: 0,
      totalViews: 0,
      activeReaders: 0,
    })
  })

  it('list the popular publications by their views', async () => {
    const { ok } = await sandbox({ clock })
    const { items } = await ok('GET', '/v1/analytics/publications/popular')
    const views = items.map(({ views }: { views: number }) => views)
    expect(views).toEqual(views.toSorted((a: number, b: number) => b - a))
    const { item } = await ok('GET', `/v1/analytics/publications/${items[0].publicationId}`)
    expect(item.totals.totalReads).toBe(views[0])
  })

  it('are zero for a publication that nobody has read, and missing for an unknown one', async () => {
    const service = await sandbox({ clock })
    const { item } = await service.ok('POST', '/v1/publications', creation())
    const { item: read } = await service.ok('GET', `/v1/analytics/publications/${item.id}?from=2026-03`)
    const zero = { totalReads: 0, averageReadTimeMs: 0, averageCompletion: 0, completionRate: 0 }
    expect(read).toEqual({
      publicationId: item.id,
      period: { from: '2026-03', to: '2026-03' },
      totals: zero,
      monthly: [{ month: '2026-03', ...zero }],
    })
    expect(await refusalOf(service, 'GET', '/v1/analytics/publications/unknown')).toEqual(gone)
  })

  it.each([
    ['?from=2026-05&to=2026-04', 'to', 'custom'],
    ['?from=2027-01', 'from', 'custom'],
    ['?from=2000-01&to=2026-01', 'to', 'too_big'],
    ['?from=2026-13', 'from', 'invalid_format'],
    ['?granularity=day', 'granularity', 'invalid_value'],
    ['/publications/pub_backlist_faust/activity?from=2026-02-02&to=2026-02-01', 'to', 'custom'],
    ['/publications/pub_backlist_faust/activity?from=2025-01-01&to=2026-01-02', 'to', 'too_big'],
    ['/publications/pub_backlist_faust/activity?from=2026-02-30&to=2026-03-01', 'from', 'custom'],
    ['/publications/pub_backlist_faust/activity?from=2026-02-01', 'to', 'invalid_type'],
  ])('refuse the period %s', async (query, name, code) => {
    const { call } = await sandbox({ clock })
    const { status, body } = await call('GET', `/v1/analytics${query}`)
    expect({ status, error: body.error }).toEqual(zodError)
    expect(body.details[0]).toMatchObject({ path: [name], code })
  })
})
