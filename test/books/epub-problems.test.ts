import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { problemCounts } from '../../src/uploads/options/book-problems.ts'
import { type BookParts, fileOf, honestMetadata, makeBook, packageOf } from '../support/books/make-book.ts'
import { mp3, png } from '../support/books/media.ts'
import { readBook } from '../support/books/read-book.ts'
import { mostMemory } from '../support/machine/most-memory.ts'
import { childReader, leastOf } from '../support/machine/read-in-child.ts'
import { isSlow } from '../support/machine/slow.ts'

const xhtml = 'media-type="application/xhtml+xml"'
const page = (body: string, head = '') =>
  `<html xmlns="http://www.w3.org/1999/xhtml"><head>${head}</head><body>\n${body}</body></html>`
const nav = (links: string, list = 'toc') => ({
  'EPUB/nav.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>
<nav epub:type="toc"><ol><li><a href="one.xhtml">One</a></li></ol></nav>\n<nav epub:type="${list}"><ol>${links}</ol></nav></body></html>`,
})
const toc = (links: string) => ({
  'EPUB/nav.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>
<nav epub:type="toc"><ol>\n${links}</ol></nav></body></html>`,
})
const ncxItem = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
const ncx = (body: string, uid = 'urn:uuid:0f7c4b1e-0000-4000-8000-000000000000') => ({
  manifest: ncxItem,
  spineToc: 'ncx',
  entries: { 'EPUB/toc.ncx': `<ncx><head><meta name="dtb:uid" content=" ${uid} "/></head>\n${body}</ncx>` },
})
const point = (src: string, id = 'a') =>
  `<navPoint id="${id}"><navLabel><text>A</text></navLabel><content src="${src}"/></navPoint>`
const two = `<item id="two" href="two.xhtml" ${xhtml}/>`
const twoPages = '<itemref idref="one"/><itemref idref="two"/>'
const container = (content: string) =>
  `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">\n${content}</container>`
const rootfile = (path: string, type = 'application/oebps-package+xml') =>
  `<rootfile full-path="${path}" media-type="${type}"/>`
const encrypted = (content: string) => ({
  'META-INF/encryption.xml': `<encryption>\n${content}</encryption>`,
})
const obfuscated = (path: string) =>
  `<EncryptedData><EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/><CipherData><CipherReference URI="${path}"/></CipherData></EncryptedData>`

const overlay = `<item id="o" href="one.smil" media-type="application/smil+xml"/><item id="two" href="two.xhtml" media-overlay="o" ${xhtml}/>`
const durations =
  '<meta property="media:duration">1s</meta><meta property="media:duration" refines="#o">1s</meta>'
const sound = '<item id="s" href="https://example.org/s.mp3" media-type="audio/mpeg"/>'
const overlayEntries = (audio: string) => ({
  'EPUB/two.xhtml': page(''),
  'EPUB/one.smil': `<smil xmlns="http://www.w3.org/ns/SMIL" version="3.0"><body>\n<par><text src="two.xhtml"/><audio src="${audio}"/></par></body></smil>`,
})

