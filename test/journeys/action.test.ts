import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { makeBook } from '../support/books/make-book.ts'
import { bookOf, isbns } from '../support/catalogues/catalogue.ts'
import { action, actionRunner, actionText } from '../support/machine/action-runner.ts'
import { artefact } from '../support/machine/artefacts.ts'
import { filesBelow } from '../support/machine/files-below.ts'
import { freshCheckout } from '../support/machine/fresh-checkout.ts'
import { sectionOf } from '../support/machine/pages.ts'
import { isSlow } from '../support/machine/slow.ts'
import { sandbox } from '../support/servers/sandbox.ts'

/** A runner of GitHub Actions, with a repository checked out, and a service. */
async function runner(files: Record<string, string | Buffer>) {
  const { workspace, use } = actionRunner(files)
  const { baseUrl, key: keyOf, ok } = await sandbox()
  const key = keyOf('full')
  return {
    workspace,
    key,
    run: (given: Record<string, string>, options: Parameters<typeof use>[1] = {}) =>
      use({ 'api-key': key, 'base-url': baseUrl, ...given }, options),
    list: async (): Promise<{ title: string }[]> => (await ok('GET', '/v1/publications')).items,
  }
}

describe('the action', () => {
  it('uploads books, with receipts and a summary, and shows the key to nobody', async () => {
    const { run, list, key } = await runner({
      'books/a.epub': bookOf('A'),
      'books/deep/b.epub': bookOf('B'),
    })
    const first = await run({ files: 'books/\n', concurrency: '2' })
    expect(first).toMatchObject({ code: 0, annotations: [], output: { 'exit-code': '0' } })
    expect(first.read('summary')).toContain('2 uploaded.')
    expect(dirname(first.output['receipts'] ?? '')).toBe(first.kept[0]?.['path'])
    const receipts = readFileSync(first.output['receipts'] ?? '', 'utf8')
    expect(receipts.trim().split('\n')).toHaveLength(2)
    expect(first.all + receipts + first.read('summary')).not.toContain(key)
    expect((await list()).map(({ title }) => title).sort()).toEqual(['A', 'B'])
  })

  it('annotates each book that failed, at its file, and ends with the exit code of pubctl', async () => {
    const { run, list } = await runner({ 'books/a.epub': bookOf('A'), 'books/100%, no: book.epub': 'x' })
    const { code, annotations, output, kept } = await run({ files: 'books' })
    expect({ code, output }).toMatchObject({ code: 10, output: { 'exit-code': '10' } })
    expect(annotations).toEqual([
      expect.stringMatching(
        /^::error title=pubctl,file=books\/100%25%2C no%3A book\.epub::100%25, no: book\.epub: /,
      ),
    ])
    expect(kept).toEqual([
      {
        ...{ name: 'pubctl-receipts', path: expect.any(String) },
        ...{ 'if-no-files-found': 'ignore', overwrite: 'true' },
      },
    ])
    expect(existsSync(join(kept[0]?.['path'] ?? '', 'failed.csv'))).toBe(true)
    expect(await list()).toHaveLength(1)
  })

  it('sends nothing on a pull request, says what it would do, and annotates what is broken', async () => {
    const { run, list } = await runner({ 'books/a.epub': bookOf('A'), 'books/b.epub': 'x' })
    const { code, annotations, read, output } = await run({ files: 'books' }, { event: 'pull_request' })
    expect(code).toBe(10)
    expect(annotations).toEqual([expect.stringMatching(/^::error title=pubctl,file=books\/b\.epub::/)])
    expect(read('summary')).toContain('1 failed, 1 create.')
    expect(output).toEqual({ 'exit-code': '10', receipts: '', plan: '' })
    expect(await list()).toEqual([])
    expect(await run({ files: 'books/a.epub', 'dry-run': 'false' }, { event: 'pull_request' })).toMatchObject(
      { code: 0 },
    )
    expect(await list()).toHaveLength(1)
  })

  it.runIf(isSlow)('plans a catalogue on a pull request, and carries it out on a push', async () => {
    const { run, list, workspace } = await runner({
      [`books/${isbns[0]}.epub`]: bookOf('Sea'),
      'feed.csv': `title,isbn\nThe Sea,${isbns[0]}\nThe Land,${isbns[1]}\n`,
    })
    const inputs = { catalogue: 'feed.csv', books: 'books' }
    const planned = await run(inputs, { event: 'pull_request' })
    expect(planned).toMatchObject({
      code: 0,
      annotations: [expect.stringMatching(/^::warning title=pubctl,file=feed\.csv::The Land \(row 3\): /)],
    })
    expect(planned.read('summary')).toContain('Plan of the catalogue')
    expect(existsSync(planned.output['plan'] ?? '')).toBe(true)
    expect(await list()).toEqual([])
    const applied = await run(inputs)
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
    const { code, annotations } = await run(inputs)
    expect({ code, annotations }).toEqual({
      code: 2,
      annotations: [expect.stringMatching(/^::error title=pubctl::/)],
    })
  })
})

