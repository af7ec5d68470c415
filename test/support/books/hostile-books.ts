import { deflateRawSync } from 'node:zlib'
import { makeBook } from './book-bytes.ts'
import { type RawEntry, rawZip } from './hostile-zip.ts'
import { honestMetadata, packageOf } from './package-document.ts'

const mebibyte = 2 ** 20
const repeat = (text: string, count: number): string => text.repeat(count)
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')
const declaring = (encoding: string): string =>
  packageOf({}).replace('encoding="UTF-8"', `encoding="${encoding}"`)
const metadata = (more: string): Buffer => makeBook({ metadata: honestMetadata + more })
const document = (prologue: string, more = ''): Buffer =>
  makeBook({ package: packageOf({ metadata: honestMetadata + more }).replace('?>', `?>${prologue}`) })

const laughs = ['<!DOCTYPE package [<!ENTITY l0 "ha">']
for (let level = 1; level < 30; level += 1)
  laughs.push(`<!ENTITY l${level} "${repeat(`&l${level - 1};`, 10)}">`)

/** An EPUB with an entry that is not what its directory says. */
const lying = (entry: RawEntry, more: Parameters<typeof makeBook>[0] = {}): Buffer =>
  makeBook({ ...more, rawEntries: [entry] })

/** A package document replaced by one entry as it stands. */
const packageEntry = (entry: Omit<RawEntry, 'name'>): Buffer =>
  rawZip([
    { name: 'mimetype', content: 'application/epub+zip' },
    {
      name: 'META-INF/container.xml',
      content: '<container><rootfiles><rootfile full-path="EPUB/package.opf"/></rootfiles></container>',
    },
    { name: 'EPUB/package.opf', ...entry },
  ])

