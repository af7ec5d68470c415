import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlanStep } from '../../src/plan/plan-step.ts'
import type { Receipt } from '../../src/uploads/receipt.ts'
import { makeBook } from '../support/books/make-book.ts'
import { bookOf, catalogue, isbns } from '../support/catalogues/catalogue.ts'
import { identifier, message, record, title } from '../support/catalogues/onix.ts'
import { isSlow } from '../support/machine/slow.ts'
import { sandbox } from '../support/servers/sandbox.ts'

const header = 'file,title,author,isbn'

describe('a row whose ISBN changed', () => {
  it('is a conflict until --new or a map settles it, and the old one is in no source', async () => {
    const { write, book, plan, upload } = catalogue()
    book('alpha.epub', bookOf('Alpha'))
    write(header, `alpha.epub,Alpha,Ann,${isbns[0]}`)
    await upload()
    write(header, `alpha.epub,Alpha,Ann,${isbns[1]}`)
    const { code, steps } = await plan('--orphans', '--detailed-exitcode')
    const id = steps[0]?.publicationId
    expect({ code, steps }).toMatchObject({
      code: 14,
      steps: [
        {
          action: 'conflict',
          key: isbns[1],
          why: `the same file is at the service as ${id} with the ISBN ${isbns[0]}`,
          hint: expect.stringMatching(/publicationId.*--new/),
          send: null,
        },
        { action: 'orphan', key: isbns[0], publicationId: id },
      ],
    })
    expect((await plan('--orphans', '--new')).actions).toEqual(['create', 'orphan'])
    write(`${header},publicationId`, `alpha.epub,Alpha,Ann,${isbns[1]},${id}`)
    expect((await plan('--orphans')).steps).toMatchObject([{ action: 'blocked', fields: ['isbn'] }])
    expect((await plan('--orphans', '--reissue')).actions).toEqual(['edition'])
    write(header, `alpha.epub,Alpha,Ann,${isbns[1]}`, `,Alpha,Ann,${isbns[0]}`)
    expect((await plan('--orphans')).actions).toEqual(['conflict', 'skip'])
  })

  // Windows deletes no journal that this process has open.
  it.skipIf(process.platform === 'win32')(
    'is a conflict also where only size and title are known to be the same',
    async () => {
      const { baseUrl, key } = await sandbox()
      const { write, book, plan, upload, home } = catalogue({
        PUBCTL_BASE_URL: baseUrl,
        PUBCTL_API_KEY: key('full'),
      })
      book('alpha.epub', bookOf('Alpha'))
      write(header, `alpha.epub,Alpha,Ann,${isbns[0]}`)
      await upload()
      rmSync(`${home}/.local`, { recursive: true })
      write(header, `alpha.epub,Alpha,Ann,${isbns[1]}`)
      const [step, ...more] = (await plan('--orphans')).steps
      expect(step).toMatchObject({
        ...{ action: 'conflict', proof: 'unproven' },
        why: `a file of its title and size is at the service as ${step?.publicationId} with the ISBN ${isbns[0]}`,
      })
      expect(more).toMatchObject([{ action: 'orphan' }])
      book('alpha.epub', bookOf('Alpha', 'Another text.'))
      expect((await plan('--orphans')).actions).toEqual(['create', 'orphan'])
    },
  )
})

