import { posix, resolve, win32 } from 'node:path'
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
 * without them the XDG folders are used, or on Windows those of the application data.
 */
export function placesOf({ env, home, platform }: Pick<World, 'env' | 'home' | 'platform'>): Places {
  const defaults = platform === 'win32' ? onWindows(env, home) : onUnix(env, home)
  const place = (name: `PUBCTL_${string}`, usual: string): string => {
    const chosen = variable(env, name)
    return chosen === undefined ? usual : resolve(chosen)
  }
  return {
    configDir: place('PUBCTL_CONFIG_DIR', defaults.configDir),
    dataDir: place('PUBCTL_DATA_DIR', defaults.dataDir),
    cacheDir: place('PUBCTL_CACHE_DIR', defaults.cacheDir),
  }
}

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
