import { describe, expect, it } from 'vitest'
import { type BookParts, fileOf, honestMetadata, makeBook } from '../support/books/make-book.ts'
import { mp3, png } from '../support/books/media.ts'
import { readBook } from '../support/books/read-book.ts'

const xhtml = 'media-type="application/xhtml+xml"'
const page = (body: string, head = '') =>
  `<html xmlns="http://www.w3.org/1999/xhtml"><head>${head}</head><body>\n${body}</body></html>`
/** A book of one page, with further files as `id.ending`, by their types. */
const one = (
  body: string,
  files: Readonly<Record<string, [type: string, content: string | Buffer]>> = {},
  head = '',
): BookParts => ({
  manifest: Object.entries(files)
    .map(([name, [type]]) => `<item id="${name}" href="${name}" media-type="${type}"/>`)
    .join(''),
  entries: {
    'EPUB/one.xhtml': page(body, head),
    ...Object.fromEntries(Object.entries(files).map(([name, [, content]]) => [`EPUB/${name}`, content])),
  },
})
const styled = (css: string | Buffer) => one('', { 'a.css': ['text/css', css] })
const fixed = (head: string): BookParts => ({
  ...one('', {}, head),
  spine: '<itemref idref="one" properties="rendition:layout-pre-paginated"/>',
})
const viewport = (content: string) => fixed(`\n<meta name="viewport" content="${content}"/>`)
const foreign: Readonly<Record<string, [string, string]>> = {
  'a.xyz': ['image/vnd.xyz', 'x'],
  'a.snd': ['audio/foreign', 'x'],
}
const smil = (body: string) =>
  `<smil xmlns="http://www.w3.org/ns/SMIL" xmlns:epub="http://www.idpf.org/2007/ops" version="3.0"><body>\n${body}</body></smil>`
const durations = '<meta property="media:duration">1s</meta>'
const readAloud = (
  body: string,
  items: string,
  metadata = '',
  files: Record<string, string | Buffer> = {},
): BookParts => ({
  metadata: `${honestMetadata}${durations}<meta property="media:duration" refines="#o">1s</meta>${metadata}`,
  manifest: `<item id="o" href="o.smil" media-type="application/smil+xml"/><item id="s" href="s.mp3" media-type="audio/mpeg"/>\n${items}`,
  entries: {
    'EPUB/o.smil': smil(body),
    'EPUB/s.mp3': mp3,
    'EPUB/two.xhtml': page('<p id="a">A</p>'),
    ...files,
  },
})
const two = `<item id="two" href="two.xhtml" media-overlay="o" ${xhtml}/>`
const sounds = '<audio src="s.mp3"/>'

