import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AnalyticsReport } from '../../src/analytics/report/figures.ts'
import { fewestReaders, groupProgress } from '../../src/analytics/report/progress-groups.ts'
import { changed } from '../../src/analytics/report/words.ts'
import { systemClock } from '../../src/system/world.ts'
import { startBin } from '../support/machine/bin.ts'
import { numberIn, sumOf, tableNamed } from '../support/machine/page-tables.ts'
import { pageTags } from '../support/machine/page-tags.ts'
import { pageText } from '../support/machine/page-text.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { withoutColours } from '../support/machine/terminal.ts'
import { type ReadingFigures, readingFigures, titlesNamed } from '../support/servers/reading-figures.ts'
import { json, serve } from '../support/servers/server.ts'

const names = ['Pride and Prejudice', 'Moby-Dick', 'Les Misérables', 'Faust']
/** Somewhere in November 2026. */
const clock = {
  ...systemClock,
  now: () => Date.UTC(2026, 10, 22, 12),
  sleep: async () => undefined,
}

async function at(figures: Partial<ReadingFigures> = {}) {
  const { url, received } = await serve(readingFigures({ titles: titlesNamed(names), ...figures }))
  const own = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
  const file = join(own.home, 'report.html')
  const report = async (...args: string[]) => {
    const result = await own.run(['analytics', 'report', ...args, '--out', file], { clock })
    return { ...result, page: existsSync(file) ? readFileSync(file, 'utf8') : '' }
  }
  return { ...own, file, report, paths: () => received.map(({ url }) => url.replace('/v1', '')) }
}
const months = ['--from', '2026-01', '--to', '2026-10']

