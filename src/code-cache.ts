import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { defaultCacheDir } from './config/paths.ts'
import { isOwn, isTrustedFolder } from './system/ownership.ts'
import { writeFile } from './system/write-file.ts'
import type { World } from './world.ts'

/** How long unused code is kept, in milliseconds. */
const lifetime = 30 * 24 * 3_600_000

/** The compiled code of a module in the cache. */
export interface KeptCode {
  readonly code: Buffer
  /** The modules that were loaded in the runs that compiled the code. */
  readonly loadedWith: readonly string[]
}

/**
 * The folder for compiled code, which may not exist; undefined where no code is cached. V8 runs cached code without comparing
 * it with the source, so it is only read from the default folder and never from one that a variable names, which may be
 * in a repository or filled by another job.
 */
export function codeFolder(world: Pick<World, 'env' | 'home' | 'platform'>): string | undefined {
  if (world.env['NODE_DISABLE_COMPILE_CACHE']) return undefined
  try {
    // The home folder may be a link. Links below it are not followed.
    const home = realpathSync.native(world.home)
    const folder = defaultCacheDir({ ...world, home })
    return folder && join(folder, `compiled-${process.version}-${process.arch}`)
  } catch {
    return undefined
  }
}

/**
 * Reads a file of compiled code: a line with the names of the modules that were loaded with it, and the code twice, since
 * damaged code would crash V8. The owner is checked on the open descriptor, so the file cannot be replaced in between.
 * The folder must be trusted.
 */
export function readCode(path: string): KeptCode | undefined {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    const stats = fstatSync(file)
    if (!stats.isFile() || !isOwn(stats)) return undefined
    const bytes = readFileSync(file)
    const start = bytes.indexOf('\n') + 1
    const middle = (start + bytes.length) / 2
    const [code, again] = [bytes.subarray(start, middle), bytes.subarray(middle)]
    const loadedWith = bytes.toString('latin1', 0, start).trim().split(' ')
    return code.equals(again) ? { code, loadedWith } : undefined
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Writes compiled code to the folder, which is created if necessary, and deletes files older than a month. */
export function writeCode(folder: string, files: ReadonlyMap<string, KeptCode>): void {
  if (!isTrustedFolder(folder, { make: true })) return
  for (const [name, { code, loadedWith }] of files) {
    const path = join(folder, name)
    const names = `${loadedWith.join(' ')} `
    // V8 copies code that is not aligned to eight bytes.
    const line = `${names.padEnd(Math.ceil((names.length + 1) / 8) * 8 - 1)}\n`
    writeFile(path, Buffer.concat([Buffer.from(line), code, code]), { isPrivate: true })
  }
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (Date.now() - statSync(path).mtimeMs > lifetime) rmSync(path, { force: true, recursive: true })
  }
}