/** A book with one thing wrong with it, by the code of the only problem that it has, with its place. */
const faults: readonly (readonly [string, string, BookParts])[] = [
  [
    'entry_name_not_utf8',
    'EPUB/b├ⁿch.txt',
    {
      rawEntries: [
        { name: Buffer.from('EPUB/b\xc3\xfcch.txt', 'latin1'), content: '', claims: { flags: 0 } },
      ],
    },
  ],
  ['entry_names_alike', 'EPUB/A.css', { entries: { 'EPUB/a.css': '', 'EPUB/A.css': '' } }],
  ['entry_names_alike', 'EPUB/Straße', { entries: { 'EPUB/STRASSE': '', 'EPUB/Straße': '' } }],
  ['entry_names_alike', 'EPUB/u\u0308', { entries: { 'EPUB/ü': '', 'EPUB/u\u0308': '' } }],
  ['entry_name_forbidden', 'EPUB/a*b', { entries: { 'EPUB/a*b': '' } }],
  ['entry_name_forbidden', 'EPUB/a.', { entries: { 'EPUB/a.': '' } }],
  ['entry_name_space', 'EPUB/a b', { entries: { 'EPUB/a b': '', 'EPUB/c d': '' } }],
  ['folder_empty', 'EPUB/fonts/', { entries: { 'EPUB/fonts/': '', 'EPUB/': '', 'META-INF/': '' } }],
  ['mimetype_spaces', 'mimetype', { mimetype: 'application/epub+zip\n' }],
  ['mimetype_spaces', 'mimetype', { mimetype: ' application/epub+zip' }],
  [
    'container_element_unknown',
    'META-INF/container.xml:2',
    { container: container(`<foo/><rootfiles>${rootfile('EPUB/package.opf')}</rootfiles>`) },
  ],
  [
    'container_media_type_wrong',
    'META-INF/container.xml:2',
    {
      container: container(
        `<rootfiles>${rootfile('EPUB/package.opf', 'application/oepbs-package+xml')}</rootfiles>`,
      ),
    },
  ],
  [
    'package_doubled',
    'META-INF/container.xml',
    {
      version: '2.0',
      container: container(`<rootfiles>${rootfile('EPUB/package.opf')}${rootfile('EPUB/b.opf')}</rootfiles>`),
      ...ncx(`<navMap>${point('one.xhtml')}</navMap>`),
    },
  ],
  ['encryption_wrong', 'META-INF/encryption.xml:1', { entries: { 'META-INF/encryption.xml': '<other/>' } }],
  [
    'obfuscation_unfit',
    'EPUB/package.opf:8',
    {
      manifest: '<item id="i" href="i.png" media-type="image/png"/>',
      entries: { ...encrypted(obfuscated('EPUB/i.png')), 'EPUB/i.png': png },
    },
  ],
  [
    'obfuscation_unfit',
    'EPUB/package.opf:8',
    {
      manifest: '<item id="f" href="f.otf" media-type="font/opentype"/>',
      entries: { ...encrypted(obfuscated('EPUB/f.otf')), 'EPUB/f.otf': 'x' },
    },
  ],
  ['signatures_wrong', 'META-INF/signatures.xml:1', { entries: { 'META-INF/signatures.xml': '<other/>' } }],
  ['version_missing', 'EPUB/package.opf:2', { package: packageOf({}).replace(' version="3.0"', '') }],
  ['version_unknown', 'EPUB/package.opf:2', { version: '7' }],
  [
    'unique_identifier_unknown',
    'EPUB/package.opf:2',
    { package: packageOf({}).replace('unique-identifier="id"', 'unique-identifier="nobody"') },
  ],
  [
    'unique_identifier_missing',
    'EPUB/package.opf:2',
    { package: packageOf({}).replace('unique-identifier="id"', '') },
  ],
  [
    'package_encoding_rare',
    'EPUB/package.opf:1',
    { package: Buffer.from(packageOf({}).replace('UTF-8', 'ISO-8859-1'), 'latin1') },
  ],
  [
    'link_target_missing',
    'EPUB/package.opf:6',
    { metadata: `${honestMetadata}\n<link rel="record" href="record.xml" media-type="a/b"/>` },
  ],
  [
    'link_media_type_missing',
    'EPUB/package.opf:6',
    { metadata: `${honestMetadata}\n<link rel="record" href="one.xhtml"/>` },
  ],
  [
    'guide_target_missing',
    'EPUB/package.opf:9',
    { guide: '<guide><reference type="text" href="gone.xhtml"/></guide>' },
  ],
  [
    'guide_target_unfit',
    'EPUB/package.opf:9',
    {
      manifest: '<item id="i" href="i.png" media-type="image/png"/>',
      entries: { 'EPUB/i.png': png },
      guide: '<guide><reference type="text" href="i.png"/></guide>',
    },
  ],
  [
    'navigation_doubled',
    'EPUB/package.opf:8',
    {
      manifest: `<item id="two" href="two.xhtml" properties="nav" ${xhtml}/>`,
      entries: { 'EPUB/two.xhtml': page('') },
    },
  ],
  [
    'ncx_unnamed',
    'EPUB/package.opf:9',
    { version: '2.0', manifest: ncxItem, entries: ncx(`<navMap>${point('one.xhtml')}</navMap>`).entries },
  ],
  ['ncx_wrong', 'EPUB/package.opf:9', { spineToc: 'one' }],
  ['page_map', 'EPUB/package.opf:9', { package: packageOf({}).replace('<spine>', '<spine page-map="one">') }],
  [
    'manifest_id_doubled',
    'EPUB/package.opf:8',
    { manifest: `<item id="nav" href="two.xhtml" ${xhtml}/>`, entries: { 'EPUB/two.xhtml': page('') } },
  ],
  ['resource_listed_twice', 'EPUB/package.opf:8', { manifest: `<item id="two" href="one.xhtml" ${xhtml}/>` }],
  [
    'resource_absolute',
    'EPUB/package.opf:8',
    { manifest: `<item id="two" href="/EPUB/two.xhtml" ${xhtml}/>`, entries: { 'EPUB/two.xhtml': page('') } },
  ],
  [
    'resource_outside',
    'EPUB/package.opf:8',
    {
      manifest: `<item id="two" href="../../EPUB/two.xhtml" ${xhtml}/>`,
      entries: { 'EPUB/two.xhtml': page('') },
    },
  ],
  [
    'resource_in_meta_inf',
    'EPUB/package.opf:8',
    {
      manifest: `<item id="two" href="../META-INF/two.xhtml" ${xhtml}/>`,
      entries: { 'META-INF/two.xhtml': page('') },
    },
  ],
  [
    'resource_is_package',
    'EPUB/package.opf:8',
    { manifest: '<item id="two" href="package.opf" media-type="application/oebps-package+xml"/>' },
  ],
  [
    'resource_remote',
    'EPUB/package.opf:8',
    { manifest: `<item id="two" href="https://example.org/two.xhtml" ${xhtml}/>` },
  ],
  [
    'media_type_html',
    'EPUB/package.opf:8',
    { manifest: '<item id="two" href="two.html" media-type="text/html"/>', entries: { 'EPUB/two.html': '' } },
  ],
  [
    'fallback_unknown',
    'EPUB/package.opf:8',
    {
      manifest: '<item id="i" href="i.bin" media-type="a/b" fallback="nobody"/>',
      entries: { 'EPUB/i.bin': '' },
    },
  ],
  [
    'fallback_circular',
    'EPUB/package.opf:8',
    { manifest: '<item id="i" href="i.bin" media-type="a/b" fallback="i"/>', entries: { 'EPUB/i.bin': '' } },
  ],
  [
    'property_unknown',
    'EPUB/package.opf:8',
    {
      manifest: `<item id="two" href="two.xhtml" properties="scriptd" ${xhtml}/>`,
      entries: { 'EPUB/two.xhtml': page('') },
    },
  ],
  [
    'property_missing',
    'EPUB/package.opf:8',
    { manifest: two, entries: { 'EPUB/two.xhtml': page('<svg xmlns="http://www.w3.org/2000/svg"/>') } },
  ],
  [
    'property_missing',
    'EPUB/package.opf:8',
    { manifest: two, entries: { 'EPUB/two.xhtml': page('<p onclick="x()"/>') } },
  ],
  [
    'property_needless',
    'EPUB/package.opf:8',
    {
      manifest: `<item id="two" href="two.xhtml" properties="scripted" ${xhtml}/>`,
      entries: { 'EPUB/two.xhtml': page('<script type="application/ld+json">{}</script>') },
    },
  ],
  [
    'property_needless',
    'EPUB/package.opf:8',
    {
      manifest: `<item id="two" href="two.xhtml" properties="remote-resources" ${xhtml}/>`,
      entries: { 'EPUB/two.xhtml': page('<a href="https://example.org/">A</a>') },
    },
  ],
  [
    'property_missing',
    'EPUB/package.opf:8',
    {
      metadata: `${honestMetadata}${durations}`,
      manifest: overlay + sound,
      entries: overlayEntries('https://example.org/s.mp3'),
    },
  ],
  [
    'reference_missing',
    'EPUB/one.smil:2',
    { metadata: `${honestMetadata}${durations}`, manifest: overlay, entries: overlayEntries('gone.mp3') },
  ],
  ['spine_not_linear', 'EPUB/package.opf:9', { spine: '<itemref idref="one" linear="no"/>' }],
  ['spine_item_repeated', 'EPUB/package.opf:9', { spine: '<itemref idref="one"/><itemref idref="one"/>' }],
  [
    'spine_item_remote',
    'EPUB/package.opf:9',
    {
      manifest: '<item id="two" href="https://example.org/two" media-type="application/octet-stream"/>',
      spine: twoPages,
    },
  ],
  [
    'spine_item_foreign',
    'EPUB/package.opf:9',
    {
      manifest: '<item id="two" href="i.png" media-type="image/png"/>',
      entries: { 'EPUB/i.png': png },
      spine: twoPages,
    },
  ],
  [
    'spine_item_unreachable',
    'EPUB/package.opf:9',
    {
      manifest: two,
      entries: { 'EPUB/two.xhtml': page('') },
      spine: '<itemref idref="one"/><itemref idref="two" linear="no"/>',
    },
  ],
  ['navigation_target_missing', 'EPUB/nav.xhtml:3', { entries: toc('<li><a href="gone.xhtml">A</a></li>') }],
  [
    'navigation_target_missing',
    'EPUB/nav.xhtml:3',
    { entries: toc('<li><a href="one.xhtml#gone">A</a></li>') },
  ],
  [
    'navigation_target_remote',
    'EPUB/nav.xhtml:3',
    { entries: toc('<li><a href="https://example.org/">A</a></li>') },
  ],
  [
    'navigation_target_unfit',
    'EPUB/nav.xhtml:3',
    {
      manifest: '<item id="i" href="i.png" media-type="image/png"/>',
      entries: { ...nav('<li><a href="i.png">A</a></li>', 'landmarks'), 'EPUB/i.png': png },
    },
  ],
  [
    'navigation_unordered',
    'EPUB/nav.xhtml:3',
    {
      manifest: two,
      spine: twoPages,
      entries: {
        ...toc('<li><a href="two.xhtml">A</a></li><li><a href="one.xhtml">A</a></li>'),
        'EPUB/two.xhtml': page(''),
      },
    },
  ],
  ['navigation_target_missing', 'EPUB/toc.ncx:2', ncx(`<navMap>${point('gone.xhtml')}</navMap>`)],
  ['ncx_id_wrong', 'EPUB/toc.ncx:2', ncx(`<navMap>${point('one.xhtml')}${point('one.xhtml')}</navMap>`)],
  ['ncx_id_wrong', 'EPUB/toc.ncx:2', ncx(`<navMap>${point('one.xhtml', '1a')}</navMap>`)],
  ['ncx_page_type_wrong', 'EPUB/toc.ncx:2', ncx('<pageList><pageTarget type="odd"/></pageList>')],
  ['ncx_identifier_wrong', 'EPUB/toc.ncx:1', ncx('', 'another')],
  ['reference_missing', 'EPUB/one.xhtml:2', { entries: { 'EPUB/one.xhtml': page('<img src="gone.png"/>') } }],
  [
    'reference_missing',
    'EPUB/one.xhtml:2',
    { entries: { 'EPUB/one.xhtml': page('<q cite="gone.xhtml"/>') } },
  ],
  [
    'reference_missing',
    'EPUB/one.xhtml:2',
    { entries: { 'EPUB/one.xhtml': page('<p style="background: url(gone.png)"/>') } },
  ],
  [
    'reference_missing',
    'EPUB/a.css:2',
    {
      manifest: '<item id="c" href="a.css" media-type="text/css"/>',
      entries: { 'EPUB/a.css': '/* url(x) */\np { background: url("gone.png") }' },
    },
  ],
  [
    'reference_undeclared',
    'EPUB/one.xhtml:2',
    { entries: { 'EPUB/one.xhtml': page('<img src="i.png"/>'), 'EPUB/i.png': png } },
  ],
  [
    'navigation_target_outside_spine',
    'EPUB/nav.xhtml:3',
    {
      manifest: two,
      entries: {
        ...toc('<li><a href="two.xhtml#a">A</a></li><li><a href="two.xhtml#b">B</a></li>'),
        'EPUB/two.xhtml': page('<p id="a"/><p id="b"/>'),
      },
    },
  ],
  [
    'reference_outside_spine',
    'EPUB/one.xhtml:2',
    {
      manifest: two,
      entries: {
        'EPUB/one.xhtml': page('<a href="two.xhtml">2</a><a href="two.xhtml#a">3</a>'),
        'EPUB/two.xhtml': page('<p id="a"/>'),
      },
    },
  ],
  [
    'reference_remote',
    'EPUB/one.xhtml:2',
    {
      version: '2.0',
      entries: {
        'EPUB/one.xhtml': page('<img src="https://example.org/i.png"/>'),
        ...ncx(`<navMap>${point('one.xhtml')}</navMap>`).entries,
      },
      manifest: ncxItem,
      spineToc: 'ncx',
    },
  ],
  ['title_control_characters', '', { metadata: honestMetadata.replace('A Title', 'A&#x85;B&#x202E;C') }],
  ['title_long', '', { metadata: honestMetadata.replace('A Title', 'long '.repeat(200_000)) }],
]

