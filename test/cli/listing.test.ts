import { describe, expect, it } from 'vitest'
import { machine } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { json, type Received, serve } from '../support/servers/server.ts'

const numbered = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `${prefix}_${index}` }))

/** A machine at a service that answers each request with what `answer` makes of its query. */
async function at(answer: (query: URLSearchParams) => { status?: number; body: object }) {
  const { url, received } = await serve((request, response) => {
    const { status = 200, body } = answer(queryOf(request))
    json(response, status, { ...body, context: {} })
  })
  const own = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
  return { ...own, asked: () => received.map(({ method, url }) => `${method} ${url}`) }
}

const queryOf = ({ url }: Received) => new URL(url, 'http://x').searchParams

/** A paginated endpoint of `count` items, whose pages hold at most `largest`. */
function paginated(prefix: string, count: number, largest: number) {
  const all = numbered(prefix, count)
  return (query: URLSearchParams) => {
    const size = Number(query.get('limit') ?? Math.min(10, largest))
    if (size > largest) {
      const details = [{ message: `at most ${largest}`, path: ['limit'], code: 'too_big' }]
      return { status: 400, body: { error: 'ZOD_ERROR', message: 'not valid', details } }
    }
    const from = Number(query.get('nextToken') ?? 0)
    const items = all.slice(from, from + size)
    return { body: { items, nextToken: from + size < count ? String(from + size) : null } }
  }
}

describe('a listing that is not paginated', () => {
  it('is printed whole', async () => {
    const { run, asked } = await at(() => ({ body: { items: numbered('user', 80) } }))
    const { code, out, err } = await run(['users', 'list', '--json'])
    expect({ code, err, count: JSON.parse(out).length }).toEqual({ code: 0, err: '', count: 80 })
    expect(asked()).toEqual(['GET /v1/users'])
    expect((await run(['users', 'list'])).out.split('\n')).toHaveLength(81)
  })

  it('is cut by --limit alone, with a warning in every format', async () => {
    const { run } = await at(() => ({ body: { items: numbered('user', 80) } }))
    const cut = (...more: string[]) => run(['users', 'list', '--limit', '3', ...more])
    const warning = {
      code: 'listing_cut',
      message: 'the listing was cut: these are the first 3, and there are more',
      hint: 'Use --all to see everything, or a higher --limit.',
    }
    for (const format of ['json', 'ndjson']) {
      const { code, err } = await cut('-o', format)
      expect({ code, warning: JSON.parse(err) }).toEqual({ code: 0, warning: { warning } })
    }
    for (const more of [[], ['-o', 'csv'], ['--query', '[].id']]) {
      const { out, err } = await cut(...more)
      expect(err).toBe(`warning: ${warning.message}\n  ${warning.hint}\n`)
      expect(out).toContain('user_2')
      expect(out).not.toContain('user_3')
    }
    expect((await cut('-q')).err).toBe('')
    expect((await run(['users', 'list', '--limit', '80', '--json'])).err).toBe('')
  })

  it('says that it was cut where the service gives a token that its endpoint does not take', async () => {
    const { run, asked } = await at(() => ({ body: { items: numbered('user', 2), nextToken: 'more' } }))
    const warning = {
      code: 'listing_cut',
      message: 'the service says that there are more, and gives no way to ask for them',
      hint: 'It should give all of this list at once. Tell whoever runs it.',
    }
    for (const more of [[], ['--all'], ['--limit', '3']]) {
      for (const command of ['users list', 'analytics popular']) {
        const { code, err } = await run([...command.split(' '), '--json', ...more])
        expect({ code, ...JSON.parse(err) }).toEqual({ code: 0, warning })
      }
    }
    expect(new Set(asked())).toEqual(new Set(['GET /v1/users', 'GET /v1/analytics/publications/popular']))
    expect(asked()).toHaveLength(6)
  })
})

