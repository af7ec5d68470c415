import { describe, expect, it } from 'vitest'
import type { Product } from '../../src/plan/product.ts'
import type { UploadPlan } from '../../src/plan/upload-plan.ts'
import { wantedProduct } from '../../src/plan/wanted-product.ts'

const from = { sheet: 'books.csv', row: 'row 2' }
const product: Product = {
  ...{ from, publicationId: null, key: null, file: null, overrides: {}, optional: {} },
  ...{ type: null, isReflowable: null, ignored: null, withdrawn: null, isPartial: false },
  dropped: { prices: 0, rights: 0 },
}
const options = { keyField: 'isbn', reissue: false, overwritesDrifted: false, isNew: false }
const local = (file: string) => ({ file, bytes: 5, modified: 1, sha256: 'a'.repeat(64) })
const [isbn, none] = ['9783161484100', { found: [], local: null, upload: null }]
const upload = {
  creation: { edition: { type: 'Audio' } },
  own: { title: 'Own', authors: ['Ann'] },
} as unknown as UploadPlan

describe('what is wanted of a product', () => {
  it('is what its source says, without a file', () => {
    const overrides = { title: 'T', author: ['A'], isbn, description: 'D', metadata: { series: 'S' } }
    const said = { ...product, overrides, publicationId: 'p1', ignored: 'no', withdrawn: 'it was withdrawn' }
    const row = { keyField: 'series', reissue: true, overwritesDrifted: false, isNew: true }
    expect(wantedProduct({ product: { ...said, isPartial: true }, key: 'S' }, none, row)).toEqual({
      ...{ key: 'S', file: null, bytes: null, sha256: null, type: null, title: 'T', authors: ['A'], isbn },
      own: { title: undefined, authors: [] },
      given: {
        changeable: { description: 'D' },
        creation: { title: 'T', author: ['A'], metadata: { isbn, series: 'S' } },
      },
      from,
      row: {
        ...{
          key: 'S',
          keyField: 'series',
          publicationId: 'p1',
          type: null,
          ignored: 'no',
          withdrawn: 'it was withdrawn',
        },
        ...{
          isPartial: true,
          files: [],
          reissue: true,
          overwritesDrifted: false,
          isNew: true,
          fileError: null,
        },
      },
    })
  })

  it('is known by its file where it has no key, and by what was read from that', () => {
    const files = { found: ['/b.epub'], local: local('/b.epub'), upload }
    expect(wantedProduct({ product, key: null }, files, options)).toMatchObject({
      ...{
        key: `sha256:${'a'.repeat(64)}`,
        file: '/b.epub',
        bytes: 5,
        sha256: 'a'.repeat(64),
        type: 'Audio',
      },
      ...{ title: 'Own', authors: ['Ann'], own: { title: 'Own', authors: ['Ann'] } },
      row: { key: null, files: ['/b.epub'], fileError: null },
    })
  })

  it('has a file that cannot be used', () => {
    const files = { found: ['/b.epub'], local: { error: 'it is empty' }, upload: null }
    expect(wantedProduct({ product, key: null }, files, options)).toMatchObject({
      ...{ key: null, file: null, row: { fileError: 'it is empty' } },
    })
  })

  it.each([
    ['/books/a.EPUB', 'EPUB'],
    ['/books/a.b.pdf', 'PDF'],
    ['/books/a.lpf', 'Audio'],
    ['/books.epub/a', null],
    ['/books/a.txt', null],
  ])('has the type that the name %s says, where the file was not read', (file, type) => {
    const files = { found: [file], local: local(file), upload: null }
    expect(wantedProduct({ product, key: null }, files, options).type).toBe(type)
  })
})
