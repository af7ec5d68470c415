import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/system/world.ts'
import { transcriptOf } from '../support/machine/transcript.ts'

const counters = (totalViews: number) => ({
  publicationsRead: 3,
  totalViews,
  activeReaders: Math.round(totalViews / 3),
})

/** The clock of transcripts stands in March 2026. */
const routes = {
  'GET /v1/analytics': {
    item: {
      period: { from: '2025-12', to: '2026-04' },
      totals: counters(33_000),
      monthly: [
        { month: '2025-12', ...counters(12_000) },
        { month: '2026-02', ...counters(15_500) },
        { month: '2026-03', ...counters(5500) },
      ],
    },
  },
  'GET /v1/analytics/publications/pub_1/activity': {
    item: {
      publicationId: 'pub_1',
      period: { from: '2026-01-20', to: '2026-03-08' },
      daily: Array.from({ length: 48 }, (_, at) => ({
        day: new Date(Date.UTC(2026, 0, 20 + at)).toISOString().slice(0, 10),
        views: at > 44 ? 0 : at % 13,
      })),
    },
  },
}
const service = () => transcriptOf(routes, { LANG: 'C.UTF-8' })

describe('what is not over', () => {
  it('is said in words, and what is missing is a gap', async () => {
    const { type } = await service()
    expect(await type('pubctl analytics scope', { columns: 60 })).toMatchInlineSnapshot(`
      $ pubctl analytics scope
      > GET /v1/analytics
      from               2025-12
      to                 2026-04
      publications read  3
      total views        33,000
      active readers     11,000

      MONTH             VIEWS                              READERS
      2025-12          12,000 │████████████████████▏         4,000
      2026-01               – │ no figures                       –
      2026-02          15,500 │██████████████████████████    5,167
      2026-03 so far    5,500 │▒▒▒▒▒▒▒▒▒                     1,833
      2026-04 to come       – │ no figures                       –
                              └────────────────┴─────────
                              0             10,000
    `)
  })

  it('is said of a day below the calendar', async () => {
    const { type } = await service()
    const line = 'pubctl analytics activity pub_1 --from 2026-01-20 --to 2026-03-08'
    expect(await type(line, { columns: 60 })).toMatchInlineSnapshot(`
      $ pubctl analytics activity pub_1 --from 2026-01-20 --to 2026-03-08
      > GET /v1/analytics/publications/pub_1/activity?from=2026-01-20&to=2026-03-08
      publication id  pub_1
      from            2026-01-20
      to              2026-03-08

          2026
          Jan Feb   Mar
      Mon   ▒▒··▓▓░░▓▓░░
          ··▓▓░░▓▓░░▓▓░░
      Wed ░░▓▓░░▓▓░░██▒▒
          ░░▓▓░░██▒▒██▒▒
      Fri ░░██▒▒██▒▒██
          ▒▒██▒▒██▒▒··
      Sun ▒▒██▒▒··▓▓░░

      ·· 0   ░░ 1–3   ▒▒ 4–6   ▓▓ 7–9   ██ 10–12
      blank: no figures
      249 views in all, the most on 2026-02-01: 12
      2026-03-05 is not over
    `)
  })
})

it('a calendar of nothing says so', async () => {
  const daily = Array.from({ length: 33 }, (_, at) => ({
    day: new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10),
    views: 0,
  }))
  const item = { publicationId: 'pub_1', period: { from: '2026-01-01', to: '2026-02-02' }, daily }
  const { type } = await transcriptOf(
    { 'GET /v1/analytics/publications/pub_1/activity': { item } },
    { LANG: 'C.UTF-8' },
  )
  const line = 'pubctl analytics activity pub_1 --from 2026-01-01 --to 2026-02-02'
  expect(await type(line, { columns: 60 })).toMatchInlineSnapshot(`
    $ pubctl analytics activity pub_1 --from 2026-01-01 --to 2026-02-02
    > GET /v1/analytics/publications/pub_1/activity?from=2026-01-01&to=2026-02-02
    publication id  pub_1
    from            2026-01-01
    to              2026-02-02

        2026
        Jan     Feb
    Mon   ··········
          ········
    Wed   ········
        ··········
    Fri ··········
        ··········
    Sun ··········

    ·· 0
    no views
  `)
})

it.each([
  [31, true],
  [32, false],
])('%d days are bars: %s', async (count, isBars) => {
  const daily = Array.from({ length: count }, (_, at) => ({
    day: new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10),
    views: 7,
  }))
  const { run } = await transcriptOf({
    'GET /v1/analytics/publications/pub_1/activity': { item: { publicationId: 'pub_1', daily } },
  })
  const line = ['analytics', 'activity', 'pub_1', '--from', '2026-01-01', '--to', '2026-02-01']
  expect(/DAY +VIEWS/.test((await run(line, { columns: 60 })).out)).toBe(isBars)
})

