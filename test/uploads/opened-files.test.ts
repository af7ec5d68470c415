import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { environment } from '../support/machine/bin.ts'
import { bin } from '../support/machine/bin-path.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow, share } from '../support/machine/slow.ts'

/** Notes each opening of a file whose name ends in .epub. */
const noting = `
const fs = require('node:fs')
const { appendFileSync } = fs
for (const name of ['open', 'openSync']) {
  const open = fs[name]
  fs[name] = (path, ...rest) => {
    if (String(path).endsWith('.epub')) appendFileSync(process.env.NOTED, path + '\\n')
    return open(path, ...rest)
  }
}
require('node:module').syncBuiltinESMExports()`

/** A machine with a book, and a way to run a command that says how often it opens the book. */
async function machineThatNotes() {
  const home = temporaryFolder()
  const [script, noted, book] = ['note.cjs', 'noted.txt', 'book.epub'].map(name => join(home, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(script, noting)
  writeFileSync(book, await makeExampleEpub({ title: 'Opened' }))
  const openings = async (...args: string[]) => {
    writeFileSync(noted, '')
    const line = ['--require', script, bin, '--profile', 'sandbox', ...args]
    const env = environment({ HOME: home, NOTED: noted })
    const { exitCode, stderr } = await execa(process.execPath, line, {
      ...{ cwd: home, env, extendEnv: false, reject: false, input: '' },
    })
    expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' })
    return readFileSync(noted, 'utf8').split('\n').filter(Boolean).length
  }
  return { home, openings }
}

const uploads: [options: string[], openings: number][] = [
  [[], 2],
  // The bytes of a small book that had to be hashed before are kept until they are sent.
  [['--skip-existing'], 1],
]

it.each(share(uploads, 2))(
  'an upload with %j of a small book opens it no more often than it has to (%i)',
  async (options, expected) => {
    const { openings } = await machineThatNotes()
    expect(await openings('publications', 'upload', 'book.epub', ...options)).toBe(expected)
    expect(await openings('publications', 'upload', 'book.epub', ...options)).toBe(1)
  },
)

it.runIf(isSlow)(
  'a plan that is carried out opens a small book with a cover once, to compare it, and sends what it compared',
  async () => {
    const { home, openings } = await machineThatNotes()
    writeFileSync(join(home, 'books.csv'), 'file,isbn\nbook.epub,9783161484100\n')
    await openings('catalogue', 'plan', 'books.csv', '--out', 'plan.ndjson')
    expect(existsSync(join(home, 'plan.ndjson'))).toBe(true)
    expect(await openings('catalogue', 'apply', 'plan.ndjson')).toBe(1)
  },
)
