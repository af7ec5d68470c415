import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { makeBook } from '../support/books/make-book.ts'
import { environment } from '../support/machine/bin.ts'
import { fakeEpubCheck, fakeText } from '../support/machine/fake-epubcheck.ts'
import { programBesidePackages } from '../support/machine/program-copy.ts'
import { machine } from '../support/machine/pubctl.ts'

const isbns = ['9783161484100', '9780306406157']

/** A machine with a sheet of two books, of which EPUBCheck finds one wrong. */
function withSheet(version?: string) {
  const own = machine()
  const at = (name: string) => join(own.home, name)
  for (const name of ['sound.epub', 'wrong.epub'])
    writeFileSync(
      at(name),
      makeBook({ metadata: `<dc:title>${name}</dc:title><dc:language>en</dc:language>` }),
    )
  writeFileSync(at('books.csv'), `file,isbn\nsound.epub,${isbns[0]}\nwrong.epub,${isbns[1]}\n`)
  const programs = at('programs')
  const PATH = fakeEpubCheck(programs, version)
  return {
    ...{ at, by: fakeText(programs, version) },
    run: (...args: string[]) => own.sandbox(args, { env: { PATH } }),
    /** On a machine without EPUBCheck. */
    without: (...args: string[]) => own.sandbox(args, { env: { PATH: '' } }),
    checked: () =>
      readFileSync(join(programs, 'checked'), 'utf8')
        .trimEnd()
        .split('\n')
        .map(each => basename(each)),
  }
}

