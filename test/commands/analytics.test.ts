import { expect, it } from 'vitest'
import { machine } from '../support/machine/pubctl.ts'
import { transcriptOf } from '../support/machine/transcript.ts'
import { json, serve } from '../support/servers/server.ts'

const daily = [
  { day: '2026-03-01', views: 3 },
  { day: '2026-03-02', views: 0 },
]
const period = { from: '2026-03-01', to: '2026-03-02' }
const activity = { publicationId: 'pub_1', period, daily }

async function at(item: object) {
  const { url } = await serve((_, response) => json(response, 200, { item, context: {} }))
  return machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
}
const line = ['analytics', 'activity', 'pub_1', '--from', '2026-03-01', '--to', '2026-03-02']

it('daily activity is a row a day in CSV and in a pipe', async () => {
  const { run } = await at(activity)
  expect((await run([...line, '-o', 'csv'])).out).toBe(
    `publicationId,period.from,period.to,daily.day,daily.views
pub_1,2026-03-01,2026-03-02,2026-03-01,3
pub_1,2026-03-01,2026-03-02,2026-03-02,0
`,
  )
  expect((await run(line)).out).toBe(
    'pub_1\t2026-03-01\t2026-03-02\t2026-03-01\t3\npub_1\t2026-03-01\t2026-03-02\t2026-03-02\t0\n',
  )
  expect(JSON.parse((await run([...line, '--json'])).out)).toEqual(activity)
})

it('the analytics of a scope and of a publication are a row a month', async () => {
  const totals = { publicationsRead: 2, totalViews: 9, activeReaders: 4 }
  const scope = await at({ period, totals, monthly: [{ month: '2026-03', ...totals }] })
  expect((await scope.run(['analytics', 'scope', '-o', 'csv'])).out).toBe(
    `period.from,period.to,totals.publicationsRead,totals.totalViews,totals.activeReaders,monthly.month,monthly.publicationsRead,monthly.totalViews,monthly.activeReaders
2026-03-01,2026-03-02,2,9,4,2026-03,2,9,4
`,
  )
  const reads = { totalReads: 7, averageReadTimeMs: 1500, averageCompletion: 0.5, completionRate: 0.25 }
  const months = ['2026-02', '2026-03'].map(month => ({ month, ...reads }))
  const publication = await at({ publicationId: 'pub_1', period, totals: reads, monthly: months })
  expect((await publication.run(['analytics', 'publication', 'pub_1'])).out).toBe(
    months
      .map(({ month }) => `pub_1\t2026-03-01\t2026-03-02\t7\t1500\t0.5\t0.25\t${month}\t7\t1500\t0.5\t0.25\n`)
      .join(''),
  )
})

it('--fields picks of the series, and of the record alone', async () => {
  const { run } = await at(activity)
  const fields = async (names: string) => (await run([...line, '--fields', names])).out
  expect(await fields('daily.day,daily.views')).toBe('2026-03-01\t3\n2026-03-02\t0\n')
  expect(await fields('publicationId')).toBe('pub_1\n')
})

it.each([
  { series: 'that is missing', more: {}, rest: '' },
  { series: 'that is empty', more: { daily: [] }, rest: '\t\t' },
])('a series $series leaves the record', async ({ more, rest }) => {
  const { run } = await at({ publicationId: 'pub_1', period, ...more })
  expect((await run(line)).out).toBe(`pub_1\t2026-03-01\t2026-03-02${rest}\n`)
})

const months = { from: '2026-01', to: '2026-02' }
const counters = { publicationsRead: 1200, totalViews: 34_567, activeReaders: 89 }
const reads = { totalReads: 7, averageReadTimeMs: 61_500, averageCompletion: 0.5, completionRate: 0.256 }
const popular = [
  { publicationId: 'pub_1', title: 'A Tale of Two Clocks', views: 34_567 },
  { publicationId: 'pub_2', title: 'Another', views: 12 },
]

