import { describe, expect, it, onTestFinished } from 'vitest'
import type { RequestContext } from '../../src/sandbox/call.ts'
import { seed } from '../../src/sandbox/seed/index.ts'
import { openStore } from '../../src/sandbox/store/database.ts'
import { listPublications } from '../../src/sandbox/store/publication-list.ts'
import type { Database } from '../../src/system/database.ts'
import { dataFolder, sandbox } from '../support/servers/sandbox.ts'

type Sandbox = Awaited<ReturnType<typeof sandbox>>

/** All pages of a list, each as the titles, names or identifiers of its items. */
async function walk({ ok }: Sandbox, path: string, name: string): Promise<string[][]> {
  const pages: string[][] = []
  let token: string | null = ''
  while (token !== null) {
    const more: string =
      token === '' ? '' : `${path.includes('?') ? '&' : '?'}nextToken=${encodeURIComponent(token)}`
    const body = await ok('GET', path + more)
    pages.push(body.items.map((item: Record<string, string>) => item[name]))
    token = body.nextToken
  }
  return pages
}

const titled = async ({ create }: Sandbox, ...titles: string[]) => {
  for (const title of titles) await create({ edition: { title } })
}

describe('the list of publications', () => {
  it('comes in pages of ten, the newest first, and each publication once', async () => {
    const service = await sandbox()
    const titles = Array.from({ length: 23 }, (_, at) => `Book ${at}`)
    await titled(service, ...titles)
    const pages = await walk(service, '/v1/publications', 'title')
    expect(pages.map(page => page.length)).toEqual([10, 10, 3])
    expect(pages.flat()).toEqual(titles.toReversed())
  })

  it('ends at a page that is full, without an empty one', async () => {
    const service = await sandbox()
    await titled(service, 'a', 'b', 'c', 'd')
    expect(await walk(service, '/v1/publications?limit=2', 'title')).toEqual([
      ['d', 'c'],
      ['b', 'a'],
    ])
  })

  it('shows each publication once although others come and go', async () => {
    const service = await sandbox()
    await titled(service, 'a', 'b', 'c', 'd')
    const first = await service.ok('GET', '/v1/publications?limit=2')
    await titled(service, 'new')
    await service.ok('DELETE', `/v1/publications/${first.items[1].publicationId}`)
    const second = await service.ok('GET', `/v1/publications?limit=2&nextToken=${first.nextToken}`)
    expect(second.items.map(({ title }: { title: string }) => title)).toEqual(['b', 'a'])
  })

  it('is sorted by title or author without regard to case and accents, and turned round when asked to', async () => {
    const service = await sandbox()
    for (const [title, author] of [
      ['Émile', 'Zoë'],
      ['eagle', 'anna'],
      ['Zebra', 'Ärne'],
      ['apple', 'Bob'],
    ]) {
      await service.create({ edition: { title, author: [author] } })
    }
    const sorted = async (query: string) =>
      (await walk(service, `/v1/publications?limit=3&${query}`, 'title')).flat()
    expect(await sorted('sortBy=title')).toEqual(['apple', 'eagle', 'Émile', 'Zebra'])
    expect(await sorted('sortBy=title&sortDirection=desc')).toEqual(['Zebra', 'Émile', 'eagle', 'apple'])
    expect(await sorted('sortBy=author')).toEqual(['eagle', 'Zebra', 'apple', 'Émile'])
    expect(await sorted('sortBy=createdAtIso&sortDirection=asc')).toEqual([
      'Émile',
      'eagle',
      'Zebra',
      'apple',
    ])
  })

  it('keeps those of the same title apart over pages', async () => {
    const service = await sandbox()
    await titled(service, ...Array.from({ length: 7 }, () => 'Same'))
    const pages = await walk(service, '/v1/publications?limit=2&sortBy=title', 'publicationId')
    expect(new Set(pages.flat()).size).toBe(7)
  })

  it('finds titles and authors by any part of them', async () => {
    const service = await sandbox()
    await service.create({ edition: { title: 'The Rubáiyát', author: ['Omar Khayyám'] } })
    await service.create({ edition: { title: '100% % _ Sure', author: ['Someone'] } })
    const found = async (search: string) =>
      (await walk(service, `/v1/publications?search=${encodeURIComponent(search)}`, 'title')).flat()
    expect(await found('rubaiyat')).toEqual(['The Rubáiyát'])
    expect(await found('KHAYYÁM')).toEqual(['The Rubáiyát'])
    expect(await found('% _')).toEqual(['100% % _ Sure'])
    expect(await found('%a%')).toEqual([])
    expect(await found('')).toHaveLength(2)
  })

  it('is filtered by status, format and collection, by repeated names and by commas', async () => {
    const service = await sandbox()
    await service.publish({ edition: { title: 'live' }, collectionIds: ['one', 'two'] })
    await service.create({ edition: { title: 'draft', type: 'PDF' }, collectionIds: ['two'] })
    await service.create({ edition: { title: 'sound', type: 'Audio' } })
    const found = async (query: string) =>
      (await walk(service, `/v1/publications?${query}`, 'title')).flat().sort()
    expect(await found('statuses=live')).toEqual(['live'])
    expect(await found('statuses=draft')).toEqual(['draft', 'sound'])
    expect(await found('statuses=draft&statuses=live')).toEqual(['draft', 'live', 'sound'])
    expect(await found('formats=pdf,audio')).toEqual(['draft', 'sound'])
    expect(await found('formats=epub-reflowable')).toEqual(['live'])
    expect(await found('formats=epub-fixed')).toEqual([])
    expect(await found('collectionId=two')).toEqual(['draft', 'live'])
    expect(await found('collectionId=two&formats=pdf')).toEqual(['draft'])
    expect(await found('collectionId=three')).toEqual([])
  })

  it('carries the oldest publication as the default, and counts on its first page', async () => {
    const service = await sandbox()
    expect((await service.ok('GET', '/v1/publications')).defaultPublicationId).toBe('')
    await titled(service, 'a', 'b', 'c')
    const first = await service.ok('GET', '/v1/publications?limit=2')
    const oldest = (await service.ok('GET', '/v1/publications')).items[2].publicationId
    expect(first.defaultPublicationId).toBe(oldest)
    const month = new Date().toISOString().slice(0, 7)
    expect(first.stats).toEqual({ publicationCount: 3, publicationEditionCount: 3, months: { [month]: 3 } })
    await service.ok('DELETE', `/v1/publications/${oldest}`)
    const { stats } = await service.ok('GET', '/v1/publications')
    expect(stats).toEqual({ publicationCount: 2, publicationEditionCount: 2, months: { [month]: 2 } })
    const second = await service.ok('GET', `/v1/publications?limit=2&nextToken=${first.nextToken}`)
    expect(second).not.toHaveProperty('stats')
  })
})

