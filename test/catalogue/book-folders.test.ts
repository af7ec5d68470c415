import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openBookFolders } from '../../src/catalogue/sources/book-folders.ts'
import { parseNamePattern } from '../../src/plan/name-pattern.ts'
import type { Product } from '../../src/plan/product.ts'
import { indexNames } from '../../src/uploads/inputs/name-index.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'

const standard = '{isbn}*.epub|pdf|lpf'

/** A folder with files of these names, in subfolders where a name has slashes. */
function folderOf(...names: string[]): string {
  const folder = temporaryFolder()
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), '')
  }
  return folder
}

interface Named {
  isbn?: string
  title?: string
  key?: string
  proprietaryId?: string
}

const productOf = ({ isbn, title, key, proprietaryId }: Named): Product => ({
  ...{ from: { file: '' }, publicationId: null, key: key ?? null, file: null, optional: {}, type: null },
  ...(proprietaryId !== undefined && { proprietaryId }),
  overrides: { ...(isbn !== undefined && { isbn }), ...(title !== undefined && { title }) },
  ...{
    isReflowable: null,
    ignored: null,
    withdrawn: null,
    isPartial: false,
    dropped: { prices: 0, rights: 0 },
  },
})

const isbn = '9783161484100'

/** The names, below the folder, of what is found. */
async function find(pattern: string, named: Named, ...names: string[]): Promise<string[]> {
  const folder = folderOf(...names)
  const found = (await openBookFolders([folder], pattern)).find(productOf(named))
  return found.map(path => relative(folder, path).replaceAll('\\', '/'))
}

