import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { decodeText } from '../../src/books/decode.ts'
import { parseMarkup } from '../../src/books/epub/parse-markup.ts'
import { Enough, TagScan } from '../../src/books/epub/scan-tags.ts'
import type { ScannedDocument } from '../../src/books/epub/scanned-document.ts'
import { readUsualMarkup } from '../../src/books/epub/usual-markup.ts'
import { readUsualTree } from '../../src/books/epub/usual-tree.ts'
import { parseXml, xmlLimits } from '../../src/books/xml.ts'
import { openZip } from '../../src/books/zip.ts'
import { anyFile } from '../../src/system/may-read.ts'
import { openFile } from '../../src/system/open-file.ts'
import { bytes } from '../fuzz/formats/bytes.ts'
import type { Format } from '../fuzz/formats/format.ts'
import { xml } from '../fuzz/formats/xml.ts'
import { type Random, randomOf } from '../fuzz/random.ts'
import { areThere, samples } from '../support/books/samples.ts'
import { isSlow } from '../support/machine/slow.ts'

/** What the quick reader finds; undefined if it leaves the page to the parser. */
function foundQuickly(page: Buffer): ScannedDocument | undefined {
  const scan = new TagScan()
  return stopped(() => readUsualMarkup(page, scan)) === false ? undefined : scan.found
}

function foundByParser(page: Buffer): ScannedDocument {
  const scan = new TagScan()
  stopped(() => parseMarkup(decodeText(page).text, scan, undefined))
  return scan.found
}

function stopped<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Enough) return undefined
    throw error
  }
}

const html = (body: string, head = '') =>
  `<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en" xml:lang='en'>\n<head><title>A title</title>${head}</head>\n<body>${body}</body></html>\n`

/** Pages of the kind that is read quickly, by what is in them. */
const usual: Readonly<Record<string, string | Buffer>> = {
  text: html('<p>It’s “two” words, naïve café — १२ हिन्दी में 😀 and [brackets]] of >1.</p>'),
  references: html(
    '<p>R&amp;D &lt;b&gt; &#160;&#xe9;t&#233; don&apos;t &#x1F600;</p><a href="a.xhtml?b&amp;c#d">A</a>',
  ),
  'lines of Windows': html('<p\r\n  id="a"\r\n>A</p>\r\n<img src="a.png"\r\nalt="two\r\nlines"/>').replaceAll(
    '\n',
    '\r\n',
  ),
  'lines of old Macs': html('<p id="a">A</p>\r<p id="a">B</p>\r<a\rhref="#c">C</a>'),
  'a byte order mark': `\uFEFF${html('<p id="a">A</p><p id="a">B</p>')}`,
  comments: html('<!-- <p id="a"> -> - é --><p>one<!----> two</p><!-->-->'),
  'ids in characters of every length': html('😀<p id="é">ä</p>一<p id="é">b</p><p id="é">c</p>'),
  'empty elements': html(
    '<br/><hr /><p/><img src="a.png"/><img src="b.png" alt=""/><svg viewBox="0 0 1 1"/>',
  ),
  namespaces: html(
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><use xlink:href="#a"/><g id="a"/><linearGradient id="b"/></svg><epub:switch/><m:math xmlns:m="http://www.w3.org/1998/Math/MathML"><m:mi>x</m:mi></m:math><p>after</p>',
  ),
  'no namespace': '<svg><g xmlns=""><path d="M0"/></g></svg>',
  'what has no words': html(
    '<script src="a.js" type="module">var a = 1</script><script type="text/plain">b</script>',
  ),
  faults: html(
    '<fo>F</fo><a><a href="">A</a></a><form onclick="x()"/><p lang="de" xml:lang="en">P</p><x-own/><p style="background: url(a.png)"/>',
  ),
  media: html(
    '<audio src="a.mp3" clipBegin="x"><source src="b.mp3" type="audio/mpeg"/></audio><picture><source srcset="a.webp 1x, b.webp 2x"/><img src="a.png" alt=\'"\'/></picture><video poster="p.jpg"/><object data="a.pdf"/><blockquote cite="c.xhtml"/>',
    '<meta name="viewport" content="width=1, height=1"/><base href="x/"/><link rel="stylesheet" href="a.css"/><link rel="next" href="b.xhtml"/>',
  ),
  styles: html(
    '<svg xmlns="http://www.w3.org/2000/svg"><style>é { fill: url(#a) }</style><style/></svg>',
    '<style type="text/css">p { background: url(a.png) }\n  q { direction: rtl; b: url(b.png) }</style>',
  ),
  meanings: html('<nav><ol/></nav><nav epub:type="toc landmarks"/><section epub:type="index" xml:base="a"/>'),
  'an old document type': html('<a name="a">A</a><a name="a">B</a>').replace(
    '<!DOCTYPE html>',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN"\n  "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">',
  ),
  'an overlay':
    '<smil xmlns="http://www.w3.org/ns/SMIL" xmlns:epub="http://www.idpf.org/2007/ops"><body epub:textref="a.xhtml"><par><text src="a.xhtml#a"/><audio src="a.mp3" clipBegin="0s" clipEnd="1s"/></par></body></smil>',
  'more depth than is read': `${'<div>'.repeat(1100)}${'</div>'.repeat(1100)}`,
}

