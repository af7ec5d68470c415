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

/** How long compiled code is kept, in milliseconds. */
const life = 30 * 24 * 3_600_000

/** V8's code of one module, as it is kept in a file. */
export interface KeptCode {
  readonly code: Buffer
  /** The modules that were loaded beside it in the runs that the code comes from. */
  readonly loadedWith: readonly string[]
}

/**
 * The folder for compiled code, which need not exist; nothing where code is not to be kept. V8 runs the code it is given
 * without comparing it with the source, so it is only ever taken from the default folder, never from one that a
 * variable names: that may lie in a repository, or be a cache that some other job has filled.
 */
export function codeFolder(world: Pick<World, 'env' | 'home' | 'platform'>): string | undefined {
  if (world.env['NODE_DISABLE_COMPILE_CACHE']) return undefined
  try {
    // The home itself may be reached by a link; below it, none is followed.
    const home = realpathSync.native(world.home)
    const folder = defaultCacheDir({ ...world, home })
    return folder && join(folder, `compiled-${process.version}-${process.arch}`)
  } catch {
    return undefined
  }
}

/**
 * A file holds a line with the names of the modules that were loaded with it, and then the code twice: V8 trusts the
 * bytes it is given, and damaged ones would take the program down. It is opened once, and the descriptor is judged that
 * is read. The folder must be a trusted one.
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

/** Writes files of code into the folder, which is made when missing, and removes those that were not used for long. */
export function writeCode(folder: string, files: ReadonlyMap<string, KeptCode>): void {
  if (!isTrustedFolder(folder, { make: true })) return
  for (const [name, { code, loadedWith }] of files) {
    const path = join(folder, name)
    const names = `${loadedWith.join(' ')} `
    // V8 would copy code that does not lie at a multiple of eight bytes.
    const line = `${names.padEnd(Math.ceil((names.length + 1) / 8) * 8 - 1)}\n`
    writeFile(path, Buffer.concat([Buffer.from(line), code, code]), { isPrivate: true })
  }
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (Date.now() - statSync(path).mtimeMs > life) rmSync(path, { force: true, recursive: true })
  }
}