/** Books made to hang, fill the memory of, crash or mislead whoever reads them; each is made when it is called for. */
export const hostileBooks: Readonly<Record<string, () => Buffer>> = {
  'an honest bomb': () => packageEntry({ content: Buffer.alloc(200 * mebibyte, ' '), isDeflated: true }),
  'a bomb that claims to be small': () =>
    packageEntry({ content: Buffer.alloc(200 * mebibyte, ' '), isDeflated: true, claims: { size: 1000 } }),
  'a bomb for a mimetype': () =>
    rawZip([
      { name: 'mimetype', content: Buffer.alloc(200 * mebibyte, 'a'), isDeflated: true },
      { name: 'publication.json', content: Buffer.alloc(200 * mebibyte, '['), isDeflated: true },
    ]),
  'a manifest of brackets': () =>
    rawZip([{ name: 'publication.json', content: Buffer.alloc(3 * mebibyte, '['), isDeflated: true }]),
  'a cover that is a bomb': () =>
    lying(
      { name: 'EPUB/c.svg', content: `<svg ${repeat('a="b" ', 20 * mebibyte)}`, isDeflated: true },
      { manifest: '<item id="c" href="c.svg" media-type="image/svg+xml" properties="cover-image"/>' },
    ),
  'an entry that claims four gigabytes': () =>
    lying({ name: 'EPUB/x', content: 'x', claims: { compressedSize: 0xfffffff0, size: 0xfffffff0 } }),
  'a package document beyond the end of the file': () =>
    packageEntry({ content: 'x', claims: { compressedSize: 100_000, size: 100_000 } }),
  'a package document of an unknown compression': () =>
    packageEntry({ content: 'x', claims: { method: 97 } }),
  'a package document that is encrypted': () =>
    packageEntry({ content: packageOf({}), claims: { flags: 0x801 } }),
  'a package document with a wrong checksum': () =>
    packageEntry({ content: packageOf({}), claims: { crc: 1 } }),
  'a package document of broken deflate': () =>
    packageEntry({ content: Buffer.alloc(500, 0xff), claims: { method: 8, size: 5000 } }),
  'sixty thousand entries': () =>
    rawZip(Array.from({ length: 60_000 }, (_, index) => ({ name: `META-INF/${index}`, content: '' }))),
  'names of sixty thousand bytes': () =>
    rawZip(
      Array.from({ length: 400 }, (_, index) => ({ name: `${index}${repeat('n', 60_000)}`, content: '' })),
    ),
  'names that lead out': () =>
    makeBook({
      rawEntries: ['../evil', '/etc/passwd', 'a/../../b', 'C:\\x', '..\\y', 'a\0b'].map(name => ({
        name,
        content: 'x',
      })),
    }),
  'names of every kind': () =>
    makeBook({
      rawEntries: [
        'a\nb',
        '\u001b[31mred',
        '\u202Etxt',
        '💥',
        '',
        ' ',
        Buffer.from([0xff, 0xfe, 0x80]),
        '__proto__',
      ].map(name => ({ name, content: 'x' })),
    }),
  'two package documents of one name': () =>
    makeBook({
      rawEntries: [
        { name: 'EPUB/package.opf', content: packageOf({ metadata: '<dc:title>Other</dc:title>' }) },
      ],
    }),
  'an external entity': () =>
    document(
      '<!DOCTYPE package [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
      '<dc:publisher>&x;</dc:publisher>',
    ),
  'an external document type': () => document('<!DOCTYPE package SYSTEM "http://127.0.0.1:9/x.dtd">'),
  'a billion laughs': () => document(`${laughs.join('')}]>`, '<dc:publisher>&l29;</dc:publisher>'),
  'a quadratic blow-up': () =>
    document(
      `<!DOCTYPE package [<!ENTITY a "${repeat('a', mebibyte)}">]>`,
      `<dc:publisher>${repeat('&a;', 100_000)}</dc:publisher>`,
    ),
  'a hundred thousand nested elements': () => metadata(repeat('<x>', 100_000)),
  'a million elements': () => metadata(repeat('<a/>', 1_000_000)),
  'a million attributes': () =>
    metadata(`<x ${Array.from({ length: 700_000 }, (_, index) => `a${index.toString(36)}=""`).join(' ')}/>`),
  'fifty thousand creators with roles': () =>
    metadata(
      Array.from(
        { length: 30_000 },
        (_, i) => `<dc:creator id="c${i}">C</dc:creator><meta refines="#c${i}" property="role">aut</meta>`,
      ).join(''),
    ),
  'fifty thousand titles of one id': () =>
    metadata(
      repeat('<dc:title id="t">T</dc:title><meta refines="#t" property="title-type">x</meta>', 30_000),
    ),
  'fifty thousand wrong ISBNs': () => metadata(repeat('<dc:identifier>urn:isbn:1</dc:identifier>', 50_000)),
  'a title of seven mebibytes': () => metadata(`<dc:publisher>${repeat('word  ', 1_200_000)}</dc:publisher>`),
  'a text of less-than signs': () => metadata(repeat('<', 7_000_000)),
  'a text of ampersands': () => metadata(repeat('&', 7_000_000)),
  'a spine of unknown items': () => makeBook({ spine: repeat('<itemref idref="nobody"/>', 90_000) }),
  'a manifest of missing files': () =>
    makeBook({
      manifest: Array.from(
        { length: 60_000 },
        (_, i) => `<item id="i${i}" href="${repeat('../', 5)}${i}"/>`,
      ).join(''),
    }),
  'a table of contents without end': () =>
    makeBook({
      entries: {
        'EPUB/nav.xhtml': `<html><nav epub:type="toc">${repeat('<ol><li><a>x</a>', 120)}${repeat('<li><a>y</a></li>', 45_000)}`,
      },
    }),
  'every document at the limit': () =>
    makeBook({
      manifest: `<item id="n" href="n.ncx" media-type="application/x-dtbncx+xml"/>${repeat('<item id="x" href="y" media-type="z"/>', 49_000)}`,
      guide: '<guide><reference type="cover" href="c.xhtml"/></guide>',
      entries: {
        'EPUB/nav.xhtml': `<html>${repeat('<a href="b" id="c">d</a>', 49_000)}</html>`,
        'EPUB/n.ncx': `<ncx>${repeat('<a href="b" id="c">d</a>', 49_000)}</ncx>`,
        'EPUB/c.xhtml': `<html>${repeat('<img src="b" id="c"/>', 49_000)}</html>`,
        'META-INF/com.apple.ibooks.display-options.xml': `<x>${repeat('<option name="b"/>', 49_000)}</x>`,
      },
    }),
  'a package document at an odd place': () =>
    makeBook({
      container: '<container><rootfiles><rootfile full-path="../../etc/passwd"/></rootfiles></container>',
    }),
  'a container that names itself': () =>
    makeBook({
      container:
        '<container><rootfiles><rootfile full-path="META-INF/container.xml"/></rootfiles></container>',
    }),
  'an empty container': () => makeBook({ container: '' }),
  'no container': () => makeBook({ container: null }),
  'a package document in UTF-16': () => makeBook({ package: utf16(`\uFEFF${declaring('UTF-16')}`) }),
  'a package document in UTF-16, unmarked': () => makeBook({ package: utf16(declaring('UTF-16')) }),
  'a package document in half a character of UTF-16': () =>
    makeBook({ package: Buffer.concat([utf16(`\uFEFF${declaring('UTF-16')}`), Buffer.from([0])]) }),
  'a package document in Latin-1 that says UTF-8': () =>
    makeBook({ package: Buffer.from(packageOf({ metadata: '<dc:title>Ré</dc:title>' }), 'latin1') }),
  'a package document in no known encoding': () => makeBook({ package: declaring('x-klingon') }),
  'a package document of zeros': () => makeBook({ package: Buffer.alloc(100_000) }),
  'a package document that is a web page': () =>
    makeBook({ package: '<html><body><metadata/></body></html>' }),
  'a package document that stops': () => makeBook({ package: packageOf({}).slice(0, 300) }),
  'deflate that goes on': () =>
    packageEntry({
      content: Buffer.concat([deflateRawSync(packageOf({})), Buffer.alloc(1000, 1)]),
      claims: { method: 8, size: packageOf({}).length },
    }),
  'a zip without entries': () => rawZip([]),
  'only the first bytes of a zip': () => Buffer.from('PK\x03\x04'),
  'a zip with a zip in its comment': () => Buffer.concat([makeBook(), rawZip([], 'x'.repeat(60_000))]),
  'bytes after the zip': () => Buffer.concat([makeBook(), Buffer.alloc(100_000)]),
  'half a book': () => makeBook().subarray(0, 700),
  nothing: () => Buffer.alloc(0),
  zeros: () => Buffer.alloc(mebibyte),
}
