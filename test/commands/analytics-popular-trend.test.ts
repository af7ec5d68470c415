import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { machine } from '../support/machine/pubctl.ts'
import { refused, transcriptOf } from '../support/machine/transcript.ts'
import { json, serve } from '../support/servers/server.ts'

const reads = { averageReadTimeMs: 61_500, averageCompletion: 0.5, completionRate: 0.25 }
const trend = (publicationId: string, counts: Record<string, number>) => ({
  publicationId,
  period: { from: '2025-11', to: '2026-03' },
  totals: { totalReads: 9, ...reads },
  monthly: Object.entries(counts).map(([month, totalReads]) => ({ month, totalReads, ...reads })),
  note: 'a field that the document does not know',
})
const routes = {
  'GET /v1/analytics/publications/popular': {
    items: [
      { publicationId: 'pub_1', title: 'A Tale of Two Clocks', views: 34_567 },
      { publicationId: 'pub_2', title: 'Gone', views: 1200 },
      { publicationId: 'pub_3', title: 'Another', views: 12 },
    ],
  },
  'GET /v1/analytics/publications/pub_1': {
    item: trend('pub_1', { '2025-11': 4, '2025-12': 8, '2026-02': 1, '2026-03': 2 }),
  },
  'GET /v1/analytics/publications/pub_2': refused(404, 'EMPTY_RESPONSE', 'There is none.'),
  'GET /v1/analytics/publications/pub_3': { item: trend('pub_3', { '2026-02': 0 }) },
}
const withTrends = () => transcriptOf(routes, { LANG: 'C.UTF-8' })

/** A transcript in which requests that were under way at a time are in the order of their addresses. */
const ordered = (transcript: string): string =>
  transcript.replace(/(?:^> .*\n)+/gm, requests => `${requests.trimEnd().split('\n').sort().join('\n')}\n`)

