import { execFileSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exampleCover } from '../../src/sandbox/seed/example-epub/cover.ts'
import { makeBooks } from '../support/books/book-folder.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { watchScene } from '../support/machine/watch-scene.ts'
import { startWatcher } from '../support/machine/watcher.ts'
import { bookService } from '../support/servers/book-service.ts'

const isWindows = process.platform === 'win32'
const lock = '.pubctl-watch.lock'

/** A folder of somebody else into which nothing may be written. */
const elsewhere = () => temporaryFolder()

/** Makes a link to a folder, which on Windows is a junction, since that takes no rights. */
const linkFolder = (target: string, path: string) => symlinkSync(target, path, 'junction')

const fifo = (path: string) => execFileSync('mkfifo', [path])

describe('a folder "done" or "failed" that another user of the watched folder made', () => {
  it.each(['done', 'failed'])('is refused before anything is sent where it is a link: %s', async name => {
    const { put, at, watch, files } = watchScene()
    const other = elsewhere()
    await put('a.epub', 'A')
    linkFolder(other, at(name))
    const { code, err } = await watch()
    expect({ code, error: JSON.parse(err).error }).toMatchObject({
      code: 2,
      error: {
        code: 'unsafe_permissions',
        message: expect.stringContaining(`${at(name)} is a link`),
        hint: `Remove it, or name the folder that you mean: --${name} <folder>`,
      },
    })
    expect(readdirSync(other)).toEqual([])
    expect(files()).toEqual(['a.epub', name].sort())
  })

  it.skipIf(process.getuid?.() !== 0)('is refused where it belongs to that user', async () => {
    const { put, at, watch, files } = watchScene()
    await put('a.epub', 'A')
    mkdirSync(at('done'))
    chownSync(at('done'), 12_345, 12_345)
    const { code, err } = await watch()
    expect({ code, message: JSON.parse(err).error.message }).toEqual({
      code: 2,
      message: `${at('done')} belongs to another user (12345)`,
    })
    expect(files()).toEqual(['a.epub'])
  })

  it.runIf(isSlow)(
    'gets nothing where it becomes a link while the watcher is at it, and what is done is moved once it is mended',
    async () => {
      const { put, at, start } = watchScene()
      const other = elsewhere()
      const { said } = start([])
      await put('a.epub', 'A')
      await said('done')
      renameSync(at('done'), at('.away'))
      linkFolder(other, at('done'))
      await put('b.epub', 'B')
      expect((await said('not-moved')).why).toContain(`${at('done')} is a link`)
      expect(readdirSync(other)).toEqual([])
      rmSync(at('done'))
      expect((await said('done', ({ file }) => file === at('b.epub'))).movedTo).toBe(at('done', 'b.epub'))
    },
  )

  it('gets nothing where a folder within it is a link', async () => {
    const { put, at, watch } = watchScene()
    const other = elsewhere()
    for (const path of [at('below'), at('done')]) mkdirSync(path)
    await put(join('below', 'a.epub'), 'A')
    linkFolder(other, at('done', 'below'))
    const { code, of } = await watch(['--recursive'])
    expect({ code, moved: of('done').length }).toEqual({ code: 10, moved: 0 })
    expect(of('not-moved').map(({ why }) => why)).toEqual([
      expect.stringContaining(`${at('done', 'below')} is a link`),
    ])
    expect(readdirSync(other)).toEqual([])
  })

  it.runIf(isSlow)('is followed where --done names it, and as long as it leads there', async () => {
    const { put, at, start, files } = watchScene()
    const [named, other] = [elsewhere(), elsewhere()]
    const target = join(named, 'target')
    mkdirSync(target)
    linkFolder(target, at('sent'))
    const { said, of } = start(['--done', at('sent'), '--recursive'])
    await put('a.epub', 'A')
    expect((await said('done')).movedTo).toBe(join(target, 'a.epub'))
    renameSync(target, join(named, 'away'))
    linkFolder(other, target)
    await put('b.epub', 'B')
    expect((await said('not-moved')).why).toContain(`${target} leads elsewhere since the watcher began`)
    expect(readdirSync(other)).toEqual([])
    expect(of('left-alone')).toEqual([])
    expect(files()).toEqual([lock, 'b.epub', 'sent'])
  })
})