/** Pages that are left to the parser, since they are wrong or rare. */
const unusual: Readonly<Record<string, string | Buffer>> = {
  nothing: '',
  'no element': '<?xml version="1.0"?>\n<!-- a -->',
  'text alone': 'text',
  'text before the root': `text${html('')}`,
  'text after the root': `${html('')}text`,
  'two roots': '<a/><b/>',
  'an end that is missing': '<a><b></b>',
  'an end too many': '<a></a></b>',
  'ends that cross': '<a><b></a></b>',
  'a tag that does not end': '<a><b',
  'a value that does not end': '<a b="',
  'an attribute without a value': '<a b/>',
  'a value without quotation marks': '<a b=c/>',
  'attributes without a space': '<a b="1"c="2"/>',
  'a doubled attribute': '<a b="1" b="2"/>',
  'an attribute of two prefixes': '<a xmlns:x="u" xmlns:y="u" x:b="1" y:b="2"/>',
  'a slash within a tag': '<a / b="1">',
  'a less-than sign in a value': '<a b="<"/>',
  'an end of CDATA in a text': '<a>]]></a>',
  CDATA: '<a><![CDATA[<b>]]></a>',
  'a style of several parts': html('', '<style>p { a: b }<!-- --></style>'),
  'a style with references': html('', '<style>p &gt; a { a: b }</style>'),
  'a prefix without a declaration': '<x:a/>',
  'the same of an attribute': '<a x:b="1"/>',
  'a prefix that is declared elsewhere': '<a><b xmlns:x="u"/><x:c/></a>',
  'a prefix of nothing': '<a xmlns:x=""/>',
  'a reserved prefix': '<a xmlns:xml="u"/>',
  'a name of two colons': '<a:b:c xmlns:a="u"/>',
  'a name of letters that are not ASCII': '<é/>',
  'a reference without an end': '<a>&amp</a>',
  'an unknown reference': '<a>&nbsp;</a>',
  'a reference to no character': '<a>&#0;</a>',
  'a reference to a surrogate': '<a b="&#xD800;"/>',
  'a reference with a capital X': '<a>&#X41;</a>',
  'a control character': '<a>\u0001</a>',
  'one in a value': '<a b="\u0001"/>',
  'one in a comment': '<a><!--\u0001--></a>',
  'what is no character': '<a>\uFFFF</a>',
  'two hyphens in a comment': '<a><!-- -- --></a>',
  'a comment that ends in three': '<a><!-- ---></a>',
  'a comment that does not end': '<a><!-- </a>',
  'an instruction': '<?xml-stylesheet href="a.css"?><a/>',
  'a declaration after a space': ' <?xml version="1.0"?><a/>',
  'another version of XML': '<?xml version="1.1"?><a/>',
  'another encoding': '<?xml version="1.0" encoding="ISO-8859-1"?><a/>',
  'bytes that are not UTF-8': Buffer.from('<a>\xE9</a>', 'latin1'),
  'UTF-16': Buffer.from('\uFEFF<a/>', 'utf16le'),
  'two document types': '<!DOCTYPE a><!DOCTYPE a><a/>',
  'a document type within the root': '<a><!DOCTYPE a></a>',
  'a document type with declarations': '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
  'a document type with an open text': '<!DOCTYPE a "b><a/>',
  'many attributes': `<a ${Array.from({ length: 70 }, (_, index) => `b${index}=""`).join(' ')}/>`,
}