it('days are bars with their weekdays, and what is not over or has no figures is told', async () => {
  const daily = [
    { day: '2026-03-04', views: 12 },
    { day: '2026-03-05', views: 3 },
    { day: '2026-03-07', views: 0 },
  ]
  const { type } = await transcriptOf(
    { 'GET /v1/analytics/publications/pub_1/activity': { item: { publicationId: 'pub_1', daily } } },
    { LANG: 'C.UTF-8' },
  )
  const line = 'pubctl analytics activity pub_1 --from 2026-03-04 --to 2026-03-07'
  expect(await type(line, { columns: 60 })).toMatchInlineSnapshot(`
    $ pubctl analytics activity pub_1 --from 2026-03-04 --to 2026-03-07
    > GET /v1/analytics/publications/pub_1/activity?from=2026-03-04&to=2026-03-07
    publication id  pub_1

    DAY                     VIEWS
    Wed 2026-03-04             12 │█████████████████████████████
    Thu 2026-03-05 so far       3 │▒▒▒▒▒▒▒
    Fri 2026-03-06 to come      – │ no figures                  
    Sat 2026-03-07 to come      0 │
                                  └────┴────┴────┴───┴────┴────┴
                                  0    2    4    6   8   10   12
  `)
})

it('the months and days of a period that have no figures are gaps, also at its ends', async () => {
  const days = { from: '2026-01-01', to: '2026-01-04' }
  const { run } = await transcriptOf({
    'GET /v1/analytics/publications/pub_1/activity': {
      item: { publicationId: 'pub_1', period: days, daily: [{ day: '2026-01-02', views: 7 }] },
    },
    'GET /v1/analytics': {
      item: { period: { from: '2026-01', to: '2026-03' }, monthly: [{ month: '2026-02', totalViews: 7 }] },
    },
    'GET /v1/analytics/publications/pub_1': {
      item: { publicationId: 'pub_1', monthly: [{ month: '2026-02-01', totalReads: 7 }] },
    },
  })
  const rows = async (...line: string[]) =>
    (await run(['analytics', ...line], { columns: 80 })).out.match(/^(?:\w{3} )?2026-\d\d(?:-\d\d)?/gm)
  expect(await rows('activity', 'pub_1', '--from', days.from, '--to', days.to)).toEqual([
    ...['Thu 2026-01-01', 'Fri 2026-01-02', 'Sat 2026-01-03', 'Sun 2026-01-04'],
  ])
  expect(await rows('scope')).toEqual(['2026-01', '2026-02', '2026-03'])
  // What is no month is shown as it was sent.
  expect(await rows('publication', 'pub_1')).toEqual(['2026-02-01'])
})

describe('days and months that are far apart, or none', () => {
  it.each([
    { what: 'ten thousand years', odd: '0001-01-01' },
    { what: 'no calendar', odd: 'yesterday' },
  ])('are bars as they were sent: $what', async ({ odd }) => {
    const { publicationId, period, daily } = routes['GET /v1/analytics/publications/pub_1/activity'].item
    const item = { publicationId, period, daily: [...daily, { day: odd, views: 3 }] }
    const { run } = await transcriptOf({ 'GET /v1/analytics/publications/pub_1/activity': { item } })
    const line = ['analytics', 'activity', 'pub_1', '--from', '2026-01-20', '--to', '2026-03-08']
    const { out, code } = await run(line, { columns: 60 })
    expect(code).toBe(0)
    const rows = out.split('\n').filter(row => /^(\d{4}-\d\d-\d\d|yesterday) /.test(row))
    expect(rows.map(row => row.split(' ')[0])).toEqual(item.daily.map(({ day }) => day))
  })
})

describe('a table instead of the picture', () => {
  it.each(['--no-chart', '-o table'])('is printed with %s', async flag => {
    const { type } = await service()
    const table = (await type(`pubctl analytics scope ${flag}`, { columns: 60 })).split('\n').slice(2)
    expect(table.join('\n')).toBe(
      `from               2025-12
to                 2026-04
publications read  3
total views        33,000
active readers     11,000

MONTH    PUBLICATIONS READ  TOTAL VIEWS  ACTIVE READERS
2025-12  3                  12,000       4,000
2026-02  3                  15,500       5,167
2026-03  3                  5,500        1,833`,
    )
  })

  it('is tab-separated in a pipe, also with -o table', async () => {
    const { run } = await service()
    const { out } = await run(['analytics', 'scope'])
    expect(out).toBe((await run(['analytics', 'scope', '-o', 'table'])).out)
    expect(out.split('\n')[0]).toBe('2025-12\t2026-04\t3\t33000\t11000\t2025-12\t3\t12000\t4000')
  })
})

describe('--chart', () => {
  it('draws into a pipe, as wide as COLUMNS, without colour', async () => {
    const { run } = await service()
    const clock = { ...systemClock, now: () => Date.UTC(2026, 2, 5, 12) }
    const widths = async (env: Record<string, string>) => {
      const { out } = await run(['analytics', 'scope', '--chart'], { env, clock })
      expect(out).toMatch(/^2026-03 so far +5,500 .*│▒+/m)
      expect(out).not.toContain('\u001b')
      return Math.max(...out.split('\n').map(line => line.length))
    }
    expect([await widths({}), await widths({ COLUMNS: '120' }), await widths({ COLUMNS: 'x' })]).toEqual([
      80, 120, 80,
    ])
  })

  it.each([
    { more: ['--json'], name: '--json' },
    { more: ['-o', 'csv'], name: '-o csv' },
    { more: ['--fields', 'period'], name: '--fields' },
    { more: ['--query', 'period'], name: '--query' },
  ])('is refused with $name before anything is asked for', async ({ more, name }) => {
    const { run, received } = await service()
    const { code, err } = await run(['analytics', 'scope', '--chart', ...more])
    expect(code).toBe(2)
    expect(err).toContain(`--chart draws a picture, so it cannot be used with ${name}`)
    expect(received).toEqual([])
  })
})
