import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { asCode, jobSummary, summaryLimit } from '../../src/pages/job-summary.ts'
import { bookOf, catalogue, isbns } from '../support/catalogues/catalogue.ts'
import { machine } from '../support/machine/pubctl.ts'

/** What CommonMark takes for one block of HTML: it begins with such a tag, and ends at the first blank line. */
const htmlBlocks = /^(?:\n<h3>[^\n]*\n(?:<(?:p|table|tr|\/table)\b[^\n]*\n)*\n)+$/

/** The cells of the rows of a summary, as a browser shows them. */
const rowsOf = (summary: string) =>
  [...summary.matchAll(/<tr>(<td>.*)<\/tr>/g)].map(([, row = '']) =>
    row
      .slice('<td>'.length, -'</td>'.length)
      .split('</td><td>')
      .map(cell =>
        cell
          .replace(/<\/?(?:b|code)>/g, '')
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&#39;', "'")
          .replaceAll('&amp;', '&'),
      ),
  )

/** A job with a summary. */
function job() {
  const { run, folder, ...more } = catalogue()
  const summary = join(folder, 'summary.md')
  writeFileSync(summary, '')
  const env = { GITHUB_STEP_SUMMARY: summary }
  return {
    ...more,
    ...{ folder, summary },
    run: (args: readonly string[], options = {}) => run(args, { env, ...options }),
    read: () => readFileSync(summary, 'utf8'),
  }
}

