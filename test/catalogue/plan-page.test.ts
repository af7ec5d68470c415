import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mostShown } from '../../src/catalogue/plan-page.ts'
import { bookOf, catalogue, isbns } from '../support/catalogues/catalogue.ts'
import { tableNamed } from '../support/machine/page-tables.ts'

const header = 'file,title,author,isbn'

/** A plan with a book to create, two rows of one key, a row without a file, and a broken one. */
async function planned(...args: string[]) {
  const { write, book, plan, home } = catalogue()
  book('alpha.epub', bookOf('Alpha'))
  write(
    header,
    `alpha.epub,</td><script>alert(1)</script>,Ann,${isbns[0]}`,
    `,Twice,Ann,${isbns[1]}`,
    `,Twice again,Ann,${isbns[1]}`,
    `,Without a file,Ann,${isbns[2]}`,
  )
  const file = join(home, 'plan.html')
  const result = await plan('--report', file, ...args)
  return { ...result, page: existsSync(file) ? readFileSync(file, 'utf8') : '' }
}

describe('catalogue plan --report', () => {
  it('has every step that the plan has, those for people first', async () => {
    const { page, steps } = await planned()
    const titles = [...page.matchAll(/<h2 id="([\w-]+)">([^<]*)<\/h2>/g)].map(([, action, title]) => [
      action,
      title,
    ])
    expect(titles).toEqual([
      ['conflict', 'Conflicts (2)'],
      ['no-file', 'Without a file (1)'],
      ['create', 'To create (1)'],
    ])
    const rows = ['Conflicts', 'Without a file', 'To create'].flatMap(name => tableNamed(page, name))
    expect(rows).toHaveLength(steps.length)
    for (const { why } of steps)
      expect(page).toContain(why.replaceAll('"', '&quot;').replaceAll("'", '&#39;'))
    expect(page).toContain('books.csv, ')
    expect(page).toMatch(/ planned on \d+ \w+ \d{4} at \d\d:\d\d UTC, for the organisation scope_\w+\. /)
    expect(page).toContain('with <code>pubctl catalogue plan</code>')
    for (const [book] of rows) expect(book).toMatch(/^\S.*Ann978/)
  })

  it('shows a hostile title as text', async () => {
    const { page } = await planned()
    expect(page).toContain('&lt;/td&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page).not.toContain('<script')
  })

  it('says what a step changes, and from what', async () => {
    const { write, book, upload, plan, home } = catalogue()
    book('alpha.epub', bookOf('Alpha'))
    write(`${header},description`, `alpha.epub,Alpha,Ann,${isbns[0]},<b>Old</b> & long`)
    await upload()
    write(`${header},description,internal`, `alpha.epub,Alpha,Ann,${isbns[0]},New,true`)
    const file = join(home, 'plan.html')
    await plan('--report', file)
    const page = readFileSync(file, 'utf8')
    expect(page).toContain('there: <bdi>&lt;b&gt;Old&lt;/b&gt; &amp; long</bdi>')
    expect(page).toContain('wanted: <bdi>New</bdi>')
    expect(page).toContain('<li>for the internal reading instance only<')
    expect(tableNamed(page, 'Updates')[0]?.[0]).toContain('AlphaAnn')
  })

  it('says how many steps of a kind it does not list', async () => {
    const { write, plan, home } = catalogue()
    const count = mostShown + 3
    write(header, ...Array.from({ length: count }, (_, at) => `,Title ${at},Ann,`))
    const file = join(home, 'plan.html')
    const { steps } = await plan('--report', file)
    expect(steps).toHaveLength(count)
    const page = readFileSync(file, 'utf8')
    expect(tableNamed(page, 'Without a file')).toHaveLength(mostShown)
    expect(page).toContain('Without a file (1,003)')
    expect(page).toContain('These are the first 1,000 of 1,003; the plan that --out writes has all.')
  })

  it('is refused under another name before anything is read', async () => {
    const { plan, write, home } = catalogue()
    write(header)
    const { code, err } = await plan('--report', join(home, 'plan.pdf'))
    expect(code).toBe(2)
    expect(err).toContain('Its name ends in .html.')
  })
})
