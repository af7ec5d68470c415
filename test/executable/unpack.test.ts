import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { unpack } from '../../src/executable/unpack.ts'
import { temporaryFolder } from '../support/pubctl.ts'

const contents: Record<string, string> = { 'bin/pubctl.js': 'the program', 'dist/main.js': 'all else' }
const contentOf = (path: string) => Buffer.from(contents[path] ?? '')
const files = Object.entries(contents).map(([path, content]) => ({
  path,
  sha256: createHash('sha256').update(content).digest('hex'),
}))

/** Unpacks the files, and gives where they are and which of them had to be written. */
function unpacked(...cacheFolders: string[]) {
  const written: string[] = []
  const read = (path: string) => {
    written.push(path)
    return contentOf(path)
  }
  return { folder: unpack(files, read, cacheFolders), written }
}

const contentIn = (folder: string) =>
  Object.fromEntries(Object.keys(contents).map(path => [path, readFileSync(join(folder, path), 'utf8')]))

describe('the program that an executable holds', () => {
  it('is unpacked once, for the user alone', () => {
    const cache = join(temporaryFolder(), 'cache')
    const { folder, written } = unpacked(cache)
    expect(written).toEqual(Object.keys(contents))
    expect(contentIn(folder)).toEqual(contents)
    for (const path of ['', 'bin', 'bin/pubctl.js', 'dist']) {
      expect(statSync(join(folder, path)).mode & 0o077, path).toBe(0)
    }
    expect(unpacked(cache)).toEqual({ folder, written: [] })
  })

  it.each<[string, (file: string) => void]>([
    ['was changed', file => writeFileSync(file, 'something')],
    [
      'was changed and its time set back',
      file => {
        const { atime, mtime } = statSync(file)
        writeFileSync(file, 'the progrum')
        utimesSync(file, atime, mtime)
      },
    ],
    ['was cut', file => writeFileSync(file, '')],
    ['is missing', file => rmSync(file)],
  ])('is mended where a file %s', (_, harm) => {
    const cache = temporaryFolder()
    const { folder } = unpacked(cache)
    harm(join(folder, 'bin/pubctl.js'))
    expect(unpacked(cache)).toEqual({ folder, written: ['bin/pubctl.js'] })
    expect(contentIn(folder)).toEqual(contents)
  })

  it('is unpacked elsewhere where others can change the folder, or it cannot be made', () => {
    const shared = join(temporaryFolder(), 'shared')
    mkdirSync(shared)
    chmodSync(shared, 0o777)
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    const own = temporaryFolder()
    expect(unpacked(shared, join(file, 'cache'), own).folder.startsWith(own)).toBe(true)
    expect(readdirSync(shared)).toEqual([])
    expect(() => unpacked(shared)).toThrow('other users can change the folder')
  })

  it('goes a month after its last use, when another version is unpacked', () => {
    const cache = temporaryFolder()
    const days = (count: number) => new Date(Date.now() - count * 24 * 3_600_000)
    const ages = { 'program-0123456789abcdef': 31, 'program-fedcba9876543210': 29, 'compiled-v20': 31 }
    for (const [name, age] of Object.entries(ages)) {
      mkdirSync(join(cache, name))
      utimesSync(join(cache, name), days(age), days(age))
    }
    const { folder } = unpacked(cache)
    expect(Object.keys(ages).map(name => existsSync(join(cache, name)))).toEqual([false, true, true])
    utimesSync(folder, days(29), days(29))
    unpacked(cache)
    expect(Date.now() - statSync(folder).mtimeMs).toBeLessThan(60_000)
  })
})
