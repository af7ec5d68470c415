import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { makeBook } from '../support/books/make-book.ts'
import { machine } from '../support/machine/pubctl.ts'

const bookWith = (body: string, { title = 'A Title', isbn = '9783161484100' } = {}) =>
  makeBook({
    metadata: `<dc:identifier>urn:isbn:${isbn}</dc:identifier><dc:title>${title}</dc:title><dc:creator>A</dc:creator><dc:language>en</dc:language>`,
    entries: { 'EPUB/one.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><body>${body}</body></html>` },
  })
const image = (name: string) => `<p><img alt="" src="${name}.png"/></p>\n`
const house =
  'baseline: known.json\nrules:\n  - { id: house-title, severity: error, check: { title: { not: "^A" } } }\n'

/** A book with an error and a warning, and the rules of a house that name a baseline. */
function withHouse() {
  const own = machine()
  const at = (name: string) => `${own.home}/${name}`
  writeFileSync(at('a.epub'), bookWith(image('gone')))
  writeFileSync(at('house.yaml'), house)
  const inspect = (...args: string[]) =>
    own.run(['inspect', ...args, '--strict', '--rules', at('house.yaml')])
  const write = (...args: string[]) => inspect(...args, '--write-baseline', at('known.json'))
  const known = () => JSON.parse(readFileSync(at('known.json'), 'utf8'))
  return { ...own, at, inspect, write, known }
}

const problemsOf = ({ out }: { out: string }) => JSON.parse(out).problems

it('what is found is written as known, and from then on new problems alone fail', async () => {
  const { at, inspect, write, known } = withHouse()
  const missing = await inspect(at('a.epub'))
  expect([missing.code, missing.err]).toEqual([
    2,
    expect.stringContaining(`there is no baseline ${at('known.json')}`),
  ])
  const written = await write(at('a.epub'), '--json')
  expect(written.code).toBe(0)
  const again = await write(at('a.epub'), '-o', 'table')
  expect([again.code, again.err]).toEqual([0, `${at('known.json')} has 2 known problems of 1 book.\n`])
  const reference = { code: 'reference_missing', place: 'EPUB/one.xhtml', count: 1 }
  expect(known()).toEqual({
    books: [
      { file: 'a.epub', isbn: '9783161484100', faults: [{ code: 'house-title', count: 1 }, reference] },
    ],
  })

  mkdirSync(at('moved'))
  renameSync(at('a.epub'), at('moved/renamed.epub'))
  const same = await inspect(at('moved/renamed.epub'), '--json')
  expect(same.code).toBe(0)
  const message = '2 problems are known by known.json: 1 house-title, 1 reference_missing.'
  expect(problemsOf(same)).toMatchObject([
    { severity: 'information', code: 'house-title', known: 'error' },
    { severity: 'information', code: 'reference_missing', known: 'warning' },
    { severity: 'information', code: 'baseline_known', message },
  ])
  expect(problemsOf(written)).toEqual(problemsOf(same))

  writeFileSync(at('moved/renamed.epub'), bookWith(`\n\n${image('new')}${image('gone')}`, { title: 'B' }))
  const changed = await inspect(at('moved/renamed.epub'), '--json')
  expect(changed.code).toBe(2)
  expect(problemsOf(changed)).toMatchObject([
    { severity: 'warning', code: 'reference_missing' },
    { severity: 'warning', code: 'reference_missing' },
    { code: 'baseline_gone', message: '1 problem is in known.json and gone: 1 house-title.' },
  ])
})

it('a terminal and all reports say what is known', async () => {
  const { at, write, run } = withHouse()
  await write(at('a.epub'))
  writeFileSync(at('b.epub'), bookWith(image('gone'), { isbn: '9780306406157' }))
  const rules = ['--rules', at('house.yaml')]
  const shown = await run(['inspect', at('a.epub'), at('b.epub'), ...rules], { columns: 80 })
  expect(shown.out).toMatch(/a\.epub.* 2 known/)
  expect(shown.out).toContain(': 2 problems are known by known.json: 1 house-title, 1')
  expect(shown.out.match(/reference_missing|leads to nothing/g)).toHaveLength(2)
  expect(shown.err).toContain('2 books: 1 with errors, 1 with remarks. 2 problems are known.\n')

  const report = async (name: string) => {
    await run(['inspect', at('a.epub'), at('b.epub'), ...rules, '--report', at(name)])
    return readFileSync(at(name), 'utf8')
  }
  const { results } = JSON.parse(await report('report.sarif')).runs[0]
  const suppressed = results.map(
    ({ ruleId, level, suppressions }: { ruleId: string; level: string; suppressions: unknown }) =>
      [ruleId, level, JSON.stringify(suppressions)].join(' '),
  )
  expect(suppressed).toEqual([
    ...['house-title error []', 'reference_missing warning []'],
    'house-title error [{"kind":"external"}]',
    'reference_missing warning [{"kind":"external"}]',
    'baseline_known note []',
  ])
  const junit = await report('report.xml')
  expect(junit).toContain('failures="1"')
  expect(junit).toContain('known error: The title is')
  expect(await report('report.csv')).toMatch(/house-title.*,error,/)
  expect(await report('report.html')).toContain('Known error')
  expect(JSON.parse(await report('report.json'))[1].problems[0]).toMatchObject({ known: 'error' })
})

describe('a baseline', () => {
  it('keeps what it knows of books that were not inspected, and loses what is gone', async () => {
    const { at, write, known } = withHouse()
    writeFileSync(at('b.epub'), bookWith(image('gone'), { isbn: '9780306406157' }))
    await write(at('a.epub'), at('b.epub'))
    writeFileSync(at('b.epub'), bookWith('', { isbn: '9780306406157', title: 'B' }))
    writeFileSync(at('c.epub'), bookWith('', { isbn: '9791091146135' }))
    await write(at('b.epub'), at('c.epub'))
    expect(
      known().books.map(({ file, faults }: { file: string; faults: unknown[] }) => [file, faults.length]),
    ).toEqual([
      ['a.epub', 2],
      ['c.epub', 1],
    ])
  })

  it('is refused where it is something else, and nothing is written over it', async () => {
    const { at, run, inspect } = withHouse()
    const over = await run(['inspect', at('a.epub'), '--write-baseline', at('house.yaml')])
    expect([over.code, over.err]).toEqual([2, expect.stringContaining('house.yaml is no baseline\n')])
    expect(readFileSync(at('house.yaml'), 'utf8')).toBe(house)
    writeFileSync(at('known.json'), '{"books":[{"file":"a.epub","faults":[{"code":"a","count":0}]}]}')
    const wrong = await inspect(at('a.epub'))
    expect([wrong.code, wrong.err]).toEqual([
      2,
      expect.stringContaining('known.json is no baseline: books.0.faults.0.count: '),
    ])
    const apart = await run(['inspect', at('a.epub'), '--rights', '--write-baseline', at('new.json')])
    expect([apart.code, apart.err]).toEqual([2, expect.stringContaining('cannot be used with --rights')])
  })

  it('holds in a plan and in a watched folder', async () => {
    const { at, write, sandbox } = withHouse()
    writeFileSync(at('b.epub'), bookWith('', { isbn: '9780306406157' }))
    await write(at('a.epub'))
    writeFileSync(at('books.csv'), 'file,isbn\na.epub,9783161484100\nb.epub,9780306406157\n')
    const rules = ['--rules', at('house.yaml')]
    const planned = await sandbox(['catalogue', 'plan', at('books.csv'), ...rules, '--json'])
    expect(planned.code).toBe(10)
    expect(JSON.parse(planned.out)).toMatchObject([
      { key: '9783161484100', action: 'create' },
      { key: '9780306406157', action: 'broken', why: expect.stringContaining('The title is') },
    ])
    expect(planned.err).toContain('2 problems are known by known.json')

    mkdirSync(at('in'))
    for (const name of ['a.epub', 'b.epub']) renameSync(at(name), at(`in/${name}`))
    const once = ['--once', '--quiet-period', '0s', '--scan', '20ms', '--no-wait', '--json']
    const watched = await sandbox(['watch', at('in'), ...once, ...rules])
    expect([watched.code, watched.err]).toEqual([
      10,
      expect.stringContaining('2 problems are known by known.json'),
    ])
    expect(readdirSync(at('in/done')).filter(name => name.endsWith('.epub'))).toEqual(['a.epub'])
    expect(readdirSync(at('in/failed')).filter(name => name.endsWith('.epub'))).toEqual(['b.epub'])
  })

  it('holds in uploads, which say how much is known, and for no file that is no book', async () => {
    const { at, write, run } = withHouse()
    writeFileSync(at('letter.epub'), 'Dear Sir')
    const written = await write(at('a.epub'), at('letter.epub'))
    expect([written.code, written.err]).toEqual([2, expect.stringContaining('letter.epub')])
    const upload = (...args: string[]) =>
      run(['--profile', 'sandbox', 'publications', 'upload', at('a.epub'), '--no-wait', '--strict', ...args])
    const sent = await upload('--rules', at('house.yaml'))
    expect([sent.code, sent.err]).toEqual([0, expect.stringContaining('2 problems are known by known.json')])
    writeFileSync(at('bare.yaml'), house.replace('baseline: known.json\n', ''))
    expect((await upload('--rules', at('bare.yaml'))).code).toBe(2)
  })
})
