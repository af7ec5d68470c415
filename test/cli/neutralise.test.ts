import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { neutralise, neutraliseJson, neutraliseLine } from '../../src/cli/output/neutralise.ts'
import { anyText } from '../support/machine/any-text.ts'

/** What must never reach a terminal raw, told apart by code point and so by another rule than the one under test. */
const isControl = (code: number): boolean =>
  (code < 0x20 && code !== 0x0a) ||
  (code >= 0x7f && code <= 0x9f) ||
  (code >= 0x202a && code <= 0x202e) ||
  (code >= 0x2066 && code <= 0x2069) ||
  [0x061c, 0x200e, 0x200f].includes(code) ||
  (code >= 0xd800 && code <= 0xdfff)
const controlsIn = (text: string): string[] =>
  [...text].filter(each => isControl(each.codePointAt(0) as number))

const hostile = fc.oneof(
  anyText,
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
    .map(codes => String.fromCharCode(...codes)),
  fc.constantFrom(
    '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007',
    '\u001b]52;c;aGVsbG8=\u0007',
    '\u001b[2J\u001b[1;1H',
    '\u001b]0;unterminated',
    '\u009b31m',
    'a\rb\bc\u0007',
    '\u202egnp.exe',
    '\ud800',
    'two\nlines',
  ),
)

describe('neutralising', () => {
  it('lets no control character through, and keeps every other one', () => {
    fc.assert(
      fc.property(hostile, text => {
        expect(controlsIn(neutralise(text))).toEqual([])
        expect(controlsIn(neutraliseLine(text))).toEqual([])
        expect(neutraliseLine(text)).not.toContain('\n')
      }),
      { numRuns: 2000 },
    )
    expect(neutralise('Ünïcödé 漢字 👩‍💻 שלום\n')).toBe('Ünïcödé 漢字 👩‍💻 שלום\n')
  })

  it('leaves JSON that parses to the same value', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(hostile, hostile)), value => {
        const json = JSON.stringify(value)
        const safe = neutraliseJson(json)
        expect(controlsIn(safe)).toEqual([])
        expect(JSON.parse(safe)).toEqual(JSON.parse(json))
      }),
      { numRuns: 2000 },
    )
  })
})
