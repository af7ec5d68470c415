import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/system/world.ts'
import { creation, gone, invalidRequest, refusalOf, sandbox, zodError } from '../support/servers/sandbox.ts'

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
    expect(item.totals.publicationsRead).toBe(10)
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

  it('name as popular what can be looked at, and not be changed', async () => {
    const service = await sandbox({ clock })
    const { ok } = service
    const { items } = await ok('GET', '/v1/analytics/publications/popular')
    expect(items).toHaveLength(10)
    for (const { publicationId, title } of items) {
      const path = `/v1/publications/${publicationId}`
      const { item } = await ok('GET', path)
      expect(item).toMatchObject({ id: publicationId, editions: [{ title, status: 'live' }] })
      const { items: editions } = await ok('GET', `${path}/editions`)
      expect(editions).toEqual(item.editions)
      expect((await ok('GET', `${path}/editions/${editions[0].id}`)).item).toEqual(editions[0])
      expect(await refusalOf(service, 'GET', `${path}/editions/nowhere`)).toEqual(gone)
      expect(await refusalOf(service, 'PATCH', path, { description: 'x' })).toEqual(invalidRequest)
      expect(await refusalOf(service, 'POST', `${path}/editions`, creation())).toEqual(invalidRequest)
      expect(await refusalOf(service, 'DELETE', path)).toEqual(invalidRequest)
      expect((await ok('GET', path)).item).toEqual(item)
    }
    const { items: readers } = await ok('GET', '/v1/reader-users')
    for (const { currentPublicationId } of readers)
      await ok('GET', `/v1/publications/${currentPublicationId}`)
  })

  it('have readers who have read in the last year, in whatever year that is', async () => {
    for (const now of [Date.UTC(2026, 0, 1), Date.UTC(2031, 5, 30)]) {
      const { ok } = await sandbox({ clock: { ...clock, now: () => now } })
      const { items } = await ok('GET', '/v1/reader-users?limit=1000')
      const days = items.map((each: { lastSessionStartedAt: string }) =>
        Date.parse(each.lastSessionStartedAt),
      )
      expect(Math.max(...days)).toBeLessThanOrEqual(now)
      expect(Math.min(...days)).toBeGreaterThan(now - 365 * 86_400_000)
      const { item } = await ok('GET', '/v1/reader-users/ru_noor')
      expect(item.readingHistory[0].lastReadAtIso).toBe(item.lastSessionStartedAt)
    }
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
