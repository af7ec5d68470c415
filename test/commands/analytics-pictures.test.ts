import { describe, expect, it } from 'vitest'
import { type ScreenLine, textOf } from '../../scripts/screen.ts'
import { atTerminal } from '../support/machine/pseudo-terminal.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { screenAfter } from '../support/machine/screen.ts'
import { isSlow, share } from '../support/machine/slow.ts'
import { foreignControls } from '../support/machine/terminal.ts'
import { json, serve } from '../support/servers/server.ts'
import '../support/machine/plain-snapshots.ts'

/** How many months ago, as the service writes months: they end with the running one, whenever the test runs. */
function monthsAgo(count: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count)).toISOString().slice(0, 7)
}

const span = 8
const months = Array.from({ length: span }, (_, index) => monthsAgo(span - 1 - index))
const period = { from: months[0] as string, to: months.at(-1) as string }
const monthly = <T extends object>(figuresAt: (index: number) => T) =>
  // The fourth month is missing.
  months.map((month, index) => ({ month, ...figuresAt(index) })).filter((_, index) => index !== 3)

const scope = {
  period,
  totals: { publicationsRead: 12, totalViews: 99_870, activeReaders: 7654 },
  monthly: monthly(at => ({
    publicationsRead: 9 + (at % 4),
    totalViews: 9000 + 2050 * ((at * 5) % 7),
    activeReaders: 1200 + 310 * ((at * 3) % 7),
  })),
}
const titles = [
  'Pride and Prejudice',
  '吾輩は猫である',
  'שלום עולם',
  'Cafe\u0301 der verlorenen Jugend',
  'שָׁלוֹם עוֹלָם, בְּרֵאשִׁית',
  'The Life and Strange Surprizing Adventures of Robinson Crusoe, of York, Mariner',
  '\u001b]0;owned\u0007\u001b[2J\u001b[31mRed\u202eder\nline',
]
const popular = titles.map((title, index) => ({
  publicationId: `pub_${index + 1}`,
  title,
  views: 43_210 >> index,
}))
const reads = {
  totalReads: 5432,
  averageReadTimeMs: 754_000,
  averageCompletion: 0.47,
  completionRate: 0.21,
}
const publication = (id: string, shift = 0) => ({
  publicationId: id,
  period,
  totals: reads,
  monthly: monthly(at => ({
    totalReads: 300 + 150 * ((at * 3 + shift) % 7),
    averageReadTimeMs: 600_000 + 61_000 * at,
    averageCompletion: 0.3 + at / 20,
    completionRate: 0.12 + at / 50,
  })),
})
/** A quarter of days, of which a week has no figures; the past stays as it is. */
const activity = {
  publicationId: 'pub_1',
  period: { from: '2025-01-01', to: '2025-03-31' },
  daily: Array.from({ length: 90 }, (_, at) => ({
    day: new Date(Date.UTC(2025, 0, 1 + at)).toISOString().slice(0, 10),
    views: Math.round(40 + 40 * Math.sin(at / 9)),
  })).filter((_, at) => at < 40 || at > 46),
}

/** Runs command lines one after the other at a real terminal, on the service above. */
async function pictures(commands: readonly string[], columns: number, env: Record<string, string> = {}) {
  const { url } = await serve(({ url: path }, response) => {
    const at = path.split('?')[0] as string
    const id = at.split('/')[4] as string
    if (id === 'pub_3') {
      return json(response, 404, { error: 'EMPTY_RESPONSE', message: 'There is none.', context: {} })
    }
    const items = at.endsWith('/popular') ? popular : undefined
    const item =
      at === '/v1/analytics'
        ? scope
        : at.endsWith('/activity')
          ? activity
          : publication(id, Number(id?.slice(4)))
    json(response, 200, { ...(items ? { items } : { item }), context: { requestId: 'req_1' } })
  })
  const own = { PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url, LANG: 'C.UTF-8', ...env }
  const options = { home: temporaryFolder(), columns, env: own }
  return { line: commands.join('; echo; '), options }
}