describe('a book with one fault', () => {
  it.each(faults)('has the warning %s at "%s"', async (code, place, parts) => {
    const { problems } = await readBook(fileOf(makeBook(parts)))
    expect(problems.map(problem => [problem.code, problem.place ?? ''])).toEqual([[code, place]])
    expect(problems[0]).toMatchObject({ severity: 'warning', hint: expect.stringMatching(/^[A-Z].*\.$/) })
  })
})

describe('a sound book has no problems', () => {
  it.each([
    [
      'its names are in NFD and its documents in NFC',
      {
        manifest: `<item id="two" href="b%C3%BCch.xhtml" ${xhtml}/>`,
        spine: twoPages,
        entries: {
          'EPUB/bu\u0308ch.xhtml': page(''),
          ...toc('<li><a href="one.xhtml">A</a></li><li><a href="büch.xhtml">B</a></li>'),
        },
      },
    ],
    [
      'the zip does not say that its names are UTF-8',
      {
        manifest: `<item id="two" href="büch.xhtml" ${xhtml}/>`,
        rawEntries: [{ name: 'EPUB/büch.xhtml', content: page(''), claims: { flags: 0 } }],
      },
    ],
    [
      'its cover page is named .xml',
      {
        manifest: `<item id="c" href="cover.xml" ${xhtml}/><item id="i" href="i.svg" media-type="image/svg+xml"/>`,
        guide: '<guide><reference type="cover" href="cover.xml"/></guide>',
        entries: {
          'EPUB/cover.xml': page('<img src="i.svg" alt="A cover"/>'),
          'EPUB/i.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="6" height="9"/>',
        },
      },
    ],
    [
      'an image of its reading order has a page as fallback',
      {
        manifest: `<item id="i" href="i.png" media-type="image/png" fallback="two"/>${two}`,
        spine: '<itemref idref="one"/><itemref idref="i"/>',
        entries: { 'EPUB/i.png': png, 'EPUB/two.xhtml': page('') },
      },
    ],
    [
      'its document type declares the entities',
      {
        version: '2.0',
        ...ncx(`<navMap>${point('one.xhtml')}</navMap>`),
        entries: {
          ...ncx(`<navMap>${point('one.xhtml')}</navMap>`).entries,
          'EPUB/one.xhtml': `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "x">${page('<p>&nbsp;&eacute;</p>')}`,
        },
      },
    ],
    [
      'sound lies elsewhere and is listed',
      {
        manifest: `<item id="two" href="two.xhtml" properties="remote-resources" ${xhtml}/><item id="s" href="https://example.org/s.mp3" media-type="audio/mpeg"/>`,
        entries: { 'EPUB/two.xhtml': page('<audio src="https://example.org/s.mp3"/>') },
      },
    ],
    [
      'the style of a page that says so needs what lies elsewhere',
      {
        manifest: `<item id="two" href="two.xhtml" properties="remote-resources" ${xhtml}/><item id="c" href="a.css" properties="remote-resources" media-type="text/css"/><item id="f" href="https://example.org/f.woff" media-type="font/woff"/>`,
        entries: {
          'EPUB/two.xhtml': page('', '<link rel="stylesheet" href="a.css"/>'),
          'EPUB/a.css': '@font-face { font-family: F; src: url("https://example.org/f.woff") }',
        },
      },
    ],
    [
      'its sound is read along, and its fonts are obfuscated',
      {
        metadata: `${honestMetadata}${durations}`,
        manifest: `${overlay}<item id="s" href="s.mp3" media-type="audio/mpeg"/><item id="f" href="f.otf" media-type="font/otf"/>`,
        entries: {
          ...overlayEntries('s.mp3'),
          ...encrypted(obfuscated('EPUB/f.otf')),
          ...{ 'EPUB/s.mp3': mp3, 'EPUB/f.otf': 'x' },
        },
      },
    ],
    [
      'a link leads to the web, to a fragment, to itself',
      {
        entries: {
          'EPUB/one.xhtml': page(
            '<a href="https://example.org/">A</a><a href="#a" id="a">B</a><a href="one.xhtml#a">C</a><a href="mailto:a@example.org">D</a><img src="data:image/png;base64,AA=="/>',
          ),
        },
      },
    ],
    [
      'its references start from a base',
      {
        manifest: '<item id="c" href="styles/a.css" media-type="text/css"/>',
        entries: {
          'EPUB/one.xhtml': page(
            '<a href="#a" id="a">A</a>',
            '<base href="styles/"/><link rel="stylesheet" href="a.css"/>',
          ),
          'EPUB/styles/a.css': '',
        },
      },
    ],
    [
      'a page outside the main order is linked',
      {
        manifest: two,
        spine: '<itemref idref="one"/><itemref idref="two" linear="no"/>',
        entries: { 'EPUB/one.xhtml': page('<a href="two.xhtml">2</a>'), 'EPUB/two.xhtml': page('') },
      },
    ],
    [
      'its pages stand in several lists',
      { entries: nav('<li><a href="one.xhtml#epubcfi(/4)">A</a></li>', 'page-list') },
    ],
  ] satisfies [string, BookParts][])('where %s', async (_, parts) => {
    expect((await readBook(fileOf(makeBook(parts)))).problems).toEqual([])
  })
})

