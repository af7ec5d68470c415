import { type RawEntry, rawZip } from './hostile-zip.ts'
import { type BookParts, packageOf } from './package-document.ts'

/** An EPUB of the given parts; those that are not given are sound. */
export function makeBook(parts: BookParts = {}): Buffer {
  const { mimetype = 'application/epub+zip', container = honestContainer } = parts
  return rawZip([
    ...(mimetype === null ? [] : [{ name: 'mimetype', content: mimetype }]),
    ...(container === null ? [] : [deflated('META-INF/container.xml', container)]),
    deflated('EPUB/package.opf', parts.package ?? packageOf(parts)),
    ...Object.entries({ ...honestPages, ...parts.entries }).map(([name, content]) => deflated(name, content)),
    ...(parts.rawEntries ?? []),
  ])
}

const deflated = (name: string, content: string | Uint8Array): RawEntry => ({
  name,
  content,
  isDeflated: true,
})

const honestContainer = `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>
<rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`

const honestNavigation = `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>
<nav epub:type="toc"><ol><li><a href="one.xhtml">One</a></li></ol></nav></body></html>`

const honestPages = {
  'EPUB/nav.xhtml': honestNavigation,
  'EPUB/one.xhtml': '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>One.</p></body></html>',
}
