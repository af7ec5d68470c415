import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { beforeAll, describe, expect, it } from 'vitest'
import { compiledFolder, plantCode } from './support/planted-code.ts'
import { temporaryFolder } from './support/pubctl.ts'

const bin = join(import.meta.dirname, '../bin/pubctl.js')
/** From 22.1 on, Node keeps compiled code by itself. */
const isNodes = Number.parseInt(process.versions.node, 10) >= 22
const isWindows = process.platform === 'win32'
const isRoot = process.getuid?.() === 0
const otherUser = 12_345

/** A person's home, in whose default cache the program runs. */
function person() {
  const home = temporaryFolder()
  const cacheDir = join(home, '.cache/pubctl')
  return {
    home,
    cacheDir,
    folder: compiledFolder(cacheDir),
    run: async (env: Record<string, string> = {}, args = ['--help']) =>
      await execa(process.execPath, [bin, ...args], {
        env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env },
        extendEnv: false,
        reject: false,
        cwd: home,
      }),
    files: () =>
      existsSync(cacheDir)
        ? readdirSync(cacheDir, { recursive: true, encoding: 'utf8' })
            .map(name => join(cacheDir, name))
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
  it.skipIf(isNodes)('would run where only the user can put it', async () => {
    const { folder, run } = person()
    plantCode(folder)
    expect((await run()).stdout).toBe('planted')
  })

  it('does not run from a folder that a variable names', async () => {
    const { home, run } = person()
    plantCode(compiledFolder(join(home, 'cache')))
    plantCode(compiledFolder(join(home, 'pubctl')))
    expect((await run({ PUBCTL_CACHE_DIR: join(home, 'cache') })).stdout).toBe(usual)
    expect((await run({ XDG_CACHE_HOME: home })).stdout).toBe(usual)
  })

  it('does not run from the current directory', async () => {
    const { home, run } = person()
    plantCode(compiledFolder(join(home, 'cache')))
    expect((await run({ PUBCTL_CACHE_DIR: 'cache' })).stdout).toBe(usual)
    expect((await run({ PUBCTL_CACHE_DIR: './cache' })).stdout).toBe(usual)
  })

  it.skipIf(isWindows)('does not run from behind a link, at any depth', async () => {
    const { home, cacheDir, folder, run } = person()
    const file = plantCode(folder)
    const elsewhere = join(home, 'elsewhere')
    for (const place of [file, folder, cacheDir, dirname(cacheDir)]) {
      renameSync(place, elsewhere)
      symlinkSync(elsewhere, place)
      expect((await run()).stdout, place).toBe(usual)
      rmSync(place)
      renameSync(elsewhere, place)
    }
  })

  it.skipIf(isWindows)('does not run where others may write, at any depth', async () => {
    const { home, cacheDir, folder, run } = person()
    const file = plantCode(folder)
    for (const place of [file, folder, cacheDir, dirname(cacheDir), home]) {
      const { mode } = statSync(place)
      for (const bits of [0o020, 0o002]) {
        chmodSync(place, mode | bits)
        expect((await run()).stdout, place).toBe(usual)
        plantCode(folder)
      }
      chmodSync(place, mode)
    }
  })

  it.skipIf(!isRoot)('does not run where something belongs to another user, at any depth', async () => {
    const { home, cacheDir, folder, run } = person()
    const file = plantCode(folder)
    for (const place of [file, folder, cacheDir, dirname(cacheDir), home]) {
      chownSync(place, otherUser, otherUser)
      expect((await run()).stdout, place).toBe(usual)
      chownSync(place, 0, 0)
      plantCode(folder)
    }
  })
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

  it.skipIf(isWindows)('is not kept where others may write, nor where a variable says', async () => {
    const { home, run } = person()
    await run({ PUBCTL_CACHE_DIR: join(home, 'elsewhere') })
    chmodSync(home, 0o777)
    await run()
    expect(readdirSync(home)).toEqual([])
  })

  it('is done without where it cannot be kept', async () => {
    const { home, run } = person()
    writeFileSync(join(home, '.cache'), 'a file where the folder would be')
    expect(await run()).toMatchObject({ exitCode: 0, stdout: usual, stderr: '' })
    expect(await run({ PUBCTL_CACHE_DIR: '' })).toMatchObject({ exitCode: 0, stdout: usual })
  })

  it('is kept by several programs at once without harm', async () => {
    const { run } = person()
    const results = await Promise.all([run(), run(), run()])
    expect(results.map(({ stdout }) => stdout)).toEqual([usual, usual, usual])
  })
})

describe.skipIf(isNodes)('compiled code on Node 20', () => {
  it('grows when a command loads what no other has, and not otherwise', async () => {
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

  it.each([
    ['cut short', (bytes: Buffer) => bytes.subarray(0, 5000)],
    ['emptied', () => Buffer.alloc(0)],
    ['changed in the middle', (bytes: Buffer) => bytes.fill(0x55, 30_000, 30_100)],
    ['of something else', () => Buffer.from('hello, hello!'.repeat(1000))],
  ])('is made anew where it was %s', async (_, damage) => {
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
