import { posix, win32 } from 'node:path'
import { UsageFailure } from '../errors.ts'
import type { World } from '../world.ts'
import { variable } from './variables.ts'

/** Absolute paths of pubctl's own folders; none of them need exist. */
export interface Places {
  /** Profiles and their keys. */
  readonly configDir: string
  /** What is to be kept: the sandbox and the journal of uploads. */
  readonly dataDir: string
  /** What can be made again. */
  readonly cacheDir: string
}

/**
 * Where pubctl keeps its files: PUBCTL_CONFIG_DIR, PUBCTL_DATA_DIR and PUBCTL_CACHE_DIR name the folders themselves;
 * without them the XDG folders are used, or on Windows those of the application data. Throws UsageFailure for a relative
 * path: in a folder that somebody else has filled, such as a repository, profiles and their commands would come from there.
 */
export function placesOf({ env, home, platform }: Pick<World, 'env' | 'home' | 'platform'>): Places {
  const { isAbsolute, resolve } = platform === 'win32' ? win32 : posix
  const defaults = platform === 'win32' ? onWindows(env, home) : onUnix(env, home)
  const place = (name: `PUBCTL_${string}`, usual: string): string => {
    const chosen = variable(env, name)
    if (isAbsolute(chosen ?? usual)) return resolve(chosen ?? usual)
    throw chosen === undefined ? relative('the home folder', home, name) : relative(name, chosen, name)
  }
  return {
    configDir: place('PUBCTL_CONFIG_DIR', defaults.configDir),
    dataDir: place('PUBCTL_DATA_DIR', defaults.dataDir),
    cacheDir: place('PUBCTL_CACHE_DIR', defaults.cacheDir),
  }
}

/** Where the cache lies when no variable names another place for it; nothing when one does. */
export function defaultCacheDir({
  env,
  home,
  platform,
}: Pick<World, 'env' | 'home' | 'platform'>): string | undefined {
  if (env['PUBCTL_CACHE_DIR'] !== undefined || env['XDG_CACHE_HOME']) return undefined
  return platform === 'win32' ? onWindows(env, home).cacheDir : onUnix(env, home).cacheDir
}

const relative = (what: string, path: string, name: string): UsageFailure =>
  new UsageFailure(`${what} is "${path}", which is not an absolute path`, {
    hint: `Give an absolute path in ${name}.`,
  })

function onUnix(env: World['env'], home: string): Places {
  // The XDG specification has an empty or a relative path ignored.
  const base = (name: string, ...usual: string[]): string => {
    const chosen = env[name]
    return posix.join(chosen && posix.isAbsolute(chosen) ? chosen : posix.join(home, ...usual), 'pubctl')
  }
  return {
    configDir: base('XDG_CONFIG_HOME', '.config'),
    dataDir: base('XDG_DATA_HOME', '.local', 'share'),
    cacheDir: base('XDG_CACHE_HOME', '.cache'),
  }
}

function onWindows(env: World['env'], home: string): Places {
  const roaming = env['APPDATA'] || win32.join(home, 'AppData', 'Roaming')
  const local = env['LOCALAPPDATA'] || win32.join(home, 'AppData', 'Local')
  return {
    configDir: win32.join(roaming, 'pubctl', 'Config'),
    dataDir: win32.join(local, 'pubctl', 'Data'),
    cacheDir: win32.join(local, 'pubctl', 'Cache'),
  }
}
