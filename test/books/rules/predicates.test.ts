import { describe, expect, it } from 'vitest'
import { predicates } from '../../../src/books/rules/predicates/index.ts'
import { rawZip } from '../../support/books/hostile-zip.ts'
import { cutJpeg, cutPng, problemsBy } from '../../support/books/judge.ts'
import { type BookParts, honestMetadata, makeBook } from '../../support/books/make-book.ts'
import { isSlow } from '../../support/machine/slow.ts'

const page = (
  body: string,
  head = '<title>One</title>',
  attributes = ' lang="en" xml:lang="en"',
): BookParts => ({
  entries: {
    'EPUB/one.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"${attributes}><head>${head}</head><body>${body}</body></html>`,
  },
})
const said = (metadata: string): BookParts => ({ metadata: `${honestMetadata}${metadata}` })
const file = (item: string, name: string, content: string | Uint8Array): BookParts => ({
  manifest: `<item id="x" href="${name}" ${item}/>`,
  entries: { [`EPUB/${name}`]: content },
})
const coverOf = (width: number, height: number) =>
  file('media-type="image/png" properties="cover-image"', 'c.png', cutPng(width, height))
const jpegCover = (components: number) =>
  file('media-type="image/jpeg" properties="cover-image"', 'c.jpg', cutJpeg(components))
const image = (width: number, height: number) =>
  file('media-type="image/png"', 'i.png', cutPng(width, height))
const style = (css: string) => file('media-type="text/css"', 's.css', css)
const script = (text: string) => file('media-type="text/javascript"', 's.js', text)
const font = file('media-type="font/woff2"', 'f.woff2', 'wOF2 and more')
const isbn = '<dc:identifier>urn:isbn:9783161484100</dc:identifier>'

/** A rule's check, a book that is against it with what is said, and one that is not. */
type Case = readonly [check: string, against: BookParts, says: string, fit: BookParts, name?: string]

const cases: readonly Case[] = [
  ['book: { versions: ["3"] }', { version: '2.0' }, 'It is EPUB 2.0, not 3.', {}],
  [
    'name: { isbn: true }',
    said(isbn),
    'does not have the ISBN of the book, 9783161484100',
    said(isbn),
    '978-3-16-148410-0.epub',
  ],
  [
    'title: { not: "^A" }',
    {},
    'The title is "A Title", which matches ^A.',
    { metadata: '<dc:title>B</dc:title>' },
  ],
  [
    'isbn: { inText: true }',
    said(isbn),
    'No page names an ISBN',
    { ...said(isbn), ...page('<p>978-3-16-148410-0</p>') },
  ],
  [
    'metadata: { name: dc:publisher, pattern: "^Press" }',
    said('<dc:publisher>A Press</dc:publisher>'),
    'dc:publisher is "A Press", which does not match ^Press.',
    said('<dc:publisher>Press A</dc:publisher>'),
  ],
  ['languages: { same: true }', page('<p/>', '', ' lang="fr"'), 'This page is in fr', page('<p/>')],
  [
    'rights: { said: true }',
    {},
    'The metadata has no tdm:reservation.',
    said('<meta property="tdm:reservation">1</meta>'),
  ],
  [
    'accessibility: { modes: true }',
    {},
    'The metadata has no accessMode.',
    said('<meta property="schema:accessMode">textual</meta>'),
  ],
  [
    'cover: { shortSide: { min: 100 } }',
    coverOf(99, 200),
    'its shorter side is 99, not at least 100',
    coverOf(100, 200),
  ],
  [
    'cover: { colours: [RGB, grey] }',
    jpegCover(4),
    'The cover is in CMYK, not in RGB or grey.',
    jpegCover(1),
  ],
  [
    'images: { colours: [RGB] }',
    file('media-type="image/jpeg"', 'i.jpg', cutJpeg(4)),
    'This image is in CMYK, not in RGB.',
    file('media-type="image/jpeg"', 'i.jpg', cutJpeg(3)),
  ],
  [
    'images: { pixels: { max: 4000000 } }',
    image(2001, 2000),
    'its number of pixels is 4,002,000, not at most 4,000,000',
    image(2000, 2000),
  ],
  ['fonts: { types: [font/otf] }', font, 'This file is font/woff2, not font/otf.', {}],
  ['files: { of: [page], bytes: { max: 2 KB } }', page('x'.repeat(3000)), 'not at most 2 KB', {}],
  [
    'contents: { landmarks: [toc] }',
    {},
    'There is no landmark toc.',
    {
      entries: {
        'EPUB/nav.xhtml':
          '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body><nav epub:type="toc"><ol><li><a href="one.xhtml">One</a></li></ol></nav><nav epub:type="landmarks"><ol><li><a epub:type="toc" href="#">Contents</a></li></ol></nav></body></html>',
      },
    },
  ],
  [
    'pages: { without: [image-without-alt] }',
    page('<img src="i.png"/>'),
    'Here is an image without alternative text.',
    page('<img src="i.png" alt="A map"/>'),
  ],
  [
    'styles: { without: [justified] }',
    style('p { text-align: justify }'),
    'Here is text that is justified.',
    style('p { text-align: left }'),
  ],
  [
    'scripts: { without: [unminified] }',
    script('a();\n'.repeat(300)),
    'Here is room for comments',
    script('a()'),
  ],
  [
    'alternatives: { missing: { max: 1 } }',
    page('<img src="a.png"/><img src="b.png"/>'),
    '2 of 2 images have no alternative text, not at most 1.',
    page('<img src="a.png"/>'),
  ],
  [
    'problems: { none: [author_missing] }',
    { metadata: '<dc:title>A</dc:title><dc:language>en</dc:language>' },
    '(author_missing)',
    {},
  ],
]

