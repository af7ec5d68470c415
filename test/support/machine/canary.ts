import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The key that stands in the environment of every command that brings none of its own. */
export const canary = 'canary-of-the-whole-suite-0123456789'

/** Large files are books; whatever keeps a key is small. */
const largest = 4 * 1024 * 1024

/** The keys of a sandbox, which only the commands that are there to show it may print. */
const sandboxKey = /sbx_[a-z]{4}_\w{20,}/

/**
 * Throws when a secret stands in what was printed, or in a file that pubctl keeps below `home`, but for the profile
 * file. What a test puts into the home itself is its own.
 */
export function findNoSecret(secrets: readonly string[], printed: string, home: string, line: string): void {
  const worth = secrets.map(secret => secret.trim()).filter(secret => secret.length >= 8)
  for (const secret of worth)
    if (printed.includes(secret)) throw new Error(`"pubctl ${line}" printed the key ${secret}`)
  if (sandboxKey.test(printed) && !/\bsandbox (status|start)\b/.test(line))
    throw new Error(`"pubctl ${line}" printed the key of the sandbox`)
  const config = join(home, '.config/pubctl/config.json')
  for (const path of worth.length > 0 ? filesKeptIn(home) : []) {
    if (path === config) continue
    const content = contentOf(path)
    for (const secret of worth)
      if (content?.includes(secret)) throw new Error(`"pubctl ${line}" left the key ${secret} in ${path}`)
  }
}

/** Folders that pubctl keeps nothing in may be large, and are not looked into. */
const filesKeptIn = (home: string): string[] =>
  readdirSync(home, { withFileTypes: true })
    .filter(({ name }) => /^(\.|Library|AppData)/.test(name))
    .flatMap(entry =>
      entry.isDirectory()
        ? readdirSync(join(home, entry.name), { recursive: true, withFileTypes: true })
        : [entry],
    )
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => (statSync(path, { throwIfNoEntry: false })?.size ?? largest) < largest)

/** What stands in a file, or nothing when another process has just put it elsewhere. */
function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
