import { createRequire } from 'node:module'
import { homedir, tmpdir, userInfo } from 'node:os'
import { basename, join, relative, sep } from 'node:path'
import { getAsset, getRawAsset } from 'node:sea'
import { type Directories, realDirectoriesOf } from '../../config/paths.ts'
import { folderName, isComplete, type PackedFile, unpack } from './unpack.ts'

// What the single executable runs first. The program lies in it as it is published, a file an asset. Native modules can only
// be loaded from a file, and threads and processes are started from one, so it is unpacked once.

const files: readonly PackedFile[] = JSON.parse(getAsset('files.json', 'utf8'))
const directories = ownDirectories()
const record = directories && join(directories.configDir, 'unpacked.json')

const module = ownModule(process.argv[2]) ?? unpacked()
if (module !== undefined) createRequire(module)(module)

/** The program's first module; undefined, and the user is told why, when it cannot be unpacked. */
function unpacked(): string | undefined {
  // A home that cannot be written to has a folder among the temporary files.
  const temporary = join(tmpdir(), `pubctl-${userInfo().uid}`)
  const cacheFolders = directories ? [directories.cacheDir, temporary] : [temporary]
  try {
    return join(unpack(files, contentOf, cacheFolders, record), 'bin/pubctl.js')
  } catch (error) {
    const { message } = error as Error
    process.stderr.write(
      `pubctl cannot unpack itself: ${message}. Set PUBCTL_CACHE_DIR to a folder of your own.\n`,
    )
    process.exitCode = 2
    return undefined
  }
}

function contentOf(path: string): Uint8Array {
  return new Uint8Array(getRawAsset(path) as ArrayBuffer)
}

/**
 * The program starts processes with `process.execPath` and a module of its own, which is this executable here and not Node.
 * Such a module is run if it is one that was packed, in a folder that holds exactly what was.
 */
function ownModule(path: string | undefined): string | undefined {
  const [, folder] = path?.match(/^(.*[\\/]program-[0-9a-f]{16})[\\/]dist[\\/][\w-]+\.js$/) ?? []
  if (path === undefined || folder === undefined || basename(folder) !== folderName(files)) return undefined
  const name = relative(folder, path).replaceAll(sep, '/')
  return files.some(each => each.path === name) && isComplete(folder, files, record) ? path : undefined
}

/** Undefined where they are unfit, which the program says once it runs. */
function ownDirectories(): Directories | undefined {
  try {
    return realDirectoriesOf({ env: process.env, home: homedir(), platform: process.platform })
  } catch {
    return undefined
  }
}