/** A book of which a page or another file has one fault, by the code and the place of its only problem. */
const faults: readonly (readonly [string, string, BookParts])[] = [
  ['reference_missing', 'EPUB/one.xhtml:2', one('<a href="#gone">A</a>')],
  ['reference_missing', 'EPUB/one.xhtml:2', one('<a href="file:///gone">A</a>')],
  [
    'reference_missing',
    'EPUB/one.xhtml:2',
    {
      manifest: `<item id="two" href="two.xhtml" ${xhtml}/>`,
      spine: '<itemref idref="one"/><itemref idref="two"/>',
      entries: { 'EPUB/one.xhtml': page('<a href="two.xhtml#gone">A</a>'), 'EPUB/two.xhtml': page('') },
    },
  ],
  ['id_doubled', 'EPUB/one.xhtml:3', one('<p id="a"/>\n<p id="a"/>')],
  ['element_unknown', 'EPUB/one.xhtml:2', one('<unknown/>')],
  ['element_nested', 'EPUB/one.xhtml:2', one('<a><b><a/></b></a>')],
  ['language_conflict', 'EPUB/one.xhtml:2', one('<p lang="en" xml:lang="de"/>')],
  [
    'doctype_wrong',
    'EPUB/one.xhtml:1',
    { entries: { 'EPUB/one.xhtml': `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "x">${page('')}` } },
  ],
  [
    'reference_unfit',
    'EPUB/one.xhtml:1',
    one('', { 'a.css': ['text/css', ''] }, '<link rel="stylesheet" href="a.css#b"/>'),
  ],
  [
    'reference_unfit',
    'EPUB/a.svg:1',
    one('', {
      'a.svg': ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><use href="a.svg"/></svg>'],
    }),
  ],
  [
    'reference_unfit',
    'EPUB/one.xhtml:2',
    {
      ...one('<a href="a.svg#b">A</a>', {
        'a.svg': ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><symbol id="b"/></svg>'],
      }),
      spine: '<itemref idref="one"/><itemref idref="a.svg"/>',
    },
  ],
  ['style_direction', 'EPUB/a.css:2', styled('body {\n direction: rtl }')],
  ['style_malformed', 'EPUB/a.css:2', styled('a { }\nbody { color: red')],
  ['style_malformed', 'EPUB/a.css:1', styled('body { color: red }}')],
  ['style_malformed', 'EPUB/a.css:2', styled('body {\n span.bold: bold }')],
  ['style_malformed', 'EPUB/one.xhtml:2', one('', {}, '<style>\nbody {</style>')],
  ['encoding_wrong', 'EPUB/a.css:1', styled('@charset "ISO-8859-1"; a { }')],
  ['reference_empty', 'EPUB/a.css:2', styled('@font-face {\n src: url("") }')],
  ['resource_foreign', 'EPUB/one.xhtml:2', one('<img src="a.xyz"/>', { ...foreign, 'a.snd': ['a/b', ''] })],
  [
    'resource_foreign',
    'EPUB/one.xhtml:2',
    one('<audio><source src="a.xyz"/></audio>', { 'a.xyz': ['a/b', ''] }),
  ],
  ['resource_foreign', 'EPUB/one.xhtml:2', one('<img src="data:image/vnd.xyz;base64,AA=="/>')],
  [
    'resource_foreign',
    'EPUB/one.xhtml:2',
    one('<picture><source srcset="a.png" type="image/png"/><img src="a.xyz"/></picture>', {
      'a.xyz': ['a/b', ''],
      'a.png': ['image/png', png],
    }),
  ],
  ['viewport_wrong', 'EPUB/one.xhtml', fixed('')],
  ['viewport_wrong', 'EPUB/one.xhtml:2', viewport('width=600')],
  ['viewport_wrong', 'EPUB/one.xhtml:2', viewport('width=600,height=')],
  ['viewport_wrong', 'EPUB/one.xhtml:2', viewport('width=600px,height=800px')],
  ['viewport_wrong', 'EPUB/one.xhtml:2', viewport('width=600,width=600,height=800')],
  [
    'overlay_wrong',
    'EPUB/package.opf:9',
    readAloud(`<par><text src="two.xhtml#a"/>${sounds}</par>`, `<item id="two" href="two.xhtml" ${xhtml}/>`),
  ],
  [
    'overlay_wrong',
    'EPUB/package.opf:9',
    readAloud(
      `<par><text src="two.xhtml#a"/>${sounds}</par>`,
      `${two}<item id="three" href="three.xhtml" media-overlay="o" ${xhtml}/>`,
      '',
      { 'EPUB/three.xhtml': page('') },
    ),
  ],
  [
    'overlay_wrong',
    'EPUB/package.opf:9',
    readAloud(
      `<par><text src="two.xhtml#a"/>${sounds}</par>`,
      two,
      '<meta property="media:active-class">on</meta>',
    ),
  ],
  [
    'overlay_wrong',
    'EPUB/o.smil:2',
    readAloud(
      '<par><text src="two.xhtml#a"/><audio src="s.m4a"/></par>',
      `${two}<item id="m" href="s.m4a" media-type="audio/m4a"/>`,
      '',
      { 'EPUB/s.m4a': '\0\0\0\x18ftypM4A ' },
    ),
  ],
  [
    'reference_missing',
    'EPUB/o.smil:2',
    readAloud(`<seq epub:textref="two.xhtml#gone"><par><text src="two.xhtml#a"/>${sounds}</par></seq>`, two),
  ],
  [
    'overlay_wrong',
    'EPUB/o.smil:2',
    readAloud(
      '<par><text src="two.xhtml#a"/><audio src="s.mp3" clipBegin="0:00:01.5" clipEnd="1 minute"/></par>',
      two,
    ),
  ],
  ['resource_empty', 'EPUB/a.mp3', one('', { 'a.mp3': ['audio/mpeg', ''] })],
  ['sound_unreadable', 'EPUB/a.mp3', one('', { 'a.mp3': ['audio/mpeg', 'not found'] })],
  ['sound_unreadable', 'EPUB/a.mp3', one('', { 'a.mp3': ['audio/mpeg', png] })],
  ['sound_type_wrong', 'EPUB/a.mp3', one('', { 'a.mp3': ['audio/mpeg', 'OggS\0'] })],
  ['font_unreadable', 'EPUB/a.ttf', one('', { 'a.ttf': ['font/ttf', 'not found'] })],
  ['image_cut', 'EPUB/a.png', one('', { 'a.png': ['image/png', png.subarray(0, -12)] })],
  ['image_type_wrong', 'EPUB/a.gif', one('', { 'a.gif': ['image/gif', png] })],
  ['image_unreadable', 'EPUB/a.gif', one('', { 'a.gif': ['image/gif', Buffer.from([1, 2, 3, 4, 0, 200])] })],
]