it.skipIf(process.platform === 'linux')(
  'a folder "Done" is the folder "done" where the disk takes both for one name',
  async () => {
    const { put, at, watch, files } = watchScene()
    mkdirSync(at('Done'))
    await put(join('Done', 'old.epub'), 'Old')
    await put('new.epub', 'New')
    const { code, of } = await watch(['--recursive'])
    expect({ code, found: of('found').map(({ file }) => file) }).toEqual({ code: 0, found: [at('new.epub')] })
    expect(files()).toContain(join('Done', 'new.epub'))
  },
)

it('what was moved is not found again where --done names its folder by another path', async () => {
  const { put, at, folder, watch } = watchScene()
  const link = join(elsewhere(), 'link')
  linkFolder(folder, link)
  await put('a.epub', 'A')
  for (const found of [1, 0])
    expect((await watch(['--recursive', '--done', join(link, 'sent')])).of('found')).toHaveLength(found)
  expect(existsSync(at('sent', 'a.epub'))).toBe(true)
})

describe.skipIf(isWindows)('what is no file', () => {
  async function scene() {
    const folder = temporaryFolder()
    const { url, env } = await bookService()
    const person = { home: temporaryFolder(), baseUrl: url, key: env.PUBCTL_API_KEY }
    const at = (...names: string[]) => join(folder, ...names)
    // A process, since what waits for a pipe could not be ended otherwise.
    const watch = (...more: string[]) =>
      startWatcher(folder, person, ['--quiet-period', '20ms', '--scan', '20ms', ...more])
    return { folder, at, watch }
  }

  const things = {
    'a pipe': fifo,
    'a device without an end': (path: string) => symlinkSync('/dev/zero', path),
    'a link that leads nowhere': (path: string) => symlinkSync('nowhere', path),
    'a folder': (path: string) => mkdirSync(path),
    'a file that is too large': (path: string) => writeFileSync(path, 'x'.repeat(100_000)),
  }

  it.each(Object.entries(things))('is refused as the lock of a watcher: %s', async (_, make) => {
    const { at, watch } = await scene()
    make(at(lock))
    const watcher = watch('--once')
    expect(await watcher.ended()).toBe(2)
    expect(JSON.parse(watcher.errors()).error).toMatchObject({
      code: 'file_unreadable',
      message: `${at(lock)} is not the lock of a watcher`,
    })
    expect(existsSync(at(lock)) || make === things['a link that leads nowhere']).toBe(true)
  })

  it('ends a watcher when it takes the place of its lock', async () => {
    const { at, watch } = await scene()
    const watcher = watch()
    await watcher.said(({ event }) => event === 'watching')
    fifo(at('.pipe'))
    renameSync(at('.pipe'), at(lock))
    expect(await watcher.ended()).toBe(2)
    expect(watcher.errors()).toContain('is not the lock of a watcher')
  })

  it('is passed over where a receipt or a book is to be', async () => {
    const { folder, at, watch } = await scene()
    await makeBooks(folder, 1)
    const name = 'Book 000.epub'
    mkdirSync(at('done'))
    for (const each of [`${name}.receipt.json`, 'gone.epub.receipt.json']) fifo(at('done', each))
    fifo(at('done', name.replace('.epub', '-2.epub')))
    writeFileSync(at('books.csv'), 'file\ngone.epub\n')
    const watcher = watch('--once')
    expect(await watcher.ended()).toBe(0)
    expect(readdirSync(at('done')).filter(each => each.includes('-3.'))).toHaveLength(2)
  })
})

it('a book whose cover does not come waits, and --once ends', async () => {
  const { put, at, watch, start, files } = watchScene()
  await put('a.epub', 'A')
  await put('b.epub', 'B')
  writeFileSync(at('books.csv'), 'file,cover\na.epub,a.png\nb.epub,none\n')
  const { code, of } = await watch()
  expect({ code, done: of('done').map(({ file }) => file) }).toEqual({ code: 0, done: [at('b.epub')] })
  expect(of('waiting').map(({ file, why }) => [file, why])).toEqual([
    [at('a.epub'), `its row in books.csv waits for the cover ${at('a.png')}`],
    [at('books.csv'), '1 of 2 rows wait for their files'],
  ])
  const { said } = start([])
  await said('waiting')
  writeFileSync(at('a.png'), exampleCover())
  await said('done', ({ file }) => file === at('books.csv'))
  expect(files()).toContain(join('done', 'a.epub'))
})
