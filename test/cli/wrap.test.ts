import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wrap } from '../../src/cli/output/wrap.ts'

describe('a text at a terminal', () => {
  it('loses and gains nothing but the breaks between its words', () => {
    const word = fc.string({
      unit: fc.constantFrom('a', 'b', '"', '.', ':', '…'),
      minLength: 1,
      maxLength: 12,
    })
    fc.assert(
      fc.property(fc.array(word), fc.integer({ min: 8, max: 40 }), (words, width) => {
        const text = words.join(' ')
        expect(wrap(text, width, '  ').replaceAll(/\n {2}/g, ' ')).toBe(text)
      }),
    )
  })

  it('is broken between words, and what is too long for a line is left whole', () => {
    expect(wrap('  one two /a/very/long/path three', 10, '  ')).toBe(
      '  one two\n  /a/very/long/path\n  three',
    )
    expect(wrap('it fits', 7)).toBe('it fits')
    expect(wrap('it fits', Number.POSITIVE_INFINITY)).toBe('it fits')
  })

  it('keeps a command to copy on one line, and what is quoted', () => {
    expect(wrap('Set one up with: pubctl profile setup. Or not.', 30)).toBe(
      'Set one up with:\npubctl profile setup. Or not.',
    )
    expect(wrap('warning: pubctl does not send these values', 30)).toBe(
      'warning: pubctl does not send\nthese values',
    )
    expect(wrap('Look with "pubctl doctor" at it', 20)).toBe('Look with\n"pubctl doctor" at\nit')
  })
})
