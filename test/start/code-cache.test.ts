import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { execa } from 'execa'
import { beforeAll, describe, expect, it } from 'vitest'
import { exampleBook } from '../support/books/example-book.ts'
import { makePdf } from '../support/books/make-pdf.ts'
import { compiledFolder, plantCode, record } from '../support/machine/planted-code.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow, share } from '../support/machine/slow.ts'
import { serve } from '../support/servers/server.ts'

const bin = join(import.meta.dirname, '../../bin/pubctl.js')
const isWindows = process.platform === 'win32'
const isRoot = process.getuid?.() === 0
const otherUser = 12_345

/** A person's home, in whose default cache the program runs. */
function person() {
  const home = temporaryFolder()
  const cacheDir = join(home, '.cache/pubctl')
  const configDir = join(home, '.config/pubctl')
  const folder = compiledFolder(home)
  const known = join(configDir, 'compiled.json')
  return {
    home,
    cacheDir,
    configDir,
    folder,
    known,
    /** Plants code where the record knows it, which only who can write to the configuration folder can do. */
    plantKnown() {
      const path = plantCode(folder)
      record(known, path)
      return path
    },
    run: async (env: Record<string, string> = {}, args = ['--help'], flags: string[] = []) =>
      await execa(process.execPath, [...flags, bin, ...args], {
        env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env },
        extendEnv: false,
        reject: false,
        cwd: home,
      }),
    files: (from = cacheDir) =>
      existsSync(from)
        ? readdirSync(from, { recursive: true, encoding: 'utf8' })
            .map(name => join(from, name))
            .filter(path => statSync(path).isFile())
        : [],
  }
}

/** What --help prints when nothing is kept. */
let usual: string
beforeAll(async () => {
  usual = (await execa(process.execPath, [bin, '--help'], { env: { NODE_DISABLE_COMPILE_CACHE: '1' } }))
    .stdout
})

describe('compiled code that was planted', () => {
  it('would run where the record knows it and only the user can change both', async () => {
    const { plantKnown, run } = person()
    plantKnown()
    expect((await run()).stdout).toBe('planted')
  })

  it.each(
    share(
      [
        ['another file', (path: string) => rmSync(path)],
        ['the same file', () => undefined],
      ],
      2,
    ),
  )('does not run where a cache was restored, with its size and time, as %s', async (_, prepare) => {
    const { known, plantKnown, run } = person()
    const path = plantKnown()
    const bytes = readFileSync(path)
    utimesSync(path, 1_700_000_000, 1_700_000_000)
    record(known, path)
    expect((await run()).stdout).toBe('planted')
    prepare(path)
    writeFileSync(path, bytes, { mode: 0o600 })
    utimesSync(path, 1_700_000_000, 1_700_000_000)
    expect((await run()).stdout).toBe(usual)
  })

  it.runIf(isSlow)('does not run from a folder that a variable names', async () => {
    const { home, run } = person()
    for (const env of [{ PUBCTL_CACHE_DIR: join(home, 'cache') }, { XDG_CACHE_HOME: home }]) {
      plantCode(compiledFolder(home, env))
      expect((await run(env)).stdout).toBe(usual)
    }
  })

  it.runIf(isSlow)('does not run from the current directory', async () => {
    const { home, run } = person()
    plantCode(compiledFolder(home, { PUBCTL_CACHE_DIR: join(home, 'cache') }))
    expect((await run({ PUBCTL_CACHE_DIR: 'cache' })).stdout).toBe(usual)
    expect((await run({ PUBCTL_CACHE_DIR: './cache' })).stdout).toBe(usual)
  })

  it.runIf(isSlow && !isWindows)('does not run from behind a link, at any depth', async () => {
    const { home, cacheDir, folder, known, plantKnown, run } = person()
    const file = plantKnown()
    const elsewhere = join(home, 'elsewhere')
    for (const place of [file, folder, cacheDir, dirname(cacheDir), known]) {
      renameSync(place, elsewhere)
      symlinkSync(elsewhere, place)
      if (place !== known) record(known, file)
      expect((await run()).stdout, place).toBe(usual)
      rmSync(place)
      renameSync(elsewhere, place)
    }
  })

  it.skipIf(isWindows)('does not run where others may write, at any depth', async () => {
    const { home, cacheDir, configDir, folder, known, plantKnown, run } = person()
    const file = plantKnown()
    const places = [file, folder, cacheDir, dirname(cacheDir), known, configDir, dirname(configDir), home]
    for (const [index, place] of places.entries()) {
      for (const bits of share([0o020, 0o002], 2, index)) {
        plantKnown()
        const { mode } = statSync(place)
        chmodSync(place, mode | bits)
        if (place === file) record(known, file)
        expect((await run()).stdout, place).toBe(usual)
        chmodSync(place, mode)
      }
    }
  })

  it.runIf(isSlow && isRoot)(
    'does not run where something belongs to another user, at any depth',
    async () => {
      const { home, cacheDir, configDir, folder, known, plantKnown, run } = person()
      const file = plantKnown()
      const places = [file, folder, cacheDir, dirname(cacheDir), known, configDir, dirname(configDir), home]
      for (const place of share(places, 2)) {
        plantKnown()
        chownSync(place, otherUser, otherUser)
        if (place === file) record(known, file)
        expect((await run()).stdout, place).toBe(usual)
        chownSync(place, 0, 0)
      }
    },
  )
})

