import { describe, expect, it } from 'vitest'
import { type BookParts, fileOf, honestMetadata, makeBook, packageOf } from '../support/books/make-book.ts'
import { readBook } from '../support/books/read-book.ts'

const page =
  '<html xmlns="http://www.w3.org/1999/xhtml"><head><meta name="viewport" content="width=6,height=9"/><style/></head><body>\n</body></html>'
const xhtml = 'media-type="application/xhtml+xml"'
const said = (metadata: string): BookParts => ({ metadata: `${honestMetadata}\n${metadata}` })
const meta = (property: string, value: string, attributes = '') =>
  said(`<meta property="${property}" ${attributes}>${value}</meta>`)
const changed = (from: string | RegExp, to: string): BookParts => ({
  package: packageOf({}).replace(from, to),
})
const two = (attributes: string): BookParts => ({
  manifest: `<item id="two" href="two.xhtml" ${attributes} ${xhtml}/>`,
  entries: { 'EPUB/two.xhtml': page },
})
const place = (properties: string): BookParts => ({
  entries: { 'EPUB/one.xhtml': page },
  spine: `<itemref idref="one" properties="${properties}"/>`,
})
const collection = (role: string, content: string): BookParts => ({
  guide: `\n<collection role="${role}">${content}</collection>`,
})
const ofVersion2 = (metadata: string): BookParts => ({
  version: '2.0',
  metadata: `${honestMetadata}\n${metadata}`,
  manifest: '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
  spineToc: 'ncx',
  entries: {
    'EPUB/toc.ncx':
      '<ncx><navMap><navPoint id="a"><navLabel><text>A</text></navLabel><content src="one.xhtml"/></navPoint></navMap></ncx>',
  },
})
const overlay = '<item id="o" href="one.smil" media-type="application/smil+xml"/>'
const smil =
  '<smil xmlns="http://www.w3.org/ns/SMIL" version="3.0"><body><par><text src="two.xhtml"/></par></body></smil>'
const readAloud = (metadata: string, type = 'media-overlay="o"'): BookParts => ({
  metadata: `${honestMetadata}\n${metadata}`,
  manifest: `${overlay}\n<item id="two" href="two.xhtml" ${xhtml} ${type}/>`,
  entries: { 'EPUB/one.smil': smil, 'EPUB/two.xhtml': page },
})
const duration = '<meta property="media:duration">0:00:01</meta>'
const dictionary = '<dc:type>dictionary</dc:type><meta property="target-language">en</meta>'
const keyMap =
  '<item id="k" href="k.xml" media-type="application/vnd.epub.search-key-map+xml" properties="search-key-map dictionary"/>'

const typed = page.replace(
  '<html',
  '<html xmlns:epub="http://www.idpf.org/2007/ops" epub:type="dictionary index"',
)
const dictionaryEntries = {
  'EPUB/one.xhtml': typed,
  'EPUB/k.xml':
    '<search-key-map xmlns="http://www.idpf.org/2007/ops"><search-key-group href="one.xhtml"/></search-key-map>',
}

