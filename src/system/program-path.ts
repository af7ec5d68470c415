import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

type Env = Readonly<Record<string, string | undefined>>

const isWindows = process.platform === 'win32'

/** Names of variables have no case on Windows. */
const isPath = (name: string): boolean => (isWindows ? name.toUpperCase() : name) === 'PATH'

/**
 * The folders on the PATH in which programs are looked for. An entry that is empty or relative means the current folder, which
 * may be a repository or hold books of others.
 */
const foldersOnPath = (env: Env): string[] =>
  (Object.entries(env).find(([name]) => isPath(name))?.[1] ?? '').split(delimiter).filter(isAbsolute)

/** The paths at which a program of this name may lie, in order. */
export const placesOnPath = (name: string, env: Env): string[] =>
  foldersOnPath(env).flatMap(folder =>
    (isWindows ? ['.exe', '.cmd', '.bat'] : ['']).map(ending => join(folder, name + ending)),
  )

/** The path of the first program of this name on the PATH; undefined if there is none. */
export const findProgram = (name: string, env: Env): string | undefined =>
  placesOnPath(name, env).find(isProgram)

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** An environment in which programs, shells and scripts find no program in the current folder by its name. */
export function withoutCurrentFolder(env: Env): Record<string, string | undefined> {
  // A PATH that is empty means the current folder, too; that of a file has no program.
  const path = foldersOnPath(env).join(delimiter) || '/dev/null'
  return {
    ...Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, isPath(name) && value !== undefined ? path : value]),
    ),
    ...(isWindows ? { NoDefaultCurrentDirectoryInExePath: '1' } : {}),
  }
}
