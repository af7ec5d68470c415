import { expect, it } from 'vitest'
import { machine } from '../support/pubctl.ts'
import { json, serve } from '../support/server.ts'

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
