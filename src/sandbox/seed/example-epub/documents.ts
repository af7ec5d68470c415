import type { ExampleBook } from './book.ts'
import { type Chapter, chapters } from './chapters.ts'

const escaped = (text: string): string =>
  text
    .replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
    .replace(/[\0-\x08\x0B\x0C\x0E-\x1F]/g, '')

const lines = (parts: readonly (string | false | undefined)[]): string => parts.filter(Boolean).join('\n    ')

export function packageDocument(book: ExampleBook): string {
  const { epub2 } = book
  const metadata = lines([
    `<dc:identifier id="id">${escaped(book.identifier)}</dc:identifier>`,
    `<dc:title>${escaped(book.title)}</dc:title>`,
    ...book.authors.flatMap((author, index) =>
      epub2
        ? [`<dc:creator opf:role="aut">${escaped(author)}</dc:creator>`]
        : [
            `<dc:creator id="creator-${index + 1}">${escaped(author)}</dc:creator>`,
            `<meta refines="#creator-${index + 1}" property="role" scheme="marc:relators">aut</meta>`,
          ],
    ),
    `<dc:language>${escaped(book.language)}</dc:language>`,
    `<dc:publisher>${escaped(book.publisher)}</dc:publisher>`,
    `<dc:description>${escaped(book.description)}</dc:description>`,
    !epub2 && '<meta property="dcterms:modified">2026-01-01T00:00:00Z</meta>',
    !epub2 && book.fixedLayout && '<meta property="rendition:layout">pre-paginated</meta>',
    epub2 && book.fixedLayout && '<meta name="fixed-layout" content="true"/>',
    book.cover && '<meta name="cover" content="cover-image"/>',
  ])
  const manifest = lines([
    epub2
      ? '<item id="toc" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
      : '<item id="toc" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>',
    ...chapters.map(
      (_, index) =>
        `<item id="chapter-${index + 1}" href="chapter-${index + 1}.xhtml" media-type="application/xhtml+xml"/>`,
    ),
    book.cover &&
      `<item id="cover-image" href="cover.png" media-type="image/png"${epub2 ? '' : ' properties="cover-image"'}/>`,
    book.paddingBytes > 0 && '<item id="padding" href="padding.bin" media-type="application/octet-stream"/>',
  ])
  const spine = lines(chapters.map((_, index) => `<itemref idref="chapter-${index + 1}"/>`))
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="${epub2 ? '2.0' : '3.0'}" unique-identifier="id">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">
    ${metadata}
  </metadata>
  <manifest>
    ${manifest}
  </manifest>
  <spine${epub2 ? ' toc="toc"' : ''}>
    ${spine}
  </spine>
</package>
`
}

/** The navigation document of EPUB 3. */
export const navigationDocument = (book: ExampleBook): string => `<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" xml:lang="en">
<head><title>${escaped(book.title)}</title></head>
<body>
  <nav epub:type="toc">
    <h1>Contents</h1>
    <ol>
    ${lines(chapters.map(({ title }, index) => `<li><a href="chapter-${index + 1}.xhtml">${escaped(title)}</a></li>`))}
    </ol>
  </nav>
</body>
</html>
`

/** The table of contents of EPUB 2. */
export const ncx = (book: ExampleBook): string => `<?xml version="1.0" encoding="UTF-8"?>
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1">
  <head><meta name="dtb:uid" content="${escaped(book.identifier)}"/></head>
  <docTitle><text>${escaped(book.title)}</text></docTitle>
  <navMap>
    ${lines(
      chapters.map(
        ({ title }, index) =>
          `<navPoint id="point-${index + 1}" playOrder="${index + 1}"><navLabel><text>${escaped(title)}</text></navLabel><content src="chapter-${index + 1}.xhtml"/></navPoint>`,
      ),
    )}
  </navMap>
</ncx>
`

/** A chapter as a page of its own. */
export const chapterPage = (
  book: ExampleBook,
  { title, body }: Chapter,
): string => `<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en">
<head>
  <title>${escaped(title)}</title>${book.fixedLayout ? '\n  <meta name="viewport" content="width=600, height=900"/>' : ''}
</head>
<body>
  <div>
    <h1>${escaped(title)}</h1>${body}
  </div>
</body>
</html>
`