describe('the action on a pull request from a fork, which gets no key', () => {
  const fork = { event: 'pull_request' }
  const noKey = { 'api-key': '' }
  const notice = expect.stringMatching(/^::notice title=pubctl::There is no API key here/)

  it.runIf(isSlow)('is green for the documented folder of good books', async () => {
    const { run } = await runner({ 'books/a.epub': bookOf('A'), 'books/deep/b.epub': bookOf('B') })
    const { with: documented } = parse(
      /```yaml\n(.*?)```/s.exec(sectionOf('docs/scripting-and-ci.md', '### The action'))?.[1] ?? '',
    ).jobs.publish.steps.at(-1)
    expect(documented).toMatchObject({ files: 'books/' })
    expect(await run({ ...documented, ...noKey, 'base-url': '' }, fork)).toMatchObject({
      code: 0,
      annotations: [notice],
      all: expect.stringMatching(/"file":"books\/a\.epub".*"file":"books\/deep\/b\.epub"/s),
    })
  })

  it.runIf(isSlow)('annotates what is wrong with the books, at their files', async () => {
    const { run } = await runner({
      'books/a.epub': bookOf('A'),
      'books/deep/b.epub': 'x',
      'books/c.epub': makeBook({ spine: '<itemref idref="missing"/>' }),
      'books.csv': 'file\nbooks/c.epub\n',
      'feed.csv': 'title\nA\n',
    })
    const missing = expect.stringMatching(/^::error title=pubctl,file=books\/c\.epub::EPUB\/package\.opf:9: /)
    expect(await run({ files: 'books', ...noKey }, fork)).toMatchObject({
      code: 2,
      annotations: [
        notice,
        missing,
        '::error title=pubctl,file=books/deep/b.epub::books/deep/b.epub is a text file, not a book',
      ],
    })
    const sheet = { manifest: 'books.csv', arguments: '--encoding\nutf-8\n--no-wait', ...noKey }
    expect(await run(sheet, fork)).toMatchObject({ code: 2, annotations: [notice, missing] })
    expect(await run({ catalogue: 'feed.csv', ...noKey }, fork)).toMatchObject({ code: 0 })
    expect(await run({ files: 'books/a.epub', ...noKey })).toMatchObject({ code: 3 })
  })
})

describe('the action, before hostile words', () => {
  it('takes every input for what it is, and none for a command', async () => {
    const { run, workspace } = await runner({ 'a.epub': bookOf('A') })
    const words = ['$(touch pwned)', '`touch pwned`', '"; touch pwned; "', '--yes', '%0A::error::x']
    const names = ['files', 'manifest', 'catalogue', 'books', 'if-changed', 'concurrency', 'profile']
    for (const name of isSlow ? names : names.slice(0, 1)) {
      const { code } = await run({
        ...(name === 'books' ? { catalogue: 'feed.csv' } : {}),
        [name]: words.join('\n'),
      })
      expect(code, name).not.toBe(0)
    }
    expect(readdirSync(workspace)).toEqual(['a.epub'])
  })

  it.runIf(isSlow)('lets no name of a book, title or message be a command of the runner', async () => {
    const hostile = '::error::pwned'
    const { run } = await runner({
      [`books/${hostile}.epub`]: 'x',
      'books/::set-output name=x::y.epub': bookOf('::warning::pwned'),
      'books/##[error]pwned.epub': bookOf('B'),
    })
    for (const event of ['push', 'pull_request']) {
      const { annotations, code } = await run({ files: 'books' }, { event })
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
    const inputs = Object.keys(action.inputs).filter(name => actionText.includes(`{{ inputs.${name} `))
    expect(inputs).toEqual(Object.keys(action.inputs))
  })

  it('names the actions of others by their commits', () => {
    const uses = [...actionText.matchAll(/uses: (.*)/g)].map(([, each]) => each)
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
if (isSlow) {
  describe('the action in other cases', () => {
    it('names ten failures at most, because GitHub shows no more, and counts the others', async () => {
      const books = Array.from({ length: 12 }, (_, index) => [`books/${index}.epub`, 'x'] as const)
      const { annotations } = await (await runner(Object.fromEntries(books))).run({ files: 'books' })
      expect(annotations).toHaveLength(10)
      expect(annotations.at(-1)).toBe(
        '::error title=pubctl::3 more: the job summary and the receipts name them',
      )
    })
  })

  describe('the action from its own checkout', () => {
    const books = { 'books/a.epub': bookOf('A') }
    const inputs = { files: 'books/', 'if-changed': 'edition' }

    it('builds the version that it is of, runs it, and changes neither the checkout nor the workspace', async () => {
      const { run, list, workspace } = await runner(books)
      const checkout = freshCheckout()
      const before = filesBelow(checkout)
      const used = await run(inputs, { checkout, env: { NODE_ENV: 'production' } })
      expect(used).toMatchObject({ code: 0, annotations: [], output: { 'exit-code': '0' } })
      expect((await list()).map(({ title }) => title)).toEqual(['A'])
      expect({ checkout: filesBelow(checkout), workspace: filesBelow(workspace) }).toEqual({
        checkout: before,
        workspace: ['books/a.epub'],
      })
      // Later steps of the job find it on their path.
      const [folder = ''] = used.read('path').split('\n')
      expect((await execa(join(folder, 'pubctl'), ['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+$/)
    }, 300_000)

    it('installs a package that is named, from the working directory', async () => {
      const tarball = await artefact('tarball')
      const { run, list } = await runner({ ...books, 'in/tools/pubctl.tgz': readFileSync(tarball) })
      const given = { ...inputs, files: '../books', package: './tools/pubctl.tgz' }
      const used = await run({ ...given, 'working-directory': 'in' }, { checkout: freshCheckout() })
      expect(used).toMatchObject({ code: 0, annotations: [] })
      expect(await list()).toHaveLength(1)
    }, 300_000)

    it('says that it could not be installed, runs no step that needs it, and takes the package for no command', async () => {
      const { run, workspace } = await runner(books)
      const given = { ...inputs, package: './$(touch pwned).tgz' }
      expect(await run(given, { checkout: freshCheckout() })).toMatchObject({
        code: 1,
        annotations: [
          expect.stringMatching(/^::error title=pubctl::pubctl could not be installed: "npm install" failed/),
        ],
        kept: [],
        output: { 'exit-code': '' },
      })
      expect(filesBelow(workspace)).toEqual(['books/a.epub'])
    })
  })
}
