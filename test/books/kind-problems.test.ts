import { describe, expect, it } from 'vitest'
import { type BookParts, fileOf, honestMetadata, makeBook, packageOf } from '../support/books/make-book.ts'
import { readBook } from '../support/books/read-book.ts'

const xhtml = 'media-type="application/xhtml+xml"'
const page = (body: string) =>
  `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><meta name="viewport" content="width=6,height=9"/></head><body>${body}</body></html>`
const dictionary = `${honestMetadata}<dc:type>dictionary</dc:type><meta property="source-language">en</meta><meta property="target-language">en</meta>`
const keyMap = (content: string, body = '<p epub:type="dictionary">A</p>'): BookParts => ({
  metadata: dictionary,
  manifest:
    '<item id="k" href="k.xml" media-type="application/vnd.epub.search-key-map+xml" properties="search-key-map dictionary"/>',
  entries: {
    'EPUB/one.xhtml': page(body),
    'EPUB/k.xml': `<search-key-map xmlns="http://www.idpf.org/2007/ops">\n${content}</search-key-map>`,
  },
})
const group = '<search-key-group href="one.xhtml"/>'
const dataNav = (body: string, metadata = ''): BookParts => ({
  metadata: `${honestMetadata}${metadata}`,
  manifest: `<item id="d" href="d.xhtml" properties="data-nav" ${xhtml}/>`,
  entries: { 'EPUB/d.xhtml': page(body), 'EPUB/one.xhtml': page('') },
})
const indexed = (body: string): BookParts => ({
  manifest: `<item id="i" href="i.xhtml" properties="index" ${xhtml}/>`,
  entries: { 'EPUB/i.xhtml': page(body) },
})
const region = '<nav epub:type="region-based"/>'
const fixed = '<meta property="rendition:layout">pre-paginated</meta>'

const mapping = (head: string, body: string) =>
  `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head>${head}</head><body>${body}</body></html>`
const soundHead = '<meta name="epub.multiple.renditions.version" content="1.0"/>'
const soundMap = '<nav epub:type="resource-map"/>'
/** A book with two renditions, of which the second has these attributes. */
const renditions = (
  attributes: string,
  links = '',
  head = soundHead,
  body = soundMap,
  modified = '2026-01-31T12:00:00Z',
): BookParts => ({
  container: `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:rendition="http://www.idpf.org/2013/rendition"><rootfiles>
<rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/>
<rootfile full-path="EPUB/other.opf" media-type="application/oebps-package+xml" ${attributes}/></rootfiles>
${links}</container>`,
  entries: {
    'EPUB/other.opf': packageOf({}),
    'mapping.xhtml': mapping(head, body),
    'META-INF/metadata.xml':
      `<metadata><meta property="dcterms:modified">${modified}</meta></metadata>`.replace(
        /<meta [^>]*><\/meta>/,
        '',
      ),
  },
})
const link = (type = 'application/xhtml+xml') =>
  `<links><link href="mapping.xhtml" rel="mapping" media-type="${type}"/></links>`

/** A book of a kind with one fault, by the code and the place of its only problem. */
const faults: readonly (readonly [string, string, BookParts])[] = [
  ['kind_unfit', 'EPUB/k.xml', keyMap('')],
  ['kind_unfit', 'EPUB/package.opf:2', keyMap(group, '<p>A</p>')],
  ['reference_missing', 'EPUB/k.xml:2', keyMap('<search-key-group href="gone.xhtml"/>')],
  [
    'navigation_doubled',
    'EPUB/package.opf:8',
    {
      manifest: ['a', 'b']
        .map(id => `<item id="${id}" href="${id}.xhtml" properties="data-nav" ${xhtml}/>`)
        .join(''),
      entries: { 'EPUB/a.xhtml': page(''), 'EPUB/b.xhtml': page('') },
    },
  ],
  ['kind_unfit', 'EPUB/d.xhtml', dataNav('<nav/>')],
  ['kind_unfit', 'EPUB/d.xhtml', dataNav(region)],
  ['kind_unfit', 'EPUB/one.xhtml', { entries: { 'EPUB/one.xhtml': page(region) } }],
  ['kind_unfit', 'EPUB/package.opf:8', indexed('<p>A</p>')],
  ['kind_unfit', 'EPUB/package.opf:2', { metadata: `${honestMetadata}<dc:type>index</dc:type>` }],
  ['rendition_wrong', 'META-INF/container.xml:3', renditions('rendition:unknown="x"')],
  ['rendition_wrong', 'META-INF/container.xml:3', renditions('rendition:media="nothing"')],
  ['rendition_wrong', 'META-INF/container.xml:4', renditions('', link('text/html'))],
  ['rendition_wrong', 'META-INF/container.xml:4', renditions('', link() + link())],
  [
    'rendition_wrong',
    'META-INF/container.xml:4',
    renditions('', link().replace('mapping.xhtml', 'gone.xhtml')),
  ],
  ['rendition_wrong', 'mapping.xhtml:1', renditions('', link(), '')],
  ['rendition_wrong', 'mapping.xhtml:1', renditions('', link(), soundHead, '')],
  ['rendition_wrong', 'mapping.xhtml:1', renditions('', link(), soundHead, `${soundMap}<nav/>`)],
  ['modified_missing', 'META-INF/metadata.xml:1', renditions('', '', soundHead, soundMap, '')],
]

describe('a book of a kind', () => {
  it.each(faults)('has the warning %s at "%s"', async (code, place, parts) => {
    const { problems } = await readBook(fileOf(makeBook(parts)))
    expect(problems.map(problem => [problem.code, problem.place])).toEqual([[code, place]])
    expect(problems[0]).toMatchObject({ severity: 'warning', hint: expect.stringMatching(/^[A-Z].*\.$/) })
  })

  it.each([
    ['a dictionary', keyMap(group)],
    ['an index', indexed('<section epub:type="index"/>')],
    ['a book with regions', dataNav(region, fixed)],
    [
      'a book with two renditions',
      renditions('rendition:media="screen and (min-width: 1920px), (color)" rendition:layout="x"', link()),
    ],
  ] satisfies [string, BookParts][])('has no problems: %s', async (_, parts) => {
    expect((await readBook(fileOf(makeBook(parts)))).problems).toEqual([])
  })
})
