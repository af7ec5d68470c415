import { describe, expect, it } from 'vitest'
import type { Product } from '../../src/plan/product.ts'
import { withKey, withOptional } from '../../src/plan/product-key.ts'

const product = (more: Partial<Product> = {}): Product => ({
  from: { sheet: 'books.csv', row: 'row 2' },
  publicationId: null,
  key: null,
  file: null,
  overrides: {},
  optional: {},
  ...{ type: null, isReflowable: null, ignored: null, withdrawn: null, isPartial: false },
  dropped: { prices: 0, rights: 0 },
  ...more,
})

const isbn = '9783161484100'

describe('the key of a product', () => {
  it.each<[string, Partial<Product>, string, object]>([
    ['its ISBN', { overrides: { isbn } }, 'isbn', { key: isbn }],
    ['an ISBN of ten digits', { overrides: { isbn: '316148410X' } }, 'isbn', { key: isbn }],
    ['an ISBN among the metadata', { overrides: { metadata: { isbn } } }, 'isbn', { key: isbn }],
    [
      'an ISBN in the column key, which is sent as the ISBN',
      { key: '978-3-16-148410-0' },
      'isbn',
      { key: isbn, product: { overrides: { isbn } } },
    ],
    ['nothing', {}, 'isbn', { key: null }],
    ['no ISBN', { key: 'N-7' }, 'isbn', { broken: expect.stringContaining('not an ISBN') }],
    [
      'two ISBNs',
      { key: isbn, overrides: { isbn: '9780306406157' } },
      'isbn',
      { broken: 'its key is 9783161484100, and its ISBN is 9780306406157' },
    ],
    [
      'a value of the metadata key',
      { overrides: { metadata: { number: 7 } } },
      'number',
      { key: '7', product: { overrides: { metadata: { number: 7 } } } },
    ],
    [
      'the column key, which is sent as metadata',
      { key: 'N-7', overrides: { isbn, metadata: { series: 'S' } } },
      'number',
      { key: 'N-7', product: { overrides: { isbn, metadata: { series: 'S', number: 'N-7' } } } },
    ],
    ["the publisher's own identifier", { proprietaryId: 'SEA-1' }, 'number', { key: 'SEA-1' }],
    [
      'two values',
      { key: 'N-7', overrides: { metadata: { number: 'N-8' } } },
      'number',
      { broken: 'its key is N-7, and its metadata number is N-8' },
    ],
    ['nothing of the metadata key', { overrides: { isbn } }, 'number', { key: null }],
  ])('is %s', (_, more, keyField, keyed) => {
    expect(withKey(product(more), keyField)).toMatchObject(keyed)
  })
})

it('sends optional values only where there is a metadata key, and never over a given one', () => {
  const given = product({
    overrides: { metadata: { imprint: 'Given' } },
    optional: { imprint: 'I', series: 'S', keywords: 'K' },
  })
  expect(withOptional(given, name => name !== 'keywords').overrides).toEqual({
    metadata: { imprint: 'Given', series: 'S' },
  })
  expect(withOptional(given, () => false)).toBe(given)
})
