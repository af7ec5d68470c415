import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSoundCover } from '../../src/books/cover-file.ts'
import { exampleCover } from '../../src/sandbox/seed/example-epub/cover.ts'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { anyFile } from '../../src/system/may-read.ts'
import { fileOf } from '../support/books/make-book.ts'
import { startBin } from '../support/machine/bin.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow, share } from '../support/machine/slow.ts'

const isWindows = process.platform === 'win32'

/** The example's cover, with another size in its header. */
function sizedPng(width: number, height: number): Buffer {
  const image = Buffer.from(exampleCover())
  image.writeUInt32BE(width, 16)
  image.writeUInt32BE(height, 20)
  return image
}

/** Uploads a book with a cover that `make` puts where it is asked to; the test ends a process that waits for ever. */
async function withCover(make: (path: string) => void, manifest = false) {
  const { home: folder, sandbox } = machine()
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
  const { out } = await sandbox(['publications', 'list', '--json'])
  return { exitCode, error: JSON.parse(stderr || '{}').error, made: JSON.parse(out).length }
}

describe('a cover', () => {
  it.skipIf(isWindows).each<[string, (path: string) => void, RegExp]>(
    share(
      [
        ['a pipe', path => void spawnSync('mkfifo', [path]), /is a pipe, socket or device, not a file/],
        [
          'a device without end',
          path => symlinkSync('/dev/zero', path),
          /is a pipe, socket or device, not a file/,
        ],
        ['a folder', path => mkdirSync(path), /is a folder, not a file/],
      ],
      3,
    ),
  )('is refused where it is %s, and nothing is made', async (_, make, message) => {
    expect(await withCover(make)).toMatchObject({
      exitCode: 2,
      error: { code: 'file_unreadable', message: expect.stringMatching(message) },
      made: 0,
    })
  })

  it.each<[string, string | Buffer, RegExp]>(
    share(
      [
        ['empty', '', /cover\.png is empty/],
        ['text', 'Dear Sir or Madam', /is not an image that can be read/],
        [
          'a JPEG by its content',
          Buffer.from('ffd8ffe000104a4649460001ffd9', 'hex'),
          /is image\/jpeg and not what its name/,
        ],
        ['cut short', exampleCover().subarray(0, -20), /is cut short/],
        ['of no size', sizedPng(0, 0), /has no size/],
        [
          'a lie about its size',
          sizedPng(60_000, 60_000),
          /is too small for the size in pixels that it claims/,
        ],
      ],
      3,
    ),
  )('is refused where it is %s, and nothing is made', async (_, content, message) => {
    expect(await withCover(path => writeFileSync(path, content))).toMatchObject({
      exitCode: 2,
      error: { code: 'cover_unfit', message: expect.stringMatching(message), hint: expect.any(String) },
      made: 0,
    })
  })

  it.runIf(isSlow)('of ten gigabytes is refused by its size, and nothing is made', async () => {
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

describe('an image for a cover', () => {
  const svg = (content: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="6" height="9">${content}</svg>`

  it.each<[string, string, string | Buffer]>([
    ['a PNG', 'a.png', exampleCover()],
    ['a PNG with data after its end', 'a.png', Buffer.concat([exampleCover(), Buffer.alloc(9)])],
    ['a JPEG', 'a.JPG', Buffer.from('ffd8ffc2000b080010002001011100ffd9', 'hex')],
    ['a GIF', 'a.gif', Buffer.from('GIF89a\x20\0\x10\0\0\0\0\0;', 'latin1')],
    ['a WebP', 'a.webp', Buffer.from('RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x1f\0\0\x0f\0\0', 'latin1')],
    ['a drawing', 'a.svg', svg('<rect/>')],
    ['a drawing with an image in it', 'a.svg', svg('<image href="data:image/png;base64,AA=="/>')],
  ])('is sound where it is %s', async (_, name, content) => {
    expect(await readSoundCover(fileOf(content, name), anyFile)).toEqual(Buffer.from(content as string))
  })

  it.each<[string, string, string | Buffer, RegExp]>([
    ['a JPEG cut short', 'a.jpg', Buffer.from('ffd8ffc2000b080010002001011100', 'hex'), /is cut short/],
    [
      'a JPEG that lies',
      'a.jpg',
      Buffer.from('ffd8ffc2000b08ffffffff01011100ffd9', 'hex'),
      /is too small for/,
    ],
    [
      'a WebP cut short',
      'a.webp',
      Buffer.from('RIFF\xff\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x1f\0\0\x0f\0\0', 'latin1'),
      /is cut short/,
    ],
    ['a drawing with a script', 'a.svg', svg('<script>x()</script>'), /has a script/],
    ['a drawing that reacts', 'a.svg', svg('<rect onload="x()"/>'), /has a script/],
    ['a drawing that runs a link', 'a.svg', svg('<a href="javascript:x()"/>'), /has a script/],
    ['a drawing from elsewhere', 'a.svg', svg('<image href="https://example.org/a.png"/>'), /from elsewhere/],
    ['a broken drawing', 'a.svg', svg('<rect>'), /is not well-formed in line 1/],
  ])('is refused where it is %s', async (_, name, content, message) => {
    await expect(readSoundCover(fileOf(content, name), anyFile)).rejects.toMatchObject({
      code: 'cover_unfit',
      exitCode: 2,
      message: expect.stringMatching(message),
    })
  })
})
