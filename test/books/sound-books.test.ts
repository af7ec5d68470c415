import { describe, expect, it } from 'vitest'
import { type BookParts, fileOf, honestMetadata, makeBook, packageOf } from '../support/books/make-book.ts'
import { makePdf } from '../support/books/make-pdf.ts'
import { readBook } from '../support/books/read-book.ts'

const page = (body: string) => `<html xmlns="http://www.w3.org/1999/xhtml"><body>\n${body}</body></html>`
const container = (path: string) =>
  `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="${path}" media-type="application/oebps-package+xml"/></rootfiles></container>`
const style = (css: string) => ({
  manifest: '<item id="c" href="a.css" media-type="text/css"/>',
  entries: { 'EPUB/a.css': css },
})
const inLanguage = (language: string) => ({
  metadata: honestMetadata.replace('>en<', `>${language}<`),
})
const declaring = (entities: string) =>
  packageOf({ metadata: honestMetadata.replace('A Title', 'A&ouml;&b;C') }).replace(
    '<package',
    `<!DOCTYPE package [${entities}]>\n<package`,
  )

const found = async (bytes: Uint8Array, name?: string) =>
  (await readBook(fileOf(bytes, name))).problems.map(({ severity, code }) => `${severity} ${code}`)

describe('nothing is said of a book', () => {
  it.each([
    [
      'whose container names a percent-encoded path',
      {
        container: container('B%C3%BCcher/package.opf'),
        entries: {
          'Bücher/package.opf': packageOf({}),
          'Bücher/nav.xhtml': page(
            '<nav xmlns:epub="http://www.idpf.org/2007/ops" epub:type="toc"><ol><li><a href="one.xhtml">A</a></li></ol></nav>',
          ),
          'Bücher/one.xhtml': page(''),
        },
      },
    ],
    [
      'whose table of contents stands outside the main order',
      { spine: '<itemref idref="one"/><itemref idref="nav" linear="no"/>' },
    ],
    [
      'whose style has a text that looks like an address',
      style("p::after { content: \"url(x)\" 'a \\' url(y)' }"),
    ],
    [
      'whose images have commas in their names',
      {
        manifest: '<item id="i" href="a,b.svg" media-type="image/svg+xml"/>',
        entries: {
          'EPUB/a,b.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
          'EPUB/one.xhtml': page(
            '<img srcset="a,b.svg 1x, a,b.svg, data:image/png;base64, AA==, data:image/png;base64,AA== 2x" src="a,b.svg"/>',
          ),
        },
      },
    ],
    ['in a language of an old tag', inLanguage('i-klingon')],
    ['in a private language', inLanguage('x-elvish')],
  ] satisfies [string, BookParts][])('%s', async (_, parts) => {
    const problems = await found(makeBook(parts))
    expect(problems).toEqual([])
  })
})

it('a missing image of a srcset with commas is said by its whole name', async () => {
  const { problems } = await readBook(
    fileOf(makeBook({ entries: { 'EPUB/one.xhtml': page('<img srcset="a,b.png 1x, c.png,d.png 2x"/>') } })),
  )
  expect(problems.map(({ message }) => message)).toEqual([
    '"a,b.png" leads to nothing in the book.',
    '"c.png,d.png" leads to nothing in the book.',
  ])
})

it('texts that the package declares as entities are read', async () => {
  const own = '<!ENTITY ouml "&#xF6;"><!ENTITY b \'B\'>'
  const book = await readBook(fileOf(makeBook({ package: declaring(own) })))
  expect(book).toMatchObject({ title: 'AöBC', problems: [] })
})

it.each([
  ['of a company', '<!ENTITY b "&amp; Co">', '& Co'],
  ['of quotes', '<!ENTITY b "&quot;q&apos; &lt;&gt;">', `"q' <>`],
  ['of a reference that is written as text', '<!ENTITY b "&#38;amp;">', '&'],
  ['of a number that is written as text', '<!ENTITY b "&#38;#60;">', '<'],
  ['of others', '<!ENTITY b "&ouml;&c;"><!ENTITY c "-&ouml;">', 'ö-ö'],
])('texts %s are read', async (_, own, text) => {
  const book = await readBook(fileOf(makeBook({ package: declaring(`<!ENTITY ouml "ö">${own}`) })))
  expect(book).toMatchObject({ title: `Aö${text}C`, problems: [] })
})