describe('a plan with --epubcheck', () => {
  it('leaves out what EPUBCheck finds wrong, and says who has checked each book', async () => {
    const { run, at, by, checked } = withSheet()
    const { code, out, err } = await run('catalogue', 'plan', at('books.csv'), '--epubcheck', '--json')
    expect([code, JSON.parse(err.trim().split('\n').at(-1) ?? '').error.code]).toEqual([10, 'rows_broken'])
    const checkedBy = [{ name: 'EPUBCheck', version: '5.3.0' }]
    expect(JSON.parse(out)).toMatchObject([
      { key: isbns[0], action: 'create', checkedBy },
      { key: isbns[1], action: 'broken', why: expect.stringContaining('It is wrong (EPUBCheck)'), checkedBy },
    ])
    expect(checked().sort()).toEqual(['sound.epub', 'wrong.epub'])
    const shown = await run('catalogue', 'plan', at('books.csv'), '--epubcheck', '--report', at('plan.html'))
    expect(shown.err).toContain(`Checked by ${by}.`)
    expect(readFileSync(at('plan.html'), 'utf8').split(by)).toHaveLength(3)
  })

  it('is carried out without EPUBCheck, since its files are those that were checked', async () => {
    const { run, without, at, checked } = withSheet()
    const plan = at('plan.ndjson')
    await run('catalogue', 'plan', at('books.csv'), '--epubcheck', '--out', plan)
    const before = checked()
    const dry = await without('catalogue', 'apply', plan, '--dry-run', '--json')
    expect(JSON.parse(dry.out)[0]).toMatchObject({ action: 'create', checkedBy: [{ version: '5.3.0' }] })
    const applied = await without('catalogue', 'apply', plan, '--no-wait', '--json')
    expect(JSON.parse(applied.out)).toMatchObject([
      { outcome: 'uploaded', checkedBy: [{ name: 'EPUBCheck', version: '5.3.0' }] },
      {
        outcome: 'conflict',
        error: { message: expect.stringContaining('It is wrong') },
        checkedBy: [{ version: '5.3.0' }],
      },
    ])
    expect(checked()).toEqual(before)
    await run('catalogue', 'plan', at('books.csv'), '--out', plan)
    writeFileSync(
      at('wrong.epub'),
      makeBook({ metadata: '<dc:title>Other</dc:title><dc:language>en</dc:language>' }),
    )
    const stale = await without('catalogue', 'apply', plan, '--no-wait', '--json')
    expect(JSON.parse(stale.out)).toMatchObject([{}, { outcome: 'stale' }])
  })

  it('is checked when it is carried out with --epubcheck, but for the books that were checked before', async () => {
    const { run, at, by, checked } = withSheet()
    const plan = at('plan.ndjson')
    await run('catalogue', 'plan', at('books.csv'), '--out', plan)
    const dry = await run('catalogue', 'apply', plan, '--epubcheck', '--dry-run', '--json')
    expect([dry.code, JSON.parse(dry.out)]).toMatchObject([
      10,
      [{ action: 'create', checkedBy: [{ version: '5.3.0' }] }],
    ])
    const applied = await run('catalogue', 'apply', plan, '--epubcheck', '--no-wait', '--json')
    expect([applied.code, JSON.parse(applied.out)]).toMatchObject([
      10,
      [
        { outcome: 'uploaded', checkedBy: [{ name: 'EPUBCheck', version: '5.3.0' }] },
        {
          outcome: 'failed',
          error: {
            code: 'book_unfit',
            details: [{ code: 'RSC-099', message: 'It is wrong (EPUBCheck).' }],
            hint: expect.stringContaining('plan again'),
          },
          checkedBy: [{ version: '5.3.0' }],
        },
      ],
    ])
    expect(checked()).toHaveLength(4)
    const shown = await run('catalogue', 'apply', plan, '--epubcheck', '--dry-run')
    expect(shown.err).toContain(`Checked by ${by}.`)
    await run('catalogue', 'plan', at('books.csv'), '--epubcheck', '--new', '--out', plan)
    const before = checked()
    await run('catalogue', 'apply', plan, '--epubcheck', '--no-wait')
    expect(checked()).toEqual(before)
  })

  it('says once what pubctl warned of when the plan was made, and EPUBCheck finds as well', async () => {
    const { run, at } = withSheet()
    const plan = at('plan.ndjson')
    writeFileSync(at('odd.epub'), makeBook({ metadata: '<dc:title>Odd</dc:title>' }))
    writeFileSync(at('books.csv'), 'file,title\nodd.epub,Odd\n')
    await run('catalogue', 'plan', at('books.csv'), '--out', plan)
    const codes = async (...args: string[]) => {
      const { out, err } = await run('catalogue', 'apply', plan, ...args, '--no-wait', '--json')
      const [{ warnings }] = JSON.parse(out)
      return { codes: warnings.map(({ code }: { code: string }) => code).sort(), err }
    }
    const asked = await codes('--epubcheck')
    expect(asked.codes).toEqual([...new Set(asked.codes)])
    expect(asked.codes).toEqual(expect.arrayContaining(['OPF-099', 'language_missing']))
    expect(asked.err).toContain('It is odd (EPUBCheck).')
  })

  it('needs EPUBCheck for --epubcheck, and says so before anything is sent', async () => {
    const { run, without, at } = withSheet()
    const plan = at('plan.ndjson')
    await run('catalogue', 'plan', at('books.csv'), '--out', plan)
    const { bin } = programBesidePackages('epubcheck-standalone')
    const { exitCode, stdout, stderr } = await execa(
      process.execPath,
      [bin, '--profile', 'sandbox', 'catalogue', 'apply', plan, '--epubcheck', '--json'],
      { env: environment({ HOME: at('.'), PATH: '' }), extendEnv: false, reject: false },
    )
    expect([exitCode, stdout, JSON.parse(stderr).error.code]).toEqual([2, '', 'checker_missing'])
    expect((await without('catalogue', 'apply', plan, '--no-wait')).code).toBe(0)
  })

  it('warns of a version that is too old, and refuses a plan whose checker is none', async () => {
    const { run, at } = withSheet('4.2.6')
    const plan = at('plan.ndjson')
    const { err } = await run('catalogue', 'plan', at('books.csv'), '--epubcheck', '--out', plan)
    expect(err.match(/does not know EPUB 3.3/g)).toHaveLength(1)
    writeFileSync(plan, readFileSync(plan, 'utf8').replaceAll('"engine":"', '"engine":0,"was":"'))
    const damaged = await run('catalogue', 'apply', plan)
    expect([damaged.code, damaged.err]).toEqual([2, expect.stringContaining('checkedBy.0.engine')])
  })
})
