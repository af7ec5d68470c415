import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { makeBook } from '../support/books/make-book.ts'
import { machine } from '../support/machine/pubctl.ts'

const page = (body: string) => `<html xmlns="http://www.w3.org/1999/xhtml"><body>\n${body}</body></html>`

it('a problem of a page has the line and the column of its element, in all formats', async () => {
  const { run, home } = machine()
  const at = (name: string) => `${home}/${name}`
  const body = '<p>😀 <img alt=""\nsrc="a.png"/></p>\n  <p><img\nalt="" src="b.png"/></p>'
  writeFileSync(at('a.epub'), makeBook({ entries: { 'EPUB/one.xhtml': page(body) } }))
  writeFileSync(at('b.epub'), makeBook({ entries: { 'EPUB/one.xhtml': page('<p>One</b></p>') } }))
  const { problems } = JSON.parse((await run(['inspect', at('a.epub'), '--json'])).out)
  expect(problems).toMatchObject([
    { place: 'EPUB/one.xhtml:2', column: 7, message: '"a.png" leads to nothing in the book.' },
    { place: 'EPUB/one.xhtml:4', column: 6, message: '"b.png" leads to nothing in the book.' },
  ])
  const malformed = JSON.parse((await run(['inspect', at('b.epub'), '--json'])).out).problems[0]
  expect(malformed).toMatchObject({ code: 'chapter_malformed', place: 'EPUB/one.xhtml:2', column: 10 })

  const shown = await run(['inspect', at('a.epub')], { columns: 80 })
  expect(shown.out).toContain(': EPUB/one.xhtml:2:7: "a.png"')
  const report = async (name: string) => {
    await run(['inspect', at('a.epub'), '--report', at(name)])
    return readFileSync(at(name), 'utf8')
  }
  for (const name of ['report.xml', 'report.html']) expect(await report(name)).toContain('EPUB/one.xhtml:2:7')
  expect(await report('report.csv')).toMatch(/EPUB\/one\.xhtml:2,.*,7/)
  const [sarif] = JSON.parse(await report('report.sarif')).runs
  const [{ relatedLocations, message }, other] = sarif.results
  expect(message.text).toMatch(/^EPUB\/one\.xhtml:2:7: /)
  const [{ physicalLocation }] = relatedLocations
  expect(physicalLocation).toEqual({
    artifactLocation: { uri: 'EPUB/one.xhtml', index: 1 },
    region: { startLine: 2, startColumn: 7 },
  })
  expect(other.relatedLocations[0].physicalLocation.region).toEqual({ startLine: 4, startColumn: 6 })
  expect(sarif.artifacts).toEqual([
    { location: { uri: expect.stringMatching(/a\.epub$/) } },
    { location: { uri: 'EPUB/one.xhtml' }, parentIndex: 0 },
  ])
})

it('a problem of a package, a navigation document or an NCX has the column of its element', async () => {
  const { run, home } = machine()
  const file = `${home}/book.epub`
  writeFileSync(
    file,
    makeBook({
      entries: {
        'EPUB/package.opf': `<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:x</dc:identifier><dc:title>A</dc:title><dc:creator>B</dc:creator><dc:language>en</dc:language><meta property="dcterms:modified">2026-01-01T00:00:00Z</meta></metadata>
<manifest><item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/><item id="gone" href="gone.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="nav"/></spine></package>`,
        'EPUB/nav.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>A</title></head><body>
<nav epub:type="toc"><ol><li><a href="nowhere.xhtml">A</a></li></ol></nav></body></html>`,
      },
    }),
  )
  const { problems } = JSON.parse((await run(['inspect', file, '--json'])).out)
  expect(problems).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ code: 'resource_missing', place: 'EPUB/package.opf:3', column: 96 }),
      expect.objectContaining({
        code: 'navigation_target_missing',
        place: 'EPUB/nav.xhtml:2',
        column: 30,
      }),
    ]),
  )
})

it('a problem of a style has its column, in a file of its own and within a page, and so has what a rule finds', async () => {
  const { run, home } = machine()
  const at = (name: string) => `${home}/${name}`
  const styled = (style: string, body = '') =>
    `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>A</title><style>${style}</style></head><body><p>One</p>${body}</body></html>`
  writeFileSync(
    at('book.epub'),
    makeBook({
      manifest: '<item id="css" href="one.css" media-type="text/css"/>',
      entries: {
        'EPUB/one.css': '/* a\nlong comment */ p { background: url(gone.png) }\np { color red }\n',
        'EPUB/one.xhtml': styled('p { background: url(first.png) }\r\n  p { background: url(second.png) }'),
      },
    }),
  )
  writeFileSync(
    at('escaped.epub'),
    makeBook({ entries: { 'EPUB/one.xhtml': styled('a &gt; b { background: url(a.png) }') } }),
  )
  writeFileSync(
    at('rule.epub'),
    makeBook({
      entries: { 'EPUB/one.xhtml': styled('', '\n<p\nclass="a"><img alt="" src="cover.png"/></p>') },
    }),
  )
  writeFileSync(
    at('house.yaml'),
    'rules:\n  - id: house-alt\n    check: { pages: { without: [alt-empty, style] } }\n  - id: house-title\n    check: { metadata: { name: dc:title, pattern: ^Z } }\n',
  )
  const problemsOf = async (name: string, ...args: string[]) => {
    const { out } = await run(['inspect', at(name), '--json', ...args])
    return (JSON.parse(out).problems as { message: string; place: string; column?: number }[]).map(
      ({ message, place, column }) => [message, place, column],
    )
  }
  const found = await problemsOf('book.epub')
  expect(found).toEqual(
    expect.arrayContaining([
      ['"gone.png" leads to nothing in the book.', 'EPUB/one.css:2', 33],
      ['"color red" is no declaration of a style.', 'EPUB/one.css:3', 5],
      ['"first.png" leads to nothing in the book.', 'EPUB/one.xhtml:1', 89],
      ['"second.png" leads to nothing in the book.', 'EPUB/one.xhtml:2', 19],
    ]),
  )
  // What stands before it may be written in more characters than it is read in.
  expect(await problemsOf('escaped.epub')).toContainEqual([
    '"a.png" leads to nothing in the book.',
    'EPUB/one.xhtml:1',
    undefined,
  ])
  expect(await problemsOf('rule.epub', '--rules', at('house.yaml'))).toEqual(
    expect.arrayContaining([
      ['Here is an image whose alternative text is empty.', 'EPUB/one.xhtml:3', 11],
      ['Here is a style in the page.', 'EPUB/one.xhtml:1', 66],
      [
        expect.stringContaining('does not match ^Z'),
        expect.stringMatching(/^EPUB\/package\.opf:\d+$/),
        expect.any(Number),
      ],
    ]),
  )
})
