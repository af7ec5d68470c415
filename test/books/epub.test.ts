import { describe, expect, it } from 'vitest'
import { isIsbn } from '../../src/books/index.ts'
import { type BookParts, fileOf, honestMetadata, makeBook } from '../support/books/make-book.ts'
import { readBook } from '../support/books/read-book.ts'

const read = (parts: BookParts = {}) => readBook(fileOf(makeBook(parts)))
const codes = async (parts: BookParts) =>
  (await read(parts)).problems.map(({ severity, code }) => `${severity} ${code}`)

describe('a sound EPUB', () => {
  it('has no problems', async () => {
    expect(await read()).toEqual({
      type: 'EPUB',
      mediaType: 'application/epub+zip',
      title: 'A Title',
      titles: [{ text: 'A Title' }],
      authors: ['A Name'],
      creators: [{ name: 'A Name', roles: [] }],
      language: 'en',
      identifier: 'urn:uuid:0f7c4b1e-0000-4000-8000-000000000000',
      epubVersion: '3.0',
      isReflowable: true,
      layout: 'reflowable',
      navigation: [{ title: 'One', depth: 0, path: [0] }],
      problems: [],
    })
  })
})

describe('the title', () => {
  it('is the one that is refined as the main one, wherever it stands', async () => {
    const book = await read({
      metadata: `<dc:title id="s">Sub</dc:title><meta refines="#s" property="title-type">subtitle</meta>
        <dc:title id="m"> The
        Main&amp;Only </dc:title><meta refines="#m" property="title-type">main</meta>`,
    })
    expect(book.title).toBe('The Main&Only')
    expect(book.titles).toEqual([
      { text: 'Sub', kind: 'subtitle' },
      { text: 'The Main&Only', kind: 'main' },
    ])
  })

  it('is the first where none is refined, and empty ones do not count', async () => {
    expect(
      (await read({ metadata: '<dc:title> </dc:title><dc:title>A</dc:title><dc:title>B</dc:title>' })).title,
    ).toBe('A')
  })

  it('may be missing, which is a warning', async () => {
    expect(await codes({ metadata: '<dc:creator>X</dc:creator><dc:language>en</dc:language>' })).toEqual([
      'warning title_missing',
    ])
  })

  it('is found under any prefix, and in the wrapping of the oldest EPUBs', async () => {
    const document = `<o:package xmlns:o="http://www.idpf.org/2007/opf" version="1.0"><o:metadata><o:dc-metadata
      xmlns:x="http://purl.org/dc/elements/1.0/"><x:title>Old</x:title></o:dc-metadata></o:metadata></o:package>`
    expect((await read({ package: document })).title).toBe('Old')
  })
})

describe('the authors', () => {
  it('are all creators in their order, commas and roles notwithstanding', async () => {
    const book = await read({
      metadata: `<dc:creator id="b">Brontë, Emily</dc:creator><meta refines="#b" property="role">ill</meta>
        <meta refines="#b" property="role">http://id.loc.gov/vocabulary/relators/aut</meta>
        <dc:creator opf:role="trl" opf:file-as="Who, A">A Who</dc:creator>
        <dc:contributor opf:role="aut">Not Me</dc:contributor>`,
    })
    expect(book.authors).toEqual(['Brontë, Emily', 'A Who'])
    expect(book.creators).toEqual([
      { name: 'Brontë, Emily', roles: ['ill', 'aut'] },
      { name: 'A Who', fileAs: 'Who, A', roles: ['trl'] },
    ])
  })

  it('are the contributors who are said to be authors where there is no creator', async () => {
    const metadata =
      '<dc:contributor opf:role="bkp">calibre</dc:contributor><dc:contributor opf:role="aut">Me</dc:contributor>'
    expect((await read({ metadata })).authors).toEqual(['Me'])
  })
})

describe('the language', () => {
  it('is the first, as it is written', async () => {
    expect(
      (await read({ metadata: '<dc:language>pt-BR</dc:language><dc:language>en</dc:language>' })).language,
    ).toBe('pt-BR')
  })

  it('may be no language tag, which is a warning', async () => {
    const metadata = '<dc:title>T</dc:title><dc:creator>X</dc:creator><dc:language>English (UK)</dc:language>'
    expect(await codes({ metadata })).toEqual(['warning language_invalid'])
  })
})

