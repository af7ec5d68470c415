import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { execa } from 'execa'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { codeCache, readCode, usableCode, writeCode } from '../../../src/start/code-cache.ts'
import { successOf } from '../../../src/start/start.ts'
import { addKnown, canRecord, markAt } from '../../../src/system/known-files.ts'
import { bin } from './bin-path.ts'
import { folderVariables, homeVariables } from './home.ts'
import { removeFolder } from './remove-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A home whose cache holds the program's compiled code. */
    readonly compiledHome: string
  }
}

const dist = join(import.meta.dirname, '../../../dist')

const cacheIn = (home: string) => codeCache({ env: folderVariables(home), home, platform: process.platform })

/** Commands that together use most of the program. */
const commands = [
  ['--help'],
  ['sandbox', 'book', 'book.epub'],
  ['--profile', 'sandbox', 'publications', 'upload', 'book.epub'],
  ['--profile', 'sandbox', 'catalogue', 'plan', 'sheets/books.csv', '--out', 'plan.ndjson'],
  ['--profile', 'sandbox', 'domains', 'list', '--json'],
  ['inspect', 'book.epub'],
  ['--profile', 'sandbox', 'watch', '.', '--once', '--quiet-period', '1ms', '--scan', '1ms'],
  ['--profile', 'sandbox', 'mcp'],
]

/** Runs the program before all tests, for `withCompiledCode`. */
export async function compile({ provide }: TestProject): Promise<() => void> {
  const home = mkdtempSync(join(tmpdir(), 'pubctl-compiled-'))
  const env = {
    PATH: process.env['PATH'],
    ...homeVariables(home),
    PUBCTL_KEYCHAIN: 'off',
    PUBCTL_SANDBOX_DELAY: '1ms',
  }
  mkdirSync(join(home, 'sheets'))
  writeFileSync(join(home, 'sheets/books.csv'), 'file,title\n../book.epub,A Book\n')
  for (const args of commands)
    await execa(process.execPath, [bin, ...args], { env, extendEnv: false, cwd: home, input: '' })
  sayComplete(home)
  provide('compiledHome', home)
  return () => removeFolder(home)
}

/**
 * Says of the code in a home that all modules were loaded with it, and any number of them: else the first process in each copy would
 * save it again with what it uses besides, which costs a command up to a fifth.
 */
function sayComplete(home: string): void {
  const cache = cacheIn(home)
  if (cache === undefined) return
  const modules = readdirSync(dist).flatMap(name => (name.endsWith('.js') ? [`./${name}`] : []))
  const loaded = [...modules, ...modules.map((_, index) => successOf(index + 1))]
  const files = Object.entries(usableCode(cache)).flatMap(([path, mark]) => {
    const kept = readCode(path, mark)
    return kept ? [[basename(path), { ...kept, loadedWith: [...kept.loadedWith, ...loaded] }] as const] : []
  })
  writeCode(cache, new Map(files))
}

/**
 * Puts the program's compiled code into the cache of a home that has none and can have one, and gives that home. A process
 * then takes about half of the time, because V8 compiles nothing that an earlier process has compiled.
 */
export function withCompiledCode(home: string): string {
  const [from, to] = [cacheIn(inject('compiledHome')), cacheIn(home)]
  if (from === undefined || to === undefined || existsSync(to.folder)) return home
  if (!canRecord(to.record)) return home
  mkdirSync(to.folder, { recursive: true, mode: 0o700 })
  const paths = readdirSync(from.folder).map(name => {
    const path = join(to.folder, name)
    copyFileSync(join(from.folder, name), path)
    return path
  })
  addKnown(to.record, Object.fromEntries(paths.map(path => [path, markAt(path) ?? ''])))
  return home
}
