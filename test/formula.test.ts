import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeFormula, unescapeFormula } from '../src/formula.ts'

describe('a cell of a spreadsheet', () => {
  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '＝1',
    ' =1',
    '\u00a0=1',
    '"=1',
    "'=1",
    '\t=1',
    '\tx',
    '\rx',
    "'\tx",
  ])('is marked as text where it would be run as a formula: %j', text => {
    expect(escapeFormula(text)).toBe(`'${text}`)
  })

  it.each(['', 'text', '1-1', "'tis", '"quoted"', ' blank'])('is left as it is otherwise: %j', text => {
    expect(escapeFormula(text)).toBe(text)
  })

  it('is read back to the same text', () => {
    const text = fc.string({ unit: fc.constantFrom(...'=+-@＝\'" \t\r\nab') })
    fc.assert(fc.property(text, text => unescapeFormula(escapeFormula(text)) === text))
  })
})
