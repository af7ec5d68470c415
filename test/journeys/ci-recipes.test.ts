import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { eicar } from '../support/books/eicar.ts'
import { artefact } from '../support/machine/artefacts.ts'
import { environment, pathWithPubctl } from '../support/machine/bin.ts'
import { npmEnvironment } from '../support/machine/npm.ts'
import { sectionOf } from '../support/machine/pages.ts'
import { runAt } from '../support/machine/place.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow, share } from '../support/machine/slow.ts'
import { sandbox } from '../support/servers/sandbox.ts'

const receipts = 'receipts.xml'

/** The first block of a language below a heading, or a later one. */
function blockBelow(heading: string, language: string, index = 0): string {
  const section = sectionOf('docs/scripting-and-ci.md', heading)
  return [...section.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))][index]?.[1] ?? ''
}

/** A runner of CI: a folder with books, `pubctl` on the path, and the key and address that the recipe asks for. */
async function runner(books: Record<string, Buffer>) {
  const checkout = temporaryFolder()
  mkdirSync(join(checkout, 'books/new'), { recursive: true })
  for (const [name, content] of Object.entries(books)) writeFileSync(join(checkout, name), content)
  const { baseUrl, key } = await sandbox({ processingDelayMs: 5 })
  const env = { CI: 'true', PATH: pathWithPubctl(), PUBCTL_API_KEY: key('full'), PUBCTL_BASE_URL: baseUrl }
  // Each run is one on a machine of its own, which has no journal.
  const run = (script: string) =>
    execa('/bin/sh', ['-e', '-c', script], {
      cwd: checkout,
      env: environment(env),
      extendEnv: false,
      reject: false,
    })
  return { checkout, run, env }
}

const once = blockBelow('## Upload from CI', 'sh')

const uploadOf = (steps: readonly (string | undefined)[]): string =>
  steps.find(step => step?.startsWith('pubctl ')) ?? ''

const github = parse(blockBelow('### GitHub Actions', 'yaml'))
const gitlab = parse(blockBelow('### GitLab CI', 'yaml'))
const recipes = {
  'GitHub Actions': uploadOf(github.jobs.publish.steps.map((step: { run?: string }) => step.run)),
  'GitLab CI': uploadOf(gitlab.publish.script),
}

describe.each(share(Object.entries(recipes), 2))('the recipe for %s', (_, script) => {
  it.runIf(isSlow)(
    'uploads what is new or has changed, leaves a receipt for each book, and can be run again',
    async () => {
      const { checkout, run } = await runner({
        'books/one.epub': await makeExampleEpub({ title: 'One' }),
        'books/new/two.epub': await makeExampleEpub({ title: 'Two' }),
      })
      expect(await run(once)).toMatchObject({ exitCode: 0 })
      const report = async () => {
        expect(await run(script)).toMatchObject({ exitCode: 0 })
        return /<testsuite (?:name="[^"]*" )?(.*)>/.exec(readFileSync(join(checkout, receipts), 'utf8'))?.[1]
      }
      expect(await report()).toBe('tests="2" failures="0" skipped="0"')
      expect(await report()).toBe('tests="2" failures="0" skipped="2"')
      writeFileSync(
        join(checkout, 'books/one.epub'),
        await makeExampleEpub({ title: 'One', paddingBytes: 100 }),
      )
      expect(await report()).toBe('tests="2" failures="0" skipped="1"')
      const listed = JSON.parse((await run('pubctl publications list --json')).stdout)
      const editions = listed.map(
        async ({ title, publicationId }: { title: string; publicationId: string }) => [
          title,
          JSON.parse((await run(`pubctl editions list ${publicationId} --json`)).stdout).length,
        ],
      )
      expect((await Promise.all(editions)).sort()).toEqual([
        ['One', 2],
        ['Two', 1],
      ])
    },
  )

  it.runIf(isSlow)('ends with exit code 10 and leaves failed.csv when a part failed', async () => {
    const { checkout, run } = await runner({
      'books/one.epub': await makeExampleEpub({ title: 'One' }),
      'books/new/two.epub': await makeExampleEpub({ title: 'Two', extraEntries: { 'notes.txt': eicar } }),
    })
    expect(await run(script)).toMatchObject({ exitCode: 10 })
    expect(readFileSync(join(checkout, receipts), 'utf8')).toMatch(/<testsuite[^>]* failures="1"/)
    expect(readFileSync(join(checkout, 'failed.csv'), 'utf8')).toContain('two.epub')
  })
})

describe.runIf(isSlow && process.platform !== 'win32').each([
  [
    'GitHub Actions',
    github.jobs.publish.steps.flatMap(({ run }: { run?: string }) => run ?? []),
    { GITHUB_ACTIONS: 'true' },
  ],
  ['GitLab CI', [gitlab.publish.script.join('\n')], { GITLAB_CI: 'true' }],
] as [string, string[], Record<string, string>][])('a job of %s', (_, scripts, variables) => {
  it('installs the tarball of the repository and uploads its books, line by line as the recipe says', async () => {
    const { checkout, env } = await runner({ 'books/one.epub': await makeExampleEpub({ title: 'One' }) })
    mkdirSync(join(checkout, 'tools'))
    const tarball = await artefact('tarball')
    copyFileSync(tarball, join(checkout, 'tools', basename(tarball)))
    const prefix = temporaryFolder()
    const place = {
      cwd: checkout,
      home: temporaryFolder(),
      env: {
        ...{ ...env, ...variables, ...npmEnvironment(), npm_config_prefix: prefix },
        PATH: `${join(prefix, 'bin')}:${process.env['PATH']}`,
      },
    }
    expect(scripts.join('\n')).toMatch(/^npm install --global \.\/tools\/pubctl-.*\.tgz$/m)
    for (const script of scripts) {
      const { code, stderr } = await runAt(place, script)
      expect({ code, stderr }, script).toMatchObject({ code: 0 })
    }
    expect(readFileSync(join(checkout, receipts), 'utf8')).toContain('tests="1" failures="0" skipped="0"')
  }, 300_000)
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
    const { run, checkout } = await runner({ 'book.epub': await makeExampleEpub({ title: 'One' }) })
    const [exports, ...lines] = blockBelow('# Scripting and CI', 'sh').trim().split('\n')
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