describe('records that are ignored or cannot be used', () => {
  it('keep their ISBN and title in plan, page and receipts, and are no orphans', async () => {
    const { write, book, upload, folder, run } = catalogue()
    for (const name of ['one', 'two']) book(`${name}.epub`, bookOf(name))
    write(header, `one.epub,One,Ann,${isbns[0]}`, `two.epub,Two,Ann,${isbns[1]}`)
    await upload()
    const of = (reference: string, isbn: string, name: string, more: Parameters<typeof record>[0] = {}) =>
      record({
        ...{ reference, identifiers: identifier('15', isbn), title: title({ TitleText: name }) },
        ...more,
      })
    const [feed, out, page, report] = ['feed.xml', 'plan.ndjson', 'plan.html', 'receipts.html'].map(name =>
      join(folder, name),
    ) as [string, string, string, string]
    writeFileSync(
      feed,
      message(
        of('formless', isbns[0], 'One', { form: '' }),
        of('early', isbns[1], 'Two', { notification: '02' }),
        of('printed', '978-0-19-852663-6', 'Three', { form: '<ProductForm>BC</ProductForm>' }),
        of('wrong', '9783161484109', 'Four'),
        of('nameless', '9780007232833', '', { title: '' }),
        record({ reference: 'unidentified', identifiers: '', title: title({ TitleText: 'Six' }) }),
      ),
    )
    const args = ['catalogue', 'plan', feed, '--orphans', '--json']
    const { code, out: printed } = await run([...args, '--out', out, '--report', page])
    const steps: PlanStep[] = JSON.parse(printed)
    const facts = steps.map(({ action, key, title }) => [action, key, title])
    expect({ code, facts }).toEqual({
      code: 10,
      facts: [
        ['broken', isbns[0], 'One'],
        ['ignored', isbns[1], 'Two'],
        ['ignored', isbns[2], 'Three'],
        ['broken', '9783161484109', 'Four'],
        ['broken', '9780007232833', null],
        ['broken', null, 'Six'],
      ],
    })
    const shown = readFileSync(page, 'utf8')
    for (const [, key, title] of facts) expect(shown).toContain(title ?? key)
    const applied = await run(['catalogue', 'apply', out, '--json', '--report', report])
    expect(applied.code).toBe(0)
    const receipts = JSON.parse(applied.out).map(({ outcome, key, title }: Receipt) => [outcome, key, title])
    expect(receipts).toEqual(
      facts.map(([action, key, title]) => [action === 'broken' ? 'conflict' : 'skipped', key, title]),
    )
    for (const name of ['One', 'Two', 'Three', 'Four', '9780007232833', 'Six'])
      expect(readFileSync(report, 'utf8')).toContain(`<bdi>${name}</bdi>`)
    const { out: table } = await run(['catalogue', 'plan', feed], { columns: 80 })
    expect(table).not.toContain('Three')
  })
})

describe('a sheet that has only keys and a column publicationId', () => {
  it('says which publications the records of a feed are', async () => {
    const { write, book, upload, folder, run } = catalogue()
    for (const name of ['one', 'two']) book(`${name}.epub`, bookOf(name))
    write(header, `one.epub,One,Ann,${isbns[0]}`, `two.epub,Two,Ann,${isbns[1]}`)
    await upload()
    const listed = JSON.parse((await run(['publications', 'list', '--json', '--search', 'One'])).out)
    const { publicationId: id } = listed[0]
    const [feed, map] = ['feed.xml', 'map.csv'].map(name => join(folder, name)) as [string, string]
    writeFileSync(
      feed,
      message(record({ identifiers: identifier('15', isbns[2]), title: title({ TitleText: 'One' }) })),
    )
    const plan = async (rows: string[], sources = [feed, map]) => {
      writeFileSync(map, `${rows.join('\n')}\n`)
      const { code, out, err } = await run(['catalogue', 'plan', ...sources, '--orphans', '--json'])
      return { code, err, steps: out === '' ? [] : (JSON.parse(out) as PlanStep[]) }
    }
    const alone = await plan(['isbn,publicationId'], [feed])
    expect(alone.steps).toMatchObject([{ action: 'no-file' }, { action: 'orphan' }, { action: 'orphan' }])
    for (const sources of [
      [feed, map],
      [map, feed],
    ]) {
      const { steps } = await plan(['isbn,publicationId', `${isbns[2]},${id}`], sources)
      expect(steps).toMatchObject([
        { action: 'blocked', key: isbns[2], publicationId: id, fields: ['isbn'], from: { onix: feed } },
        { action: 'orphan', key: isbns[1] },
      ])
    }
    const [two] = JSON.parse((await run(['publications', 'list', '--json', '--search', 'Two'])).out)
    const { steps } = await plan(['isbn,publicationId', `${isbns[1]},${two.publicationId}`])
    expect(steps).toMatchObject([
      { action: 'no-file' },
      {
        action: 'ignored',
        key: isbns[1],
        why: 'it only says which publication a book is that is in no other sheet or message',
      },
      { action: 'orphan', key: isbns[0] },
    ])
    const twice = await plan(['isbn,publicationId', `${isbns[2]},${id}`, `${isbns[2]},${two.publicationId}`])
    expect(twice).toMatchObject({
      code: 2,
      err: expect.stringMatching(/row 2 of .*map\.csv names pub_\w+, and row 3 of .*map\.csv names pub_/),
    })
  })
})

