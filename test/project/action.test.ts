import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { bookOf, isbns } from '../support/catalogue.ts'
import { isFull } from '../support/full.ts'
import { install, pack } from '../support/packed.ts'
import { sectionOf } from '../support/pages.ts'
import { temporaryFolder } from '../support/pubctl.ts'
import { sandbox } from '../support/sandbox.ts'

const root = join(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'action.yml'), 'utf8')

interface Step {
  readonly id?: string
  readonly if?: string
  readonly run?: string
  readonly uses?: string
  readonly env?: Record<string, string>
}
const action: {
  readonly inputs: Record<string, { readonly description: string; readonly default: string }>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
} = parse(text)
const stepOf = (id: string): Step => action.runs.steps.find(step => step.id === id) as Step

/** What `${{ inputs.files }}` and the like stand for. */
function resolved(value: string, inputs: Record<string, string>, outputs: Record<string, string>): string {
  return value.replace(/\$\{\{ (inputs|steps\.\w+\.outputs)\.([\w-]+) \}\}/g, (_, kind, name) =>
    kind === 'inputs' ? (inputs[name] ?? action.inputs[name]?.default ?? '') : (outputs[name] ?? ''),
  )
}

/** A runner of GitHub Actions, with a repository checked out, and a service. */
async function runner(files: Record<string, string | Buffer>) {
  const workspace = temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true })
    writeFileSync(join(workspace, name), content)
  }
  const { baseUrl, key: keyOf, ok } = await sandbox()
  const key = keyOf('full')
  const machine = () => {
    const temp = temporaryFolder()
    const file = (name: string) => join(temp, name)
    for (const name of ['output', 'path', 'summary']) writeFileSync(file(name), '')
    const env = {
      ...{ CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_ACTION_PATH: root, GITHUB_WORKSPACE: workspace },
      ...{ GITHUB_OUTPUT: file('output'), GITHUB_PATH: file('path'), GITHUB_STEP_SUMMARY: file('summary') },
      ...{ RUNNER_TEMP: temp, HOME: temporaryFolder(), PATH: process.env['PATH'] ?? '' },
    }
    return { env, read: (name: string) => readFileSync(file(name), 'utf8') }
  }
  /** Runs a step on a machine of its own, as `shell: bash` does. */
  const run = async (
    id: string,
    given: Record<string, string>,
    {
      event = 'push',
      key: own = key,
      outputs = {},
    }: { event?: string; key?: string; outputs?: Record<string, string> } = {},
  ) => {
    const { env, read } = machine()
    const inputs = { 'api-key': own, 'base-url': baseUrl, ...given }
    const step = stepOf(id)
    const mapped = Object.entries(step.env ?? {}).map(([name, value]) => [
      name,
      resolved(value, inputs, { program: join(root, 'bin/pubctl.js'), ...outputs }),
    ])
    const { exitCode, all = '' } = await execa(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run ?? ''],
      {
        cwd: workspace,
        env: { ...env, GITHUB_EVENT_NAME: event, ...Object.fromEntries(mapped) },
        ...{ extendEnv: false, reject: false, all: true },
      },
    )
    const output = Object.fromEntries(
      read('output')
        .trim()
        .split('\n')
        .filter(Boolean)
        .map(line => line.split(/=(.*)/s).slice(0, 2)),
    )
    return { code: exitCode, all, output, read, annotations: annotationsIn(all) }
  }
  const list = async (): Promise<{ title: string }[]> => (await ok('GET', '/v1/publications')).items
  return { workspace, run, list, key }
}

/** The commands that a runner would carry out: none of those between the marks that stop and resume them. */
function annotationsIn(output: string): string[] {
  const found: string[] = []
  let token: string | undefined
  for (const line of output.split('\n').map(each => each.trimStart())) {
    const [, stopped] = /^::stop-commands::(.+)$/.exec(line) ?? []
    if (token !== undefined) token = line === `::${token}::` ? undefined : token
    else if (stopped !== undefined) token = stopped
    else if (line.startsWith('::') || line.startsWith('##[')) found.push(line)
  }
  expect(token).toBeUndefined()
  return found
}