describe('the quick reader of pages', () => {
  it.each(Object.entries(usual))('finds the same as the parser: %s', (_, page) => {
    const found = foundQuickly(Buffer.from(page as string))
    expect(found).toBeDefined()
    expect(found).toEqual(foundByParser(Buffer.from(page as string)))
  })

  it.each(Object.entries(unusual))('leaves to the parser: %s', (_, page) => {
    expect(foundQuickly(Buffer.from(page as string))).toBeUndefined()
  })

  it('never finds anything else than the parser in pages that were changed at random', {
    timeout: 300_000,
  }, () => {
    neverDiffers(Object.values(usual), foundQuickly, foundByParser)
  })

  it.skipIf(!areThere)('reads nearly all pages of real books', async () => {
    const pages = await entriesOfSamples(/\.x?html$/)
    expect(pages.length).toBeGreaterThan(50)
    expect(leftOf(pages, foundQuickly, foundByParser) / pages.length).toBeLessThan(0.05)
  })
})

/** Documents that are read into trees, besides pages. */
const documents: Readonly<Record<string, string>> = {
  'a container':
    "<?xml version='1.0' encoding='UTF-8'?>\n" +
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">\r\n<rootfiles>\r' +
    '<rootfile full-path="EPUB/a &amp; b.opf"\tmedia-type="application/oebps-package+xml"/></rootfiles></container>',
  'a package document': `<?xml version="1.0" encoding="utf-8" standalone="yes"?>
<!-- made by hand --><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">
    <dc:title opf:file-as="Emigrés, The">The &lt;Emigrés&gt; &#x26; <!-- and -->others 😀</dc:title><dc:creator/>
    <meta property="dcterms:modified">2026-01-01T00:00:00Z</meta></metadata>
  <manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>
</package>\n<!-- the end -->\n`,
  'a table of contents': `<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd">
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><navMap><navPoint id="a"><navLabel>
<text>A]] > B</text></navLabel><content src="a.xhtml#b"/></navPoint></navMap></ncx>`,
}

const treeQuickly = (document: Buffer) => readUsualTree(document, xmlLimits.elements)
const treeByParser = (document: Buffer) => parseXml(document, { namespaces: true })

