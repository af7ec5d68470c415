import { existsSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BrokenProduct, Product } from '../../src/plan/product.ts'
import type { Failure } from '../../src/system/errors.ts'
import { readManifest } from '../../src/uploads/inputs/named-files.ts'
import { readProducts } from '../support/catalogues/read-products.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'

/** The products of a sheet with this content, in a folder where `a.epub` is. */
async function productsOf(content: string | Buffer, { name = 'sheet.csv', encoding = '' } = {}) {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'a.epub'), 'a book')
  const path = join(folder, name)
  writeFileSync(path, content)
  const products: (Product | BrokenProduct)[] = []
  for await (const product of readProducts([path], encoding === '' ? {} : { encoding }))
    products.push(product)
  return { folder, path, products: products as Product[] }
}

const failureOf = async (content: string | Buffer, options = {}): Promise<Failure> =>
  await productsOf(content, options).then(
    () => expect.unreachable(),
    error => error,
  )

const nothing = {
  ...{
    publicationId: null,
    key: null,
    file: null,
    overrides: {},
    optional: {},
    type: null,
    isReflowable: null,
  },
  ...{ ignored: null, withdrawn: null, isPartial: false, dropped: { prices: 0, rights: 0 } },
}

describe('the products of a sheet', () => {
  it('are its rows, which need no file', async () => {
    const { folder, path, products } = await productsOf(
      [
        'Key,PublicationID,file,isbn,title,metadata.Series',
        'k-1,,a.epub,3-16-148410-X,The Sea,Water',
        ',,,978-3-16-148410-0,,',
        ',pub_1,,,,',
      ].join('\n'),
    )
    expect(products).toEqual([
      {
        ...nothing,
        from: { sheet: path, row: 'row 2' },
        key: 'k-1',
        file: join(folder, 'a.epub'),
        overrides: { isbn: '9783161484100', title: 'The Sea', metadata: { Series: 'Water' } },
      },
      { ...nothing, from: { sheet: path, row: 'row 3' }, overrides: { isbn: '9783161484100' } },
      { ...nothing, from: { sheet: path, row: 'row 4' }, publicationId: 'pub_1' },
    ])
  })

  it.each([
    ['sheet.json', '[{"key":"k","publicationId":"p"}]'],
    ['sheet.yaml', '- key: k\n  publicationId: p\n'],
  ])('come out of %s as well', async (name, content) => {
    const { products } = await productsOf(content, { name })
    expect(products).toMatchObject([{ key: 'k', publicationId: 'p', from: { row: 'item 1' } }])
  })

  const row = 'title;isbn\r\nÉtude – “œuvre” €;9783161484100\r\n'
  const bytes1252 = Buffer.from(
    row.replace(
      /[–“œ”€]/g,
      each => ({ '–': '\x96', '“': '\x93', œ: '\x9c', '”': '\x94', '€': '\x80' })[each] as string,
    ),
    'latin1',
  )
  it.each<[string, Buffer, string]>([
    ['UTF-8', Buffer.from(row), ''],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${row}`), ''],
    ['UTF-8 with a mark, whatever encoding is named', Buffer.from(`\uFEFF${row}`), 'windows-1252'],
    ['UTF-16 of little endian', Buffer.from(`\uFEFF${row}`, 'utf16le'), ''],
    ['UTF-16 of big endian', Buffer.from(`\uFEFF${row}`, 'utf16le').swap16(), ''],
    ['UTF-16 without a mark that is named', Buffer.from(row, 'utf16le'), 'utf-16le'],
    ['Windows-1252', bytes1252, 'windows-1252'],
    ['Windows-1252 under the name of Latin-1', bytes1252, 'ISO-8859-1'],
    ['tabs', Buffer.from(row.replaceAll(';', '\t')), ''],
    ['a line that names the delimiter', Buffer.from(`sep=;\r\n${row}`), ''],
    ['such a line with a byte order mark', Buffer.from(`\uFEFFsep=\t\n${row.replaceAll(';', '\t')}`), ''],
    ['formulas of texts', Buffer.from(row.replace(/(978\d+)/, '="$1"')), ''],
    ['formulas in quotation marks', Buffer.from(row.replace(/(978\d+)/, '"=""$1"""')), ''],
  ])('are the same in %s', async (_, content, encoding) => {
    const { products } = await productsOf(content, { encoding })
    expect(products.map(({ overrides }) => overrides)).toEqual([
      { title: 'Étude – “œuvre” €', isbn: '9783161484100' },
    ])
  })

  it.each<[string, string | Buffer, object, RegExp, RegExp]>([
    ['of an old encoding', bytes1252, {}, /is not UTF-8 text: line 2$/, /--encoding windows-1252/],
    [
      'of no Windows-1252',
      Buffer.from('title\n\n\x81\n', 'latin1'),
      { encoding: 'cp1252' },
      /line 3$/,
      /encoding/,
    ],
    ['of UTF-16 without a mark', Buffer.from(row, 'utf16le'), {}, /not UTF-8/, /--encoding utf-16le/],
    ['of an unknown encoding', row, { encoding: 'utf-7' }, /"utf-7" is not the name/, /utf-8, utf-16le/],
    ['packed with gzip', Buffer.from([0x1f, 0x8b, 8, 0]), {}, /gzip/, /gunzip/],
    ['that is a workbook', 'PK\x03\x04', {}, /Excel/, /CSV UTF-8/],
    [
      'without a column that names a book',
      'publisher\nP\n',
      {},
      /a fault, so nothing is planned$/,
      /key, publicationId/,
    ],
    ['whose quotation mark never ends', `isbn,title\n,"${'x\n'.repeat(3 << 20)}`, {}, /record/i, /CSV/],
    ['of aliases upon aliases', bomb(), { name: 'bomb.yaml' }, /alias/i, /list of objects/],
    [
      'that is nested too deep',
      '['.repeat(200_000),
      { name: 'deep.json' },
      /cannot be read/,
      /list of objects/,
    ],
    [
      'of YAML that is nested too deep',
      '['.repeat(20_000),
      { name: 'deep.yaml' },
      /cannot be read/,
      /list of objects/,
    ],
    [
      'with too large a number',
      '[{"key":"k","metadata":{"serial":12345678901234567890}}]',
      { name: 'sheet.json' },
      /a fault, so nothing is planned$/,
      /key, publicationId/,
    ],
  ])('a sheet %s is refused in a line', async (_, content, options, words, hint) => {
    const failure = await failureOf(content, options)
    expect(failure).toMatchObject({ exitCode: 2, message: expect.stringMatching(words) })
    expect(failure.hint).toMatch(hint)
    expect(failure.message).not.toContain('\n')
  })

  it('a folder is refused in a line', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'sheets.csv'))
    await expect(readProducts([join(folder, 'sheets.csv')]).next()).rejects.toMatchObject({
      exitCode: 2,
      code: 'file_unreadable',
      message: expect.stringMatching(/is a folder, not a file/),
    })
  })

  it.skipIf(!existsSync('/proc/self/fd'))('leave no file open, however their reading ends', async () => {
    const path = join(temporaryFolder(), 'sheet.csv')
    writeFileSync(path, 'isbn\n9783161484100\n,\n9783161484100\n')
    const openNow = () => readdirSync('/proc/self/fd').flatMap(fd => linkOf(`/proc/self/fd/${fd}`))
    await readProducts([path], { encoding: 'utf-7' })
      .next()
      .catch(() => {})
    for await (const _ of readProducts([path])) break
    for await (const _ of readProducts([path, path]));
    await readManifest(path, { mayRead: () => true }).catch(() => {})
    expect(openNow()).not.toContain(path)
  })

  it('come to an end with every fault of the sheet, by row and column', async () => {
    const failure = await failureOf('isbn,title,publisher\n9783161484100,T,\n9.78E+12,T,\n,,P\nx,"T",P\n')
    expect(failure.details?.map(({ path }) => path?.join(' '))).toEqual(['row 3 isbn', 'row 4', 'row 5 isbn'])
  })

  it.runIf(isSlow)('of twenty thousand faults name a thousand and count all', async () => {
    const failure = await failureOf(`isbn\n${'1\n'.repeat(20_000)}`)
    expect(failure.message).toContain('20000 faults')
    expect(failure.details).toHaveLength(1000)
    expect(failure.hint).toContain('The first 1000 are listed.')
  })
})

const linkOf = (path: string): string[] => {
  try {
    return [readlinkSync(path)]
  } catch {
    return []
  }
}

/** YAML that would unfold to a thousand million items. */
function bomb(): string {
  const lines = ['- &a0 {title: x}']
  for (let level = 1; level < 10; level++)
    lines.push(`- &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(', ')}]`)
  return `${lines.join('\n')}\n`
}
