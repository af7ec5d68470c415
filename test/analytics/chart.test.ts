import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { axisLines, bar, drawBarChart, scaleOf } from '../../src/analytics/chart/bar-chart.ts'
import { figureOf } from '../../src/analytics/chart/figure.ts'
import { type Ink, inkOf } from '../../src/analytics/chart/ink.ts'
import { drawHeatMap } from '../../src/analytics/draw-activity.ts'
import { sparkline } from '../../src/analytics/draw-popular.ts'
import { widthOf } from '../../src/cli/output/width.ts'
import { dayMilliseconds } from '../../src/system/calendar.ts'

const ink = (width: number, isUnicode = true): Ink =>
  inkOf({ width, isUnicode, paint: (_: string, text: string) => text } as never, undefined)

type Value = number | null | undefined
const figures = (values: readonly Value[], at: Ink) => values.map(value => figureOf(value, 'count', at))

function chartOf(values: readonly Value[], labels: readonly string[], at: Ink): string[] {
  return drawBarChart(
    {
      before: [{ header: 'WHAT', cells: labels, least: 8 }],
      bars: [{ header: 'COUNT', kind: 'count', isDrawn: true, figures: figures(values, at) }],
      after: [],
      isRunning: row => row === 2,
    },
    at,
  )
}

describe('a bar chart', () => {
  it('has an axis that starts at zero, and bars as long as their figures', () => {
    expect(chartOf([0, 10, 20, 40], ['none', 'a quarter', 'half, so far', 'all'], ink(50))).toEqual([
      'WHAT          COUNT',
      'none              0 │',
      'a quarter        10 │███████▎',
      'half, so far     20 │▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒',
      'all              40 │█████████████████████████████',
      '                    └──────┴───────┴──────┴──────┴',
      '                    0     10      20     30     40',
    ])
  })

  it('shows what is missing as missing, and not as zero', () => {
    const lines = chartOf([7, undefined, null, 0], ['a', 'b', 'c', 'd'], ink(40))
    expect(lines.slice(1, 5)).toEqual([
      'a             7 │███████████████████████',
      'b             – │ no figures',
      'c             – │ no figures',
      'd             0 │',
    ])
  })

  it('is of ASCII where there is nothing else', () => {
    const lines = chartOf(
      [3, undefined, 4, 5],
      ['a', 'b', 'c', 'a name that is too long to stay'],
      ink(36, false),
    )
    expect(lines.join('\n')).toMatch(/^[ -~\n]*$/)
    expect(lines).toEqual([
      'WHAT            COUNT',
      'a                   3 |########',
      'b                   - | no figures',
      'c                   4 |==========',
      'a name that...      5 |#############',
      '                      +--+-+--+-+--+',
      '                      0  1 2  3 4  5',
    ])
  })

  it('shows at least something of what is not zero, where eighths can be shown', () => {
    expect([bar(0.001, false, ink(80)), bar(0, false, ink(80))]).toEqual(['▏', ''])
  })

  it('stays within its width, whatever is in it', () => {
    const title = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 90 }),
      fc.constantFrom('吾輩は猫である'.repeat(6), 'שלום עולם', 'नमस्ते दुनिया', 'e\u0301'.repeat(70)),
    )
    const value = fc.oneof(
      fc.nat(),
      fc.double(),
      fc.constantFrom(undefined, null, -5, 1e308, Number.MAX_SAFE_INTEGER),
    )
    fc.assert(
      fc.property(
        fc.array(fc.tuple(title, value), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 40, max: 300 }),
        fc.boolean(),
        (rows, width, isUnicode) => {
          const titles = rows.map(([text]) => text.replace(/[\p{C}\p{Z}\u200b]/gu, ' '))
          const lines = chartOf(
            rows.map(([, each]) => each),
            titles,
            ink(width, isUnicode),
          )
          for (const line of lines) expect(widthOf(line), line).toBeLessThanOrEqual(width)
        },
      ),
      {
        numRuns: 100,
        examples: [
          [
            [
              ['a', Number.NaN],
              ['b', 2],
            ],
            40,
            false,
          ],
        ],
      },
    )
  })
})

describe('an axis', () => {
  it.each([
    [0, 20, [0, 1]],
    [1, 20, [0, 1]],
    [7, 60, [0, 1, 2, 3, 4, 5, 6, 7]],
    [7, 12, [0, 2, 4, 6]],
    [11_441, 30, [0, 5000, 10_000]],
    [1e100, 30, [0, 1e100]],
  ])('of %d in %d cells has ticks at round numbers from zero', (most, width, ticks) => {
    expect(scaleOf(most, width, 'count', true).ticks).toEqual(ticks)
  })

  it('of parts has per cent', () => {
    expect(axisLines(scaleOf(1, 40, 'part', false), 40, 'part', ink(80))).toEqual([
      '└───────────────────┴───────────────────┴',
      '0 %               50 %              100 %',
    ])
  })
})

describe('a sparkline', () => {
  it('goes from zero to the most, and leaves gaps', () => {
    const at = ink(80)
    expect(sparkline(figures([0, 1, 2, 3, 4, 5, 6, 7, 8, undefined, 8], at), 1, at)).toBe('▁▁▂▃▄▅▆▇█ █')
    expect(sparkline(figures([0, 4, undefined, 8], at), 2, ink(80, false))).toBe('__::  ##')
    expect(sparkline(figures([0, 0], at), 1, at)).toBe('▁▁')
  })
})

describe('a calendar', () => {
  const days = (from: string, values: readonly Value[], at: Ink) =>
    figures(values, at).map((figure, index) => ({ at: Date.parse(from) + index * dayMilliseconds, figure }))

  it('has a column for each week, a row for each weekday, and a shade for each part of the most', () => {
    const values = Array.from({ length: 40 }, (_, index) => (index === 10 ? undefined : index))
    const at = ink(40)
    expect(drawHeatMap(days('2026-01-28', values, at), at)).toEqual([
      '    2026',
      '    Jan Feb Mar',
      'Mon   ░░▒▒▒▒▓▓██',
      '      ░░▒▒▓▓▓▓██',
      'Wed ··░░▒▒▓▓▓▓██',
      '    ░░░░▒▒▓▓▓▓██',
      'Fri ░░░░▒▒▓▓████',
      '    ░░  ▒▒▓▓████',
      'Sun ░░▒▒▒▒▓▓████',
      '',
      '·· 0   ░░ 1–9   ▒▒ 10–19   ▓▓ 20–29',
      '██ 30–39   blank: no figures',
    ])
    const plain = ink(40, false)
    expect(drawHeatMap(days('2026-01-28', values, plain), plain).join('\n')).toMatch(/^[ -~\n]*$/)
  })

  it('of more weeks than fit goes on below', () => {
    const at = ink(30)
    const lines = drawHeatMap(days('2025-12-20', Array(300).fill(3), at), at)
    expect(lines.filter(line => line.startsWith('Mon'))).toHaveLength(2)
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(30)
    expect(lines.join('').match(/█/g)).toHaveLength(301)
  })
})
