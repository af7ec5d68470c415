import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseXml } from '../../src/books/xml.ts'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { makeBook } from '../support/books/make-book.ts'
import { machine, type Result } from '../support/machine/pubctl.ts'
import { removeFolder } from '../support/machine/remove-folder.ts'
import { sarifFaults } from '../support/sarif/validator.ts'

const files = ['sound.epub', 'a "warned" & <odd> book.epub', 'broken.epub', 'letter.txt']

/** A sound book, one with warnings, one with an error and a warning, and something else. */
async function withBooks(home?: string) {
  const own = machine({}, home)
  const at = (name: string) => join(own.home, name)
  const [sound, warned, broken, letter] = files.map(at) as [string, string, string, string]
  writeFileSync(sound, await makeExampleEpub({ title: 'Sound' }))
  writeFileSync(warned, makeBook({ metadata: '<dc:title>Warned</dc:title>' }))
  writeFileSync(broken, makeBook({ spine: '<itemref idref="missing"/>' }))
  writeFileSync(letter, 'Dear Sir or Madam')
  const books = [sound, warned, broken, letter]
  const inspect = (...args: string[]) => own.run(['inspect', ...books, ...args])
  return { ...own, at, inspect, books, sound, warned, broken, letter }
}

describe('a report of problems', () => {
  const reports: Record<string, string> = {}
  let result: Result
  let strict = ''
  let scene: Awaited<ReturnType<typeof withBooks>>
  const home = mkdtempSync(join(tmpdir(), 'pubctl-reports-'))
  afterAll(() => removeFolder(home))
  beforeAll(async () => {
    scene = await withBooks(home)
    for (const extension of ['json', 'csv', 'xml', 'sarif', 'html']) {
      const path = scene.at(`report.${extension}`)
      result = await scene.inspect('--report', path)
      reports[extension] = readFileSync(path, 'utf8')
    }
    await scene.inspect('--strict', '--report', scene.at('strict.xml'))
    strict = readFileSync(scene.at('strict.xml'), 'utf8')
  })

  it('is named, with all books in a line, and ends as without one', () => {
    expect(result.code).toBe(2)
    expect(result.err).toContain(
      '4 books: 1 unreadable, 1 with errors, 1 with warnings, 1 without problems.\n',
    )
    expect(result.err).toContain(`The report is in ${scene.at('report.html')}.\n`)
  })

  it('is JSON, the gravest first', () => {
    const rows = JSON.parse(reports['json'] ?? '')
    expect(rows.map(({ file }: { file: string }) => file)).toEqual([
      ...[scene.letter, scene.broken, scene.warned, scene.sound],
    ])
    expect(rows[0]).toMatchObject({ problems: [], error: { code: 'not_a_book' } })
    expect(rows[1]).toMatchObject({
      type: 'EPUB',
      problems: [
        { severity: 'error', code: 'spine_item_unknown', place: 'EPUB/package.opf:9' },
        { severity: 'warning' },
      ],
    })
  })

  it('is CSV with a row for each problem', () => {
    const [head, ...rows] = (reports['csv'] ?? '').trimEnd().split(/\r?\n/)
    expect(head).toMatch(/^"?file"?,.*problems\.severity"?,"?problems\.code/)
    expect(rows).toHaveLength(1 + 2 + 2 + 1)
  })

  it('is JUnit, in which a book fails by its errors, and with --strict by its warnings', () => {
    const caseOf = (text: string) =>
      [...text.matchAll(/<testcase [^>]*name="([^"]*)">(<failure type="([^"]*)")?/g)].map(
        ([, name = '', , type]) => [name.split('/').at(-1), type],
      )
    expect(parseXml(Buffer.from(reports['xml'] ?? '')).root?.name).toBe('testsuites')
    const odd = 'a &quot;warned&quot; &amp; &lt;odd&gt; book.epub'
    expect(caseOf(reports['xml'] ?? '')).toEqual([
      ['letter.txt', 'not_a_book'],
      ['broken.epub', 'spine_item_unknown'],
      [odd, undefined],
      ['sound.epub', undefined],
    ])
    expect(reports['xml']).toContain('tests="4" failures="2"')
    expect(strict).toContain('tests="4" failures="3"')
  })

  it('is SARIF, with a rule for each kind and an address for each book', () => {
    const { version, runs } = JSON.parse(reports['sarif'] ?? '')
    expect(version).toBe('2.1.0')
    const [{ tool, results }] = runs
    const rules = tool.driver.rules.map(({ id }: { id: string }) => id)
    expect(new Set(rules).size).toBe(rules.length)
    expect(results).toHaveLength(1 + 2 + 2)
    for (const { ruleId, ruleIndex } of results) expect(rules[ruleIndex]).toBe(ruleId)
    expect(sarifFaults(reports['sarif'] ?? '')).toEqual([])
    expect(results.map(({ level }: { level: string }) => level)).toEqual([
      ...['error', 'error', 'warning', 'warning', 'warning'],
    ])
    const [{ physicalLocation, logicalLocations }] = results[3].locations
    expect(physicalLocation.artifactLocation.uri).toMatch(
      /^file:\/\/.*a%20%22warned%22%20&%20%3Codd%3E%20book\.epub$/,
    )
    expect(logicalLocations).toMatchObject([{ fullyQualifiedName: 'EPUB/package.opf:3' }])
  })

  it('is a page on which what others wrote is text', () => {
    expect(reports['html']).toContain('<h2 id="error">Have errors (1)</h2>')
    expect(reports['html']).toContain('a &quot;warned&quot; &amp; &lt;odd&gt; book.epub')
    expect(reports['html']).not.toContain('<odd>')
  })
})

it('--only-problems leaves out the books without any, from what is shown and from the report', async () => {
  const { inspect, at, sound } = await withBooks()
  const { out } = await inspect('--only-problems', '-o', 'ndjson', '--report', at('some.json'))
  expect(out.trimEnd().split('\n')).toHaveLength(2)
  expect(out).not.toContain(sound)
  expect(JSON.parse(readFileSync(at('some.json'), 'utf8'))).toHaveLength(3)
})

it('a terminal leaves the table of several books to the report, and says all else', async () => {
  const { run, at, books, broken } = await withBooks()
  const { code, out, err } = await run(['inspect', ...books, '--report', at('report.html')], { columns: 80 })
  expect({ code, out }).toEqual({ code: 2, out: '' })
  for (const line of ['4 books: 1 unreadable', 'The report is in', '2 of 4 books have errors'])
    expect(err).toContain(line)
  const alone = await run(['inspect', broken, '--report', at('alone.html')], { columns: 80 })
  expect(alone.out).toContain('broken.epub')
})

it('a report of a name that no format has is refused before a book is read', async () => {
  const { inspect, at } = await withBooks()
  const { code, out, err } = await inspect('--report', at('report.doc'))
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/no report can be written as \S+report\.doc\n.*\.html, \.csv, \.json, \.xml, \.sarif/)
})