describe('a file of a book', () => {
  const named: [string, Named, string, boolean][] = [
    [standard, { isbn }, '9783161484100.epub', true],
    [standard, { isbn }, '978-3-16-148410-0.PDF', true],
    [standard, { isbn }, '9783161484100_ebfc.lpf', true],
    [standard, { isbn }, '978 3 16 148410 0 The Sea.epub', true],
    [standard, { isbn }, 'deep/er/9783161484100.epub', true],
    [standard, { isbn }, '97831614841001.epub', false],
    [standard, { isbn }, '9783161484100.jpg', false],
    [standard, { isbn }, 'x9783161484100.epub', false],
    [standard, { isbn }, '.9783161484100.epub', false],
    [standard, { isbn }, '.hidden/9783161484100.epub', false],
    [standard, { title: 'The Sea' }, '9783161484100.epub', false],
    ['{isbn}_ebfc.epub', { isbn }, '9783161484100_EBFC.epub', true],
    ['{isbn}_ebfc.epub', { isbn }, '9783161484100.epub', false],
    ['*{isbn}*.*', { isbn }, 'isbn9783161484100x.pdf', true],
    ['*{isbn}*.*', { isbn }, '9783161484100.audiobook', true],
    ['*{isbn}', { isbn }, '978-9783161484100.lpf', true],
    ['{isbn}/book.epub', { isbn }, '978-3-16-148410-0/book.epub', true],
    ['{isbn}/*.epub', { isbn }, 'a/9783161484100/any.epub', true],
    ['{isbn}/*.epub', { isbn }, '9783161484100/deeper/any.epub', false],
    ['{key}.epub', { key: 'Sea-1' }, 'sea-1.epub', true],
    ['{key}.epub', { proprietaryId: 'Sea/1' }, 'SEA_1.epub', true],
    ['{key}.epub', { key: '1' }, '11.epub', false],
    ['{key}*.epub', { key: '12' }, '12_final.epub', true],
    ['{key}*.epub', { key: '12' }, '123.epub', false],
    ['*{key}.epub', { key: '12' }, 'final_12.epub', true],
    ['*{key}.epub', { key: '12' }, '112.epub', false],
    ['book{key}.epub', { key: '12' }, 'book12.epub', true],
    ['book{key}v*.epub', { key: '12' }, 'book12v3.epub', true],
    ['{key}.epub', { key: '***' }, '***.epub', false],
    ['{title}.epub', { title: 'Who? A Sea: "Story"' }, 'Who_ A Sea_ _Story_.epub', true],
    ['{title}.epub', { title: "'Tis the Sea" }, '’Tis the Sea.epub', true],
    ['{title}.epub', { title: 'Étude' }, 'E\u0301TUDE.epub', true],
    ['{title}.epub', { title: 'E\u0301tude' }, 'étude.epub', true],
    ['{title}.epub', { title: '海辺' }, '海辺.epub', true],
    ['{title}*.epub', { title: 'Sea' }, 'Season.epub', false],
    ['{title}*.epub', { title: 'Sea' }, 'Sea - Ann Lee.epub', true],
    ['{title} ({isbn}).epub', { title: 'Sea', isbn }, 'Sea (9783161484100).epub', true],
    ['{title} ({isbn}).epub', { title: 'Sea', isbn }, 'Land (9783161484100).epub', false],
    ['{ISBN}.EPUB', { isbn }, '9783161484100.epub', true],
    ['{isbn}', { isbn }, '9783161484100.pdf', true],
  ]
  // Windows has no names with an asterisk.
  const possible = named.filter(([, , name]) => process.platform !== 'win32' || !name.includes('*'))
  it.each(possible)('by %s with %j is %s: %s', async (pattern, named, name, isFound) => {
    expect(await find(pattern, named, name, 'other.epub', '9780306406157.epub')).toEqual(
      isFound ? [name] : [],
    )
  })

  it('has all candidates, in their order, from all folders, each once', async () => {
    const [one, two] = [folderOf('9783161484100.pdf', 'b/9783161484100.epub'), folderOf('9783161484100.epub')]
    const folders = await openBookFolders([one, join(one, 'b'), two, `${one}/../${basename(one)}`], standard)
    expect(folders.size).toBe(3)
    expect(folders.find(productOf({ isbn }))).toEqual(
      [
        join(one, '9783161484100.pdf'),
        join(one, 'b/9783161484100.epub'),
        join(two, '9783161484100.epub'),
      ].sort(),
    )
  })

  it.skipIf(process.platform === 'win32')(
    'may be a link, and links to folders are not followed',
    async () => {
      const [folder, elsewhere] = [folderOf(), folderOf('9783161484100_elsewhere.epub')]
      symlinkSync(join(elsewhere, '9783161484100_elsewhere.epub'), join(folder, '9783161484100.epub'))
      symlinkSync(elsewhere, join(folder, 'linked'))
      symlinkSync(elsewhere, join(folder, '9783161484100_folder.epub'))
      symlinkSync(folder, join(folder, 'round'))
      const { find } = await openBookFolders([folder], standard)
      expect(find(productOf({ isbn }))).toEqual([join(folder, '9783161484100.epub')])
    },
  )

  it('is not looked for where the folder cannot be read', async () => {
    const folder = folderOf('file.epub')
    for (const path of [join(folder, 'gone'), join(folder, 'file.epub')])
      await expect(openBookFolders([path], standard)).rejects.toMatchObject({
        exitCode: 2,
        code: 'file_unreadable',
      })
  })

  it.each<[string, RegExp]>([
    ['*.epub', /has none of/],
    ['book.epub', /has none of/],
    ['', /has none of/],
    ['{isbn}{author}.epub', /"\{author\}"/],
    ['{isbn.epub', /has none of|"\{isbn"/],
    ['{isbn}}.epub', /"\}"/],
    ['*{title}*.epub', /both sides/],
    [`{isbn}${'*a'.repeat(200)}`, /longer than 255/],
  ])('is not looked for by %j', async (pattern, words) => {
    await expect(openBookFolders([folderOf()], pattern)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(words),
    })
  })

  const count = isSlow ? 100_000 : 20_000
  const names = Array.from(
    { length: count },
    (_, index) => `978${String(index).padStart(10, '0')}_the sea ${index}.epub`,
  )
  const files = names.map(name => ({ folder: '/books', name }))
  it.each<[string, (index: number) => Named]>([
    [standard, index => ({ isbn: `978${String(index).padStart(10, '0')}` })],
    ['*{key}.epub', index => ({ key: `sea ${index}` })],
    ['{key}*.epub', index => ({ key: `978${String(index).padStart(10, '0')}` })],
  ])('is found by %s among very many, for each of them', (pattern, namedBy) => {
    const find = indexNames(files, parseNamePattern(pattern))
    const missed = names.filter((name, index) => find(namedBy(index)).join() !== join('/books', name))
    expect(missed).toEqual([])
  })

  it('is found in time by a pattern that is made to take long', () => {
    const pattern = parseNamePattern(`{isbn}${'*- '.repeat(70)}{title}`)
    const name = `${isbn}${' - '.repeat(80)}`
    const find = indexNames(
      Array.from({ length: 20 }, () => ({ folder: '/', name: `${name}x.epub` })),
      pattern,
    )
    expect(find({ isbn, title: `${' - a'.repeat(60)} x` })).toEqual([])
  })

  it('is one of ten at most, however many there are', () => {
    const find = indexNames(files, parseNamePattern('978*_{title}.epub'))
    expect(find({ title: 'nothing' })).toEqual([])
    const same = Array.from({ length: count }, (_, index) => ({ folder: `/${index}`, name: 'sea.epub' }))
    expect(indexNames(same, parseNamePattern('{title}.epub'))({ title: 'Sea' })).toHaveLength(10)
  })
})
