import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { makeBook } from '../support/books/make-book.ts'
import { machine } from '../support/machine/pubctl.ts'

const house =
  'name: House\nrules:\n  - { id: house-title, severity: error, check: { title: { not: "^A" } }, hint: Name it B. }\n'

it('checks books by rules: in the list, in reports and in the exit code', async () => {
  const { run, home } = machine()
  const at = (name: string) => `${home}/${name}`
  writeFileSync(at('book.epub'), makeBook())
  writeFileSync(at('house.yaml'), house)
  writeFileSync(at('mild.yaml'), 'rules: [{ id: house-title, severity: warning }]\n')
  const inspect = (...args: string[]) => run(['inspect', at('book.epub'), ...args])
  expect((await inspect()).code).toBe(0)
  const found = await inspect('--json', '--rules', at('house.yaml'), '--report', at('report.sarif'))
  expect(found.code).toBe(2)
  expect(JSON.parse(found.out)).not.toHaveProperty('content')
  expect(JSON.parse(found.out).problems).toEqual([
    {
      ...{ severity: 'error', code: 'house-title', hint: 'Name it B.' },
      message: 'The title is "A Title", which matches ^A.',
    },
  ])
  const [result] = JSON.parse(readFileSync(at('report.sarif'), 'utf8')).runs[0].results
  expect(result).toMatchObject({ ruleId: 'house-title', level: 'error' })
  const milder = ['--rules', at('house.yaml'), '--rules', at('mild.yaml')]
  expect((await inspect(...milder)).code).toBe(0)
  expect((await inspect(...milder, '--strict')).code).toBe(2)
})

it('refuses rules before any book is read', async () => {
  const { run, home } = machine()
  writeFileSync(`${home}/house.yaml`, 'rules:\n  - { id: a, check: { covr: {} } }\n')
  const wrong = await run(['inspect', 'none.epub', '--rules', `${home}/house.yaml`])
  expect(wrong.code).toBe(2)
  expect(wrong.err).toContain('house.yaml cannot be used: rules.0.check.covr: is none of book, name,')
  expect(wrong.err).toContain(': line 2, column ')
  const none = await run(['inspect', 'none.epub', '--rules', 'qualibook'])
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('there are no rules "qualibook"')])
  const both = await run(['inspect', 'none.epub', '--rules', 'a.yaml', '--accessibility'])
  expect([both.code, both.err]).toEqual([
    2,
    expect.stringContaining('--rules cannot be used with --accessibility'),
  ])
})
