import { realpathSync } from 'node:fs'
import { join, posix, sep, win32 } from 'node:path'
import { UsageFailure } from '../system/errors.ts'
import type { World } from '../system/world.ts'
import { variable } from './variables.ts'

/** Absolute paths of pubctl's own directories, which may not exist yet. */
export interface Directories {
  /** Profiles and their keys. */
  readonly configDir: string
  /** The sandbox and the journal of uploads. */
  readonly dataDir: string
  /** Files that can be deleted at any time. */
  readonly cacheDir: string
}

/**
 * Where pubctl keeps its files: PUBCTL_CONFIG_DIR, PUBCTL_DATA_DIR and PUBCTL_CACHE_DIR, else the XDG base directories, or
 * the application data folders on Windows. Throws UsageFailure for a relative path, because profiles and the commands in
 * them would then be read from the current directory, such as a cloned repository.
 */
export function directoriesOf({
  env,
  home,
  platform,
}: Pick<World, 'env' | 'home' | 'platform'>): Directories {
  const { isAbsolute, resolve } = platform === 'win32' ? win32 : posix
  const defaults = platform === 'win32' ? onWindows(env, home) : onUnix(env, home)
  const directory = (name: `PUBCTL_${string}`, fallback: string): string => {
    const chosen = variable(env, name)
    if (isAbsolute(chosen ?? fallback)) return resolve(chosen ?? fallback)
    throw chosen === undefined ? relative('the home folder', home, name) : relative(name, chosen, name)
  }
  return {
    configDir: directory('PUBCTL_CONFIG_DIR', defaults.configDir),
    dataDir: directory('PUBCTL_DATA_DIR', defaults.dataDir),
    cacheDir: directory('PUBCTL_CACHE_DIR', defaults.cacheDir),
  }
}

/**
 * The same, where the home folder may be a link, as for checks that follow none: its path is that of the folder itself. A
 * variable that names a folder below the home folder means the same one. Throws the system's error if there is no home folder.
 */
export function realDirectoriesOf({
  env,
  home,
  platform,
}: Pick<World, 'env' | 'home' | 'platform'>): Directories {
  const real = realpathSync.native(home)
  const folders = directoriesOf({ env, home, platform })
  const resolved = (path: string): string =>
    path.startsWith(home + sep) ? join(real, path.slice(home.length)) : path
  return {
    configDir: resolved(folders.configDir),
    dataDir: resolved(folders.dataDir),
    cacheDir: resolved(folders.cacheDir),
  }
}

const relative = (what: string, path: string, name: string): UsageFailure =>
  new UsageFailure(`${what} is "${path}", which is not an absolute path`, {
    hint: `Give an absolute path in ${name}.`,
  })

function onUnix(env: World['env'], home: string): Directories {
  // The XDG specification says to ignore an empty or relative path.
  const base = (name: string, ...fallback: string[]): string => {
    const chosen = env[name]
    return posix.join(chosen && posix.isAbsolute(chosen) ? chosen : posix.join(home, ...fallback), 'pubctl')
  }
  return {
    configDir: base('XDG_CONFIG_HOME', '.config'),
    dataDir: base('XDG_DATA_HOME', '.local', 'share'),
    cacheDir: base('XDG_CACHE_HOME', '.cache'),
  }
}

function onWindows(env: World['env'], home: string): Directories {
  const roaming = env['APPDATA'] || win32.join(home, 'AppData', 'Roaming')
  const local = env['LOCALAPPDATA'] || win32.join(home, 'AppData', 'Local')
  return {
    configDir: win32.join(roaming, 'pubctl', 'Config'),
    dataDir: win32.join(local, 'pubctl', 'Data'),
    cacheDir: win32.join(local, 'pubctl', 'Cache'),
  }
}
