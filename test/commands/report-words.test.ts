import { describe, expect, it } from 'vitest'
import { relativeChange } from '../../src/analytics/report/figures.ts'
import {
  beforeName,
  changed,
  inWords,
  number,
  percent,
  periodName,
} from '../../src/analytics/report/words.ts'
import { worstFirst } from '../../src/inspect/accessibility-report/rows.ts'

type Row = Parameters<typeof worstFirst>[0]

describe('the words of the analytics report', () => {
  it.each([
    ['2026-05', '2026-05', 'May 2026', 'the month before'],
    ['2026-01', '2026-10', 'January to October 2026', 'the 10 months before'],
    ['2025-12', '2026-01', 'December 2025 to January 2026', 'the 2 months before'],
    ['2016-05', '2026-05', 'May 2016 to May 2026', 'the 121 months before'],
  ])('call %s to %s "%s", compared with %s', (from, to, name, before) => {
    expect([periodName({ from, to }), beforeName({ from, to })]).toEqual([name, before])
  })

  it.each([
    [0.5, 100, '<span class="up">+50 %</span> <span class="from">from 100</span>'],
    [-0.123, 1234, '<span class="down">−12.3 %</span> <span class="from">from 1,234</span>'],
    [0, 7, '<span class="same">±0 %</span> <span class="from">from 7</span>'],
    [null, 0, '<span class="same">from 0</span>'],
    [null, null, '<span class="same">–</span>'],
    [0.5, undefined, '<span class="same">–</span>'],
  ])('say of a change by %j from %j: %s', (change, before, text) => {
    expect(String(changed(change, before))).toBe(text)
  })

  it.each([
    [6, 4, 0.5],
    [3, 4, -0.25],
    [4, 4, 0],
    [4, 0, null],
    [null, 4, null],
    [4, null, null],
    [4, undefined, null],
  ])('take %j after %j for a change by %j', (now, before, change) => {
    expect(relativeChange(now, before)).toBe(change)
  })

  it('are those of English', () => {
    expect([number(1234.5), number(0), number(null), number(undefined)]).toEqual(['1,234.5', '0', '–', '–'])
    expect([percent(0.1234), percent(0), percent(1), percent(null)]).toEqual(['12.3 %', '0 %', '100 %', '–'])
    expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(inWords)).toEqual(['', 'a', 'a and b', 'a, b and c'])
  })
})

describe('the books of the accessibility report', () => {
  const missing = (level: string, count: number) => Array.from({ length: count }, () => ({ level }))
  const row = (file: string, state: string, contradictions: number, required = 0, recommended = 0) =>
    ({
      file,
      accessibility: {
        ...{ state, contradictions: Array(contradictions) },
        missing: [...missing('required', required), ...missing('recommended', recommended)],
      },
    }) as unknown as Row

  it('are sorted by state, contradictions, what is missing, and name', () => {
    const rows = [
      { file: 'z', accessibility: null },
      row('y', 'undeclared', 0),
      row('x', 'contradictory', 2),
      row('w', 'contradictory', 1, 9, 9),
      row('v', 'incomplete', 0, 2, 0),
      row('u', 'incomplete', 0, 1, 3),
      row('t', 'incomplete', 0, 1, 2),
      row('q', 'declared', 0, 0, 1),
      row('r', 'declared', 0, 0, 1),
      row('s', 'declared', 0, 0, 1),
    ]
    const names = (all: Row[]) => all.map(({ file }) => file).join('')
    const shuffled = ['qzwsxtyurv', 'vruytxswzq'].map(order =>
      [...order].map(file => rows.find(each => each.file === file) as Row),
    )
    for (const all of [...shuffled, [...rows].reverse()])
      expect(names(all.sort(worstFirst))).toBe(names(rows))
  })
})