const names = new Map(months.map((month, index) => [month, `2026-${String(index + 1).padStart(2, '0')}`]))
/** The screen, where the months are always the first of 2026. */
const shown = (screen: readonly ScreenLine[]): string =>
  screen
    .map(textOf)
    .join('\n')
    .replaceAll(/\d{4}-\d\d(?!-)/g, month => names.get(month) ?? month)

const lines = {
  scope: 'pubctl analytics scope',
  popular: 'pubctl analytics popular',
  trend: `pubctl analytics popular --trend --from ${period.from}`,
  publication: 'pubctl analytics publication pub_1',
  activity: 'pubctl analytics activity pub_1 --from 2025-01-01 --to 2025-03-31',
}

describe('pictures at a terminal', () => {
  it.each(share([60, 100, 200], 3))('of %d columns', async columns => {
    const { line, options } = await pictures(Object.values(lines), columns)
    const { lines: screen } = await screenAfter(line, options)
    for (const each of screen) {
      const { column = 0, width = 0 } = each.at(-1) ?? {}
      expect(column + width, textOf(each)).toBeLessThanOrEqual(columns)
    }
    await expect(`${shown(screen)}\n`).toMatchFileSnapshot(`pictures/${columns}-columns.txt`)
  })

  it.runIf(isSlow)('consist of ASCII without colour where there is nothing else', async () => {
    const { scope, publication, activity } = lines
    const plain = { LC_ALL: 'POSIX', NO_COLOR: '1' }
    const { line, options } = await pictures([scope, publication, activity], 72, plain)
    const { text } = await atTerminal(line, options).ended()
    expect(text).toMatch(/^[ -~\n]*$/)
    const { lines: screen } = await screenAfter(line, options)
    await expect(`${shown(screen)}\n`).toMatchFileSnapshot('pictures/ascii.txt')
  })

  it.each(
    share(
      [
        { env: { LANG: '' }, isUnicode: false },
        { env: { LC_CTYPE: 'de_DE.ISO-8859-1' }, isUnicode: false },
        { env: { LC_ALL: 'de_DE.utf8', LANG: 'C' }, isUnicode: true },
        { env: {}, before: 'export TERM=linux; ', isUnicode: false },
      ],
      2,
    ),
  )(
    'are drawn as the locale and the terminal allow: $env $before',
    async ({ env, before = '', isUnicode }) => {
      const { line, options } = await pictures([lines.scope], 80, env)
      const { text } = await atTerminal(before + line, options).ended()
      expect(/[^ -~\n\u001b]/.test(text)).toBe(isUnicode)
    },
  )

  it.runIf(isSlow)('have no colour with --color never, and are the same otherwise', async () => {
    const { options } = await pictures([], 80)
    const [plain, coloured] = await Promise.all(
      ['never', 'always'].map(when => screenAfter(`${lines.popular} --color ${when}`, options)),
    )
    expect(plain?.lines.map(textOf)).toEqual(coloured?.lines.map(textOf))
    expect(plain?.lines.flat().some(({ colour }) => colour !== undefined)).toBe(false)
    expect(coloured?.lines.flat().some(({ colour }) => colour !== undefined)).toBe(true)
  })

  it('begin their bars in one column, and let no title reach the terminal as more than text', async () => {
    const { options } = await pictures([], 100)
    const { text } = await atTerminal(lines.popular, options).ended()
    expect(foreignControls(text, true)).toEqual([])
    const { lines: screen } = await screenAfter(lines.popular, options)
    const rows = screen.slice(1, 1 + titles.length)
    const starts = rows.map(row => row.find(({ text: each }) => each === '│')?.column)
    expect(starts).toEqual(titles.map(() => starts[0]))
    expect(starts[0]).toBeGreaterThan(20)
  })
})
