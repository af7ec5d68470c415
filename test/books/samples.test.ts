import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readBook, readCover } from '../support/books/read-book.ts'
import { areThere, bookRows as books, samples } from '../support/books/samples.ts'

const types: Record<string, string> = { epub: 'EPUB', pdf: 'PDF', lpf: 'Audio' }

describe.skipIf(!areThere)('the sample books', () => {
  it('are found in the manifest', () => {
    expect(books.length).toBeGreaterThanOrEqual(12)
  })

  it.each(books)('$file reads as the manifest says', async row => {
    const path = join(samples, row['file'] as string)
    const book = await readBook(path)
    expect({
      type: book.type,
      title: book.title ?? '',
      authors: book.authors.join(';'),
      language: book.language ?? '',
      isbn: book.isbn ?? '',
      layout: book.type === 'EPUB' ? book.layout : '',
      pages: book.type === 'PDF' ? String(book.pageCount) : '',
      cover: book.cover?.path ?? '',
      version: book.epubVersion,
      errors: book.problems.filter(({ severity }) => severity === 'error'),
    }).toEqual({
      type: types[row['kind'] as string],
      title: row['expected_title'],
      authors: row['expected_authors'],
      language: row['expected_language'],
      isbn: row['expected_isbn'],
      layout: row['expected_layout'],
      pages: row['expected_pages'],
      cover: row['expected_cover'],
      version: /EPUB (\d\.\d)/.exec(row['notes'] as string)?.[1],
      errors: [],
    })
    if (row['kind'] === 'epub') expect(book.problems).toEqual([])
  })

  it.each(books)('$file is known by its content for what it is', async row => {
    expect((await readBook(join(samples, row['file'] as string))).type).toBe(types[row['kind'] as string])
  })

  it('give their covers, in the type that they are', async () => {
    const path = join(samples, 'time-machine-epub2.epub')
    const cover = await readCover(path, await readBook(path))
    expect(cover).toMatchObject({ mediaType: 'image/jpeg', filename: 'cover.jpg' })
    expect(cover?.bytes.equals(readFileSync(join(samples, 'cover-time-machine.jpg')))).toBe(true)
  })

  it('have the titles, sorted names and roles that they state', async () => {
    const flatland = await readBook(join(samples, 'flatland.epub'))
    expect(flatland.titles.map(({ text, kind }) => `${text} [${kind}]`)).toEqual([
      'Flatland [main]',
      'A Romance of Many Dimensions [subtitle]',
      'Flatland: A Romance of Many Dimensions [expanded]',
    ])
    const manifesto = await readBook(join(samples, 'communist-manifesto.epub'))
    expect(manifesto.creators).toEqual([
      { name: 'Karl Marx', fileAs: 'Marx, Karl', roles: ['aut', 'win'] },
      { name: 'Friedrich Engels', fileAs: 'Engels, Friedrich', roles: ['ann', 'aut', 'win', 'wpr'] },
    ])
  })
})
