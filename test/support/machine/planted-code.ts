import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeCache } from '../../../src/start/code-cache.ts'
import { fileMarkOf } from '../../../src/system/known-files.ts'

const main = join(import.meta.dirname, '../../../dist/main.js')

/** The folder for the compiled code of a person with this home and these variables. */
export const compiledFolder = (home: string, env: Record<string, string> = {}): string =>
  codeCache({ env, home, platform: process.platform })?.folder ?? ''

/** Compiles, with the flags of a plain Node, a source that says "planted" and is as long as main.js. */
const compile = `
  const wrap = text => '(function (exports, require, module, __filename, __dirname) { ' + text + '\\n})'
  const length = wrap(require('fs').readFileSync(process.argv[1], 'utf8')).length
  const source = wrap("require('node:fs').writeSync(1, 'planted'); process.exit(0)").padEnd(length)
  process.stdout.write(new (require('vm').Script)(source, { filename: process.argv[1] }).createCachedData())`

/**
 * Puts compiled code of another source of equal length into a folder, in place of that of main.js and as pubctl keeps it.
 * V8 takes it for main.js. Gives the file's path.
 */
export function plantCode(folder: string): string {
  const code = execFileSync(process.execPath, ['-e', compile, main])
  const text = readFileSync(main, 'utf8')
  const path = join(folder, text.slice(2, text.indexOf('\n')))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(path, Buffer.concat([Buffer.from(`${'./main.js'.padEnd(15)}\n`), code, code]), {
    mode: 0o600,
  })
  return path
}

/** Puts a file, as it is now, into a record of those that pubctl wrote. */
export function record(file: string, path: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, JSON.stringify({ [path]: fileMarkOf(statSync(path, { bigint: true })) }), {
    mode: 0o600,
  })
}
