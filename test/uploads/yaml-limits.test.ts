import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { exampleBook } from '../support/books/example-book.ts'
import { startAgent } from '../support/machine/agent.ts'
import { environment } from '../support/machine/bin.ts'
import { bin } from '../support/machine/bin-path.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'

/** A small sheet for which the parser takes the square of its size in time: minutes. */
const slow = `- metadata: {${Array.from({ length: 100_000 }, (_, number) => `k${number}: v`)}}\n`

/** One that may take longer than any test, because most of it is a comment. */
const endless = `${slow}#${'x'.repeat(20 * 2 ** 20)}\n`

/** Small sheets with thousands of errors in one line, and the first of them. */
const wrong = {
  'A node can have at most one anchor at line 1, column 12': `- file: ${'&a '.repeat(30_000)}x\n`,
  'A node can have at most one tag at line 1, column 12': `- file: ${'!a '.repeat(30_000)}x\n`,
  'Block collections are not allowed within flow collections at line 1, column 5': `[${'a: b: c, '.repeat(12_000)}]`,
}

describe('a YAML sheet with thousands of errors', () => {
  it.each(Object.entries(wrong))('is told by the first: %s', async (says, text) => {
    const { home, sandbox } = machine()
    const path = join(home, 'sheet.yaml')
    writeFileSync(path, text)
    const { code, err } = await sandbox(['publications', 'upload', '--manifest', path, '--json'])
    const message = `${path} cannot be read: ${says}`
    expect({ code, error: JSON.parse(err).error }).toMatchObject({
      code: 2,
      error: { code: 'bad_manifest', message },
    })
  })

  it('is told that it has more than one document', async () => {
    const { home, sandbox } = machine()
    const path = join(home, 'sheet.yaml')
    writeFileSync(path, '- file: a.epub\n---\n- file: b.epub\n')
    const { code, err } = await sandbox(['publications', 'upload', '--manifest', path])
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('there is more than one document in it at line 2, column 1\n'),
    })
  })
})

describe('YAML that is nested without end', () => {
  const deep = {
    'one that is refused': '- '.repeat(60_000),
    'a list with a level too many': `${'['.repeat(101)}${']'.repeat(101)}`,
    'a map with a level too many': `${'{a: '.repeat(101)}x${'}'.repeat(101)}`,
    'one that ends the parser': `{${'a: b: '.repeat(9_000)}}`,
  }

  it.each(Object.entries(deep))('is called that in a sheet and in rules: %s', async (_, text) => {
    const { home, sandbox } = machine()
    const path = join(home, 'deep.yaml')
    writeFileSync(path, text)
    const sheet = await sandbox(['publications', 'upload', '--manifest', path])
    expect(sheet).toMatchObject({ code: 2, err: expect.stringContaining('it is nested too deeply') })
    const rules = await sandbox(['inspect', await exampleBook(), '--rules', path])
    expect(rules).toMatchObject({ code: 2, err: expect.stringContaining('it is nested too deeply') })
  })
})

it.each([
  `${'['.repeat(100)}${']'.repeat(100)}`,
  `${'- '.repeat(100)}x`,
  `- ${'{a: '.repeat(99)}x${'}'.repeat(99)}`,
])('YAML of a hundred levels is read', async text => {
  const { home, sandbox } = machine()
  const path = join(home, 'deep.yaml')
  writeFileSync(path, text)
  const { code, err } = await sandbox(['publications', 'upload', '--manifest', path])
  expect({ code, err }).toMatchObject({ code: 2, err: expect.not.stringContaining('nested') })
})

describe('a YAML sheet that would take minutes', () => {
  it.runIf(isSlow)('ends with a clear word', async () => {
    const { home, sandbox } = machine()
    const path = join(home, 'sheet.yaml')
    writeFileSync(path, slow)
    const { code, err } = await sandbox(['publications', 'upload', '--manifest', path, '--json'])
    expect({ code, error: JSON.parse(err).error }).toMatchObject({
      code: 2,
      error: {
        code: 'bad_manifest',
        message: `${path} cannot be read: it takes more time than a sheet of its size; write it more simply, or as CSV`,
      },
    })
  })

  it.skipIf(process.platform === 'win32')('is stopped by Ctrl-C at once', async () => {
    const home = temporaryFolder()
    const path = join(home, 'sheet.yaml')
    writeFileSync(path, endless)
    const args = ['--profile', 'sandbox', 'publications', 'upload', '--manifest', path]
    const child = spawn(process.execPath, [bin, ...args], {
      stdio: 'ignore',
      env: environment({ HOME: home }),
    })
    const ended = once(child, 'exit')
    await sleep(1500)
    child.kill('SIGINT')
    expect((await ended)[0]).toBe(130)
  })

  it.runIf(isSlow)('is stopped when an agent cancels its call, and the next call is answered', async () => {
    const cwd = temporaryFolder()
    const { call } = await startAgent([], { cwd })
    writeFileSync(join(cwd, 'sheet.yaml'), endless)
    const stop = new AbortController()
    const cancelled = call('catalogue_plan', { source: ['sheet.yaml'] }, stop.signal)
    await sleep(500)
    stop.abort()
    await expect(cancelled).rejects.toThrow()
    expect((await call('domains_list')).isError).toBe(false)
  })
})