describe('the action', () => {
  it('uploads books, with receipts and a summary, and shows the key to nobody', async () => {
    const { run, list, key } = await runner({
      'books/a.epub': bookOf('A'),
      'books/deep/b.epub': bookOf('B'),
    })
    const first = await run('run', { files: 'books/\n', concurrency: '2' })
    expect(first).toMatchObject({ code: 0, annotations: [], output: { 'exit-code': '0' } })
    expect(first.read('summary')).toContain('2 uploaded.')
    expect(dirname(first.output['receipts'] ?? '')).toBe(first.output['folder'])
    const receipts = readFileSync(first.output['receipts'] ?? '', 'utf8')
    expect(receipts.trim().split('\n')).toHaveLength(2)
    expect(first.all + receipts + first.read('summary')).not.toContain(key)
    expect((await list()).map(({ title }) => title).sort()).toEqual(['A', 'B'])
  })

  it('annotates each book that failed, at its file, and ends with the exit code of pubctl', async () => {
    const { run, list } = await runner({ 'books/a.epub': bookOf('A'), 'books/100%, no: book.epub': 'x' })
    const { code, annotations, output } = await run('run', { files: 'books' })
    expect({ code, output }).toMatchObject({ code: 10, output: { 'exit-code': '10' } })
    expect(annotations).toEqual([
      expect.stringMatching(
        /^::error title=pubctl,file=books\/100%25%2C no%3A book\.epub::100%25, no: book\.epub: /,
      ),
    ])
    expect(existsSync(join(output['folder'] ?? '', 'failed.csv'))).toBe(true)
    expect(await list()).toHaveLength(1)
  })

  it('sends nothing on a pull request, says what it would do, and annotates what is broken', async () => {
    const { run, list } = await runner({ 'books/a.epub': bookOf('A'), 'books/b.epub': 'x' })
    const { code, annotations, read, output } = await run(
      'run',
      { files: 'books' },
      { event: 'pull_request' },
    )
    expect(code).toBe(10)
    expect(annotations).toEqual([expect.stringMatching(/^::error title=pubctl,file=books\/b\.epub::/)])
    expect(read('summary')).toContain('1 failed, 1 create.')
    expect(output).not.toHaveProperty('receipts')
    expect(await list()).toEqual([])
    expect(
      await run('run', { files: 'books/a.epub', 'dry-run': 'false' }, { event: 'pull_request' }),
    ).toMatchObject({ code: 0 })
    expect(await list()).toHaveLength(1)
  })

  it('plans a catalogue on a pull request, and carries it out on a push', async () => {
    const { run, list, workspace } = await runner({
      [`books/${isbns[0]}.epub`]: bookOf('Sea'),
      'feed.csv': `title,isbn\nThe Sea,${isbns[0]}\nThe Land,${isbns[1]}\n`,
    })
    const inputs = { catalogue: 'feed.csv', books: 'books' }
    const planned = await run('run', inputs, { event: 'pull_request' })
    expect(planned).toMatchObject({
      code: 0,
      annotations: [expect.stringMatching(/^::warning title=pubctl,file=feed\.csv::The Land \(row 3\): /)],
    })
    expect(planned.read('summary')).toContain('Plan of the catalogue')
    expect(existsSync(planned.output['plan'] ?? '')).toBe(true)
    expect(await list()).toEqual([])
    const applied = await run('run', inputs)
    expect(applied).toMatchObject({ code: 0, output: { 'exit-code': '0' } })
    expect((await list()).map(({ title }) => title)).toEqual(['The Sea'])
    expect(readdirSync(workspace).sort()).toEqual(['books', 'feed.csv'])
  })

  it.each([
    ['neither files nor a catalogue', {}],
    ['both', { files: 'a.epub', catalogue: 'feed.csv' }],
    ['an unknown word for dry-run', { files: 'a.epub', 'dry-run': 'maybe' }],
  ])('refuses %s', async (_, inputs: Record<string, string>) => {
    const { run } = await runner({ 'a.epub': bookOf('A') })
    const { code, annotations } = await run('run', inputs)
    expect({ code, annotations }).toEqual({
      code: 2,
      annotations: [expect.stringMatching(/^::error title=pubctl::/)],
    })
  })
})

