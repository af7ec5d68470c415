import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { startBin } from '../support/bin.ts'
import { temporaryFolder } from '../support/pubctl.ts'

const isWindows = process.platform === 'win32'

/** Uploads a book with a cover that `make` puts where it is asked to; the test ends a process that waits for ever. */
async function withCover(make: (path: string) => void, manifest = false) {
  const folder = temporaryFolder()
  const [book, cover, sheet] = ['book.epub', 'cover.png', 'books.csv'].map(name => join(folder, name))
  writeFileSync(book as string, await makeExampleEpub({}))
  make(cover as string)
  writeFileSync(sheet as string, 'file,cover\nbook.epub,cover.png\n')
  const what = manifest ? ['--manifest', sheet as string] : [book as string, '--cover', cover as string]
  const env = { HOME: folder, PUBCTL_SANDBOX_DELAY: '5ms' }
  const running = startBin(['--profile', 'sandbox', 'publications', 'upload', ...what, '--json'], env)
  const timer = setTimeout(() => running.kill('SIGKILL'), 20_000)
  const { exitCode, stderr } = await running
  clearTimeout(timer)
  const listed = await startBin(['--profile', 'sandbox', 'publications', 'list', '--json'], env)
  return { exitCode, error: JSON.parse(stderr || '{}').error, made: JSON.parse(listed.stdout).length }
}

describe('a cover', () => {
  it.skipIf(isWindows).each<[string, (path: string) => void, RegExp]>([
    ['a pipe', path => void spawnSync('mkfifo', [path]), /is a pipe, socket or device, not a file/],
    [
      'a device without end',
      path => symlinkSync('/dev/zero', path),
      /is a pipe, socket or device, not a file/,
    ],
    ['a folder', path => mkdirSync(path), /is a folder, not a file/],
  ])('is refused where it is %s, and nothing is made', async (_, make, message) => {
    expect(await withCover(make)).toMatchObject({
      exitCode: 2,
      error: { code: 'file_unreadable', message: expect.stringMatching(message) },
      made: 0,
    })
  })

  it('of ten gigabytes is refused by its size, and nothing is made', async () => {
    const make = (path: string) => {
      writeFileSync(path, '')
      truncateSync(path, 10_000_000_000)
    }
    expect(await withCover(make)).toMatchObject({
      exitCode: 2,
      error: { code: 'cover_too_large', message: expect.stringMatching(/is larger than 64 MiB/) },
      made: 0,
    })
    expect((await withCover(make, true)).made).toBe(0)
  })

  it('of ten gigabytes is refused by "uploads put" as well', async () => {
    const folder = temporaryFolder()
    const [book, cover, session] = ['book.epub', 'cover.png', 'session.json'].map(name => join(folder, name))
    writeFileSync(book as string, await makeExampleEpub({}))
    writeFileSync(cover as string, '')
    truncateSync(cover as string, 10_000_000_000)
    const target = { uploadUrl: 'http://127.0.0.1:9/put', requiredHeaders: {} }
    writeFileSync(session as string, JSON.stringify({ ...target, cover: target }))
    const put = ['uploads', 'put', book as string, '--session', session as string, '--cover', cover as string]
    const { exitCode, stderr } = await startBin(['--profile', 'sandbox', ...put, '--json'], { HOME: folder })
    expect({ exitCode, code: JSON.parse(stderr).error.code }).toEqual({
      exitCode: 2,
      code: 'cover_too_large',
    })
  })
})
