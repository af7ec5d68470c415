import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { placesOf } from './config/paths.ts'
import type { World } from './world.ts'

/** How long what was compiled is kept, in milliseconds. */
const life = 30 * 24 * 3_600_000

type Loaded = { exports: unknown }

/**
 * Loads the program as `require` would, and keeps what V8 compiles of it for the next time: parsing takes half of the
 * time that a short command has. Node can do that by itself from version 22 on; this does it for all. Whatever goes wrong
 * with what is kept is no concern of the command. What is not of this folder is left to `node`, which is Node's `require`.
 */
export function load(
  entry: string,
  world: Pick<World, 'env' | 'home' | 'platform'>,
  node: (name: string) => unknown,
): unknown {
  const folder = folderFor(world)
  const modules = new Map<string, Loaded>()
  const fresh: { path: string; script: Script }[] = []

  const loadModule = (name: string): unknown => {
    const known = modules.get(name)
    if (known) return known.exports
    const filename = join(import.meta.dirname, name)
    const text = readFileSync(filename, 'utf8')
    const module: Loaded = { exports: {} }
    modules.set(name, module)
    const path = folder && join(folder, text.slice(2, text.indexOf('\n')))
    const cachedData = path === undefined ? undefined : kept(path)
    const script = new Script(`(function (exports, require, module, __filename, __dirname) { ${text}\n})`, {
      filename,
      ...(cachedData ? { cachedData } : {}),
    })
    if (path !== undefined && (!cachedData || script.cachedDataRejected)) fresh.push({ path, script })
    const run = script.runInThisContext() as (...values: unknown[]) => void
    run(module.exports, require, module, filename, import.meta.dirname)
    return module.exports
  }
  const require = (name: string): unknown => (name.startsWith('./') ? loadModule(name) : node(name))

  if (folder !== undefined) process.once('exit', () => keep(folder, fresh))
  return loadModule(entry)
}

/**
 * Where to keep what was compiled; each Node and machine has code of its own. Nothing is taken from a folder that another
 * user could have put code into.
 */
function folderFor(world: Pick<World, 'env' | 'home' | 'platform'>): string | undefined {
  if (world.env['NODE_DISABLE_COMPILE_CACHE']) return undefined
  try {
    const folder = join(placesOf(world).cacheDir, `compiled-${process.version}-${process.arch}`)
    const { uid, mode } = statSync(folder, { throwIfNoEntry: false }) ?? {}
    const isOurs = uid === undefined || world.platform === 'win32' || uid === process.getuid?.()
    return isOurs && ((mode ?? 0) & 0o022) === 0 ? folder : undefined
  } catch {
    return undefined
  }
}

/** V8 trusts the bytes it is given, so each file holds them twice: a damaged one would take the program down. */
function kept(path: string): Buffer | undefined {
  try {
    const bytes = readFileSync(path)
    const [one, other] = [bytes.subarray(0, bytes.length / 2), bytes.subarray(bytes.length / 2)]
    return one.equals(other) ? one : undefined
  } catch {
    return undefined
  }
}

function keep(folder: string, fresh: readonly { path: string; script: Script }[]): void {
  if (fresh.length === 0) return
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const { path, script } of fresh) {
      const bytes = script.createCachedData()
      const draft = `${path}.${process.pid}`
      try {
        writeFileSync(draft, Buffer.concat([bytes, bytes]), { mode: 0o600, flag: 'wx' })
        renameSync(draft, path)
      } catch (error) {
        rmSync(draft, { force: true })
        throw error
      }
    }
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      if (Date.now() - statSync(path).mtimeMs > life) rmSync(path, { force: true })
    }
  } catch {
    // It is done without.
  }
}
