import { createHash } from 'node:crypto'
import {
  chmodSync,
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
import { basename, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { unpack } from '../../src/start/executable/unpack.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'

const contents: Record<string, string> = { 'bin/pubctl.js': 'the program', 'dist/main.js': 'all else' }
const contentOf = (path: string) => Buffer.from(contents[path] ?? '')
const files = Object.entries(contents).map(([path, content]) => ({
  path,
  sha256: createHash('sha256').update(content).digest('hex'),
}))

/** The record in the configuration folder of a home that holds the cache folder. */
const recordFor = (cacheFolder: string) => join(cacheFolder, '../config/unpacked.json')

/** Unpacks the files, and gives where they are and which of them had to be written. */
function unpacked(...cacheFolders: string[]) {
  const written: string[] = []
  const read = (path: string) => {
    written.push(path)
    return contentOf(path)
  }
  const record = recordFor(cacheFolders.at(-1) ?? '')
  return { folder: unpack(files, read, cacheFolders, record), written }
}

/** A cache folder in a home of its own. */
const newCache = () => join(temporaryFolder(), 'cache')

/** Every file below a folder, with its content. */
const everything = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(path => !statSync(join(folder, path)).isDirectory())
      .map(path => [path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')]),
  )

describe('the program that an executable holds', () => {
  it('is unpacked once, for the user alone', () => {
    const cache = newCache()
    const { folder, written } = unpacked(cache)
    expect(written).toEqual(Object.keys(contents))
    expect(everything(folder)).toEqual(contents)
    for (const path of ['', 'bin', 'bin/pubctl.js', 'dist']) {
      expect(statSync(join(folder, path)).mode & 0o077, path).toBe(0)
    }
    expect(unpacked(cache)).toEqual({ folder, written: [] })
  })

  it.each<[string, (folder: string) => void]>([
    ['a file was changed', folder => writeFileSync(join(folder, 'bin/pubctl.js'), 'something')],
    [
      'a file was changed and its time set back',
      folder => {
        const file = join(folder, 'bin/pubctl.js')
        const { atime, mtime } = statSync(file)
        writeFileSync(file, 'the progrum')
        utimesSync(file, atime, mtime)
      },
    ],
    ['a file was cut', folder => writeFileSync(join(folder, 'bin/pubctl.js'), '')],
    ['a file is missing', folder => rmSync(join(folder, 'bin/pubctl.js'))],
    ['a folder is missing', folder => rmSync(join(folder, 'bin'), { recursive: true })],
    [
      'a module was planted that Node finds first',
      folder => {
        mkdirSync(join(folder, 'node_modules/libsql/node_modules/detect-libc'), { recursive: true })
        writeFileSync(join(folder, 'node_modules/libsql/node_modules/detect-libc/index.js'), 'planted')
      },
    ],
    ['a file was planted beside one that was packed', folder => writeFileSync(join(folder, 'dist/main'), '')],
    ['an empty folder was planted', folder => mkdirSync(join(folder, 'dist/main'))],
    [
      'a link was planted in place of a file',
      folder => {
        renameSync(join(folder, 'dist/main.js'), join(folder, '../main.js'))
        symlinkSync('../../main.js', join(folder, 'dist/main.js'))
      },
    ],
    [
      'a link was planted in place of a folder',
      folder => {
        renameSync(join(folder, 'dist'), join(folder, '../dist'))
        symlinkSync('../dist', join(folder, 'dist'))
      },
    ],
    [
      'a link was planted in place of the whole',
      folder => {
        renameSync(folder, `${folder}-elsewhere`)
        symlinkSync(`${folder}-elsewhere`, folder)
      },
    ],
    ['others may write to a folder within', folder => chmodSync(join(folder, 'dist'), 0o777)],
    ['others may write to a file', folder => chmodSync(join(folder, 'dist/main.js'), 0o666)],
  ])('is unpacked anew and whole where %s', (_, harm) => {
    const cache = newCache()
    const { folder } = unpacked(cache)
    harm(folder)
    expect(unpacked(cache)).toEqual({ folder, written: Object.keys(contents) })
    expect(everything(folder)).toEqual(contents)
    expect(unpacked(cache).written).toEqual([])
    expect(readdirSync(cache).filter(name => name.startsWith(`${basename(folder)}.`))).toEqual([])
  })

  it.each([
    ['with another record', (record: string) => writeFileSync(record, '{}')],
    ['without one', (record: string) => rmSync(record)],
  ])('is read again, and its files are recorded, %s', (_, change) => {
    const cache = newCache()
    const { folder } = unpacked(cache)
    const record = recordFor(cache)
    const recorded = JSON.parse(readFileSync(record, 'utf8'))
    expect(Object.keys(recorded)).toEqual(Object.keys(contents).map(path => join(folder, path)))
    change(record)
    expect(unpacked(cache).written).toEqual([])
    expect(JSON.parse(readFileSync(record, 'utf8'))).toEqual(recorded)
    change(record)
    writeFileSync(join(folder, 'dist/main.js'), 'all elsE')
    expect(unpacked(cache).written).toEqual(Object.keys(contents))
  })

  it('is not believed to be as the record of a restored cache says', () => {
    const cache = newCache()
    const { folder } = unpacked(cache)
    cpSync(join(cache, '..'), join(cache, '../../', `${basename(join(cache, '..'))}-restored`), {
      recursive: true,
      preserveTimestamps: true,
    })
    const restored = `${join(cache, '..')}-restored`
    onTestFinished(() => rmSync(restored, { recursive: true, force: true }))
    const planted = join(restored, 'cache', basename(folder), 'dist/main.js')
    const { atime, mtime } = statSync(planted)
    writeFileSync(planted, 'all elsE')
    utimesSync(planted, atime, mtime)
    const record = recordFor(join(restored, 'cache'))
    writeFileSync(record, readFileSync(record, 'utf8').replaceAll(join(cache, '..'), restored))
    expect(unpacked(join(restored, 'cache')).written).toEqual(Object.keys(contents))
  })

  it('is unpacked where nothing can be recorded', () => {
    const cache = newCache()
    writeFileSync(join(cache, '../config'), 'a file where the folder would be')
    const { folder } = unpacked(cache)
    expect(everything(folder)).toEqual(contents)
    expect(unpacked(cache).written).toEqual([])
  })

  it('is unpacked elsewhere where others can change the folder, or it cannot be made', () => {
    const shared = join(temporaryFolder(), 'shared')
    mkdirSync(shared)
    chmodSync(shared, 0o777)
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    const own = newCache()
    expect(unpacked(shared, join(file, 'cache'), own).folder.startsWith(own)).toBe(true)
    expect(readdirSync(shared)).toEqual([])
    expect(() => unpacked(shared)).toThrow('other users can change the folder')
  })

  it('goes a month after its last use, when another version is unpacked', () => {
    const cache = newCache()
    mkdirSync(cache)
    const days = (count: number) => new Date(Date.now() - count * 24 * 3_600_000)
    const ages = {
      'program-0123456789abcdef': 31,
      'program-fedcba9876543210': 29,
      'program-0123456789abcdef.Xy12ab': 31,
      'compiled-v20': 31,
    }
    for (const [name, age] of Object.entries(ages)) {
      mkdirSync(join(cache, name))
      utimesSync(join(cache, name), days(age), days(age))
    }
    const { folder } = unpacked(cache)
    expect(Object.keys(ages).map(name => existsSync(join(cache, name)))).toEqual([false, true, false, true])
    utimesSync(folder, days(29), days(29))
    unpacked(cache)
    expect(Date.now() - statSync(folder).mtimeMs).toBeLessThan(60_000)
  })
})