describe('the list of reader instances', () => {
  it('comes in pages of ten', async () => {
    const service = await sandbox()
    for (let copy = 0; copy < 9; copy++) await service.ok('POST', '/v1/reader-instances/ri_default/copy')
    const pages = await walk(service, '/v1/reader-instances', 'id')
    expect(pages.map(page => page.length)).toEqual([10, 2])
    expect(new Set(pages.flat()).size).toBe(12)
  })
})

describe('the list of reader users', () => {
  it('comes in pages of fifty, or as long as is asked for', async () => {
    const service = await sandbox()
    const pages = await walk(service, '/v1/reader-users', 'id')
    expect(pages.map(page => page.length)).toEqual([50, 14])
    const all = pages.flat()
    expect(all.slice(0, 4)).toEqual(['ru_noor', 'ru_jonas', 'ru_kiosk', 'ru_marie'])
    expect(new Set(all).size).toBe(64)
    expect(await walk(service, '/v1/reader-users?limit=1000', 'id')).toEqual([all])
    expect(await walk(service, '/v1/reader-users?limit=40', 'id')).toEqual([all.slice(0, 40), all.slice(40)])
    expect(
      (await service.ok('GET', '/v1/reader-users?limit=2.5')).items.map(({ id }: { id: string }) => id),
    ).toEqual(all.slice(0, 2))
    for (const limit of ['0', '0.5', '1000.5', '-1', 'NaN']) {
      const { status, body } = await service.call('GET', `/v1/reader-users?limit=${limit}`)
      expect({ limit, status, error: body.error, path: body.details?.[0].path }).toEqual({
        limit,
        status: 400,
        error: 'ZOD_ERROR',
        path: ['limit'],
      })
    }
  })
})