describe('each thing that rules can ask', () => {
  it('is asked below, but for records of feeds', () => {
    const asked = new Set(cases.map(([check]) => check.split(':')[0]))
    expect([...asked, 'feed', 'sound'].sort()).toEqual(Object.keys(predicates).sort())
  })

  it.each(cases.map(([check, against, says, fit, name]) => ({ check, against, says, fit, name })))(
    '$check',
    async ({ check, against, says, fit, name }) => {
      const rules = `rules: [{ id: asked, check: { ${check} } }]`
      const messages = (await problemsBy(rules, makeBook(against))).filter(({ code }) => code === 'asked')
      expect(messages.map(({ message }) => message).join('\n')).toContain(says)
      const clean = await problemsBy(rules, makeBook(fit), name)
      expect(clean.filter(({ code }) => code === 'asked' || code === 'rule_not_applied')).toEqual([])
    },
  )
})

/** What a page has, by the name of what is counted. */
const pages: Readonly<Record<string, string>> = {
  'abbreviation-without-title': '<abbr>NB</abbr>',
  'address-as-link': '<a href="https://a.example/">https://a.example/</a>',
  'alt-file-name': '<img src="a.jpg" alt="a.jpg"/>',
  'audio-autoplay': '<audio src="a.mp3" autoplay="autoplay"/>',
  'audio-without-controls': '<audio src="a.mp3"/>',
  'breaks-in-a-row': '<p>a<br/><br/><br/>b</p>',
  bullet: '<p>• one</p>',
  capitals: '<p>THIS IS ALL VERY LOUD</p>',
  copyright: '<p>© 2026 A Press</p>',
  'copyright-page': '<section role="doc-copyright-page"/><section epub:type="copyright-page"/>',
  'embedded-without-fallback': '<object data="a.swf"></object>',
  'figure-without-caption': '<figure><img src="a.png" alt="A"/></figure>',
  glossary: '<section epub:type="glossary">A</section>',
  handler: '<span onclick="a()">a</span>',
  'heading-empty': '<h1></h1>',
  'heading-skipped': '<h1>A</h1><h3>B</h3>',
  hidden: '<p hidden="hidden">a</p>',
  icon: '<p>\uE001</p>',
  'image-unmarked': '<img src="a.png" alt=""/>',
  justified: '<p style="text-align: justify">a</p>',
  'language-inside': '<p lang="fr">a</p>',
  'link-download-without-format': '<a href="a.pdf">The list</a>',
  'link-download-without-size': '<a href="a.pdf">The list (PDF)</a>',
  'link-empty': '<a href="two.xhtml"></a>',
  'link-generic': '<a href="two.xhtml">Click here</a>',
  'link-image-without-alt': '<a href="two.xhtml"><img src="a.png" alt=""/></a>',
  'link-other-program': '<a href="mailto:a@b.example">Contact</a>',
  'link-outside': '<a href="https://a.example/">A</a>',
  'math-as-image': '<img class="equation" src="a.png" alt="a"/>',
  'media-without-duration': '<audio src="a.mp3"/>',
  'media-without-transcript': '<audio src="a.mp3"/>',
  nothing: '<p> </p>',
  'page-break': '<span epub:type="pagebreak" id="p1"/>',
  'short-date': '<p>On 03/04/2019 it rained.</p>',
  'tab-order': '<a href="two.xhtml" tabindex="3">a</a>',
  'table-header-without-scope': '<table><tr><th>a</th></tr></table>',
  'table-of-layout': '<table role="presentation"><tr><td>a</td></tr></table>',
  'table-without-caption': '<table><tr><th>a</th></tr></table>',
  'table-without-headers': '<table><tr><td>a</td></tr></table>',
  'telephone-without-country': '<a href="tel:0123">call 0123</a>',
  'type-without-role': '<section epub:type="chapter">a</section>',
  underlined: '<p><u>a</u></p>',
  version: '<p>Version 2 of 2026</p>',
  'video-autoplay': '<video src="a.mp4" autoplay=""/>',
  'video-without-captions': '<video src="a.mp4"/>',
  'video-without-controls': '<video src="a.mp4"/>',
}
const styles: Readonly<Record<string, string>> = {
  animation: 'p { animation: blink 1s }',
  'background-image': 'p { background: url(a.png) }',
  'black-text': 'body { color: #000 }',
  'font-of-one-family': 'p { font-family: "A" }',
  'generated-text': 'p::before { content: "Note" }',
  hidden: '.a { display: none }',
  'html5-block': 'section, figure { display: block }',
  'import-remote': '@import "https://a.example/a.css";',
  'link-like-text': 'a { color: inherit; text-decoration: none }',
  'low-contrast': 'p { color: #777; background-color: #888 }',
  'media-query-mixed': 'p { margin: 0 } @media print { p { margin: 1em } }',
  positioned: 'p { position: absolute }',
  'size-fixed': 'p { font-size: 12px }',
  underlined: '.title { text-decoration: underline }',
  uppercase: 'h1 { text-transform: uppercase }',
  'visited-alike': 'a { color: blue }',
}