describe('reader users', () => {
  it('are asked for without a limit, whatever the largest page of the service is', async () => {
    const { run, asked } = await at(paginated('ru', 45, 20))
    for (const more of [[], ['--all']]) {
      const { code, out, err } = await run(['reader-users', 'list', '--json', ...more])
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(JSON.parse(out)).toEqual(numbered('ru', 45))
    }
    expect(asked().slice(0, 5)).toEqual([
      'GET /v1/reader-users',
      ...[10, 20, 30, 40].map(token => `GET /v1/reader-users?nextToken=${token}`),
    ])
  })

  it('are asked for with the limit that was asked for', async () => {
    const { run, asked } = await at(paginated('ru', 45, 20))
    const { out, err } = await run(['reader-users', 'list', '--limit', '15', '--json'])
    expect(JSON.parse(out)).toHaveLength(15)
    expect(JSON.parse(err).warning.code).toBe('listing_cut')
    expect(asked()).toEqual(['GET /v1/reader-users?limit=15'])
  })

  it('are asked for in pages of 50 where more are wanted', async () => {
    const { run, asked } = await at(paginated('ru', 120, 50))
    const { code, out, err } = await run(['reader-users', 'list', '--limit', '70', '--json'])
    expect({ code, warning: JSON.parse(err).warning.code }).toEqual({ code: 0, warning: 'listing_cut' })
    expect(JSON.parse(out)).toEqual(numbered('ru', 70))
    expect(asked()).toEqual(['GET /v1/reader-users?limit=50', 'GET /v1/reader-users?limit=20&nextToken=50'])
  })
})

describe('a paginated listing', () => {
  it.each(['publications', 'reader-instances'])('prints 50 %s unless told otherwise', async group => {
    const { run, asked } = await at(paginated('x', 120, 50))
    const { out, err } = await run([group, 'list', '--json'])
    expect(JSON.parse(out)).toHaveLength(50)
    expect(JSON.parse(err).warning.message).toMatch(/the first 50,/)
    const all = await run([group, 'list', '--all', '--json'])
    expect(JSON.parse(all.out)).toHaveLength(120)
    expect(all.err).toBe('')
    const some = await run([group, 'list', '--limit', '60', '--json'])
    expect(JSON.parse(some.out)).toHaveLength(60)
    expect(asked()).toEqual([
      `GET /v1/${group}?limit=50`,
      ...['', '&nextToken=50', '&nextToken=100'].map(token => `GET /v1/${group}?limit=50${token}`),
      `GET /v1/${group}?limit=50`,
      `GET /v1/${group}?limit=10&nextToken=50`,
    ])
  })
})

describe('130,000 items in one answer', () => {
  // More than a function can have arguments.
  const many = 130_000
  const atMany = () => at(() => ({ body: { items: numbered('u', many), nextToken: null } }))

  it.runIf(isSlow)('are printed by api --paginate', async () => {
    const { run } = await atMany()
    const { code, out, err } = await run(['api', 'GET', '/v1/users', '--paginate'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out).items).toHaveLength(many)
  })

  const formats = [
    ['--json'],
    ['-o', 'csv'],
    ['--query', '[].id'],
    ['-o', 'ndjson'],
    ['--json', '--query', 'length(@)'],
    ['--fields', 'id'],
  ]

  it.runIf(isSlow).each(formats)('are printed by a listing with %s %s', async (...format) => {
    const { run } = await atMany()
    const { code, out, err } = await run(['users', 'list', ...format])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(format.includes('length(@)') ? String(many) : `u_${many - 1}`)
  })

  it.runIf(isSlow)('are a table at a terminal', async () => {
    const { run } = await atMany()
    const { code, out } = await run(['users', 'list'], { columns: 80 })
    expect(code).toBe(0)
    expect(out.split('\n')).toHaveLength(many + 2)
  })

  it.runIf(isSlow)('are bars of a series', async () => {
    const daily = Array.from({ length: many }, (_, index) => ({ day: `d${index}`, views: index }))
    const { run } = await at(() => ({ body: { item: { publicationId: 'p', daily } } }))
    const args = ['analytics', 'activity', 'p', '--from', '2026-01-01', '--to', '2026-01-02']
    const { code, out } = await run(args, { columns: 80 })
    expect(code).toBe(0)
    expect(out).toContain(`d${many - 1}`)
  })
})