describe('a continuation token', () => {
  const refusal = { status: 400, error: 'INVALID_REQUEST' }
  const tokenOf = async (service: Sandbox, path: string): Promise<string> =>
    (await service.ok('GET', path)).nextToken

  async function use(service: Sandbox, path: string, token: string) {
    const joint = path.includes('?') ? '&' : '?'
    const { status, body } = await service.call(
      'GET',
      `${path}${joint}nextToken=${encodeURIComponent(token)}`,
    )
    return { status, error: body.error }
  }

  it('is refused when any of its characters is changed', async () => {
    const service = await sandbox()
    await titled(service, 'a', 'b')
    const token = await tokenOf(service, '/v1/publications?limit=1')
    expect(token).toMatch(/^[\w-]+$/)
    for (let at = 0; at < token.length; at++) {
      const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
      expect({ at, ...(await use(service, '/v1/publications', changed)) }).toEqual({ at, ...refusal })
    }
  })

  it.each(['', 'x', 'AAAA', '..', `${'A'.repeat(5000)}`])('is refused when it was made up', async token => {
    expect(await use(await sandbox(), '/v1/publications', token)).toEqual(refusal)
  })

  it('is refused with other filters or another order, and taken with another limit', async () => {
    const service = await sandbox()
    await titled(service, 'a', 'b')
    const token = await tokenOf(service, '/v1/publications?limit=1&search=')
    for (const query of [
      'search=a',
      'statuses=draft',
      'sortBy=title',
      'sortDirection=asc',
      'collectionId=c',
    ]) {
      expect({ query, ...(await use(service, `/v1/publications?${query}`, token)) }).toEqual({
        query,
        ...refusal,
      })
    }
    expect((await use(service, '/v1/publications?limit=5', token)).status).toBe(200)
  })

  it('is refused by another list and by another sandbox', async () => {
    const service = await sandbox()
    await titled(service, 'a', 'b')
    const token = await tokenOf(service, '/v1/reader-users?limit=1')
    expect(await use(service, '/v1/reader-instances', token)).toEqual(refusal)
    expect(await use(service, '/v1/publications', token)).toEqual(refusal)
    expect(await use(await sandbox(), '/v1/reader-users', token)).toEqual(refusal)
    expect((await use(service, '/v1/reader-users', token)).status).toBe(200)
  })
})

describe('a page of a hundred thousand publications', () => {
  /** How the store finds the rows of a list, step by step. */
  function planOf(query: object): string[] {
    const db = openStore(dataFolder(), seed)
    onTestFinished(() => db.close())
    const plans: string[] = []
    const all: Database['all'] = (sql, ...values) => {
      const steps = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values)
      plans.push(...steps.map(({ detail }) => detail))
      return db.all(sql, ...values)
    }
    const tokens = { make: () => '', read: () => 'somewhere' }
    listPublications({ db: { ...db, all }, tokens } as unknown as RequestContext, query)
    return plans
  }

  it.each([
    [{ nextToken: 'x' }],
    [{ nextToken: 'x', sortBy: 'title' }],
    [{ nextToken: 'x', sortBy: 'author', sortDirection: 'desc' }],
    [{ nextToken: 'x', statuses: ['live'], formats: ['pdf', 'audio'], search: 'a' }],
  ])('begins where the last one ended, and sorts nothing: %j', query => {
    const plan = planOf(query).join('; ')
    expect(plan).toMatch(/^SEARCH publications USING INDEX publications_by_\w+ \(by_\w+[<>]\?\)$/)
  })
})