describe('the action, before hostile words', () => {
  it('takes every input for what it is, and none for a command', async () => {
    const { run, workspace } = await runner({ 'a.epub': bookOf('A') })
    const words = ['$(touch pwned)', '`touch pwned`', '"; touch pwned; "', '--yes', '%0A::error::x']
    const names = ['files', 'manifest', 'catalogue', 'books', 'if-changed', 'concurrency', 'profile']
    for (const name of isFull ? names : names.slice(0, 1)) {
      const { code } = await run('run', {
        ...(name === 'books' ? { catalogue: 'feed.csv' } : {}),
        [name]: words.join('\n'),
      })
      expect(code, name).not.toBe(0)
    }
    expect(readdirSync(workspace)).toEqual(['a.epub'])
  })

  it('lets no name of a book, title or message be a command of the runner', async () => {
    const hostile = '::error::pwned'
    const { run } = await runner({
      [`books/${hostile}.epub`]: 'x',
      'books/::set-output name=x::y.epub': bookOf('::warning::pwned'),
      'books/##[error]pwned.epub': bookOf('B'),
    })
    for (const event of ['push', 'pull_request']) {
      const { annotations, code } = await run('run', { files: 'books' }, { event })
      expect(code).toBe(10)
      expect(annotations).toEqual([
        expect.stringMatching(/^::error title=pubctl,file=books\/%3A%3Aerror%3A%3Apwned\.epub::/),
      ])
    }
  })
})

describe('action.yml', () => {
  it('has no input in the text of a script', () => {
    for (const { run } of action.runs.steps) expect(run ?? '').not.toContain('${{')
    const inputs = Object.keys(action.inputs).filter(name => text.includes(`{{ inputs.${name} `))
    expect(inputs).toEqual(Object.keys(action.inputs))
  })

  it('names the actions of others by their commits', () => {
    const uses = [...text.matchAll(/uses: (.*)/g)].map(([, each]) => each)
    expect(uses).toHaveLength(action.runs.steps.filter(step => step.uses !== undefined).length)
    for (const each of uses) expect(each).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it('keeps the receipts of a run that failed', () => {
    expect(action.runs.steps.at(-1)?.if).toMatch(/^\$\{\{ always\(\) && /)
  })

  it('has the inputs that the page on scripting explains, with their defaults', () => {
    const rows = sectionOf('docs/scripting-and-ci.md', '### The action')
      .split('\n')
      .filter(line => line.startsWith('| `'))
      .map(line => line.split('|').map(cell => cell.trim().replaceAll('`', '')))
    expect(rows.map(([, name, , value]) => [name, value])).toEqual(
      Object.entries(action.inputs).map(([name, input]) => [name, input.default]),
    )
  })
})

// Each of these starts many processes, or packs the package.
if (isFull) {
  describe('the action in other cases', () => {
    it('names ten failures at most, because GitHub shows no more, and counts the others', async () => {
      const books = Array.from({ length: 12 }, (_, index) => [`books/${index}.epub`, 'x'] as const)
      const { annotations } = await (await runner(Object.fromEntries(books))).run('run', { files: 'books' })
      expect(annotations).toHaveLength(10)
      expect(annotations.at(-1)).toBe(
        '::error title=pubctl::3 more: the job summary and the receipts name them',
      )
    })

    it('checks the books of a pull request from a fork, which gets no key', async () => {
      const { run } = await runner({ 'a.epub': bookOf('A'), 'b.epub': 'x', 'feed.csv': 'title\nA\n' })
      const fork = { event: 'pull_request', key: '' }
      const { code, annotations } = await run('run', { files: 'a.epub\nb.epub' }, fork)
      expect({ code, annotations }).toEqual({
        code: expect.any(Number),
        annotations: [
          expect.stringMatching(/^::notice title=pubctl::There is no API key here/),
          expect.stringMatching(/^::error title=pubctl::pubctl ended with exit code/),
        ],
      })
      expect(code).not.toBe(0)
      expect(await run('run', { files: 'a.epub' }, fork)).toMatchObject({ code: 0 })
      expect(await run('run', { catalogue: 'feed.csv' }, fork)).toMatchObject({ code: 0 })
      expect(await run('run', { files: 'a.epub' }, { key: '' })).toMatchObject({ code: 3 })
    })
  })

  describe('the step that installs', () => {
    it('installs a tarball, whose program the next step runs', async ({ skip }) => {
      const tarball = pack()
      if (install(tarball) === undefined) skip('neither npm’s cache nor the registry has what it needs')
      const { run } = await runner({ 'a.epub': bookOf('A') })
      const { code, output, read, all } = await run('install', { package: tarball })
      expect({ code, all }).toMatchObject({ code: 0 })
      expect(existsSync(join(read('path').trim(), 'pubctl'))).toBe(true)
      expect(await run('run', { files: 'a.epub' }, { outputs: output })).toMatchObject({ code: 0 })
      const failed = await run('install', { package: './$(touch pwned).tgz' })
      expect(failed).toMatchObject({
        code: 1,
        annotations: [expect.stringContaining('npm could not install it')],
      })
    })
  })
}
