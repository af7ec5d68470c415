import { describe, expect, it } from 'vitest'
import { countWords } from '../../src/books/epub/count-words.ts'
import { type BookParts, fileOf, makeBook } from '../support/books/make-book.ts'
import { readBook } from '../support/books/read-book.ts'

const page = (body: string, head = '') =>
  `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Not a word</title>${head}</head><body>${body}</body></html>`
const inventoryOf = async (parts: BookParts) =>
  (await readBook(fileOf(makeBook(parts)), { inventory: true })).inventory

describe('the inventory of an EPUB', () => {
  const manifest =
    '<item id="i" href="a.png" media-type="image/png"/><item id="s" href="a.css" media-type="text/css"/><item id="f" href="f/a.otf" media-type="font/otf"/><item id="u" href="old.css" media-type="text/css"/>'
  const entries = {
    'EPUB/one.xhtml': page(
      '<style>p { color: red }</style><p>It’s three words.</p><img src="a.png"/><img src="a.png" alt=""/><img src="a.png" alt="A cat"/><script type="text/plain">not read</script>',
      '<link rel="stylesheet" href="a.css"/>',
    ),
    'EPUB/a.css': '@font-face { font-family: A; src: url(f/a.otf) }',
    'EPUB/f/a.otf': 'OTTO'.repeat(2000),
    'EPUB/old.css': '',
    'EPUB/a.png': 'x',
    '.DS_Store': 'x',
  }

  it('has what is in it, in numbers', async () => {
    expect(await inventoryOf({ manifest, entries })).toEqual({
      spine: 1,
      contents: 1,
      words: 3 + 1,
      isPartial: false,
      images: { files: 1, shown: 3, withoutAlternative: 1 },
      fonts: { count: 1, files: ['EPUB/f/a.otf'] },
      largest: [
        { path: 'EPUB/f/a.otf', bytes: 8000 },
        { path: expect.any(String), bytes: expect.any(Number) },
        { path: expect.any(String), bytes: expect.any(Number) },
      ],
      unused: { count: 2, files: expect.arrayContaining(['EPUB/old.css', '.DS_Store']) },
    })
  })

  it('does not say what is unused where a script may ask for it, or a page was not read', async () => {
    const scripted = page('<script>load()</script>')
    const found = await inventoryOf({ manifest, entries: { ...entries, 'EPUB/one.xhtml': scripted } })
    expect(found).not.toHaveProperty('unused')
    const broken = await inventoryOf({ manifest, entries: { ...entries, 'EPUB/one.xhtml': '<html><p>' } })
    expect(broken).toMatchObject({ isPartial: true })
    expect(broken).not.toHaveProperty('unused')
  })

  it('is taken on request alone', async () => {
    expect(await readBook(fileOf(makeBook()))).not.toHaveProperty('inventory')
  })
})

it.each([
  ['', 0],
  ['one', 1],
  ["It's — “two” words.", 3],
  ['१२ हिन्दी में', 3],
  ['A4 2026-01-31', 4],
  ['naïve café', 2],
])('%j has %i words', (text, count) => {
  expect(countWords(text)).toBe(count)
})