describe('the quick reader of trees', () => {
  const { 'more depth than is read': tooDeep = '', ...pages } = usual
  const read = { ...pages, ...documents }

  it.each(Object.entries(read))('reads the same as the parser: %s', (_, document) => {
    const tree = treeQuickly(Buffer.from(document as string))
    expect(tree).toBeDefined()
    expect(tree).toEqual(treeByParser(Buffer.from(document as string)))
  })

  it.each(Object.entries({ ...unusual, tooDeep }))('leaves to the parser: %s', (_, document) => {
    expect(treeQuickly(Buffer.from(document as string))).toBeUndefined()
  })

  const of50 = `<b ${Array.from({ length: 50 }, (_, index) => `c${index}=""`).join(' ')}/>`
  const most: Readonly<Record<string, readonly [string, string]>> = {
    elements: [`<a>${'<b/>'.repeat(19_999)}</a>`, `<a>${'<b/>'.repeat(20_000)}</a>`],
    attributes: [`<a>${of50.repeat(5000)}</a>`, `<a>${of50.repeat(5000)}<b c=""/></a>`],
    depth: ['<a>'.repeat(256) + '</a>'.repeat(256), '<a>'.repeat(257) + '</a>'.repeat(257)],
  }

  it.each(Object.entries(most))('has the limit of the parser: %s', (_, [allowed, tooMany]) => {
    expect(treeQuickly(Buffer.from(allowed))).toEqual(treeByParser(Buffer.from(allowed)))
    expect(treeQuickly(Buffer.from(tooMany))).toBeUndefined()
    expect(treeByParser(Buffer.from(tooMany)).error?.code).toBe('xml_too_large')
  })

  it('never reads anything else than the parser from documents that were changed at random', {
    timeout: 300_000,
  }, () => {
    neverDiffers(Object.values(read), treeQuickly, treeByParser)
  })

  it.skipIf(!areThere)('reads nearly all documents of real books', async () => {
    const found = await entriesOfSamples(/\.(?:opf|ncx)$|container\.xml$|nav\.xhtml$/)
    expect(found.length).toBeGreaterThan(15)
    expect(leftOf(found, treeQuickly, treeByParser) / found.length).toBeLessThan(0.1)
  })
})

/** Compares what is found in documents that were changed at random; many of them have to be read, and many left to the parser. */
function neverDiffers<T>(
  usual: readonly (string | Buffer)[],
  quickly: (document: Buffer) => T | undefined,
  byParser: (document: Buffer) => T,
): void {
  const random = randomOf(1)
  const documents = usual.map(document => Buffer.from(document as string))
  const others = [...documents, ...Object.values(unusual).map(each => Buffer.from(each as string))]
  const counts = { same: 0, left: 0 }
  // Two hundred thousand take most of a minute.
  for (let turn = 0; turn < (isSlow ? 200_000 : 5_000); turn += 1) {
    const document = changed(random.pick(documents), random, random.pick(others))
    const found = quickly(document)
    counts[found ? 'same' : 'left'] += 1
    if (found) expect(found, document.toString('latin1')).toEqual(byParser(document))
  }
  expect(Math.min(counts.same, counts.left)).toBeGreaterThan(500)
}

/** How many of these are left to the parser; the others have to be read as by it. */
function leftOf<T>(
  documents: readonly Buffer[],
  quickly: (document: Buffer) => T | undefined,
  byParser: (document: Buffer) => T,
): number {
  const read = documents.filter(document => quickly(document) !== undefined)
  for (const document of read) expect(quickly(document)).toEqual(byParser(document))
  return documents.length - read.length
}

const formats: readonly Format[] = [xml, xml, bytes]

/** A page with a few changes of its markup or its bytes. */
function changed(page: Buffer, random: Random, other: Buffer): Buffer {
  let result = page
  for (let left = 1 + random.below(3); left > 0; left -= 1)
    result = random.pick(formats).mutate(result, random, other).subarray(0, 100_000)
  return result
}

/** The entries of the sample books with names of a kind. */
async function entriesOfSamples(kind: RegExp): Promise<Buffer[]> {
  const books = readdirSync(samples).filter(name => name.endsWith('.epub'))
  return (await Promise.all(books.map(book => entriesOf(join(samples, book), kind)))).flat()
}

async function entriesOf(path: string, kind: RegExp): Promise<Buffer[]> {
  const file = await openFile(path, anyFile)
  try {
    const zip = await openZip(file)
    const names = [...(zip?.entries.keys() ?? [])].filter(name => kind.test(name))
    return await Promise.all(names.map(async name => (await zip?.read(name, 2 ** 23)) ?? Buffer.alloc(0)))
  } finally {
    await file.close()
  }
}
