import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { readPage } from './pages.ts'
import { runAt } from './place.ts'
import { leaves, root } from './tree.ts'

const hasMan = spawnSync('man', ['--version']).status === 0

/** Expects a page for each command where npm put the program, and that `man` finds those that the README names from there. */
export async function expectManual(prefix: string): Promise<void> {
  const [, ...named] =
    /The manual is included: `man ([\w-]+)`,\s+`man ([\w-]+)`/.exec(readPage('README.md')) ?? []
  expect(named).toHaveLength(2)
  const pathOf = (page: string) => join(prefix, `share/man/man1/${page}.1`)
  const pages = [...named, ...leaves(root).map(({ path }) => `pubctl-${path.replaceAll(' ', '-')}`)]
  expect(pages.filter(page => !existsSync(pathOf(page)))).toEqual([])
  const env = { PATH: `${join(prefix, 'bin')}:${process.env['PATH']}` }
  for (const page of hasMan ? named : [])
    expect(await runAt({ env }, `man --where ${page}`)).toMatchObject({
      code: 0,
      stdout: realpathSync(pathOf(page)),
    })
}
