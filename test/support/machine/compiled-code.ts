import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { codeCache } from '../../../src/start/code-cache.ts'
import { addKnown, canRecord, markAt } from '../../../src/system/known-files.ts'
import { bin } from './bin-path.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A home whose cache holds the program's compiled code. */
    readonly compiledHome: string
  }
}

const cacheIn = (home: string) => codeCache({ env: {}, home, platform: process.platform })

/** Commands that together use most of the program. */
const commands = [
  ['--help'],
  ['sandbox', 'book', 'book.epub'],
  ['--profile', 'sandbox', 'publications', 'upload', 'book.epub'],
  ['--profile', 'sandbox', 'watch', '.', '--once', '--quiet-period', '1ms', '--scan', '1ms'],
  ['--profile', 'sandbox', 'mcp'],
]

/** Runs the program before all tests, for `withCompiledCode`. */
export default function compile({ provide }: TestProject): () => void {
  const home = mkdtempSync(join(tmpdir(), 'pubctl-compiled-'))
  const env = { PATH: process.env['PATH'], HOME: home, PUBCTL_KEYCHAIN: 'off', PUBCTL_SANDBOX_DELAY: '1ms' }
  for (const args of commands)
    execFileSync(process.execPath, [bin, ...args], { env, cwd: home, input: '', stdio: 'pipe' })
  provide('compiledHome', home)
  return () => rmSync(home, { recursive: true, force: true })
}

/**
 * Puts the program's compiled code into the cache of a home that has none and can have one, and gives that home. A process
 * then takes about half of the time, because V8 compiles nothing that an earlier process has compiled.
 */
export function withCompiledCode(home: string): string {
  const [from, to] = [cacheIn(inject('compiledHome')), cacheIn(home)]
  if (from === undefined || to === undefined || existsSync(to.folder)) return home
  if (!canRecord(to.record)) return home
  cpSync(from.folder, to.folder, { recursive: true })
  const paths = readdirSync(to.folder).map(name => join(to.folder, name))
  addKnown(to.record, Object.fromEntries(paths.map(path => [path, markAt(path) ?? ''])))
  return home
}