const withNumbers = () =>
  transcriptOf({
    'GET /v1/analytics': {
      item: { period: months, totals: counters, monthly: [{ month: '2026-01', ...counters }] },
    },
    'GET /v1/analytics/publications/popular': { items: popular },
    'GET /v1/analytics/publications/pub_1': {
      item: {
        publicationId: 'pub_1',
        period: months,
        totals: reads,
        monthly: [{ month: '2026-01', ...reads }],
      },
    },
    'GET /v1/analytics/publications/pub_1/activity': { item: activity },
  })

it('analytics scope', async () => {
  const { type } = await withNumbers()
  expect(
    await type([
      'pubctl analytics scope',
      'pubctl analytics scope --from 2026-01 --to 2026-02 --granularity month --json',
      'pubctl analytics scope --granularity total --fields totals.totalViews',
      'pubctl analytics scope --from 2026-13',
      'pubctl analytics scope --to 2026-1 --json',
      'pubctl analytics scope --granularity day',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl analytics scope
    > GET /v1/analytics
    2026-01⇥2026-02⇥1200⇥34567⇥89⇥2026-01⇥1200⇥34567⇥89

    $ pubctl analytics scope --from 2026-01 --to 2026-02 --granularity month --json
    > GET /v1/analytics?from=2026-01&to=2026-02&granularity=month
    {"period":{"from":"2026-01","to":"2026-02"},"totals":{"publicationsRead":1200,"totalViews":34567,"activeReaders":89},"monthly":[{"month":"2026-01","publicationsRead":1200,"totalViews":34567,"activeReaders":89}]}

    $ pubctl analytics scope --granularity total --fields totals.totalViews
    > GET /v1/analytics?granularity=total
    34567

    $ pubctl analytics scope --from 2026-13
    ! error: --from: "2026-13" is not a month
    !   Write it as YYYY-MM, such as 2026-03.
    exit 2

    $ pubctl analytics scope --to 2026-1 --json
    ! {"error":{"code":"usage","message":"--to: \\"2026-1\\" is not a month","status":null,"requestId":null,"details":null,"hint":"Write it as YYYY-MM, such as 2026-03.","exitCode":2}}
    exit 2

    $ pubctl analytics scope --granularity day
    ! error: --granularity: "day" is not one of its values
    !   The values are total, month.
    exit 2
  `)
  expect(await type('pubctl analytics scope', { columns: 80 })).toMatchInlineSnapshot(`
    $ pubctl analytics scope
    > GET /v1/analytics
    from               2026-01
    to                 2026-02
    publications read  1,200
    total views        34,567
    active readers     89

    MONTH     VIEWS                                            READERS  PUBLICATIONS
    2026-01  34,567 |########################################       89         1,200
    2026-02       - | no figures                                     -             -
                    +-----------+----------+-----------+-----
                    0        10,000     20,000      30,000
  `)
})

it('analytics popular', async () => {
  const { type } = await withNumbers()
  expect(
    await type(['pubctl analytics popular', 'pubctl analytics popular --limit 1 --json']),
  ).toMatchInlineSnapshot(`
    $ pubctl analytics popular
    > GET /v1/analytics/publications/popular
    pub_1⇥A Tale of Two Clocks⇥34567
    pub_2⇥Another⇥12

    $ pubctl analytics popular --limit 1 --json
    > GET /v1/analytics/publications/popular
    [
    {"publicationId":"pub_1","title":"A Tale of Two Clocks","views":34567}
    ]
    ! {"warning":{"code":"listing_cut","message":"the listing was cut: these are the first 1, and there are more","hint":"Use --all to see everything, or a higher --limit."}}
  `)
  expect(await type('pubctl analytics popular', { columns: 80 })).toMatchInlineSnapshot(`
    $ pubctl analytics popular
    > GET /v1/analytics/publications/popular
       TITLE                 PUBLICATION ID   VIEWS
    1  A Tale of Two Clocks  pub_1           34,567 |###############################
    2  Another               pub_2               12 |
                                                    +-----------------+-------------
                                                    0              20,000
  `)
})

it('analytics publication', async () => {
  const { type } = await withNumbers()
  expect(
    await type([
      'pubctl analytics publication pub_1',
      'pubctl analytics publication pub_1 --from 2026-01 --to 2026-02 --granularity total --json',
      'pubctl analytics publication pub_9',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl analytics publication pub_1
    > GET /v1/analytics/publications/pub_1
    pub_1⇥2026-01⇥2026-02⇥7⇥61500⇥0.5⇥0.256⇥2026-01⇥7⇥61500⇥0.5⇥0.256

    $ pubctl analytics publication pub_1 --from 2026-01 --to 2026-02 --granularity total --json
    > GET /v1/analytics/publications/pub_1?from=2026-01&to=2026-02&granularity=total
    {"publicationId":"pub_1","period":{"from":"2026-01","to":"2026-02"},"totals":{"totalReads":7,"averageReadTimeMs":61500,"averageCompletion":0.5,"completionRate":0.256},"monthly":[{"month":"2026-01","totalReads":7,"averageReadTimeMs":61500,"averageCompletion":0.5,"completionRate":0.256}]}

    $ pubctl analytics publication pub_9
    > GET /v1/analytics/publications/pub_9
    ! error: There is none.
    !   request id: req_1
    !   Check the id; the matching "list" command shows those that exist.
    exit 5
  `)
  expect(await type('pubctl analytics publication pub_1', { columns: 80 })).toMatchInlineSnapshot(`
    $ pubctl analytics publication pub_1
    > GET /v1/analytics/publications/pub_1
    publication id      pub_1
    from                2026-01
    to                  2026-02
    total reads         7
    average read time   1 min 2 s
    average completion  50 %
    completion rate     26 %

    MONTH    READS                                  COMPLETION  COMPLETED  READ TIME
    2026-01      7 |##############################        50 %       26 %  1 min 2 s
    2026-02      - | no figures                              -          -          -
                   +---+----+---+---+---+----+---+
                   0   1    2   3   4   5    6   7
  `)
})

it('analytics activity', async () => {
  const { type } = await withNumbers()
  expect(
    await type([
      'pubctl analytics activity pub_1 --from 2026-03-01 --to 2026-03-02',
      'pubctl analytics activity pub_1 --from 2026-03-01',
      'pubctl analytics activity pub_1 --from 2026-02-30 --to 2026-03-02 --json',
      'pubctl analytics activity pub_1 --from 2026-03-01 --to tomorrow',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl analytics activity pub_1 --from 2026-03-01 --to 2026-03-02
    > GET /v1/analytics/publications/pub_1/activity?from=2026-03-01&to=2026-03-02
    pub_1⇥2026-03-01⇥2026-03-02⇥2026-03-01⇥3
    pub_1⇥2026-03-01⇥2026-03-02⇥2026-03-02⇥0

    $ pubctl analytics activity pub_1 --from 2026-03-01
    ! error: required option "--to <day>" not specified
    !   Add --help to see what fits.
    exit 2

    $ pubctl analytics activity pub_1 --from 2026-02-30 --to 2026-03-02 --json
    ! {"error":{"code":"usage","message":"--from: \\"2026-02-30\\" is not a day","status":null,"requestId":null,"details":null,"hint":"Write it as YYYY-MM-DD, such as 2026-03-31.","exitCode":2}}
    exit 2

    $ pubctl analytics activity pub_1 --from 2026-03-01 --to tomorrow
    ! error: --to: "tomorrow" is not a day
    !   Write it as YYYY-MM-DD, such as 2026-03-31.
    exit 2
  `)
  expect(
    await type('pubctl analytics activity pub_1 --from 2026-03-01 --to 2026-03-02', { columns: 80 }),
  ).toMatchInlineSnapshot(`
    $ pubctl analytics activity pub_1 --from 2026-03-01 --to 2026-03-02
    > GET /v1/analytics/publications/pub_1/activity?from=2026-03-01&to=2026-03-02
    publication id  pub_1
    from            2026-03-01
    to              2026-03-02

    DAY             VIEWS
    Sun 2026-03-01      3 |#########################################################
    Mon 2026-03-02      0 |
                          +------------------+------------------+------------------+
                          0                  1                  2                  3
  `)
})