it('a cover page that is named .xml gives its picture, not itself', async () => {
  const { cover } = await readBook(
    fileOf(
      makeBook({
        manifest: `<item id="c" href="cover.xml" ${xhtml}/><item id="i" href="i.svg" media-type="image/svg+xml"/>`,
        guide: '<guide><reference type="cover" href="cover.xml"/></guide>',
        entries: {
          'EPUB/cover.xml': page('<img src="i.svg" alt="A cover"/>'),
          'EPUB/i.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="6" height="9"/>',
        },
      }),
    ),
  )
  expect(cover).toMatchObject({ path: 'EPUB/i.svg', alt: 'A cover', width: 6 })
})

it('a mimetype entry with an extra field is a warning', async () => {
  const sound = makeBook()
  // The length of the extra field stands at 28 of the local header, and the field after the name.
  const field = Buffer.from('5558040000000000', 'hex')
  const local = Buffer.from(sound.subarray(0, 38))
  local.writeUInt16LE(field.length, 28)
  const end = sound.length - 22
  const start = sound.readUInt32LE(end + 16)
  const directory = Buffer.from(sound.subarray(start))
  for (let at = 0; directory.readUInt32LE(at) === 0x02014b50; at += 46 + directory.readUInt16LE(at + 28)) {
    const offset = directory.readUInt32LE(at + 42)
    if (offset > 0) directory.writeUInt32LE(offset + field.length, at + 42)
  }
  directory.writeUInt32LE(start + field.length, directory.length - 22 + 16)
  const book = Buffer.concat([local, field, sound.subarray(38, start), directory])
  expect((await readBook(fileOf(book))).problems.map(({ code }) => code)).toEqual(['mimetype_extra_field'])
})