describe('analytics popular --trend', () => {
  it('keeps a title without an id, and one that is none', async () => {
    const { run } = await transcriptOf({
      ...routes,
      'GET /v1/analytics/publications/popular': { items: [{ title: 'Nameless', views: 3 }, null] },
    })
    const { code, out, err } = await run(['analytics', 'popular', '--trend', '--json'])
    const message = 'the service gave this title no id'
    expect({ code, out: JSON.parse(out), error: JSON.parse(err).error }).toMatchObject({
      code: 10,
      out: [{ title: 'Nameless', views: 3, trend: null, error: { code: 'bad_reply', message } }, null],
      error: {
        details: [{ path: [''], code: 'bad_reply', message, hint: 'Report it to the service.' }],
        message: '1 of 2 failed',
      },
    })
  })

  it('is a line below what was viewed, where a title whose figures fail keeps its row', async () => {
    const { type } = await withTrends()
    expect(
      ordered(await type('pubctl analytics popular --trend --from 2025-11', { columns: 80 })),
    ).toMatchInlineSnapshot(`
      $ pubctl analytics popular --trend --from 2025-11
      > GET /v1/analytics/publications/popular
      > GET /v1/analytics/publications/pub_1?from=2025-11&to=2026-03&granularity=month
      > GET /v1/analytics/publications/pub_2?from=2025-11&to=2026-03&granularity=month
      > GET /v1/analytics/publications/pub_3?from=2025-11&to=2026-03&granularity=month
         TITLE                  VIEWS                                       TREND
      1  A Tale of Two Clocks  34,567 │███████████████████████████████████  ▄█ ▁▂
      2  Gone                   1,200 │█▎                                   no figures
      3  Another                   12 │▏                                       ▁
                                      └─────────┴─────────┴─────────┴─────
                                      0      10,000    20,000    30,000

      Trend: the reads of each month from 2025-11 to 2026-03, where 2026-03 is not
      over, from zero to the title's own most.
      ! error: 1 of 3 failed
      !   pub_2: There is none.
      !     Check the id; the matching "list" command shows those that exist.
      exit 10
    `)
  })

  it('is a row for each title and month in CSV and in a pipe, and an object in JSON', async () => {
    const { type } = await withTrends()
    expect(
      ordered(
        await type([
          'pubctl analytics popular --trend --from 2025-11',
          'pubctl analytics popular --trend --from 2025-11 --to 2026-02 -o csv --limit 1',
          'pubctl analytics popular --trend -o ndjson',
          'pubctl analytics popular --trend --fields title,trend.totals.totalReads,error.message -o csv',
          'pubctl analytics popular --from 2025-11',
          'pubctl analytics popular --trend --from 2026-11',
        ]),
      ),
    ).toMatchInlineSnapshot(`
      $ pubctl analytics popular --trend --from 2025-11
      > GET /v1/analytics/publications/popular
      > GET /v1/analytics/publications/pub_1?from=2025-11&to=2026-03&granularity=month
      > GET /v1/analytics/publications/pub_2?from=2025-11&to=2026-03&granularity=month
      > GET /v1/analytics/publications/pub_3?from=2025-11&to=2026-03&granularity=month
      pub_1⇥A Tale of Two Clocks⇥34567⇥⇥2025-11⇥4
      pub_1⇥A Tale of Two Clocks⇥34567⇥⇥2025-12⇥8
      pub_1⇥A Tale of Two Clocks⇥34567⇥⇥2026-02⇥1
      pub_1⇥A Tale of Two Clocks⇥34567⇥⇥2026-03⇥2
      pub_2⇥Gone⇥1200⇥EMPTY_RESPONSE⇥⇥
      pub_3⇥Another⇥12⇥⇥2026-02⇥0
      ! error: 1 of 3 failed
      !   pub_2: There is none.
      !     Check the id; the matching "list" command shows those that exist.
      exit 10

      $ pubctl analytics popular --trend --from 2025-11 --to 2026-02 -o csv --limit 1
      > GET /v1/analytics/publications/popular
      > GET /v1/analytics/publications/pub_1?from=2025-11&to=2026-02&granularity=month
      publicationId,title,views,error.code,trend.monthly.month,trend.monthly.totalReads
      pub_1,A Tale of Two Clocks,34567,,2025-11,4
      pub_1,A Tale of Two Clocks,34567,,2025-12,8
      pub_1,A Tale of Two Clocks,34567,,2026-02,1
      pub_1,A Tale of Two Clocks,34567,,2026-03,2
      ! warning: the listing was cut: these are the first 1, and there are more
      !   Use --all to see everything, or a higher --limit.

      $ pubctl analytics popular --trend -o ndjson
      > GET /v1/analytics/publications/popular
      > GET /v1/analytics/publications/pub_1?from=2025-04&to=2026-03&granularity=month
      > GET /v1/analytics/publications/pub_2?from=2025-04&to=2026-03&granularity=month
      > GET /v1/analytics/publications/pub_3?from=2025-04&to=2026-03&granularity=month
      {"publicationId":"pub_1","title":"A Tale of Two Clocks","views":34567,"trend":{"publicationId":"pub_1","period":{"from":"2025-11","to":"2026-03"},"totals":{"totalReads":9,"averageReadTimeMs":61500,"averageCompletion":0.5,"completionRate":0.25},"monthly":[{"month":"2025-11","totalReads":4,"averageReadTimeMs":61500,"averageCompletion":0.5,"completionRate":0.25},{"month":"2025-12","totalReads":8,"averageReadTimeMs":61500,"averageCompletion":0.5,"completionRate":0.25},{"month":"2026-02","totalReads":1,"averageReadTimeMs":61500,"averageCompletion":0.5,"completionRate":0.25},{"month":"2026-03","totalReads":2,"averageReadTimeMs":61500,"averageCompletion":0.5,"completionRate":0.25}],"note":"a field that the document does not know"},"error":null}
      {"publicationId":"pub_2","title":"Gone","views":1200,"trend":null,"error":{"code":"EMPTY_RESPONSE","message":"There is none."}}
      {"publicationId":"pub_3","title":"Another","views":12,"trend":{"publicationId":"pub_3","period":{"from":"2025-11","to":"2026-03"},"totals":{"totalReads":9,"averageReadTimeMs":61500,"averageCompletion":0.5,"completionRate":0.25},"monthly":[{"month":"2026-02","totalReads":0,"averageReadTimeMs":61500,"averageCompletion":0.5,"completionRate":0.25}],"note":"a field that the document does not know"},"error":null}
      ! {"error":{"code":"part_failed","message":"1 of 3 failed","status":null,"requestId":null,"details":[{"message":"There is none.","path":["pub_2"],"code":"EMPTY_RESPONSE","exitCode":5,"hint":"Check the id; the matching \\"list\\" command shows those that exist."}],"hint":null,"exitCode":10}}
      exit 10

      $ pubctl analytics popular --trend --fields title,trend.totals.totalReads,error.message -o csv
      > GET /v1/analytics/publications/popular
      > GET /v1/analytics/publications/pub_1?from=2025-04&to=2026-03&granularity=month
      > GET /v1/analytics/publications/pub_2?from=2025-04&to=2026-03&granularity=month
      > GET /v1/analytics/publications/pub_3?from=2025-04&to=2026-03&granularity=month
      title,trend.totals.totalReads,error.message
      A Tale of Two Clocks,9,
      Gone,,There is none.
      Another,9,
      ! error: 1 of 3 failed
      !   pub_2: There is none.
      !     Check the id; the matching "list" command shows those that exist.
      exit 10

      $ pubctl analytics popular --from 2025-11
      ! error: --from and --to are the months of a trend
      !   Add --trend. The service does not say over which time it counts views.
      exit 2

      $ pubctl analytics popular --trend --from 2026-11
      ! error: 2026-11 is after 2026-03
      !   Name the first month with --from, and the last with --to.
      exit 2
    `)
  })

  it('is a table with --no-chart', async () => {
    const { type } = await withTrends()
    expect(
      ordered(await type('pubctl analytics popular --trend --no-chart', { columns: 80 })),
    ).toMatchInlineSnapshot(`
      $ pubctl analytics popular --trend --no-chart
      > GET /v1/analytics/publications/popular
      > GET /v1/analytics/publications/pub_1?from=2025-04&to=2026-03&granularity=month
      > GET /v1/analytics/publications/pub_2?from=2025-04&to=2026-03&granularity=month
      > GET /v1/analytics/publications/pub_3?from=2025-04&to=2026-03&granularity=month
      TITLE               VIEWS   ERROR           MONTH    TOTAL READS  PUBLICATION ID
      A Tale of Two Clo…  34,567                  2025-11  4            pub_1
      A Tale of Two Clo…  34,567                  2025-12  8            pub_1
      A Tale of Two Clo…  34,567                  2026-02  1            pub_1
      A Tale of Two Clo…  34,567                  2026-03  2            pub_1
      Gone                1,200   EMPTY_RESPONSE                        pub_2
      Another             12                      2026-02  0            pub_3
      ! error: 1 of 3 failed
      !   pub_2: There is none.
      !     Check the id; the matching "list" command shows those that exist.
      exit 10
    `)
  })

  it('asks for six titles at a time', async () => {
    const count = 20
    const waiting: ServerResponse[] = []
    let [asked, most] = [0, 0]
    const { url } = await serve(({ url: path }, response) => {
      if (path.endsWith('/popular')) {
        const items = Array.from({ length: count }, (_, at) => ({
          publicationId: `pub_${at}`,
          title: 't',
          views: 1,
        }))
        return json(response, 200, { items, context: {} })
      }
      asked++
      waiting.push(response)
      most = Math.max(most, waiting.length)
      // Answered only when as many are under way as may be, or when it is the last.
      if (waiting.length < 6 && asked < count) return
      for (const each of waiting.splice(0)) json(each, 200, { item: trend('x', {}), context: {} })
    })
    const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
    expect((await run(['analytics', 'popular', '--trend'])).code).toBe(0)
    expect({ asked, most }).toEqual({ asked: count, most: 6 })
  })

  it('keeps the order of the service, and what it sent', async () => {
    const { run } = await withTrends()
    const { out, code } = await run(['analytics', 'popular', '--trend', '--json'])
    const [first, second] = JSON.parse(out)
    expect(first).toEqual({
      ...routes['GET /v1/analytics/publications/popular'].items[0],
      trend: routes['GET /v1/analytics/publications/pub_1'].item,
      error: null,
    })
    expect(second).toMatchObject({ publicationId: 'pub_2', trend: null, error: { code: 'EMPTY_RESPONSE' } })
    expect(code).toBe(10)
  })
})
