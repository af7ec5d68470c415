import { createCipheriv, createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import type { ExampleBook, ExampleOptions } from './book.ts'
import { chapters } from './chapters.ts'
import { exampleCover } from './cover.ts'
import { chapterPage, navigationDocument, ncx, packageDocument } from './documents.ts'

const description = 'A small book to send first. It tells what happens to a book on its way to its readers.'

/** A small, valid EPUB that a person can read; the same options give the same bytes. */
export async function makeExampleEpub(options: ExampleOptions = {}): Promise<Buffer> {
  const book: ExampleBook = {
    ...options,
    title: options.title ?? 'The Publisher’s First Upload',
    authors: options.authors ?? ['The Makers of pubctl'],
    language: options.language ?? 'en',
    publisher: options.publisher ?? 'Sandbox Press',
    description: options.description ?? description,
    identifier: options.isbn === undefined ? `urn:uuid:${uuidOf(options)}` : `urn:isbn:${options.isbn}`,
    fixedLayout: options.fixedLayout ?? false,
    epub2: options.epub2 ?? false,
    cover: options.cover ?? true,
    paddingBytes: options.paddingBytes ?? 0,
  }
  const zip = new ZipFile()
  for (const [name, content] of entriesOf(book)) {
    zip.addBuffer(Buffer.from(content), name, {
      mtime: new Date(2026, 0, 1),
      mode: 0o100644,
      // A DOS time has no zone, so that the bytes are the same wherever the book is made.
      forceDosTimestamp: true,
      compress: !/^mimetype$|\.(?:png|bin)$/.test(name),
    })
  }
  zip.end()
  return await buffer(zip.outputStream)
}

function* entriesOf(book: ExampleBook): Generator<[string, string | Uint8Array]> {
  yield ['mimetype', 'application/epub+zip']
  yield ['META-INF/container.xml', container]
  yield ['EPUB/package.opf', packageDocument(book)]
  yield book.epub2 ? ['EPUB/toc.ncx', ncx(book)] : ['EPUB/nav.xhtml', navigationDocument(book)]
  for (const [index, chapter] of chapters.entries()) {
    yield [`EPUB/chapter-${index + 1}.xhtml`, chapterPage(book, chapter)]
  }
  if (book.cover) yield ['EPUB/cover.png', exampleCover()]
  if (book.paddingBytes > 0) yield ['EPUB/padding.bin', padding(book.paddingBytes)]
  yield* Object.entries(book.extraEntries ?? {})
}

const container = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles>
    <rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/>
  </rootfiles>
</container>
`

/** Books with different options are different books, so they need different identifiers. */
function uuidOf({ extraEntries, ...options }: ExampleOptions): string {
  const names = Object.keys(extraEntries ?? {})
  const hash = createHash('sha1')
    .update(JSON.stringify([options, names]))
    .digest('hex')
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `5${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}

const padding = (bytes: number): Buffer =>
  createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(bytes))
