import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keyOfFile, keyOfStep, partOf, rowsOf, shardOf } from '../../src/plan/divide.ts'

describe('the shard of a key', () => {
  it('is that which the page on scripting says, so that other programs find the same', () => {
    const hex = createHash('sha256').update('9783161484100').digest('hex')
    expect(hex.slice(0, 12)).toBe('3113ca662e63')
    expect(shardOf('9783161484100', 7)).toBe((0x3113ca662e63 % 7) + 1)
  })

  it('is the same however the machine writes accents', () => {
    const name = 'Les misérables.epub'
    expect(shardOf(name.normalize('NFD'), 1000)).toBe(shardOf(name.normalize('NFC'), 1000))
  })

  it('is one of the shards, for any key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 10_000 }), (key, total) => {
        const index = shardOf(key, total)
        return Number.isInteger(index) && index >= 1 && index <= total
      }),
    )
  })
})

describe('the parts of a batch', () => {
  const parts = (keys: readonly string[], total: number) =>
    Array.from({ length: total }, (_, index) => partOf(keys, { index: index + 1, total }))

  it('have each row once, whatever the keys are', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.integer({ min: 1, max: 20 }), (keys, total) => {
        const rows = parts(keys, total).flatMap(part => part.rows)
        expect([...rows].sort((a, b) => a - b)).toEqual(keys.map((_, index) => index))
      }),
    )
  })

  it('stay as they are when a row is added anywhere', () => {
    const isbns = Array.from({ length: 1000 }, (_, index) => `978${String(index * 7919).padStart(10, '0')}`)
    const before = parts(isbns, 7).map(part => rowsOf(isbns, part))
    const more = [...isbns.slice(0, 500), '9783161484100', ...isbns.slice(500)]
    const after = parts(more, 7).map(part => rowsOf(more, part).filter(key => key !== '9783161484100'))
    expect(after).toEqual(before)
    for (const part of before) expect(part.length).toBeGreaterThan(100)
  })
})

describe('the key that decides on the shard', () => {
  const below = 'fiction/sea.epub'

  it('of a file is the ISBN that the user gave, in any spelling, or else the path below the folder', () => {
    const file = '/home/one/books/fiction/sea.epub'
    expect(keyOfFile({ file, below, overrides: {} })).toBe(below)
    for (const isbn of ['978-3-16-148410-0', '9783161484100', '3-16-148410-X'])
      expect(keyOfFile({ file, below, overrides: { isbn } })).toBe('9783161484100')
  })

  it('of a step is its key, or else what it is about', () => {
    const step = { key: null, publicationId: null, file: null, action: 'broken' as const }
    expect(keyOfStep(step)).toBe('broken')
    expect(keyOfStep({ ...step, file: below })).toBe(below)
    expect(keyOfStep({ ...step, file: below, publicationId: 'pub_1' })).toBe('pub_1')
    expect(keyOfStep({ ...step, file: below, publicationId: 'pub_1', key: '9783161484100' })).toBe(
      '9783161484100',
    )
  })
})
