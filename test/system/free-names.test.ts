import { describe, expect, it } from 'vitest'
import { fittingName } from '../../src/system/free-names.ts'

describe('a name that fits', () => {
  it.each([
    ['book.epub', 9, 'book.epub'],
    ['book.epub', 8, 'boo.epub'],
    ['bücher.epub', 10, 'büch.epub'],
    ['a👩‍🚀.epub', 17, 'a👩‍🚀.epub'],
    ['a👩‍🚀.epub', 16, 'a👩‍.epub'],
    ['a👩‍🚀.epub', 9, 'a.epub'],
    ['book.epub', 5, 'book.'],
    ['a.of another book', 4, 'a.of'],
    ['', 5, ''],
  ])('of %j in %i bytes is %j', (name, bytes, fitting) => {
    expect(fittingName(name, bytes)).toBe(fitting)
    expect(Buffer.byteLength(fitting)).toBeLessThanOrEqual(bytes)
  })
})
