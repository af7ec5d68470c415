// The list of the tests that run on Windows and macOS, which .ci/portable.js reads there.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

interface Listed {
  readonly test: string
  readonly reason: string
}

interface Lists {
  readonly tests: readonly string[]
  readonly testsOnWindows: readonly string[]
}

const { tests, testsOnWindows, ...lists } = JSON.parse(
  readFileSync(join(root, '.ci/portable-tests.json'), 'utf8'),
) as Lists & Record<string, readonly Listed[]>
const run = [...tests, ...testsOnWindows]

it('names every room of the tests: it is run, or why not is said', () => {
  const rooms = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.test.ts'))
    .map(file => `test/${file.split(/[\\/]/)[0]}`)
  const named = [...run, ...(lists['notRun'] ?? []).map(({ test }) => test)]
  expect([...new Set(rooms)].filter(room => !named.includes(room))).toEqual([])
})

it('names tests that are there, once, each with a reason', () => {
  for (const [list, entries] of Object.entries(lists))
    for (const { test, reason } of entries) {
      const [file = ''] = test.split(': ')
      expect(existsSync(join(root, file)), `${list}: ${test}`).toBe(true)
      expect(reason, `${list}: ${test}`).toMatch(/^\S.*[^.]$/)
    }
  const all = Object.values(lists).flatMap(entries => entries.map(({ test }) => test))
  expect(all.filter((test, index) => all.indexOf(test) !== index)).toEqual([])
})