/** A book of which the package document has one fault, by the code of its only problem, with the line. */
const faults: readonly (readonly [string, number, BookParts])[] = [
  ['modified_missing', 4, changed(/<meta property="dcterms:modified">[^<]*<\/meta>/, '')],
  ['meta_doubled', 6, meta('dcterms:modified', '2026-01-31T12:00:00Z')],
  ['meta_value_wrong', 4, changed('2026-01-31T12:00:00Z', '2026-01-31')],
  ['meta_value_wrong', 6, meta('rendition:spread', 'sideways')],
  ['meta_value_wrong', 6, meta('rendition:layout', 'pre-paginated reflowable')],
  ['meta_value_wrong', 6, meta('media:duration', '1:2:3')],
  ['meta_value_wrong', 6, meta('media:active-class', 'a b')],
  [
    'meta_doubled',
    6,
    said('<meta property="rendition:flow">auto</meta><meta property="rendition:flow">auto</meta>'),
  ],
  ['meta_doubled', 6, said('<dc:date>2026</dc:date><dc:date>2026-01</dc:date>')],
  ['meta_empty', 6, meta('dcterms:issued', '')],
  ['meta_empty', 6, said('<dc:publisher> </dc:publisher>')],
  ['property_name_wrong', 6, said('<meta>2026</meta>')],
  ['property_name_wrong', 6, meta('dcterms:issued dcterms:created', '2026')],
  ['property_unknown', 6, meta('nothing', 'x')],
  ['property_unknown', 6, meta('dcterms:', 'x')],
  ['property_unknown', 6, meta('a11y:boo', 'x')],
  ['property_unknown', 6, meta('file-as', 'A', 'refines="#id" scheme="nothing"')],
  ['property_deprecated', 6, meta('meta-auth', 'x')],
  ['prefix_undeclared', 6, meta('ibooks:version', '1')],
  [
    'prefix_reserved',
    2,
    changed('<package ', '<package prefix="a: http://example.org/a schema: http://example.org/b" '),
  ],
  ['refines_wrong', 6, meta('file-as', 'A', 'refines="#nobody"')],
  ['refines_wrong', 6, meta('file-as', 'A', 'refines="https://example.org/#id"')],
  ['refines_wrong', 6, meta('title-type', 'main', 'refines="#id"')],
  // An id without its sign is the address of a file, which has no title.
  ['refines_wrong', 6, meta('title-type', 'main', 'refines="title"')],
  ['refines_wrong', 6, meta('role', 'aut')],
  ['refines_wrong', 6, meta('rendition:flow', 'auto', 'refines="#one"')],
  [
    'refines_wrong',
    6,
    said(
      '<meta id="a" property="dcterms:issued" refines="#b">1</meta><meta id="b" property="dcterms:issued" refines="#a">1</meta>',
    ),
  ],
  ['meta_missing', 6, said('<dc:subject id="s">A</dc:subject><meta property="term" refines="#s">1</meta>')],
  ['language_invalid', 6, said('<dc:publisher xml:lang="a-value">A</dc:publisher>')],
  ['language_invalid', 6, said('<dc:publisher xml:lang=" en ">A</dc:publisher>')],
  ['date_wrong', 6, said('<dc:date>2026-02-30</dc:date>')],
  ['date_wrong', 6, ofVersion2('<dc:date>May 4th, 1977</dc:date>')],
  ['date_wrong', 6, ofVersion2('<dc:date/>')],
  ['role_unknown', 6, ofVersion2('<dc:creator opf:role="companion">A</dc:creator>')],
  ['element_unknown', 6, said('<dc:author>A</dc:author>')],
  ['element_unknown', 3, changed('<metadata', '<hello/><metadata')],
  [
    'element_misplaced',
    5,
    changed(/(<metadata[\s\S]*<\/metadata>)\n(<manifest[\s\S]*<\/manifest>)/, '$2\n$1'),
  ],
  ['guide_empty', 9, { guide: '<guide> </guide>' }],
  ['package_id_doubled', 6, said('<dc:publisher id="one">A</dc:publisher>')],
  [
    'package_namespace_wrong',
    2,
    { package: packageOf({}).replaceAll('www.idpf.org/2007/opf', 'www.ipdf.org/2007/opf') },
  ],
  ['doctype_wrong', 1, changed('<package', '<!DOCTYPE package SYSTEM "x.dtd"><package')],
  ['encoding_wrong', 1, { package: Buffer.from(`\uFEFF${packageOf({})}`, 'utf16le') }],
  ['link_wrong', 6, said('<link rel="alternate" href="#one" media-type="a/b"/>')],
  ['link_wrong', 6, said('<link rel="alternate" href="data:,x" media-type="a/b"/>')],
  ['link_wrong', 6, said('<link rel="alternate record" href="one.xhtml" media-type="a/b"/>')],
  ['link_wrong', 6, said('<link rel="record" refines="#id" href="one.xhtml" media-type="a/b"/>')],
  ['link_wrong', 6, said('<link rel="record" href="https://example.org/"/>')],
  ['link_wrong', 6, said('<link rel="record" properties=" " href="one.xhtml" media-type="a/b"/>')],
  ['link_wrong', 6, said('<link rel="voicing" href="one.xhtml" media-type="audio/mpeg"/>')],
  ['link_wrong', 6, said('<link rel="voicing" refines="#id" href="one.xhtml" media-type="text/html"/>')],
  ['link_wrong', 6, said('<link rel="acquire" hreflang="a-value" href="one.xhtml" media-type="a/b"/>')],
  ['link_wrong', 6, said('<link href="one.xhtml" media-type="a/b"/>')],
  ['property_unknown', 6, said('<link rel="nothing" href="one.xhtml" media-type="a/b"/>')],
  ['property_unknown', 6, said('<link rel="record" properties="odd" href="one.xhtml" media-type="a/b"/>')],
  ['property_deprecated', 6, said('<link rel="xmp-record" href="one.xhtml" media-type="a/b"/>')],
  ['media_type_missing', 8, { manifest: '<item id="i" href="i.bin"/>', entries: { 'EPUB/i.bin': '' } }],
  [
    'media_type_missing',
    8,
    { manifest: '<item id="i" href="i.bin" media-type="bin"/>', entries: { 'EPUB/i.bin': '' } },
  ],
  [
    'resource_partial',
    8,
    { manifest: `<item id="i" href="i.bin?a=b" media-type="a/b"/>`, entries: { 'EPUB/i.bin': '' } },
  ],
  ['resource_remote', 8, { manifest: '<item id="i" href="file:///i.bin" media-type="a/b"/>' }],
  ['resource_unnamed', 8, { manifest: '<item id="i" media-type="a/b"/>' }],
  ['fallback_unknown', 8, two('fallback-style="nobody"')],
  [
    'cover_doubled',
    8,
    {
      manifest: ['a', 'b']
        .map(id => `<item id="${id}" href="${id}.svg" media-type="image/svg+xml" properties="cover-image"/>`)
        .join(''),
      entries: {
        'EPUB/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
        'EPUB/b.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      },
    },
  ],
  ['property_unfit', 8, two('properties="search-key-map"')],
  ['property_conflict', 9, place('rendition:layout-reflowable rendition:layout-pre-paginated')],
  ['property_conflict', 9, place('page-spread-left page-spread-right')],
  ['property_unknown', 9, place('rendition:unknown')],
  ['prefix_undeclared', 9, place('my:own')],
  ['property_deprecated', 9, place('rendition:spread-portrait')],
  ['ncx_unnamed', 10, { ...ofVersion2(''), version: '3.0', spineToc: undefined as never }],
  [
    'overlay_wrong',
    10,
    readAloud(`${duration}<meta property="media:duration" refines="#one">1s</meta>`, 'media-overlay="one"'),
  ],
  ['overlay_duration_missing', 9, readAloud(duration)],
  ['overlay_duration_missing', 10, readAloud('<meta property="media:duration" refines="#o">1s</meta>')],
  ['collection_wrong', 10, collection('manifest', '<link href="one.xhtml"/>')],
  [
    'collection_wrong',
    10,
    collection(
      'index',
      '<link href="gone.xhtml"/><collection role="other"><link href="one.xhtml"/></collection>',
    ),
  ],
  ['collection_wrong', 10, collection('index-group', '<link href="one.xhtml"/>')],
  ['collection_wrong', 10, collection('preview', '<link href="one.xhtml"/>')],
  [
    'collection_wrong',
    10,
    collection(
      'preview',
      '<collection role="manifest"><link href="one.xhtml"/></collection><link href="one.xhtml#epubcfi(/4)"/>',
    ),
  ],
  [
    'collection_wrong',
    10,
    collection(
      'distributable-object',
      '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>A</dc:title><dc:language>en</dc:language></metadata><link href="one.xhtml"/>',
    ),
  ],
  ['kind_unfit', 2, { ...said(dictionary), manifest: keyMap, entries: dictionaryEntries }],
  [
    'kind_unfit',
    2,
    said('<dc:type>edupub</dc:type><meta property="schema:accessibilityFeature">none</meta>'),
  ],
  [
    'kind_unfit',
    2,
    said('<dc:type>preview</dc:type><dc:source>urn:uuid:0f7c4b1e-0000-4000-8000-000000000000</dc:source>'),
  ],
]

describe('a package document with one fault', () => {
  it.each(faults)('has the warning %s in line %i', async (code, line, parts) => {
    const { problems } = await readBook(fileOf(makeBook(parts)))
    expect(problems.map(problem => [problem.code, problem.place])).toEqual([
      [code, `EPUB/package.opf:${line}`],
    ])
    expect(problems[0]).toMatchObject({ severity: 'warning', hint: expect.stringMatching(/^[A-Z].*\.$/) })
  })

  it('a prefix of its markup that is not declared is an error, and the metadata are read all the same', async () => {
    const { title, problems } = await readBook(fileOf(makeBook(changed(/ xmlns:dc="[^"]*"/, ''))))
    expect(title).toBe('A Title')
    expect(problems).toMatchObject([
      { severity: 'error', code: 'package_malformed', place: 'EPUB/package.opf:4' },
    ])
  })
})

describe('a sound package document has no problems', () => {
  it.each([
    [
      'declares its prefixes',
      changed(
        '<package ',
        '<package prefix="ibooks: http://vocabulary.itunes.apple.com/rdf/ibooks/vocabulary-extensions-1.0/" ',
      ),
    ],
    [
      'has properties of EPUB 2 beside those of EPUB 3',
      said('<meta name="calibre:series" content="A"/><meta name="Sigil version" content="1.0"/>'),
    ],
    [
      'refines what it refines',
      said(
        '<dc:creator id="c">A</dc:creator><meta property="role" refines="#c" scheme="marc:relators">aut</meta><meta property="file-as" refines="#c">A</meta><meta property="file-as" refines="#id">B</meta>',
      ),
    ],
    [
      'is in a series in a series',
      said(
        '<meta property="belongs-to-collection" id="a">A</meta><meta property="collection-type" refines="#a">set</meta><meta property="belongs-to-collection" id="b" refines="#a">B</meta>',
      ),
    ],
    [
      'has dates with a time and without',
      ofVersion2('<dc:date opf:event="creation">2026</dc:date><dc:date>2026-01-31T12:00:00+01:00</dc:date>'),
    ],
    [
      'is read aloud',
      readAloud(
        `${duration}<meta property="media:duration" refines="#o">1s</meta><meta property="media:active-class">-on</meta>`,
      ),
    ],
    [
      'shows its pages in one way each',
      place('page-spread-left rendition:layout-pre-paginated rendition:align-x-center'),
    ],
    [
      'has an index',
      { ...collection('index', '<link href="one.xhtml"/>'), entries: { 'EPUB/one.xhtml': typed } },
    ],
    [
      'has a bilingual dictionary',
      {
        ...said(`${dictionary}<meta property="source-language">en</meta>`),
        manifest: keyMap,
        entries: dictionaryEntries,
      },
    ],
  ] satisfies [string, BookParts][])('where it %s', async (_, parts) => {
    expect((await readBook(fileOf(makeBook(parts)))).problems).toEqual([])
  })
})