it.each([
  ['in another file', '<!ENTITY b SYSTEM "file:///etc/passwd">'],
  ['of one in another file', '<!ENTITY b "&c;"><!ENTITY c SYSTEM "file:///etc/passwd">'],
  ['of themselves', '<!ENTITY b "&c;"><!ENTITY c "&b;">'],
  ['of one that nothing declares', '<!ENTITY b "&amp;&c;">'],
  ['of a character that markup begins with', '<!ENTITY b "&#38;">'],
  ['of more than a thousand characters', `<!ENTITY b "&c;&c;"><!ENTITY c "${'c'.repeat(501)}">`],
])('entities that are %s are not', async (_, own) => {
  expect(await found(makeBook({ package: declaring(`<!ENTITY ouml "ö">${own}`) }))).toContain(
    'error package_malformed',
  )
})

it('of two document types, the first one counts, and the other one is an error', async () => {
  const twice = declaring('<!ENTITY ouml "ö"><!ENTITY b "B">').replace(/<!DOCTYPE[^[]*\[.*?\]>/s, '$&$&')
  expect(twice.match(/<!DOCTYPE/g)).toHaveLength(2)
  expect(await found(makeBook({ package: twice }))).toContain('error package_malformed')
})

it('entities that would fill the memory end the reading', async () => {
  const text = declaring(`<!ENTITY ouml "${'x'.repeat(1000)}"><!ENTITY b "b">`)
  const long = text.replace('A&ouml;', '&ouml;'.repeat(2000))
  expect(await found(makeBook({ package: long }))).toContain('error package_too_large')
})

describe('bytes after the end of the zip', () => {
  it.each([
    ['a line feed', '\n', 'A byte follows the end of the zip, and some programs refuse such a file.'],
    [
      'many',
      'x'.repeat(70_000),
      '70,000 bytes follow the end of the zip, and some programs refuse such a file.',
    ],
  ])('are a warning: %s', async (_, more, message) => {
    const book = await readBook(fileOf(Buffer.concat([makeBook(), Buffer.from(more)])))
    expect(book).toMatchObject({
      title: 'A Title',
      problems: [{ severity: 'warning', code: 'zip_trailing_bytes', message }],
    })
  })

  it('are no zip where its end is cut', async () => {
    await expect(found(makeBook().subarray(0, -1))).rejects.toThrow(/cut short or damaged/)
  })
})

it.each([
  ['bytes of no known kind', Buffer.alloc(3000, 1)],
  ['zeros', Buffer.alloc(3000)],
  ['the headers of a message', Buffer.from('X-Header: a\r\n'.repeat(300))],
])('a PDF whose header comes late, behind %s, is read, and that is a warning', async (_, before) => {
  const problems = await found(Buffer.concat([before, makePdf({ info: '/Title (Later)' })]), 'late.pdf')
  expect(problems).toContain('warning pdf_header_late')
  expect(problems.filter(text => text.startsWith('error'))).toEqual([])
})

it('a text that names the header of a PDF is no PDF', async () => {
  const text = Buffer.from(`${'Some words.\n'.repeat(200)}A PDF begins with %PDF-1.7\nand so on.\n`)
  await expect(found(text, 'text.pdf')).rejects.toThrow(/text\.pdf is a text file, not a book$/)
})

it.each([
  ['Deutsch', 'Write de.'],
  ['English', 'Write en.'],
  ['Klingonisch', 'Write a language tag of BCP 47, such as en or pt-BR.'],
])('a language by its name, %s, is a warning that names the tag', async (language, hint) => {
  const { problems } = await readBook(fileOf(makeBook(inLanguage(language))))
  expect(problems).toMatchObject([{ severity: 'warning', code: 'language_invalid', hint }])
})
