import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hintOf } from '../../src/books/hints.ts'
import { hintForProgram, isOfCommandLine } from '../../src/library/program-hints.ts'

const src = join(import.meta.dirname, '../../src')
const textOf = (file: string) => readFileSync(join(src, file), 'utf8')

describe('the hints for programs', () => {
  it('tell of nothing that only the command line has', () => {
    const rows = [...textOf('library/program-hints.ts').matchAll(/^ {2}(\w+):\s*'(.*)',$/gm)]
    expect(rows.length).toBeGreaterThan(25)
    for (const [, code, hint = ''] of rows) {
      expect(isOfCommandLine(hint), code).toBe(false)
      expect(hint).not.toMatch(/--|pubctl [a-z]+ [a-z]|command/)
    }
  })

  it('replace those of the problems of books', () => {
    const codes = [...textOf('books/hints.ts').matchAll(/^ {2}(\w+):\s*'/gm)].map(([, code = '']) => code)
    expect(codes.length).toBeGreaterThan(90)
    for (const code of codes) expect(hintForProgram(code, hintOf(code)), code).not.toMatch(/--|command/)
  })

  it('replace those of the errors that the library can give', () => {
    const folders = ['service/client', 'uploads', 'books', 'sandbox/store']
    const files = [
      ...folders.flatMap(folder =>
        readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
      ),
      'config/address.ts',
      'config/key-text.ts',
      'config/secret-key.ts',
    ].filter(file => file.endsWith('.ts'))
    /** What only commands do. */
    const ofCommands =
      /uploads.(?:batch|inputs|options|report|unfinished|create-only|upload-command)|books.(?:epubcheck|ace)/
    const found = files
      .filter(file => !ofCommands.test(file))
      .flatMap(file =>
        [...textOf(file).matchAll(/code: '(\w+)',(?:(?!code:)[\s\S]){0,200}?hint:\s*['`](.*)['`],?$/gm)].map(
          ([, code = '', hint = '']) => ({ file, code, hint }),
        ),
      )
      .filter(({ hint }) => isOfCommandLine(hint))
    expect(found.map(({ code }) => code)).toEqual(expect.arrayContaining(['insecure_address', 'timeout']))
    for (const { file, code, hint } of found)
      expect(hintForProgram(code, hint, 404), `${file}: ${code}`).toEqual(expect.any(String))
  })

  it('leave out what a program cannot do, and keep every other', () => {
    expect(hintForProgram('of_no_row', 'Run pubctl help, or give --force.')).toBeUndefined()
    expect(hintForProgram('constructor', 'Give --force.')).toBeUndefined()
    expect(hintForProgram('timeout', 'The disk is full.')).toBe('The disk is full.')
  })
})