describe('--summary', () => {
  it('of an upload says what became of each book, failures first', async () => {
    const { run, folder, read } = job()
    mkdirSync(join(folder, 'books'))
    for (const name of ['a', 'b']) writeFileSync(join(folder, `books/${name}.epub`), bookOf(name))
    writeFileSync(join(folder, 'books/c.epub'), 'no book')
    const { code } = await run(['publications', 'upload', join(folder, 'books'), '--summary'])
    expect(code).toBe(10)
    const text = read()
    expect(text).toMatch(htmlBlocks)
    expect(text).toContain('<p>2 uploaded, 1 failed.</p>')
    expect(rowsOf(text).map(([book, outcome]) => [book?.slice(folder.length), outcome])).toEqual([
      ['/books/c.epub', 'failed'],
      ['/books/a.epub', 'uploaded'],
      ['/books/b.epub', 'uploaded'],
    ])
  })

  it('of a plan and of apply says what is to be done, and what was done, one after the other', async () => {
    const { run, write, book, folder, sheet, read } = job()
    book('sea.epub', bookOf('Sea'))
    write('file,title,isbn', `sea.epub,The Sea,${isbns[0]}`, `,No File,${isbns[1]}`)
    const plan = join(folder, 'plan.ndjson')
    expect((await run(['catalogue', 'plan', sheet, '--out', plan, '--summary'])).code).toBe(0)
    expect(rowsOf(read()).map(([step, title, key]) => [step, title, key])).toEqual([
      ['no-file', 'No File', isbns[1]],
      ['create', 'The Sea', isbns[0]],
    ])
    expect((await run(['catalogue', 'apply', plan, '--dry-run', '--summary'])).code).toBe(0)
    expect(read()).toContain('<p>This was a dry run: nothing was changed.</p>')
    expect((await run(['catalogue', 'apply', plan, '--shard', '1/1', '--summary'])).code).toBe(0)
    const text = read()
    expect(text).toMatch(htmlBlocks)
    expect([...text.matchAll(/<h3>(.*)<\/h3>/g)].map(([, title]) => title)).toEqual([
      'Plan of the catalogue',
      'What would be done',
      'The plan was carried out',
    ])
    expect(text).toContain('<p>Shard 1/1: 2 of 2. 1 uploaded, 1 conflict.</p>')
  })

  it('of a dry run says what would be done, and what could not be', async () => {
    const { run, folder, read } = job()
    mkdirSync(join(folder, 'books'))
    writeFileSync(join(folder, 'books/a.epub'), bookOf('A'))
    writeFileSync(join(folder, 'books/b.epub'), 'no book')
    const { code } = await run(['publications', 'upload', join(folder, 'books'), '--dry-run', '--summary'])
    expect(code).toBe(10)
    expect(rowsOf(read()).map(([step, title]) => [step, title])).toEqual([
      ['failed', ''],
      ['create', 'A'],
    ])
  })

  const hostile = [
    '</code></td></tr></table><script>alert(1)</script>',
    '[x](javascript:alert(1)) ![i](https://evil.example/i.png) @everyone #1 :tada: `a`',
    '<img src=x onerror=alert(1)>',
    '| a | b |\n\n# Heading\n\n```',
    '\u202eevil\u0007\u001b[2J &lt;b&gt;',
  ]
  it.each(hostile)('shows a title as it is, without its being anything: %j', async title => {
    const { run, write, book, sheet, read } = job()
    book('sea.epub', bookOf('Sea'))
    write('file,title,isbn', `sea.epub,"${title}",${isbns[0]}`)
    expect((await run(['catalogue', 'plan', sheet, '--summary'])).code).toBe(0)
    const text = read()
    expect(text).toMatch(htmlBlocks)
    expect([...text.matchAll(/<\/?([a-z0-9]+)/g)].map(([, tag]) => tag)).not.toContain('script')
    expect(new Set([...text.matchAll(/<\/?([a-z0-9]+)/g)].map(([, tag]) => tag))).toEqual(
      new Set(['h3', 'p', 'table', 'tr', 'th', 'td', 'b', 'code']),
    )
    const [[, shown] = []] = rowsOf(text)
    expect(shown).toBe(
      title
        .replace(/\s+/g, ' ')
        .replace('\u202e', '\\u202e')
        .replace('\u0007', '\\u0007')
        .replace('\u001b', '\\u001b'),
    )
  })

  it('is refused where there is no job, before anything is sent', async () => {
    const { run } = machine()
    for (const env of [{}, { GITHUB_STEP_SUMMARY: '' }]) {
      for (const args of [
        ['publications', 'upload', 'book.epub'],
        ['catalogue', 'plan', 'books.csv'],
        ['catalogue', 'apply', 'plan.ndjson'],
      ]) {
        const { code, out, err } = await run([...args, '--summary', '--json'], { env })
        expect({ code, out, ...JSON.parse(err).error }).toMatchObject({
          code: 'no_summary',
          exitCode: 2,
          out: '',
        })
      }
    }
  })

  it('is written through no link', async () => {
    const { run, folder, sheet, write } = job()
    write('title,isbn', `The Sea,${isbns[0]}`)
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'link'))
    const env = { GITHUB_STEP_SUMMARY: join(folder, 'link') }
    const { code, err } = await run(['catalogue', 'plan', sheet, '--summary', '--json'], { env })
    expect({ code, ...JSON.parse(err).error }).toMatchObject({ code: 'file_unwritable', exitCode: 2 })
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false)
  })

  it('is left out with a warning when the summary is full', async () => {
    const { run, sheet, write, summary, read } = job()
    write('title,isbn', `The Sea,${isbns[0]}`)
    writeFileSync(summary, 'x'.repeat(summaryLimit - 100))
    const { code, err } = await run(['catalogue', 'plan', sheet, '--summary', '--json'])
    expect(code).toBe(0)
    expect(err).toContain('"summary_full"')
    expect(read().length).toBe(summaryLimit - 100)
  })
})

describe('a job summary that is too long', () => {
  it('fits the room that there is, to the byte, and says how many rows it leaves out', () => {
    const rows = Array.from({ length: 30_000 }, (_, index) => [asCode(`Bücher & mehr ${index}`), 'create'])
    const text = jobSummary(
      { title: 'Plan', lead: [], columns: ['Title', 'Step'], rows, count: rows.length },
      summaryLimit,
    ) as string
    const bytes = Buffer.byteLength(text)
    expect(bytes).toBeLessThanOrEqual(summaryLimit)
    expect(bytes).toBeGreaterThan(summaryLimit - 1000)
    expect(text).toMatch(htmlBlocks)
    const [, left] = /(\d+) more are left out, because GitHub shows 1 MiB at most/.exec(text) ?? []
    expect(Number(left) + rowsOf(text).length).toBe(30_000)
  })
})