describe('a file with the ISBN of another book', () => {
  /** A book that has an ISBN in it. */
  const bookWith = (name: string, isbn: string) =>
    makeBook({
      metadata: `<dc:identifier>urn:isbn:${isbn}</dc:identifier><dc:title>${name}</dc:title><dc:creator>Own</dc:creator><dc:language>en</dc:language>`,
    })

  it('goes with a warning, and is a conflict if its title is another as well, until --new', async () => {
    const { write, book, plan, folder, sheet, run } = catalogue()
    const file = book('alpha.epub', bookWith('The Sea', isbns[1]))
    book('beta.epub', bookWith('Beta', isbns[2]))
    write(header, `alpha.epub,The Sea: A Story,Ann,${isbns[0]}`, `beta.epub,Beta,Ann,${isbns[2]}`)
    const [out, page] = [join(folder, 'plan.ndjson'), join(folder, 'plan.html')]
    const warning = {
      code: 'other_isbn',
      message: `${file} has the ISBN ${isbns[1]} and the title "The Sea", and row 2 of ${sheet} has the ISBN ${isbns[0]}`,
    }
    const { steps, err } = await plan('--out', out, '--report', page)
    expect(steps).toMatchObject([
      { action: 'create', warnings: [warning] },
      { action: 'create', warnings: [] },
    ])
    expect(JSON.parse(err.split('\n')[0] as string).warning).toMatchObject(warning)
    expect(readFileSync(page, 'utf8')).toContain(`has the ISBN ${isbns[1]} and the title`)
    write(header, `alpha.epub,Another,Ann,${isbns[0]}`)
    expect((await plan()).steps).toMatchObject([
      { action: 'conflict', why: `${file} says that it is "The Sea" with the ISBN ${isbns[1]}`, send: null },
    ])
    expect((await plan('--new')).steps).toMatchObject([{ action: 'create', warnings: [warning] }])
    for (const [at, name] of ['csv', 'xml', 'html', 'json'].entries()) {
      const report = join(folder, `receipts.${name}`)
      const applied = await run(['catalogue', 'apply', out, '--json', '--report', report])
      expect(applied.code).toBe(0)
      if (at === 0)
        expect(JSON.parse(applied.out)[0]).toMatchObject({ outcome: 'uploaded', warnings: [warning] })
      expect(readFileSync(report, 'utf8')).toContain(`has the ISBN ${isbns[1]}`)
    }
  })

  it.runIf(isSlow)(
    'is said of what is uploaded from a sheet as well, and is sent in spite of both with --again',
    async () => {
      const { write, book, folder, sheet, run } = catalogue()
      const sea = book('sea.epub', bookWith('The Sea', isbns[1]))
      const other = book('other.epub', bookWith('Other', isbns[1]))
      write(header, `sea.epub,The Sea: A Story,Ann,${isbns[0]}`, `other.epub,Land,Ann,${isbns[2]}`)
      const warnings = [
        {
          code: 'other_isbn',
          message: `${sea} has the ISBN ${isbns[1]} and the title "The Sea", and row 2 of ${sheet} has the ISBN ${isbns[0]}`,
        },
      ]
      const why = `${other} says that it is "Other" with the ISBN ${isbns[1]}`
      const upload = async (...args: string[]) => {
        const { code, out, err } = await run(['publications', 'upload', ...args, '--json'])
        return { code, result: JSON.parse(out), err }
      }
      expect(await upload('--manifest', sheet, '--dry-run')).toMatchObject({
        result: [
          { action: 'create', warnings },
          { action: 'conflict', why, hint: expect.stringMatching(/--again/), requests: [] },
        ],
        err: expect.stringContaining('other_isbn'),
      })
      const reports = ['csv', 'xml', 'html', 'json'].map(name => join(folder, `receipts.${name}`))
      for (const report of reports) {
        expect(await upload('--manifest', sheet, '--report', report)).toMatchObject({
          code: 10,
          result: [
            report === reports[0] ? { outcome: 'uploaded', warnings } : {},
            { outcome: 'conflict', why },
          ],
        })
        expect(readFileSync(report, 'utf8')).toContain('says that it is')
        if (report === reports[0]) expect(readFileSync(report, 'utf8')).toContain(`has the ISBN ${isbns[1]}`)
      }
      expect(await upload('--manifest', sheet, '--again')).toMatchObject({
        code: 0,
        result: [{ warnings }, { outcome: 'uploaded', warnings: [{ code: 'other_isbn' }] }],
      })
      // Whoever names the file, its ISBN and its title means this file.
      const shore = book('shore.epub', bookWith('Coast', isbns[1]))
      const named = await upload(shore, '--isbn', isbns[2], '--title', 'Shore')
      expect(named).toMatchObject({
        code: 0,
        result: {
          outcome: 'uploaded',
          warnings: [
            { code: 'other_isbn', message: expect.stringContaining(`it is given the ISBN ${isbns[2]}`) },
          ],
        },
      })
    },
  )
})