describe('what is counted', () => {
  const plain = page(
    '<h1>A</h1><p>One <a href="two.xhtml">more chapter</a> and <img src="a.png" alt="a map" />.</p>',
  )
  const plainStyle = style('/* a { color: "{" } */ p { margin: 0 } a { font-weight: bold }')
  const countedIn = async (kind: 'pages' | 'styles', mark: string, parts: BookParts) => {
    const found = await problemsBy(
      `rules: [{ id: asked, check: { ${kind}: { without: [${mark}] } } }]`,
      makeBook(parts),
    )
    return found.some(({ code }) => code === 'asked')
  }
  /** Other ways in which a page can have what is in the table. */
  const spellings = [
    ['underlined', '<p style="text-decoration-line: underline">a</p>'],
    ['underlined', '<p style="text-decoration : underline">a</p>'],
    ['hidden', '<p style="visibility: hidden">a</p>'],
    ['justified', '<p align="justify">a</p>'],
  ] as const
  const all = [
    ...Object.entries(pages).map(([mark, body]) => ['pages', mark, page(body), plain] as const),
    ...spellings.map(([mark, body]) => ['pages', mark, page(body), plain] as const),
    ...Object.entries(styles).map(([mark, css]) => ['styles', mark, style(css), plainStyle] as const),
  ]

  it.runIf(isSlow).each(all)('%s: %s', async (kind, mark, parts, without) => {
    expect([await countedIn(kind, mark, parts), await countedIn(kind, mark, without)]).toEqual([true, false])
  })

  it.each([
    ['tracks: { min: 3 }', 'There are 2 tracks, not at least 3.', 'tracks: { min: 2, max: 2 }'],
    ['duration: { max: 60 }', 'It takes 61 seconds, not at most 60.', 'duration: { max: 61 }'],
  ])('sound: { %s }', async (against, says, fit) => {
    const lpf = (durations: readonly string[]) =>
      rawZip([
        {
          name: 'publication.json',
          content: JSON.stringify({
            ...{ name: 'A', author: 'B', inLanguage: 'en' },
            readingOrder: durations.map((duration, index) => ({ url: `${index}.ogg`, duration })),
          }),
          isDeflated: true,
        },
        ...durations.map((_, index) => ({ name: `${index}.ogg`, content: 'OggS\0', isDeflated: true })),
      ])
    const said = async (asked: string, durations: readonly string[]) => {
      const rules = `rules: [{ id: asked, check: { sound: { ${asked} } } }]`
      const found = await problemsBy(rules, lpf(durations), 'book.lpf')
      return found.filter(({ code }) => /^(?:asked|rule_)/.test(code)).map(({ message }) => message)
    }
    const durations = ['PT1M', 'PT1S']
    expect(await said(against, durations)).toEqual([says])
    expect(await said(fit, durations)).toEqual([])
  })

  it('sound is not asked of other books, nor a time that nobody knows', async () => {
    const asked = 'rules: [{ id: asked, check: { sound: { tracks: { min: 1 } } } }]'
    expect((await problemsBy(asked, makeBook())).map(({ code }) => code)).toEqual(['rule_not_applied'])
  })
})