describe('compiled code', () => {
  it('is kept for its owner alone, and used again', async () => {
    const { folder, run, files } = person()
    expect((await run()).stdout).toBe(usual)
    expect(files().length).toBeGreaterThan(0)
    if (!isWindows) expect(statSync(folder).mode & 0o777).toBe(0o700)
    const before = files().map(path => [path, statSync(path).mtimeMs])
    expect((await run()).stdout).toBe(usual)
    expect(files().map(path => [path, statSync(path).mtimeMs])).toEqual(before)
  })

  it.each([
    ['XDG_CACHE_HOME', '.cache'],
    ['XDG_CACHE_HOME', 'elsewhere'],
    ['PUBCTL_CACHE_DIR', 'elsewhere'],
  ])('is kept and used where %s names the folder %s', async (name, folder) => {
    const { home, run, files } = person()
    const named = join(home, folder)
    await run({ [name]: named })
    const before = files(named).map(path => [path, statSync(path).mtimeMs])
    expect(before.length).toBeGreaterThan(1)
    expect((await run({ [name]: named })).stdout).toBe(usual)
    expect(files(named).map(path => [path, statSync(path).mtimeMs])).toEqual(before)
  })

  it.skipIf(isWindows)('is kept where a variable names the home folder by a link', async () => {
    const { home, run, files } = person()
    const link = join(temporaryFolder(), 'home')
    symlinkSync(home, link)
    await run({ HOME: link, XDG_CACHE_HOME: join(link, '.cache') })
    expect(files().length).toBeGreaterThan(1)
  })

  it.skipIf(isWindows)('is kept where the configuration folder is a link of the user', async () => {
    const { home, configDir, run, files } = person()
    mkdirSync(join(home, 'dotfiles'), { mode: 0o700 })
    mkdirSync(dirname(configDir))
    symlinkSync(join(home, 'dotfiles'), configDir)
    await run()
    expect(files().length).toBeGreaterThan(1)
    expect(files(join(home, 'dotfiles'))).toHaveLength(1)
  })

  it.skipIf(isWindows)('is not kept where others may write', async () => {
    const { home, run } = person()
    chmodSync(home, 0o777)
    await run()
    expect(readdirSync(home)).toEqual([])
  })

  it('is not kept where it could not be recorded', async () => {
    const { home, run, files } = person()
    writeFileSync(join(home, '.config'), 'a file where the folder would be')
    expect(await run()).toMatchObject({ exitCode: 0, stdout: usual, stderr: '' })
    expect(files()).toEqual([])
  })

  it.each(share(['null', '[]', '{', '{"/":1}'], 4))('is kept anew where the record is %s', async damaged => {
    const { known, run } = person()
    await run()
    const whole = readFileSync(known, 'utf8')
    writeFileSync(known, damaged)
    expect(await run()).toMatchObject({ exitCode: 0, stdout: usual, stderr: '' })
    const recorded = (text: string) => Object.keys(JSON.parse(text))
    expect(recorded(readFileSync(known, 'utf8'))).toEqual(recorded(whole))
  })

  it('is done without where it cannot be kept', async () => {
    const { home, run } = person()
    writeFileSync(join(home, '.cache'), 'a file where the folder would be')
    expect(await run()).toMatchObject({ exitCode: 0, stdout: usual, stderr: '' })
    expect(await run({ PUBCTL_CACHE_DIR: '' })).toMatchObject({ exitCode: 0, stdout: usual })
  })

  it.runIf(isSlow)(
    'is kept for each configuration folder, so that two that share a cache do not write it again',
    async () => {
      const { home, run, files } = person()
      const folders = ['one', 'other'].map(name => ({ PUBCTL_CONFIG_DIR: join(home, name) }))
      for (const folder of folders) await run(folder)
      const before = files().map(path => [path, statSync(path).mtimeMs])
      for (const folder of folders) expect((await run(folder)).stdout).toBe(usual)
      expect(files().map(path => [path, statSync(path).mtimeMs])).toEqual(before)
    },
  )

  it.runIf(isSlow)(
    'is kept anew for a copy of a configuration folder, which leaves alone what the first one has',
    async () => {
      const { home, configDir, run, files } = person()
      await run()
      const copy = join(home, 'copy')
      cpSync(configDir, copy, { recursive: true })
      const first = files()
      await run({ PUBCTL_CONFIG_DIR: copy })
      const before = files().map(path => [path, statSync(path).mtimeMs])
      expect(before.length).toBe(2 * first.length)
      for (const folder of [configDir, copy]) await run({ PUBCTL_CONFIG_DIR: folder })
      expect(files().map(path => [path, statSync(path).mtimeMs])).toEqual(before)
    },
  )

  it('goes a month after it was written, whoever wrote it', async () => {
    const { cacheDir, folder, run } = person()
    const old = new Date(Date.now() - 31 * 24 * 3_600_000)
    const ages = {
      'compiled-v20.19.0-x64': old,
      'compiled-v20.19.0-x64-12ab': old,
      'program-0': old,
      'compiled-v1-x64-0': new Date(),
    }
    for (const [name, time] of Object.entries(ages)) {
      mkdirSync(join(cacheDir, name), { recursive: true, mode: 0o700 })
      writeFileSync(join(cacheDir, name, 'code'), '')
      utimesSync(join(cacheDir, name), time, time)
    }
    await run()
    expect(readdirSync(cacheDir).sort()).toEqual([basename(folder), 'compiled-v1-x64-0', 'program-0'].sort())
  })

  it('is kept by several programs at once without harm', async () => {
    const { run } = person()
    const results = await Promise.all([run(), run(), run()])
    expect(results.map(({ stdout }) => stdout)).toEqual([usual, usual, usual])
  })
})

