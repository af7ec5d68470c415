import { describe, expect, it } from 'vitest'
import { exampleCover } from '../../src/sandbox/seed/example-epub/cover.ts'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { exampleBook } from '../support/books/example-book.ts'
import { fileOf } from '../support/books/make-book.ts'
import { readBook, readCover } from '../support/books/read-book.ts'

describe('the sample book', () => {
  it('is a sound EPUB with a cover, for a newcomer', async () => {
    const path = await exampleBook()
    const book = await readBook(path)
    expect(book).toMatchObject({
      title: 'The Publisher’s First Upload',
      language: 'en',
      epubVersion: '3.0',
      layout: 'reflowable',
      cover: { width: 600, height: 900 },
      problems: [],
    })
    expect(book.authors).toHaveLength(1)
    expect(book.navigation).toHaveLength(3)
    expect((await readCover(path, book))?.bytes).toEqual(exampleCover())
  })

  it('says what it is told to say, in either version of EPUB', async () => {
    const options = {
      title: 'Fish & <Chips> "to go"',
      authors: ['Brontë, Emily', 'Σ 詩'],
      language: 'fr-CA',
      isbn: '9783161484100',
      publisher: 'A & B',
    }
    for (const epub2 of [false, true]) {
      const made = await makeExampleEpub({ ...options, epub2, fixedLayout: true, cover: false })
      const book = await readBook(fileOf(made))
      expect(book).toMatchObject({
        ...options,
        epubVersion: epub2 ? '2.0' : '3.0',
        layout: 'fixed',
        problems: [],
      })
      expect(book.cover).toBeUndefined()
      expect(book.navigation).toHaveLength(3)
    }
  })

  it('has the same bytes each time, and others for another book', async () => {
    const one = await makeExampleEpub({ title: 'One' })
    expect(await makeExampleEpub({ title: 'One' })).toEqual(one)
    const [first, second] = await Promise.all(
      [one, await makeExampleEpub({ title: 'Two' })].map(made => readBook(fileOf(made))),
    )
    expect(first?.identifier).not.toBe(second?.identifier)
  })

  it('grows by the padding and holds the entries that it is told to', async () => {
    const plain = await makeExampleEpub()
    const large = await makeExampleEpub({
      paddingBytes: 1_000_000,
      extraEntries: { 'EPUB/extra.txt': 'extra, extra' },
    })
    expect(large.length - plain.length).toBeGreaterThan(1_000_000)
    expect(large.includes('EPUB/extra.txt')).toBe(true)
    expect((await readBook(fileOf(large))).problems).toEqual([])
  })
})