describe('the ISBN', () => {
  const isbnOf = async (identifiers: string) => (await read({ metadata: honestMetadata + identifiers })).isbn

  it.each([
    ['urn:isbn:978-3-16-148410-0', '9783161484100'],
    ['URN:ISBN:9783161484100', '9783161484100'],
    ['ISBN 978 3 16 148410 0', '9783161484100'],
    ['978‑3‑16‑148410‑0', '9783161484100'],
    ['9783161484100', '9783161484100'],
    ['0-8044-2957-x', '080442957X'],
    ['isbn:080442957X', '080442957X'],
    ['080442957X', undefined],
    ['9783161484101', undefined],
    ['1234567890128', undefined],
    ['urn:isbn:1234567890', undefined],
  ])('is read from "%s"', async (identifier, isbn) => {
    expect(await isbnOf(`<dc:identifier>${identifier}</dc:identifier>`)).toBe(isbn)
  })

  it('is read by the scheme of either version of EPUB', async () => {
    expect(await isbnOf('<dc:identifier opf:scheme="ISBN">080442957X</dc:identifier>')).toBe('080442957X')
    expect(
      await isbnOf(
        '<dc:identifier id="i">080442957X</dc:identifier><meta refines="#i" property="identifier-type">02</meta>',
      ),
    ).toBe('080442957X')
  })

  it('is one of 13 digits where both are given', async () => {
    const both =
      '<dc:identifier>urn:isbn:080442957X</dc:identifier><dc:identifier>urn:isbn:9783161484100</dc:identifier>'
    expect(await isbnOf(both)).toBe('9783161484100')
  })

  it('with a wrong digit is none, and a warning', async () => {
    const book = await read({
      metadata: `${honestMetadata}<dc:identifier>urn:isbn:9783161484101</dc:identifier>`,
    })
    expect(book.isbn).toBeUndefined()
    expect(book.problems).toMatchObject([
      { severity: 'warning', code: 'isbn_invalid', place: 'EPUB/package.opf:5' },
    ])
  })

  it('is checked to the last digit', () => {
    const valid = ['9783161484100', '9791234567896', '080442957X', '0306406152']
    expect(valid.filter(isIsbn)).toEqual(valid)
    for (const isbn of valid) {
      const wrong = isbn.slice(0, -1) + (isbn.endsWith('1') ? '2' : '1')
      expect(isIsbn(wrong)).toBe(false)
    }
    expect(['', '978316148410', '97831614841000', '978-3161484100', 'X804429570'].filter(isIsbn)).toEqual([])
  })
})

describe('the layout', () => {
  it.each([
    ['EPUB 3', { metadata: '<meta property="rendition:layout">pre-paginated</meta>' }],
    ['EPUB 3.4 as a roll', { metadata: '<meta property="rendition:layout">roll</meta>' }],
    ['EPUB 2', { metadata: '<meta name="fixed-layout" content="true"/>', version: '2.0' }],
    ['every page', { spine: '<itemref idref="one" properties="rendition:layout-pre-paginated"/>' }],
    [
      "Apple's options",
      {
        entries: {
          'META-INF/com.apple.ibooks.display-options.xml':
            '<display_options><platform name="*"><option name="fixed-layout">true</option></platform></display_options>',
        },
      },
    ],
  ] satisfies [string, BookParts][])('is fixed by %s', async (_, parts) => {
    expect(await read(parts)).toMatchObject({ layout: 'fixed', isReflowable: false })
  })

  it('is reflowable where a page alone is fixed, or where the package says so', async () => {
    const one = { metadata: '<meta refines="#one" property="rendition:layout">pre-paginated</meta>' }
    expect(await read(one)).toMatchObject({ layout: 'reflowable' })
    const both = {
      metadata:
        '<meta property="rendition:layout">reflowable</meta><meta name="fixed-layout" content="true"/>',
    }
    expect(await read(both)).toMatchObject({ layout: 'reflowable', isReflowable: true })
  })

  it('comes with the spread that is wished for', async () => {
    expect((await read({ metadata: '<meta property="rendition:spread">both</meta>' })).spread).toBe('both')
    expect(
      (await read({ metadata: '<meta property="rendition:spread">sideways</meta>' })).spread,
    ).toBeUndefined()
  })
})