describe('the file of compiled code', () => {
  it.runIf(isSlow)('grows when a command loads what no other has, and not otherwise', async () => {
    const { run, files } = person()
    await run()
    const [main = ''] = files().sort((a, b) => statSync(b).size - statSync(a).size)
    const first = statSync(main)
    await run({}, ['publications', '--help'])
    const grown = statSync(main)
    expect(grown.size).toBeGreaterThan(first.size)
    expect(files().length).toBeGreaterThan(1)
    await run()
    await run({}, ['publications', '--help'])
    expect(statSync(main).mtimeMs).toBe(grown.mtimeMs)
  })

  it.runIf(isSlow)('grows once more when a command succeeds for the first time', async () => {
    const { folder, run, files } = person()
    let status = 401
    const { url } = await serve((_, response) => response.writeHead(status).end('{"items":[]}'))
    const env = { PUBCTL_BASE_URL: url, PUBCTL_API_KEY: 'a-key-of-some-length' }
    const list = async () => (await run(env, ['domains', 'list', '--json'])).exitCode
    const written = () => files(folder).map(path => [path, statSync(path).mtimeMs])
    const total = () => files(folder).reduce((sum, path) => sum + statSync(path).size, 0)
    expect(await list()).not.toBe(0)
    const before = total()
    status = 200
    expect(await list()).toBe(0)
    expect(total()).toBeGreaterThan(before)
    const whole = written()
    for (status of [401, 200]) await list()
    expect(written()).toEqual(whole)
  })

  it('is kept again of a run that uses fewer modules than the first, and other functions of them', async () => {
    const { home, folder, run, files } = person()
    const pdf = join(home, 'first.pdf')
    writeFileSync(pdf, makePdf({ info: '/Title (First)', pages: 1 }))
    const size = () => files(folder).reduce((sum, path) => sum + statSync(path).size, 0)
    expect((await run({}, ['inspect', pdf])).exitCode).toBe(0)
    const ofPdf = size()
    const epub = ['inspect', await exampleBook()]
    expect((await run({}, epub)).exitCode).toBe(0)
    expect(size()).toBeGreaterThan(1.2 * ofPdf)
    const before = files().map(path => [path, statSync(path).mtimeMs])
    expect((await run({}, epub)).exitCode).toBe(0)
    expect(files().map(path => [path, statSync(path).mtimeMs])).toEqual(before)
  })

  it('is also kept of the thread that reads the books of a batch', async () => {
    const { home, folder, run } = person()
    const books = join(home, 'books')
    mkdirSync(books)
    for (let number = 0; number < 8; number++)
      cpSync(await exampleBook({ title: `Book ${number}` }), join(books, `${number}.epub`))
    const [, name = ''] =
      /^\/\/(\w+)\n/.exec(readFileSync(join(bin, '../../dist/reading-thread.js'), 'utf8')) ?? []
    const upload = ['publications', 'upload', books, '--profile', 'sandbox', '--json']
    expect((await run({}, upload)).exitCode).toBe(0)
    const { mtimeMs } = statSync(join(folder, name))
    expect((await run({}, upload)).exitCode).toBe(0)
    expect(statSync(join(folder, name)).mtimeMs).toBe(mtimeMs)
  })

  it('has the functions of the start after a long run as well, which V8 would discard by then', async () => {
    const title = 'A long title '.repeat(1000)
    let pages = 1
    const { url } = await serve(({ url }, response) => {
      const page = Number(new URL(url, 'http://localhost').searchParams.get('nextToken') ?? 1)
      const nextToken = page < pages ? `${page + 1}` : null
      const items = Array.from({ length: 50 }, (_, index) => ({ publicationId: `pub_${index}`, title }))
      setTimeout(() => response.end(JSON.stringify({ items, nextToken })), page === 1 ? 400 : 0)
    })
    const env = { PUBCTL_BASE_URL: url, PUBCTL_API_KEY: 'a-key-of-some-length' }
    const list = ['publications', 'list', '--all', '-o', 'ndjson']
    const sizeAfter = async (count: number) => {
      const { folder, run, files } = person()
      pages = count
      // Each collection of garbage is one of those by which V8 tells how long something has not run.
      expect((await run(env, list, ['--gc-global'])).exitCode).toBe(0)
      return files(folder).reduce((sum, path) => sum + statSync(path).size, 0)
    }
    const short = await sizeAfter(1)
    expect(await sizeAfter(40)).toBeGreaterThan(0.9 * short)
  })

  it.each(
    share(
      [
        ['cut short', (bytes: Buffer) => bytes.subarray(0, 5000)],
        ['emptied', () => Buffer.alloc(0)],
        ['changed in the middle', (bytes: Buffer) => bytes.fill(0x55, 30_000, 30_100)],
        ['of something else', () => Buffer.from('hello, hello!'.repeat(1000))],
      ],
      2,
    ),
  )('is made anew where it was %s', async (_, damage) => {
    const { run, files } = person()
    await run()
    const [kept = ''] = files().sort((a, b) => statSync(b).size - statSync(a).size)
    const whole = readFileSync(kept)
    writeFileSync(kept, damage(Buffer.from(whole)))
    expect(await run()).toMatchObject({ exitCode: 0, stdout: usual, stderr: '' })
    expect(readFileSync(kept).length).toBeGreaterThan(whole.length / 2)
    expect(await run()).toMatchObject({ exitCode: 0, stdout: usual })
  })

  it('is not looked for in what is no file', async () => {
    const { folder, run } = person()
    const path = plantCode(folder)
    rmSync(path)
    mkdirSync(path)
    expect(await run()).toMatchObject({ exitCode: 0, stdout: usual, stderr: '' })
  })
})
