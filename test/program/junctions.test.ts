// Links to folders, which on Windows are junctions: whoever installs Node.js or moves a disk there makes them.
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { smallFile } from '../../src/uploads/reading/hash.ts'
import { makePdf } from '../support/books/make-pdf.ts'
import { environment } from '../support/machine/bin.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { bookService } from '../support/servers/book-service.ts'

const root = join(import.meta.dirname, '../..')

/** A link to a folder, in a folder of its own. */
function linkTo(folder: string): string {
  const link = join(temporaryFolder(), 'link')
  symlinkSync(folder, link, 'junction')
  return link
}

describe('a link to a folder', () => {
  it('may lead to the program, whose threads and processes are found', async () => {
    const { home } = machine()
    const { env } = await bookService()
    const [book, pdf] = [join(home, 'book.epub'), join(home, 'paper.pdf')]
    writeFileSync(book, await makeExampleEpub({ cover: false, paddingBytes: smallFile + 1 }))
    writeFileSync(pdf, makePdf({ info: '/Title (Paper)' }))
    const { exitCode, stdout, stderr } = await execa(
      process.execPath,
      [join(linkTo(root), 'bin/pubctl.js'), 'publications', 'upload', book, pdf, '--skip-existing', '--json'],
      { env: environment({ HOME: home, ...env }), extendEnv: false, reject: false, input: '' },
    )
    expect(exitCode, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject([
      { outcome: 'uploaded', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { outcome: 'uploaded', title: 'Paper' },
    ])
  })

  it('may lead to the profiles, which are read and written there', async () => {
    const folder = join(temporaryFolder(), 'profiles')
    mkdirSync(folder, { mode: 0o700 })
    const { run, home } = machine({ PUBCTL_CONFIG_DIR: linkTo(folder) })
    const key = join(home, 'key')
    writeFileSync(key, 'a-key-of-some-length')
    const address = ['--base-url', 'https://api.example', '--no-verify']
    const setup = await run(['profile', 'setup', 'work', ...address, '--api-key-file', key])
    expect(setup.code, setup.err).toBe(0)
    const { out } = await run(['profile', 'list', '--json'])
    expect(JSON.parse(out)[0]).toMatchObject({ name: 'work', key: 'a-ke****ngth' })
    expect(readdirSync(folder)).toContain('config.json')
  })

  it('may be the folder of the books, and is not followed in it', async () => {
    const { run } = machine()
    const [books, others] = [temporaryFolder(), temporaryFolder()]
    writeFileSync(join(books, 'first.epub'), await makeExampleEpub({ title: 'First' }))
    writeFileSync(join(others, 'other.epub'), await makeExampleEpub({ title: 'Other' }))
    symlinkSync(others, join(books, 'others'), 'junction')
    symlinkSync(books, join(books, 'again'), 'junction')
    const link = linkTo(books)
    const { code, out } = await run(['inspect', link, '--recursive', '-o', 'ndjson'])
    const files = out
      .trim()
      .split('\n')
      .map(line => basename(JSON.parse(line).file))
    expect({ code, files }).toEqual({ code: 0, files: ['first.epub'] })
  })
})