it('errors come first, and of each kind the first twenty are listed', async () => {
  const gone = Array.from(
    { length: 30 },
    (_, index) => `<item id="i${index}" href="i${index}.png" media-type="image/png"/>`,
  )
  const { problems } = await readBook(
    fileOf(makeBook({ metadata: '', manifest: gone.join(''), spine: '<itemref idref="nobody"/>' })),
  )
  expect(problems[0]).toMatchObject({ severity: 'error', code: 'spine_item_unknown' })
  expect(problems.filter(({ code }) => code === 'resource_missing')).toHaveLength(20)
  expect(problems.find(({ code }) => code === 'more_problems')).toMatchObject({
    severity: 'warning',
    message: '10 more problems of the kind resource_missing are not listed.',
  })
  expect(problemCounts(problems)).toMatch(/^1 error, over 2\d warnings$/)
})

/** More than 65,535 files need the fields of a large zip. */
const many = isSlow ? 70_000 : 7_000

it.runIf(isSlow)(
  `a book of ${many} files is read within 200 MiB, and is not damaged`,
  async () => {
    const names = Array.from({ length: many }, (_, index) => `pictures/${index}.png`)
    const manifest = names.map(
      (name, index) => `<item id="p${index}" href="${name}" media-type="image/png"/>`,
    )
    const zip = new ZipFile()
    const add = (name: string, content: string | Buffer, compress = true) =>
      zip.addBuffer(Buffer.from(content), name, { compress })
    add('mimetype', 'application/epub+zip', false)
    add('META-INF/container.xml', container(`<rootfiles>${rootfile('EPUB/package.opf')}</rootfiles>`))
    add('EPUB/package.opf', packageOf({ manifest: manifest.join('') }))
    add('EPUB/one.xhtml', page(''))
    add('EPUB/nav.xhtml', toc('<li><a href="one.xhtml">A</a></li>')['EPUB/nav.xhtml'])
    for (const name of names) add(`EPUB/${name}`, png, false)
    zip.end()
    const reader = await childReader()
    try {
      const most = Math.max(200, mostMemory)
      const { book, peak } = leastOf(reader, fileOf(await buffer(zip.outputStream)), most)
      expect(book).toMatchObject({ title: 'A Title', problems: [] })
      expect(peak ?? 0).toBeLessThan(most)
    } finally {
      reader.remove()
    }
  },
  180_000,
)

it.runIf(isSlow)('a zip of more entries than are read says so, and not that it is damaged', async () => {
  const entries = Array.from({ length: 300 }, (_, index) => ({
    name: `EPUB/${index}${'n'.repeat(60_000)}`,
    content: '',
  }))
  const sound = makeBook({ rawEntries: entries })
  const { problems } = await readBook(fileOf(sound))
  expect(problems.map(({ code }) => code)).toContain('zip_too_large')
  expect(problems.map(({ code }) => code)).not.toContain('zip_damaged')
})
