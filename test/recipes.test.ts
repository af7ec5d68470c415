import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { makeSampleEpub } from '../src/sandbox/sample-book.ts'
import { eicar } from './support/eicar.ts'
import { temporaryFolder } from './support/pubctl.ts'
import { startServer } from './support/sandbox-server.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
const program = join(import.meta.dirname, '../bin/pubctl.js')
const receipts = 'receipts.xml'

/** The first block of a language below a heading. */
function blockBelow(heading: string, language: string): string {
  const [, rest = ''] = readme.split(`\n${heading}\n`)
  return new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(rest)?.[1] ?? ''
}

/** A runner of CI: a folder with books, `pubctl` on the path, and the key and address that the recipe asks for. */
async function runner(books: Record<string, Buffer>) {
  const [checkout, home] = [temporaryFolder(), temporaryFolder()]
  mkdirSync(join(checkout, 'books/new'), { recursive: true })
  for (const [name, content] of Object.entries(books)) writeFileSync(join(checkout, name), content)
  const tools = temporaryFolder()
  writeFileSync(join(tools, 'pubctl'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
    mode: 0o755,
  })
  const { baseUrl, key } = await startServer(temporaryFolder(), ['--processing-delay', '5ms'])
  const env = { CI: 'true', HOME: home, PATH: `${tools}:${process.env['PATH']}` }
  const run = (script: string) =>
    execa('/bin/sh', ['-e', '-c', script], {
      cwd: checkout,
      env: { ...env, PUBCTL_API_KEY: key, PUBCTL_BASE_URL: baseUrl },
      extendEnv: false,
      reject: false,
    })
  return { checkout, run }
}

const uploadOf = (steps: readonly (string | undefined)[]): string =>
  steps.find(step => step?.startsWith('pubctl ')) ?? ''

const github = parse(blockBelow('### GitHub Actions', 'yaml'))
const gitlab = parse(blockBelow('### GitLab CI', 'yaml'))
const recipes = {
  'GitHub Actions': uploadOf(github.jobs.publish.steps.map((step: { run?: string }) => step.run)),
  'GitLab CI': uploadOf(gitlab.publish.script),
}

describe.each(Object.entries(recipes))('the recipe for %s', (_, script) => {
  it('uploads what is new, leaves a receipt for each book, and can be run again', async () => {
    const { checkout, run } = await runner({
      'books/one.epub': await makeSampleEpub({ title: 'One' }),
      'books/new/two.epub': await makeSampleEpub({ title: 'Two' }),
    })
    expect(await run(script)).toMatchObject({ exitCode: 0 })
    expect(readFileSync(join(checkout, receipts), 'utf8')).toMatch(
      /<testsuite[^>]* tests="2"[^>]* failures="0"/,
    )
    expect(await run(script)).toMatchObject({ exitCode: 0 })
    const { stdout } = await run('pubctl publications list --fields title')
    expect(stdout.split('\n').sort()).toEqual(['One', 'Two'])
  })

  it('ends with exit code 10 and leaves failed.csv when a part failed', async () => {
    const { checkout, run } = await runner({
      'books/one.epub': await makeSampleEpub({ title: 'One' }),
      'books/new/two.epub': await makeSampleEpub({ title: 'Two', extraEntries: { 'notes.txt': eicar } }),
    })
    expect(await run(script)).toMatchObject({ exitCode: 10 })
    expect(readFileSync(join(checkout, receipts), 'utf8')).toMatch(/<testsuite[^>]* failures="1"/)
    expect(readFileSync(join(checkout, 'failed.csv'), 'utf8')).toContain('two.epub')
  })
})

describe('the recipes', () => {
  it('keep as artifacts what the command leaves', () => {
    const { with: kept } = github.jobs.publish.steps.at(-1)
    expect(kept.path.trim().split('\n')).toEqual([receipts, 'failed.csv'])
    expect(gitlab.publish.artifacts).toEqual({
      when: 'always',
      paths: [receipts, 'failed.csv'],
      reports: { junit: receipts },
    })
    for (const script of Object.values(recipes)) expect(script).toContain(`--report ${receipts}`)
  })

  it('for scripts print what they promise', async () => {
    const { run, checkout } = await runner({ 'book.epub': await makeSampleEpub({ title: 'One' }) })
    const [exports, ...lines] = blockBelow('## Scripting', 'sh').trim().split('\n')
    expect(exports).toMatch(/^export PUBCTL_API_KEY=\S+ PUBCTL_BASE_URL=\S+$/)
    const { stdout, stderr, exitCode } = await run(lines.join('\n'))
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: expect.stringMatching(/^available\nOne is pub_[0-9a-f]{20}$/),
      stderr: '',
      exitCode: 0,
    })
    expect(existsSync(join(checkout, 'failed.csv'))).toBe(false)
    expect(readdirSync(checkout).sort()).toEqual(['book.epub', 'books'])
  })
})