describe('a book of which one file has a fault', () => {
  it.each(faults)('has the warning %s at "%s"', async (code, place, parts) => {
    const { problems } = await readBook(fileOf(makeBook(parts)))
    expect(problems.map(problem => [problem.code, problem.place])).toEqual([[code, place]])
    expect(problems[0]).toMatchObject({ severity: 'warning', hint: expect.stringMatching(/^[A-Z].*\.$/) })
  })

  it.each([
    ['resource_empty', ''],
    ['image_unreadable', '<html>404</html>'],
    ['image_unreadable', Buffer.alloc(1000)],
  ])('has the error %s where readers miss a picture', async (code, content) => {
    const { problems } = await readBook(fileOf(makeBook(one('', { 'a.png': ['image/png', content] }))))
    expect(problems).toMatchObject([{ severity: 'error', code, place: 'EPUB/a.png' }])
  })

  it('has the error chapter_malformed for an entity that nothing declares', async () => {
    const document = `<!DOCTYPE html [<!ENTITY known "x">]>${page('<p>&known;\n&nobody;</p>')}`
    const { problems } = await readBook(fileOf(makeBook({ entries: { 'EPUB/one.xhtml': document } })))
    expect(problems).toMatchObject([
      { severity: 'error', code: 'chapter_malformed', place: 'EPUB/one.xhtml:3' },
    ])
  })
})

describe('sound pages and files have no problems', () => {
  it.each([
    [
      'what begins a text of a style looks like a block',
      styled(
        '/* { */ a::before { content: "}{;"; src: url("data:a;b,c{") } @media print { b { color: red; } }',
      ),
    ],
    ['a flex box has a direction', styled('a { flex-direction: row }')],
    [
      'a sound has a choice of types',
      one('<audio><source src="a.snd"/><source src="a.mp3"/></audio>', {
        ...foreign,
        'a.snd': ['a/b', ''],
        'a.mp3': ['audio/mpeg', mp3],
      }),
    ],
    ['a film is of any type', one('<video src="a.avi"/>', { 'a.avi': ['video/avi', 'RIFF\0\0\0\0AVI '] })],
    ['an element is of its author', one('<my-element/>')],
    [
      'a link leads to the top, to a passage and to an anchor',
      one('<a href="#top">A</a><a href="#:~:text=A">B</a><a href="#c">C</a><a name="c">D</a>'),
    ],
    [
      'a page of a fixed layout has the size of the device',
      viewport('width=device-width; height=device-height'),
    ],
    [
      'a page is read aloud',
      readAloud(`<seq epub:textref="two.xhtml"><par><text src="two.xhtml#a"/>${sounds}</par></seq>`, two),
    ],
    [
      'the document type names nothing',
      { entries: { 'EPUB/one.xhtml': `<!DOCTYPE html SYSTEM "about:legacy-compat">${page('')}` } },
    ],
    [
      'a drawing reuses a part of its own',
      one('', {
        'a.svg': [
          'image/svg+xml',
          '<svg xmlns="http://www.w3.org/2000/svg"><symbol id="b"/><use href="#b"/></svg>',
        ],
      }),
    ],
  ] satisfies [string, BookParts][])('where %s', async (_, parts) => {
    expect((await readBook(fileOf(makeBook(parts)))).problems).toEqual([])
  })
})
