import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeBook } from '../support/books/make-book.ts'
import { machine } from '../support/machine/pubctl.ts'

const house = (severity: string) =>
  `rules:\n  - { id: house-title, severity: ${severity}, check: { title: { not: "^A" } } }\n`

/** A folder with two books, of which one is against the rules. */
function withBooks() {
  const own = machine()
  const at = (name: string) => join(own.home, name)
  mkdirSync(at('books'))
  writeFileSync(at('books/one.epub'), makeBook())
  writeFileSync(
    at('books/two.epub'),
    makeBook({ metadata: '<dc:title>B</dc:title><dc:creator>C</dc:creator><dc:language>en</dc:language>' }),
  )
  writeFileSync(at('house.yaml'), house('error'))
  writeFileSync(at('mild.yaml'), house('warning'))
  writeFileSync(at('bad.yaml'), 'rules: [{ id: a }]\n')
  return { ...own, at, sandbox: (...args: string[]) => own.run(['--profile', 'sandbox', '--json', ...args]) }
}

const codesOf = (details: unknown): unknown => (details as { code: string }[]).map(({ code }) => code)

describe('rules', () => {
  it('stop uploads and plans, and those of the profile are asked without being named', async () => {
    const { sandbox, run, at } = withBooks()
    const books = ['publications', 'upload', at('books'), '--no-wait']
    const refused = await sandbox(...books, '--rules', at('house.yaml'))
    expect(refused.code).toBe(10)
    const receipts = JSON.parse(refused.out).items ?? JSON.parse(refused.out)
    const byFile = Object.fromEntries(
      (receipts as { file: string; status: string; error: { code: string; details?: unknown } | null }[]).map(
        each => [basename(each.file), each],
      ),
    )
    expect(byFile['one.epub']?.error).toMatchObject({ code: 'book_unfit' })
    expect(byFile['two.epub']?.error ?? null).toBeNull()

    const one = ['publications', 'upload', at('books/one.epub'), '--no-wait']
    const alone = await sandbox(...one, '--rules', at('house.yaml'))
    expect([alone.code, codesOf(JSON.parse(alone.err).error.details)]).toEqual([2, ['house-title']])
    expect((await sandbox(...one, '--rules', at('bad.yaml'))).err).toContain('bad_rules')
    const unchecked = await sandbox(...one, '--rules', at('house.yaml'), '--no-check')
    expect([unchecked.code, unchecked.err]).toEqual([
      2,
      expect.stringContaining('--rules cannot be used with --no-check'),
    ])
    const created = await sandbox('publications', 'create', at('books/one.epub'), '--rules', at('house.yaml'))
    expect([created.code, codesOf(JSON.parse(created.err).error.details)]).toEqual([2, ['house-title']])

    writeFileSync(at('books.csv'), 'file,isbn\nbooks/one.epub,9783161484100\n')
    const plan = ['catalogue', 'plan', at('books.csv')]
    expect((await sandbox(...plan)).out).not.toContain('has a problem')
    expect((await sandbox(...plan, '--rules', at('house.yaml'))).out).toContain('has a problem')

    writeFileSync(at('key'), 'a-key-of-some-length')
    const profile = [
      'profile',
      'setup',
      'work',
      '--base-url',
      'https://api.example',
      '--api-key-file',
      at('key'),
      '--no-verify',
    ]
    const saved = await run([...profile, '--rules', 'retail', '--rules', at('house.yaml'), '--json'])
    expect(JSON.parse(saved.out).rules).toEqual(['retail', at('house.yaml')])
    const inspect = ['inspect', at('books/one.epub'), '--json']
    const found = async (...args: string[]) =>
      JSON.parse((await run([...inspect, ...args])).out).problems.map(({ code }: { code: string }) => code)
    expect(await found()).toEqual(expect.arrayContaining(['house-title', 'retail-google-cover']))
    expect(await found('--rules', at('mild.yaml'))).toEqual(['house-title'])
    expect(await found('--rules', 'none')).toEqual([])
    expect(await found('--profile', 'sandbox')).toEqual([])
    expect((await run([...profile, '--rules', at('bad.yaml')])).code).toBe(2)
    expect(readFileSync(join(at('.config'), 'pubctl', 'config.json'), 'utf8')).toContain('house.yaml')
  })

  it('keep a watcher from sending what is against them', async () => {
    const { sandbox, at } = withBooks()
    const watched = await sandbox(
      'watch',
      at('books'),
      '--once',
      '--quiet-period',
      '0s',
      '--rules',
      at('house.yaml'),
    )
    const events = JSON.parse(watched.out).items ?? JSON.parse(watched.out)
    const ends = (events as { event: string; file: string }[]).filter(
      ({ event }) => event === 'failed' || event === 'done',
    )
    expect(ends.map(({ event, file }) => [event, basename(file)]).sort()).toEqual([
      ['done', 'two.epub'],
      ['failed', 'one.epub'],
    ])
  })
})
