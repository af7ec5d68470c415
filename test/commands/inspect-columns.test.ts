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
    { place: 'EPUB/one.xhtml:4', message: '"b.png" leads to nothing in the book.' },
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
  expect(other.relatedLocations[0].physicalLocation.region).toEqual({ startLine: 4 })
  expect(sarif.artifacts).toEqual([
    { location: { uri: expect.stringMatching(/a\.epub$/) } },
    { location: { uri: 'EPUB/one.xhtml' }, parentIndex: 0 },
  ])
})
