import { readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { realDirectoriesOf } from '../config/paths.ts'
import {
  addKnown,
  canRecord,
  type KnownFiles,
  markAt,
  readKnown,
  readKnownFile,
} from '../system/known-files.ts'
import { isTrustedFolder } from '../system/ownership.ts'
import { shortHash } from '../system/short-hash.ts'
import type { World } from '../system/world.ts'
import { writeFile } from '../system/write-file.ts'

/** How long unused code is kept, in milliseconds. */
const lifetime = 30 * 24 * 3_600_000

/** The compiled code of a module in the cache. */
export interface KeptCode {
  readonly code: Buffer
  /** The modules that were loaded in the runs that compiled the code, and how many of them in those that succeeded. */
  readonly loadedWith: readonly string[]
}

/** Where compiled code is kept. Nothing needs to exist yet. */
export interface CodeCache {
  /** One for each record that shares a cache folder, since code of another record would have to be written again. */
  readonly folder: string
  /** The record of the files that pubctl itself wrote there. */
  readonly record: string
}

/**
 * Where compiled code is kept; undefined where none is. V8 runs cached code without comparing it with the source, and what
 * lies in a cache folder may be restored from elsewhere, or checked out where a variable names a folder in a repository. So
 * code is only read from a file that the record in the configuration folder knows.
 */
export function codeCache(world: Pick<World, 'env' | 'home' | 'platform'>): CodeCache | undefined {
  if (world.env['NODE_DISABLE_COMPILE_CACHE']) return undefined
  try {
    const { cacheDir, configDir } = realDirectoriesOf(world)
    const record = join(configDir, 'compiled.json')
    const name = `compiled-${process.version}-${process.arch}-${shortHash(record)}`
    return { folder: join(cacheDir, name), record }
  } catch {
    return undefined
  }
}

/** The files with code that can be used: those that are known, if nobody else can change the folder. */
export function usableCode({ folder, record }: CodeCache): KnownFiles {
  try {
    return isTrustedFolder(folder) ? readKnown(record) : {}
  } catch {
    return {}
  }
}

/**
 * Reads a file of compiled code with the mark by which it is known: a line with the names of the modules that were loaded
 * with it, and the code twice, since damaged code would crash V8.
 */
export function readCode(path: string, mark: string): KeptCode | undefined {
  const bytes = readKnownFile(path, mark)
  if (bytes === undefined) return undefined
  const start = bytes.indexOf('\n') + 1
  const middle = (start + bytes.length) / 2
  const [code, again] = [bytes.subarray(start, middle), bytes.subarray(middle)]
  const loadedWith = bytes.toString('latin1', 0, start).trim().split(' ')
  return code.equals(again) ? { code, loadedWith } : undefined
}

/**
 * Writes compiled code to the folder, which is created if necessary, and deletes what is older than a month there and in the
 * folders of other records and versions.
 */
export function writeCode({ folder, record }: CodeCache, files: ReadonlyMap<string, KeptCode>): void {
  if (!canRecord(record) || !isTrustedFolder(folder, { make: true })) return
  const known: Record<string, string> = {}
  for (const [name, { code, loadedWith }] of files) {
    const path = join(folder, name)
    const names = `${loadedWith.join(' ')} `
    // V8 copies code that is not aligned to eight bytes.
    const line = `${names.padEnd(Math.ceil((names.length + 1) / 8) * 8 - 1)}\n`
    writeFile(path, Buffer.concat([Buffer.from(line), code, code]), { isPrivate: true })
    const mark = markAt(path)
    if (mark !== undefined) known[path] = mark
  }
  addKnown(record, known)
  removeUnused(folder, () => true)
  removeUnused(dirname(folder), name => name.startsWith('compiled-'))
}

function removeUnused(folder: string, isCode: (name: string) => boolean): void {
  for (const name of readdirSync(folder).filter(isCode)) {
    const path = join(folder, name)
    if (Date.now() - statSync(path).mtimeMs > lifetime) rmSync(path, { force: true, recursive: true })
  }
}