describe('the table of contents', () => {
  it('keeps its depths and places', async () => {
    const nav = `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "x"><html xmlns:epub="http://www.idpf.org/2007/ops">
      <nav epub:type="landmarks"><ol><li><a>No</a></li></ol></nav>
      <nav epub:type="toc"><ol><li><span>Part&#160;<i>I</i></span><ol><li><a href="one.xhtml">A&nbsp;B</a></li><li><a href="one.xhtml">B</a></li></ol></li>
      <li><a href="one.xhtml">C</a></li></ol></nav><nav epub:type="page-list"><ol><li><a>1</a></li><li><a>2</a></li></ol></nav></html>`
    const book = await read({ entries: { 'EPUB/nav.xhtml': nav } })
    expect(book.navigation).toEqual([
      { title: 'Part I', depth: 0, path: [0] },
      { title: 'A B', depth: 1, path: [0, 0] },
      { title: 'B', depth: 1, path: [0, 1] },
      { title: 'C', depth: 0, path: [1] },
    ])
    expect(book.problems).toMatchObject([{ severity: 'warning', code: 'doctype_wrong' }])
  })

  it('is the NCX where there is no other', async () => {
    const ncx = `<ncx><navMap><navPoint><navLabel><text>A</text></navLabel><navPoint><navLabel><text>B</text></navLabel></navPoint>
      </navPoint></navMap><pageList><pageTarget type="front"/><pageTarget type="normal"/></pageList></ncx>`
    const book = await read({
      manifest: '<item id="x" href="t.ncx" media-type="application/x-dtbncx+xml"/>',
      entries: { 'EPUB/nav.xhtml': '<html/>', 'EPUB/t.ncx': ncx },
    })
    expect(book.navigation).toEqual([
      { title: 'A', depth: 0, path: [0] },
      { title: 'B', depth: 1, path: [0, 0] },
    ])
  })

  const printed = `<html xmlns:epub="http://www.idpf.org/2007/ops"><nav epub:type="toc"><ol><li><a href="one.xhtml">A</a></li></ol></nav>
    <nav epub:type="page-list"><ol><li><a href="one.xhtml">1</a></li><li><a href="one.xhtml">2</a></li></ol></nav></html>`

  it.each([
    [2, '<meta property="rendition:layout">pre-paginated</meta>'],
    [undefined, ''],
    [312, '<meta property="schema:numberOfPages">312</meta>'],
  ])(
    'with a list of the pages in print makes the page count %s where the metadata are "%s"',
    async (count, metadata) => {
      const book = await read({ metadata: honestMetadata + metadata, entries: { 'EPUB/nav.xhtml': printed } })
      expect(book.pageCount).toBe(count)
    },
  )
})

describe('the problems', () => {
  it.each([
    ['error spine_empty', { spine: '' }],
    ['error spine_item_unknown', { spine: '<itemref idref="two"/>' }],
    ['error resource_missing', { manifest: '<item id="t" href="t"/>', spine: '<itemref idref="t"/>' }],
    ['warning resource_missing', { manifest: '<item id="t" href="t"/>' }],
    ['error resource_outside', { manifest: '<item id="t" href="../../../etc/passwd"/>' }],
    ['warning mimetype_missing', { mimetype: null }],
    ['warning mimetype_wrong', { mimetype: 'application/zip' }],
    ['error package_malformed', { metadata: `${honestMetadata}<unclosed>` }],
    ['error package_malformed', { metadata: `${honestMetadata}&nosuch;` }],
  ] satisfies [string, BookParts][])('name %s', async (problem, parts) => {
    expect(await codes(parts)).toContain(problem)
  })

  it('are none for resources on the web', async () => {
    expect(
      await codes({
        manifest: '<item id="t" href="https://example.org/a.mp4" media-type="video/mp4"/>',
      }),
    ).toEqual([])
  })

  it('say where they are', async () => {
    const { problems } = await read({ metadata: `${honestMetadata}\n\n&nosuch;` })
    expect(problems[0]?.place).toBe('EPUB/package.opf:7')
  })
})