describe('analytics report', () => {
  it('asks for the months and as many before, and for nothing else', async () => {
    const { report, paths } = await at({ titles: titlesNamed(['One']) })
    expect(await report(...months)).toMatchObject({ code: 0 })
    expect(paths().sort()).toEqual([
      '/analytics/publications/popular',
      '/analytics/publications/pub_1/activity?from=2026-01-01&to=2026-10-31',
      '/analytics/publications/pub_1?from=2025-03&to=2025-12&granularity=total',
      '/analytics/publications/pub_1?from=2026-01&to=2026-10&granularity=month',
      '/analytics?from=2025-03&to=2025-12&granularity=total',
      '/analytics?from=2026-01&to=2026-10&granularity=month',
    ])
  })

  it.each([
    [[], '2025-11', '2026-10'],
    [['--from', '2026-03'], '2026-03', '2026-10'],
    [['--from', '2026-11'], '2026-11', '2026-11'],
    [['--from', '2026-10'], '2026-10', '2026-10'],
    [['--to', '2026-05'], '2025-06', '2026-05'],
    [['--to', '2026-11'], '2025-12', '2026-11'],
  ])('with %j is about %s to %s', async (args, from, to) => {
    const { report } = await at({ titles: [] })
    const { out } = await report(...args, '--json')
    expect(JSON.parse(out)).toMatchObject({ period: { from, to } })
  })

  const nameMonths = 'Name the first month with --from, and the last, at most 2026-11, with --to.'
  it.each([
    [['--from', '2026-05', '--to', '2026-03'], '2026-05 is after 2026-03', nameMonths],
    [['--to', '2026-12'], '--to 2026-12 has not begun', 'The current month is 2026-11, by UTC.'],
    [['--from', '2027-01'], '--from 2027-01 has not begun', nameMonths],
    [['--from', '2026-11', '--to', '2026-10'], '2026-11 is after 2026-10', nameMonths],
    [['--from', '2016-10'], 'a report has at most 120 months', 'Make several reports.'],
  ])('with %j is refused', async (args, message, hint) => {
    const { report, paths } = await at()
    const { code, err, page } = await report(...args)
    expect({ code, page, asked: paths() }).toEqual({ code: 2, page: '', asked: [] })
    expect(err).toBe(`error: ${message}\n  ${hint}\n`)
  })

  it('may be about ten years', async () => {
    const { report } = await at({ titles: [] })
    const { code, out } = await report('--from', '2016-11', '--json')
    expect({ code, months: JSON.parse(out).monthly.length }).toEqual({ code: 0, months: 120 })
  })

  it('needs a file for its page, but not for JSON and CSV', async () => {
    const { run } = await at({ titles: titlesNamed(names) })
    const shown = async (...args: string[]) =>
      await run(['analytics', 'report', ...months, ...args], { clock })
    expect(await shown()).toMatchObject({
      code: 2,
      err: 'error: there is no file to write the report to\n  Name it with --out report.html, or add --json to print the figures.\n',
    })
    expect(await shown('--dry-run', '--json')).toMatchObject({ code: 0, out: '[]\n' })
    for (const format of ['json', 'ndjson', 'csv'])
      expect(await shown('-o', format)).toMatchObject({ code: 0, err: '' })
    const query = ['--query', 'titlesRanked']
    expect(await shown('--top', '3', ...query)).toEqual({
      ...{ code: 0, out: '4\n' },
      err: 'The service ranks 4 titles; these are the first 3.\n',
    })
    expect(await shown('--top', '4', ...query)).toEqual({ code: 0, out: '4\n', err: '' })
  })

  it('prints the figures of the page as JSON', async () => {
    const readers = Array.from({ length: 40 }, (_, at) => at / 40)
    const { report } = await at({ gaps: ['2026-04'], readers })
    const { code, out, page } = await report(...months, '--readers', '--json')
    expect(code).toBe(0)
    const figures: AnalyticsReport = JSON.parse(out)
    const { monthly, titles, totals, activity, progress } = figures

    const counters = ['publicationsRead', 'totalViews', 'activeReaders'] as const
    const shownMonths = tableNamed(page, 'Figures by month').map(row => row.slice(1).map(numberIn))
    expect(shownMonths).toEqual(monthly.map(row => counters.map(name => row[name])))
    expect(monthly[3]).toEqual({
      month: '2026-04',
      publicationsRead: null,
      totalViews: null,
      activeReaders: null,
    })
    expect(sumOf(shownMonths.map(row => row[1] ?? null))).toBe(totals.totalViews)

    const shownTitles = tableNamed(page, 'Titles').map(row => numberIn(row[1]))
    expect(shownTitles).toEqual(titles.map(title => title.totals?.totalReads))
    const shownReads = tableNamed(page, 'Reads by month').map(row => row.slice(1).map(numberIn))
    expect(shownReads).toEqual(titles.map(title => title.monthly.map(({ totalReads }) => totalReads)))
    expect(shownReads.map(sumOf)).toEqual(shownTitles)

    const shownDays = tableNamed(page, `Views of ${names[0]} by day`).map(row => row.slice(1).map(numberIn))
    const sum = sumOf((activity[0]?.daily ?? []).map(({ views }) => views))
    expect(sum).toBeGreaterThan(0)
    expect(sumOf(shownDays.map(([all = null]) => all))).toBe(sum)
    expect(sumOf(shownDays.flatMap(([, ...days]) => days))).toBe(sum)

    const shownReaders = tableNamed(page, 'Readers by progress').map(row => numberIn(row[1]))
    expect(shownReaders).toEqual(progress?.groups.map(group => group.readers))
    expect(sumOf(shownReaders)).toBe(40)
  })

  it('says what it shows in these words', async () => {
    const readers = Array.from({ length: 40 }, (_, at) => at / 40)
    const { report } = await at({ gaps: ['2026-10'], readers })
    const { page } = await report('--from', '2026-08', '--to', '2026-11', '--top', '3', '--readers')
    await expect(pageText(page)).toMatchFileSnapshot('pages/analytics-report.txt')
    await expect(pageTags(page)).toMatchFileSnapshot('pages/analytics-report-tags.txt')
  })

  it('says what it lacks in these words', async () => {
    const { report } = await at({
      gaps: ['2026-06', '2026-07', '2026-09', '2026-10-03'],
      readers: Array.from({ length: 12 }, (_, at) => at / 12),
      broken: (path, url) =>
        (path === '/analytics' && url.includes('to=2026-05')) ||
        [
          '/reader-users/ru_3',
          '/analytics/publications/pub_2',
          '/analytics/publications/pub_3/activity',
        ].includes(path),
    })
    const calendars = ['pub_1', 'pub_3', 'pub_9'].flatMap(id => ['--calendar', id])
    const months = ['--from', '2026-06', '--to', '2026-10']
    const { code, err, page } = await report(...months, '--readers', ...calendars, '--timeout', '1s')
    expect({
      code,
      failed: err
        .split('\n')
        .filter(line => / (?:It broke|There is none)\.$/.test(line))
        .sort(),
    }).toEqual({
      code: 10,
      failed: [
        '  2026-01 to 2026-05: It broke.',
        '  pub_2: It broke.',
        '  pub_3: It broke.',
        '  pub_9: There is none.',
        '  ru_3: It broke.',
      ],
    })
    await expect(pageText(page)).toMatchFileSnapshot('pages/analytics-report-incomplete.txt')
    await expect(pageTags(page)).toMatchFileSnapshot('pages/analytics-report-incomplete-tags.txt')
  })

  it('says that nothing was viewed', async () => {
    const { report } = await at({ titles: [] })
    const { page } = await report(...months)
    expect(pageText(page)).toContain('The service ranks no titles: nothing has been viewed yet.\n')
  })

  it('is of one month, with one day that has no figures', async () => {
    const { report } = await at({ titles: titlesNamed(['One']), gaps: ['2026-10-03'] })
    const { page } = await report('--from', '2026-10', '--to', '2026-10')
    await expect(pageText(page)).toMatchFileSnapshot('pages/analytics-report-month.txt')
  })

  it('is a table of the titles at a terminal, with fewer columns where that is narrow', async () => {
    const { run, file } = await at()
    const shown = async (columns: number) => {
      const line = ['analytics', 'report', ...months, '--top', '2', '--out', file]
      const { out, err } = await run(line, { clock, columns })
      expect(err).toMatch(/reading figures: \d+ of \d+/)
      return withoutColours(out).replace(/ +$/gm, '')
    }
    expect(await shown(200)).toMatchInlineSnapshot(`
      RANK  TITLE                READS  CHANGE  AVERAGE READ TIME  AVERAGE COMPLETION  COMPLETION RATE  VIEWS   ERROR  PUBLICATION ID
      1     Pride and Prejudice  9,423  4 %     7 min 0 s          35 %                14 %             12,600         pub_1
      2     Moby-Dick            7,113  1 %     11 min 12 s        56 %                22 %             9,338          pub_2
    `)
    expect(await shown(60)).toMatchInlineSnapshot(`
      RANK  TITLE                READS  CHANGE  ERROR
      1     Pride and Prejudice  9,423  4 %
      2     Moby-Dick            7,113  1 %
    `)
  })

  it('keeps the row of a title whose figures fail, and ends with 10', async () => {
    const { report } = await at({ broken: path => path === '/analytics/publications/pub_1' })
    const { code, err, page } = await report(...months, '--timeout', '1s')
    expect(code).toBe(10)
    expect(err).toContain('1 of 7 failed')
    expect(err).toContain('pub_1: It broke.')
    const titles = tableNamed(page, 'Titles')
    expect(titles).toHaveLength(4)
    expect(titles[3]).toEqual([
      '4. Pride and PrejudiceNot read It broke.',
      '–',
      '–',
      '',
      '–',
      '–',
      '–',
      '12,600',
    ])
    expect(page).toContain('The service did not give the figures of 1 title.')
    expect(page).toContain(' One title without reads or figures has no dot.')
    const ofTwo = await at({ broken: path => /^\/analytics\/publications\/pub_[12]$/.test(path) })
    expect((await ofTwo.report(...months, '--timeout', '1s')).page).toContain(
      ' 2 titles without reads or figures have no dot.',
    )
  })

  it.each([
    [
      'the period before',
      (path: string, url: string) => path === '/analytics' && url.includes('from=2025'),
      'the period before',
    ],
    ['the days', (path: string) => path.endsWith('/activity'), 'did not give all days'],
    ['the readers', (path: string) => path === '/reader-users', 'the progress of readers'],
    ['a reader', (path: string) => path === '/reader-users/ru_3', '1 reader record could not be read'],
  ])('says on the page that %s could not be read, and ends with 10', async (_, broken, said) => {
    const { report } = await at({ broken, readers: Array.from({ length: 9 }, () => 0.5) })
    const { code, page } = await report(...months, '--readers', '--timeout', '1s')
    expect(code).toBe(10)
    expect(page.replace(/<[^>]*>/g, '')).toContain(
      said.replace('the period', 'period').replace('the progress', 'progress'),
    )
  })

  it.each(['/analytics', '/analytics/publications/popular'])('writes nothing without %s', async broken => {
    const { report } = await at({ broken: path => path === broken })
    expect(await report(...months, '--timeout', '1s')).toMatchObject({ code: 8, out: '', page: '' })
  })

  it('refuses totals of other months than those that it asked about', async () => {
    const { url } = await serve((_, response) =>
      json(response, 200, { item: { period: { from: '2020-01', to: '2020-12' }, totals: {} }, items: [] }),
    )
    const { run, home } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
    const { code, err } = await run(['analytics', 'report', ...months, '--out', join(home, 'r.html')], {
      clock,
    })
    expect(code).toBe(8)
    expect(err).toBe(
      `error: the service answered about 2020-01 to 2020-12 when it was asked about 2026-01 to 2026-10
  Ask for other months with --from and --to, or report it to the service.
`,
    )
  })

  it('takes whatever a service sends for a figure that is none as a gap', async () => {
    const odd = { totalViews: 'many', activeReaders: -1, publicationsRead: null }
    const rows = [{ month: '2026-09', ...odd }, { month: 7 }]
    const { url } = await serve((request, response) => {
      const item = request.url.includes('popular')
        ? {
            items: [
              { title: '', views: '3' },
              { publicationId: 'pub_1', title: 5 },
            ],
          }
        : {
            item: {
              totals: { ...odd, averageCompletion: 7 },
              monthly: rows,
              daily: [{ day: 1, views: 2 }],
            },
          }
      json(response, 200, item)
    })
    const { run, home } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
    const { out } = await run(['analytics', 'report', ...months, '--json', '--out', join(home, 'r.html')], {
      clock,
    })
    const { totals, monthly, titles }: AnalyticsReport = JSON.parse(out)
    const none = { totalViews: null, activeReaders: null, publicationsRead: null }
    expect(totals).toEqual(none)
    expect(monthly[8]).toEqual({ month: '2026-09', ...none })
    expect(titles.map(({ title }) => title).sort()).toEqual(['', 'pub_1'])
  })

  it('marks the month that is not over, and asks for no day that has not begun', async () => {
    const { report, paths } = await at()
    const { page, out } = await report('--from', '2026-09', '--to', '2026-11', '--json')
    expect(JSON.parse(out)).toMatchObject({ runningMonth: '2026-11' })
    expect(page).toContain('<b>November 2026 is not over</b>')
    expect(page).toContain('class="mark running"')
    expect(page).toContain('>so far</text>')
    expect(paths()).toContain('/analytics/publications/pub_1/activity?from=2026-09-01&to=2026-11-22')
  })

  it('asks for days a year at a time, and for those of the publications that are named', async () => {
    const { report, paths } = await at()
    await report('--from', '2025-01', '--to', '2026-10', '--calendar', 'pub_2')
    expect(paths().filter(path => path.includes('activity'))).toEqual([
      '/analytics/publications/pub_2/activity?from=2025-01-01&to=2026-01-01',
      '/analytics/publications/pub_2/activity?from=2026-01-02&to=2026-10-31',
    ])
  })

  it('asks for readers only with --readers', async () => {
    const { report, paths } = await at({ readers: [0.5] })
    expect((await report(...months)).page).not.toContain('How far readers have come')
    expect(paths().filter(path => path.includes('reader-users'))).toEqual([])
  })

  it('shows of the readers of a sandbox how many have come how far', async () => {
    const { sandbox } = machine()
    const { code, out } = await sandbox(['analytics', 'report', '--readers', '--json', '--top', '1'], {
      clock,
    })
    expect(code).toBe(0)
    const { readers, groups }: NonNullable<AnalyticsReport['progress']> = JSON.parse(out).progress
    expect(readers).toBeGreaterThan(50)
    expect(groups.length).toBeGreaterThan(5)
    expect(Math.min(...groups.map(group => group.readers))).toBeGreaterThanOrEqual(fewestReaders)
    expect(sumOf(groups.map(group => group.readers))).toBe(readers)
  })

  it('shows no number of readers if they are fewer than five', async () => {
    const { report } = await at({ readers: [0.1, 0.2, 0.3, 0.4] })
    const { page, out } = await report(...months, '--readers', '--json')
    expect(JSON.parse(out).progress).toEqual({ readers: null, groups: [], unread: 0 })
    expect(page).toContain('Fewer than 5 readers')
  })

  it('shows hostile titles as text', async () => {
    const hostile = [
      '</svg><script>alert(1)</script>',
      '</title></desc><img src=x onerror=alert(1)>',
      'a\u202eb\u001b[31m\u0000',
      '"><style>*{}</style>',
    ]
    const { report } = await at({ titles: titlesNamed(hostile) })
    const { code, page } = await report(
      ...months,
      ...hostile.flatMap((_, at) => ['--calendar', `pub_${at + 1}`]),
    )
    expect(code).toBe(0)
    expect(page).not.toMatch(/<script|<img|onerror=alert\(1\)>/)
    expect(page.match(/<style>/g)).toHaveLength(1)
    expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    expect(page).toContain('&lt;/svg&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page).toContain('a\\u202eb\\u001b[31m\\u0000')
  })

  it('gives every drawing a title and a description', async () => {
    const { report } = await at({ readers: Array.from({ length: 9 }, () => 0.5) })
    const { page } = await report(...months, '--readers')
    const drawings = page.match(/<svg [^>]*>(?:<title|<desc|<line|<rect|<path)?[^>]*>/g) ?? []
    const named = drawings.filter(drawing =>
      /role="img" aria-labelledby="[\w-]+" aria-describedby="[\w-]+"><title id=/.test(drawing),
    )
    const bars = drawings.filter(drawing => drawing.includes('aria-hidden="true"'))
    expect(named.length).toBeGreaterThan(10)
    expect(named.length + bars.length).toBe(drawings.length)
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, id] of page.matchAll(/aria-(?:labelledby|describedby)="([^"]+)"/g))
      expect(ids).toContain(id)
  })

  it('writes what --dry-run says, and nothing with it', async () => {
    const { report, file, paths } = await at()
    const { code, out, page } = await report('--dry-run')
    expect({ code, out, page, asked: paths() }).toEqual({
      code: 0,
      out: `WRITE\tfile:${file}\t\n`,
      page: '',
      asked: [],
    })
  })

  it.each([
    [['--out', 'report.pdf'], 'no report can be written as report.pdf'],
    [['--out', 'no-such-folder/report.html'], 'its folder does not exist'],
    [[], 'there is no file to write the report to'],
  ])('with %j asks for nothing', async (args, message) => {
    const { run, paths } = await at()
    const { code, err } = await run(['analytics', 'report', ...args], { clock })
    expect({ code, asked: paths() }).toEqual({ code: 2, asked: [] })
    expect(err).toContain(message)
  })

  it('does without a page for JSON and CSV', async () => {
    const { run } = await at()
    const line = ['analytics', 'report', ...months]
    expect(JSON.parse((await run([...line, '--json'], { clock })).out).titles).toHaveLength(4)
    const csv = (await run([...line, '-o', 'csv', '--fields', 'rank,title,totals.totalReads'], { clock })).out
    expect(csv.split('\n')[1]).toMatch(/^1,Pride and Prejudice,\d+$/)
  })

  it('leaves the earlier page as it is when it is interrupted', async () => {
    const home = temporaryFolder()
    const file = join(home, 'report.html')
    writeFileSync(file, 'earlier')
    const { url } = await serve((request, response) => {
      if (!request.url.includes('/activity')) return answer(request, response)
      child.kill('SIGINT')
    })
    const answer = readingFigures({ titles: titlesNamed(names) })
    const env = { HOME: home, PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url }
    const child = startBin(['analytics', 'report', ...months, '--out', file], env)
    const { exitCode } = await child
    const left = readdirSync(home).filter(name => !name.startsWith('.') || name.startsWith('.pubctl-'))
    expect({ exitCode, left, page: readFileSync(file, 'utf8') }).toEqual({
      exitCode: 130,
      left: ['report.html'],
      page: 'earlier',
    })
  })
})

it.each([
  [0.1, 10, '<span class="up">+10 %</span>'],
  [-0.0016, 10, '<span class="down">−0.2 %</span>'],
  [0.0004, 4997, '<span class="same">±0 %</span>'],
  [null, 0, '<span class="same">from 0</span>'],
])('a change of %s from %d is shown as it is read', (change, before, shown) => {
  expect(String(changed(change, before))).toContain(shown)
})

describe('groups of readers', () => {
  const parts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 60 })

  it('never have fewer than five, and have everybody', () => {
    fc.assert(
      fc.property(parts, progress => {
        const groups = groupProgress(progress)
        if (progress.length < fewestReaders) return groups.length === 0
        return (
          groups.every(({ readers }) => readers >= fewestReaders) &&
          sumOf(groups.map(({ readers }) => readers)) === progress.length
        )
      }),
    )
  })

  it('follow one another from nothing to all', () => {
    fc.assert(
      fc.property(parts, progress => {
        const groups = groupProgress(progress)
        fc.pre(groups.length > 0)
        const edges = groups.map(({ from, to }, at) => [from, to, groups[at + 1]?.from ?? 1] as const)
        return groups[0]?.from === 0 && edges.every(([from, to, next]) => from < to && to === next)
      }),
    )
  })
})
