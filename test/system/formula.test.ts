import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeFormula, unescapeFormula } from '../../src/system/formula.ts'

describe('a cell of a spreadsheet', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '＝1', ' =1', '\u00a0=1', '"=1', "'=1", '\tx', '\rx', "'\tx"])(
    'is marked as text where it would be run as a formula: %j',
    text => {
      expect(escapeFormula(text)).toBe(`'${text}`)
    },
  )

  it.each(['', 'text', '1-1', "'tis", '"quoted"', ' blank'])('is left as it is otherwise: %j', text => {
    expect(escapeFormula(text)).toBe(text)
  })

  it.each([
    ['a;=1', "a;'=1"],
    ['a; =1', "a;' =1"],
    [';=1', ";'=1"],
    ['a;;"=1;b', 'a;;\'"=1;b'],
    ['a\n@SUM(A1)', "a\n'@SUM(A1)"],
    ['a\r\n+1\n', "a\r\n'+1\n"],
    ['a\t=1', "a\t'=1"],
    ['\n=1', "'\n'=1"],
    ['\t=1', "'\t'=1"],
    ['=1;=1', "'=1;'=1"],
    ["a;'=1", "a;''=1"],
  ])('is marked where a semicolon or a line break begins another one: %j', (text, marked) => {
    expect(escapeFormula(text)).toBe(marked)
  })

  it.each(['a; b', 'a =1', 'a "-1"', 'a;b-1', 'a\nb=1'])(
    'is left where none begins with a sign: %j',
    text => {
      expect(escapeFormula(text)).toBe(text)
    },
  )

  it('is read back to the same text', () => {
    const text = fc.string({ unit: fc.constantFrom(...';=+-@＝\'" \t\r\nab') })
    fc.assert(
      fc.property(text, text => unescapeFormula(escapeFormula(text)) === text),
      { numRuns: 1000 },
    )
  })
})
